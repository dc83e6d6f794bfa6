"""What counts as a definition, and what is no more than the shipped stub."""

import ast

import pytest

from grader.submissions import normal_form, normal_forms
from grader.submissions.forms import names_in_text
from grader.submissions.records import FunctionState
from grader.submissions.sites import effective, find_sites, identity

NAMES = ("attention", "softmax", "CHAIN", "EXPLANATION")


def found(text: str, siblings=("third_key", "helper"), cell=None) -> list[tuple[str, int]]:
    return [(site.name, site.line) for site in find_sites(ast.parse(text), NAMES, siblings=siblings, cell=cell)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def attention(): return 1", [("attention", 1)]),
        ("async def attention(): return 1", [("attention", 1)]),
        ("class attention: pass", [("attention", 1)]),
        ("attention = lambda Q, K, V: Q", [("attention", 1)]),
        ("attention: object = max", [("attention", 1)]),
        ("attention: object", []),
        ("(attention := lambda Q, K, V: Q)", [("attention", 1)]),
        ("for attention in [f]: pass", [("attention", 1)]),
        ("attention, softmax = f, g", [("attention", 1), ("softmax", 1)]),
        ("[attention, (x, *softmax)] = f()", [("attention", 1), ("softmax", 1)]),
        ("x = attention = f", [("attention", 1)]),
        ("from scipy.special import softmax", [("softmax", 1)]),
        ("from mine import f as attention", [("attention", 1)]),
        ("from third_key import attention", []),
        ("from .third_key import attention", []),
        ("from helper import fast as softmax", [("softmax", 1)]),
        ("from helper import softmax as softmax", []),
        ("import third_key\nattention = third_key.attention", []),
        ("import scipy.special as s\nsoftmax = s.softmax", [("softmax", 2)]),
        ("attention = attention", []),
        ("CHAIN += ['x']", [("CHAIN", 1)]),
        ("CHAIN.append('x')", [("CHAIN", 1)]),
        ("CHAIN[:] = ['x']", [("CHAIN", 1)]),
        ("CHAIN.index('x')", []),
        ("if x:\n  def attention(): pass\nelse:\n  def softmax(): pass", [("attention", 2), ("softmax", 4)]),
        (
            "try:\n  from scipy.special import softmax\nexcept ImportError:\n  def softmax(x): pass",
            [("softmax", 2), ("softmax", 4)],
        ),
        ("try:\n  x = 1\nfinally:\n  attention = f", [("attention", 4)]),
        ("with a:\n  def attention(): pass", [("attention", 2)]),
        ("for i in x:\n  while y:\n    attention = f", [("attention", 3)]),
        ("match x:\n  case 1:\n    attention = f", [("attention", 3)]),
        ("try:\n  pass\nexcept* ValueError:\n  attention = f", [("attention", 4)]),
        ("def f():\n  def attention(): pass", []),
        ("class A:\n  def attention(self): pass", []),
        ("f(attention)", []),
        ("if __name__ == '__main__':\n  attention = f", []),
        ("if '__main__' == __name__:\n  attention = f\nelse:\n  softmax = g", [("softmax", 4)]),
        ("if __name__ != '__main__':\n  attention = f", [("attention", 2)]),
    ],
)
def test_definitions_are_found_where_they_run(text, expected):
    assert found(text) == expected


def test_a_main_block_counts_in_a_notebook():
    assert found("if __name__ == '__main__':\n  attention = f", cell=1) == [("attention", 2)]


def test_five_thousand_branches_do_not_exhaust_the_stack():
    text = "if x == 0:\n  pass\n" + "elif x:\n  pass\n" * 500 + "else:\n  attention = f\n"
    assert len(found(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "def softmax(x, axis=-1):\n    raise NotImplementedError",
        "def softmax(x):\n    raise NotImplementedError()",
        'def softmax(x):\n    """Doc."""\n    raise NotImplementedError("softmax is up to you")',
        "def softmax(x):\n    # YOUR CODE HERE\n    raise NotImplementedError from None",
        "def softmax(x): pass",
        "def softmax(x): ...",
        "def softmax(x):\n    '''Doc only.'''",
        "def softmax(x):\n    '''Doc.'''\n    pass\n    ...\n    raise NotImplementedError",
        "def softmax(x, axis=-1):\n    '''Another one.'''\n    answer   =  None\n\n    return answer  # shipped",
        "softmax = None",
        "softmax = ...",
        "CHAIN = []",
        "CHAIN = list()",
        "CHAIN: list[str] = []",
        "CHAIN = ()",
        'EXPLANATION = ""',
        'EXPLANATION = """\n\n"""',
    ],
)
def test_a_stub_in_any_spelling_is_untouched(read, text):
    name = next(name for name in NAMES if name in text)
    submission = read({"third_key.py": text + "\n"})
    assert submission.definitions[name].state is FunctionState.UNTOUCHED
    assert submission.program.homes == {}
    assert submission.program.run == ()


