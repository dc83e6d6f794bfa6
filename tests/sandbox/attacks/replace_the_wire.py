# any: it can only spoil its own answers
import gc
import types


def solve(a):
    for module in [o for o in gc.get_objects() if isinstance(o, types.ModuleType)]:
        if module.__name__.startswith("_room"):
            for name in ("pack", "Converter", "describe", "text"):
                if hasattr(module, name):
                    setattr(module, name, lambda *a, **k: b"\0" * 64)
    return a * 0
