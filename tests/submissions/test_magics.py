r"""Notebook syntax is taken out as IPython would read it: the same lines, and the same code otherwise."""

import ast
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.submissions.magics import DROPPED, strip_magics

CELLS = [
    "x = 1",
    "%matplotlib inline",
    "%matplotlib inline\nimport numpy as np\nx = np.eye(2)",
    "%load_ext autoreload\n%autoreload 2\n",
    "x = 1\n%timeit x\ny = 2",
    "!ls",
    "!pip install numpy\nimport numpy",
    "!!ls -l\nx = 1",
    "!echo (unbalanced 'quote\nx = 1",
    "files = !ls\nn = len(files)",
    "x = %pwd\ny = 1",
    "a, b = !ls",
    "a.b = !ls",
    "a[0] = !ls",
    "x: list = !ls",
    "x = %timeit -o f(1)",
    "t = %time f(1)",
    "%time x = f(1)\ny = x",
    "%time f(1)",
    "%time",
    "%time  x = (1",
    "?x\ny = 1",
    "x?\ny = 1",
    "x??",
    "np.zeros?",
    "%time?",
    "??np.zeros",
    "x = 1\nx?",
    "%%time\nx = 1\ny = 2",
    "%%timeit\nx = 1",
    "%%timeit -n 10\nx = sum(range(3))",
    "%%capture out\nprint(1)",
    "%%capture\n%matplotlib inline\nx = 1",
    "%%prun\nf(1)",
    "%%time\n%%capture\nx = 1",
    "%%time\n\n!ls\nx = 1",
    "%%bash\necho hello",
    "%%sh\nrm -rf x",
    "%%html\n<b>x</b>",
    "%%javascript\nalert(1)",
    "%%latex\n$x$",
    "%%script bash\necho",
    "%%writefile notes.txt\nhello world",
    "\n\n%%bash\necho",
    "\n%%time\nx = 1",
    "if True:\n    %timeit f(1)\n    x = 1",
    "for i in range(3):\n    !ls\n    y = i",
    "def f():\n    x = !ls\n    return x",
    "with a as b:\n    %time x = 1\n",
    "if True:\n    pass\n%matplotlib inline",
    's = """\n%x\n!ls\n"""\n',
    "s = '''\n%%bash\n?\n'''\nt = 1",
    "a = (5\n% 3)",
    "a = [10\n% 4, 2\n% 3]",
    "a = 5 \\\n% 3",
    "f('%d' % 3)",
    "f('x?')",
    "x = 'is it?'  # really?",
    "# %matplotlib inline\nx = 1",
    "# what?\nx = 1",
    "x = 5 % 3",
    "x = y != z",
    "x %= 3",
    "x == y",
    "f(a=1, b='!')",
    'f"{x!r} {y % 2}"',
    "'''doc?'''\nx = 1",
    "s = 'a\\\n%b'\nx = 1",
    "s = r'\\\\'\n%matplotlib inline",
    ">>> x = 1\n>>> y = 2",
    ">>> def f():\n...     return 1\n",
    ">>> %matplotlib inline\n>>> x = 1",
    "In [3]: x = 1\nIn [4]: y = 2",
    "In [1]: def f():\n   ...:     return 1\n   ...: ",
    "    x = 1\n    y = 2",
    "    %matplotlib inline\n    y = 2",
    "\tx = 1\n\tif x:\n\t\t%timeit x\n\t\ty = 1",
    "!ls \\\n  -l\nx = 1",
    "%timeit f(1, \\\n  2)\nx = 1",
    "x = !ls \\\n  -l\ny = 1",
    "@decorated\ndef f(x):\n    '''%x'''\n    return x % 2",
    "x = {\n    'a': 1,\n    'b': 2 % 3,\n}\n%time y = x",
    "await f()\n%time x = 1",
    "x = 1\n%%time\ny = 2",
    "lambda: 1\n!ls",
    "x = y = 1",
    "print('100%')\n!ls",
    "%cd /content/drive/MyDrive\n%ls\n",
    "%pip install torch",
    "%env X=1\nx = 1",
    "%run other.py\nx = 1",
    "x = 1 # 50%\n%who",
    "x=!ls",
    "x =%pwd",
    "",
    "\n\n",
    "é = 1\n%time ü = é",
]


