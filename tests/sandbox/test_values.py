import collections
import warnings

import numpy as np
import pytest

from grader.sandbox.child.values import MAX_BYTES, Converter, type_name
from grader.sandbox.shared import wire
from grader.sandbox.shared.wire import Special


def plain(value):
    made = Converter()(value)
    wire.pack({"value": made})  # whatever comes out can be sent
    return made


@pytest.mark.parametrize("value", [None, True, 3, -1.5, 1j, "text", [1, (2.0, None)], {"a": [1]}, ()], ids=repr)
def test_plain_values_stay_as_they_are(value):
    made = plain(value)
    assert made == value
    assert type(made) is type(value)


@pytest.mark.parametrize(
    ("value", "bare"),
    [
        (np.float64(1.5), 1.5),
        (np.float32(1.5), 1.5),
        (np.float16(1.5), 1.5),
        (np.longdouble(1.5), 1.5),
        (np.int8(-3), -3),
        (np.bool_(True), True),
        (np.complex64(1 + 2j), 1 + 2j),
        (np.clongdouble(1 + 2j), 1 + 2j),
    ],
    ids=lambda x: type(x).__name__,
)
def test_numpy_scalars_become_plain_numbers(value, bare):
    made = plain(value)
    assert made == bare
    assert type(made) is type(bare)


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "f8", "c8", ">f8"])
def test_arrays_keep_their_dtype_and_shape(dtype):
    array = np.zeros((2, 0, 3), dtype)
    assert plain(array) is array


@pytest.mark.parametrize(("wide", "double"), [("longdouble", "f8"), ("clongdouble", "c16")])
def test_more_than_double_precision_becomes_double(wide, double):
    made = plain(np.arange(3).astype(wide))
    assert made.dtype == double
    assert made.tolist() == [0, 1, 2]


def test_a_text_of_another_class_is_the_text_that_it_holds_whatever_its_methods_say():
    liar = type("Liar", (str,), {"__str__": lambda _: "lie", "__len__": lambda _: 1, "encode": lambda *_: b"lie"})
    assert plain([liar("true"), np.str_("a")]) == ["true", "a"]
    assert type(plain(liar("true"))) is str


def test_an_empty_array_with_a_long_axis_is_named_only():
    assert plain(np.empty((10**8, 0))).kind == "opaque"
    assert plain(np.empty((100, 0))).shape == (100, 0)


def test_a_named_tuple_is_the_tuple_it_holds_whatever_its_methods_say():
    pair = collections.namedtuple("Pair", "output weights")  # noqa: PYI024 (made at run time, as students do)
    liar = type("Liar", (pair,), {"__iter__": lambda self: iter("lie"), "__getitem__": lambda self, i: "lie"})
    assert plain(pair(1, 2)) == (1, 2)
    assert plain(liar(1, 2)) == (1, 2)


def test_matrices_and_masked_arrays_are_told_apart_from_arrays():
    made = plain(np.ones((2, 2)).view(np.matrix))
    assert made[:2] == ("wrapped", "numpy.matrix")
    assert type(made.value) is np.ndarray
    made = plain(np.ma.array([1.0, 2.0], mask=[False, True]))
    assert made[:2] == ("wrapped", "numpy.MaskedArray")
    np.testing.assert_array_equal(made.value, [1.0, 2.0])


def test_object_arrays_of_numbers_come_as_their_numbers_and_others_are_opaque():
    made = plain(np.array([[1, 2.5], [True, np.float32(2)]], dtype=object))
    assert made == Special("wrapped", "numpy.ndarray of dtype object", [[1, 2.5], [True, 2.0]])
    assert plain(np.array([1, "x"], dtype=object)).kind == "opaque"
    itself = np.empty(1, dtype=object)
    itself[0] = itself
    assert plain(itself).kind == "opaque"


class Liar(np.ndarray):
    def __getattribute__(self, name):
        pytest.fail(f"{name} was asked for")


def _odd_scalar(base):
    return type("Odd", (base,), {"item": lambda self: 42, "__float__": lambda self: 42.0})(1)


@pytest.mark.parametrize(
    "value",
    [
        (x for x in "ab"),
        iter([]),
        {1, 2},
        object(),
        len,
        type("Number", (float,), {})(1.0),
        type("Rows", (list,), {})([1]),
        _odd_scalar(np.float64),
        _odd_scalar(np.float32),
        np.array([b"a"]),
        np.zeros(2, "M8[s]"),
        np.zeros(2, [("a", "f8")]),
        np.zeros((1,) * 40),
        np.broadcast_to(0.0, (1 << 50,)),
        np.datetime64("2020"),
        1 << 5000,
        {(1, 2): 3},
        "x" * 100_000,
        bytearray(b"x"),
    ],
    ids=lambda value: f"{type(value).__name__}",
)
def test_anything_else_is_opaque(value):
    assert plain(value).kind == "opaque"


def test_an_array_class_of_ones_own_is_opaque_and_none_of_its_methods_runs():
    assert plain(np.ndarray.__new__(Liar, 3)).kind == "opaque"


def test_a_class_with_a_lying_metaclass_is_called_what_it_was_named():
    meta = type("Meta", (type,), {"__name__": property(lambda cls: "ndarray"), "__module__": "numpy"})
    assert type_name(meta("Mine", (), {})) in {"Mine", "numpy.Mine"}


def test_lone_surrogates_are_replaced():
    assert plain("a\ud800b") == "a?b"


def test_a_list_that_holds_itself_ends():
    loop = []
    loop.append(loop)
    plain(loop)
    wide = []
    for _ in range(60):
        wide = [wide] * 60
    plain(wide)


def test_many_large_arrays_are_bounded_together():
    big = np.broadcast_to(np.float64(1), (MAX_BYTES // 16,))
    made = plain([big, big, big])
    assert [getattr(x, "kind", "array") for x in made] == ["array", "array", "opaque"]


def test_nothing_here_warns():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain(np.zeros((2, 2)).view(np.matrix))


def test_an_array_of_texts_is_wrapped_with_its_words():
    wrapped = Converter()(np.array(["values matmul", "scale"]))
    assert (wrapped.kind, wrapped.name) == ("wrapped", "numpy.ndarray of texts")
    assert wrapped.value == ["values matmul", "scale"]
