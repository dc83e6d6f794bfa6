# any: names are read from the class itself, whatever it says
class Meta(type):
    __name__ = property(lambda cls: (_ for _ in ()).throw(SystemExit))
    __mro__ = property(lambda cls: 5)


class Bad(Exception, metaclass=Meta):
    def __str__(self):
        raise SystemExit

    __repr__ = __str__
    __traceback__ = property(lambda self: 1 / 0, lambda self, value: None)


def solve(a):
    raise Bad