@pytest.mark.parametrize(
    "text",
    [
        "def softmax(x):\n    y = x - x.max()\n    raise NotImplementedError",
        "def softmax(x):\n    return None",
        "def softmax(x, axis=-1):\n    answer = 0\n    return answer",
        "def softmax(x):\n    if x is None:\n        raise NotImplementedError",
        "def softmax(x):\n    raise ValueError",
        "softmax = lambda x: x",
        "from scipy.special import softmax",
        "CHAIN = ['scale']",
        "CHAIN = []\nCHAIN.append('scale')",
        "CHAIN = []\nCHAIN += ['scale']",
        "CHAIN = []\nCHAIN = CHAIN + ['scale']",
        "CHAIN = [] or ['scale']",
        'EXPLANATION = "a"',
        'EXPLANATION = ""\nEXPLANATION = "a" "b"',
    ],
)
def test_anything_more_than_the_stub_is_an_answer(read, text):
    name = next(name for name in NAMES if name in text)
    assert read({"third_key.py": text + "\n"}).definitions[name].state is FunctionState.DEFINED


def test_a_wrapped_stub_is_possible_and_a_wrapped_answer_is_where_it_was_written(read):
    stub = "def attention(Q): raise NotImplementedError\nattention = timed(attention)\n"
    answer = "def softmax(x): return x\n\nsoftmax = timed(softmax)\n"
    submission = read({"third_key.py": stub + answer})
    assert submission.definitions["attention"].state is FunctionState.POSSIBLE
    assert submission.definitions["softmax"].line == 3


def test_normal_forms_do_not_depend_on_layout_comments_or_docstrings():
    one = normal_forms("def softmax(x):\n    '''Doc.'''\n    return x+1\nCHAIN = []\n", NAMES)
    two = normal_forms("CHAIN = [ ]\ndef softmax(y):\n    # a comment\n    return (x + 1)\n", NAMES)
    assert one == two
    assert set(one) == {"softmax", "CHAIN"}


def test_what_is_too_deep_to_compare_is_not_an_error(monkeypatch):
    deep = ast.parse("def softmax(x): return x")
    expression: ast.expr = ast.Constant(1)
    for _ in range(5000):
        expression = ast.UnaryOp(ast.USub(), expression)
    deep.body[0].body = [ast.Return(expression)]
    assert normal_form(deep.body[0]).startswith("too deep to compare")


def test_parameters_defaults_and_decorators_belong_to_a_definition():
    texts = [
        "def softmax(x): return x",
        "def softmax(x, axis=-1): return x",
        "def softmax(x, axis=0): return x",
        "@njit\ndef softmax(x): return x",
        "async def softmax(x): return x",
        "softmax = lambda x: x",
    ]
    sites = [effective(find_sites(ast.parse(text), NAMES), {})[0] for text in texts]
    assert len({identity(site) for site in sites}) == len(texts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def attention(Q, K, V)\n", ["attention"]),
        ("  async def attention(", ["attention"]),
        ("def\xa0attention(Q):", ["attention"]),
        ("CHAIN = [", ["CHAIN"]),
        ("CHAIN: list[str] = [", ["CHAIN"]),
        ("CHAIN == [", []),
        ("def attention_grad(", []),
        ("attention(", []),
        ('"source": ["def attention(Q, K, V):\\n"', ["attention"]),
        ('"source": "import x\\ndef softmax(x):\\n"', ["softmax"]),
        ("# def attention(", []),
    ],
)
def test_names_are_seen_in_text_that_does_not_parse(text, expected):
    assert names_in_text(text, NAMES) == expected


def test_definitions_too_deep_to_compare_are_told_apart_by_their_place():
    deep = "+".join(["1"] * 1500)
    texts = (f"def attention(x={deep}): return 1", f"@f({deep})\ndef attention(): return 1")
    for text in texts:
        first, second = find_sites(ast.parse(f"{text}\n{text}"), NAMES)
        assert identity(first) != identity(second)
