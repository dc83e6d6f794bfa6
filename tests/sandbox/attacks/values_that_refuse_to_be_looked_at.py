# any: methods of a student's class are never asked
class Bad:
    def __getattribute__(self, name):
        import os

        os._exit(3)

    __len__ = __iter__ = __eq__ = __bool__ = __getattribute__
    __hash__ = None


def solve(a):
    return [Bad(), (Bad(),), {"x": Bad()}]
