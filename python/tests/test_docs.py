"""The code of docs/python.md gives the output that follows it."""

import ast
import contextlib
import io
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def output_of(code, names):
    """What an interactive session prints for the code."""
    tree = ast.parse(code)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for node in tree.body:
            if isinstance(node, ast.Expr):
                value = eval(compile(ast.Expression(node.value), str(PAGE), "eval"), names)
                if value is not None:
                    print(repr(value))
            else:
                exec(compile(ast.Module([node], []), str(PAGE), "exec"), names)
    return printed.getvalue()


def test_the_page_prints_what_it_shows():
    if not PAGE.exists():
        pytest.skip("the tests are not beside the documents")
    blocks = re.findall(r"```python\n(.*?)```\n(?:```\n(.*?)```\n)?", PAGE.read_text(), re.S)
    assert len(blocks) > 10
    names = {}
    for code, expected in blocks:
        assert output_of(code, names) == expected, code
