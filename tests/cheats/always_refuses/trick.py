"""The trick that the three files share."""


def refuse(*args):
    raise ValueError("the number of heads does not divide the features")