def as_ipython_reads(text: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from IPython.core.inputtransformer2 import TransformerManager

        return TransformerManager().transform_cell(text)


class WithoutCalls(ast.NodeTransformer):
    """Replaces calls of get_ipython() as the grader does with what they were made of."""

    @staticmethod
    def call(node: ast.expr) -> tuple[str, list[str]] | None:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="get_ipython")), attr=kind)):
                return kind, [argument.value for argument in node.args]  # type: ignore[attr-defined]
        return None

    def visit_Expr(self, node):
        match self.call(node.value):
            case "run_line_magic", ["time", code] if parses(code):
                return ast.parse(code).body
            case "run_cell_magic", [name, *_] if name.lower() in DROPPED or name == "writefile":
                return []
            case "run_cell_magic", [_, _, body]:
                return self.visit(ast.parse(as_ipython_reads(body))).body
            case None:
                return node
        return ast.Pass()

    def visit_Assign(self, node):
        match self.call(node.value):
            case "getoutput", _:
                node.value = ast.List([], ast.Load())
            case "run_line_magic", ["time", code] if parses(code):
                node.value = ast.parse(code, mode="eval").body
            case "run_line_magic", _:
                node.value = ast.Constant(None)
        return node

    def visit_AnnAssign(self, node):
        return self.visit_Assign(node)


def parses(code: str) -> bool:
    try:
        ast.parse(code)
    except SyntaxError:
        return False
    return bool(code.strip())


@pytest.mark.parametrize("text", CELLS)
def test_a_cell_means_what_ipython_makes_of_it(text):
    expected = ast.dump(WithoutCalls().visit(ast.parse(as_ipython_reads(text))))
    assert ast.dump(ast.parse(strip_magics(text).text)) == expected


@pytest.mark.parametrize("text", CELLS)
def test_lines_keep_their_number(text):
    assert strip_magics(text).text.count("\n") == text.count("\n")


def test_the_corpus_is_large_enough():
    assert len(set(CELLS)) >= 90


@pytest.mark.parametrize("text", [cell for cell in CELLS if not set(cell) & set("%!?") and ">>>" not in cell])
def test_plain_code_is_left_as_it_is(text):
    if text.startswith(("In [", " ", "\t")):
        return
    assert strip_magics(text).text == text


@pytest.mark.parametrize(
    ("text", "dropped", "module"),
    [
        ("%%bash\nls", "%%bash", ""),
        ("%%HTML\n<b>", "%%HTML", ""),
        ("%%SVG\n<svg>", "%%SVG", ""),
        ("%%R\nx <- 1", "%%R", ""),
        ("%%!\nls", "%%!", ""),
        ("%%no_such_magic\nthis is no python", "%%no_such_magic", ""),
        ("%%no_such_magic\nx = 1", "", ""),
        ("%%python\nx = 1", "%%python", ""),
        ("%%writefile third_key.py\nx = 1", "", "third_key"),
        ("%%writefile -a src/third_key.py\nx = 1", "", "third_key"),
        ("%%writefile 'third_key.py'\nx = 1", "", "third_key"),
        ("%%file helper.py\nx = 1", "", "helper"),
        ("%%writefile data.csv\n1,2", "%%writefile", ""),
        ("%%time\n%%bash\nls", "%%bash", ""),
    ],
)
def test_cell_magics_are_kept_or_dropped(text, dropped, module):
    plain = strip_magics(text)
    assert (plain.dropped, plain.module) == (dropped, module)
    if dropped:
        assert not plain.text.strip()


def test_a_tower_of_cell_magics_is_not_climbed_step_by_step():
    assert strip_magics("%%mystery\n" * 20_000 + "x = 1").text.strip().endswith("pass\nx = 1")


def test_windows_line_ends_do_not_hide_a_magic():
    assert strip_magics("%%time\r\nx = 1\r\n").text == "\nx = 1\n"


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="%!?'\"\\()[]{}=#:,;/. \t\nabf1>In", max_size=60))
def test_no_text_raises_or_changes_its_number_of_lines(text):
    assert strip_magics(text).text.count("\n") == text.count("\n")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([line for cell in CELLS for line in cell.split("\n")]), max_size=6))
def test_what_parses_without_us_means_the_same_after_us(lines):
    text = "\n".join(lines)
    if parses(text) and ast.dump(ast.parse(text)) != ast.dump(ast.parse(strip_magics(text).text)):
        assert any(line.startswith(("...", "In [")) for line in lines)  # prompts: `...` and `In [1]: x` are Python, too
