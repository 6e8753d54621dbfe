"""Where everything in a TOML text stands, and what is said of a text that is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.submissions.tomlplaces import Path, TomlError, near, read_toml

TEXT = """\
name = "x"  # [no head]
"a b".c = [1,
  2, { d = 1,  e = [
  3] },
  # remark ]
  '''
]''', 4]

[one]
key = {a = 1, b.c = 2}
[ one . two ]
key = 1979-05-27T07:32:00Z

[[list]]
key = 1.5
[list.sub]
key = -3
[[list]]

[[list.sub]]
[[list.sub]]
key = [[[[[[[[[[1]]]]]]]]]]
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 1),
        (("a b",), 2),
        (("a b", "c"), 2),
        (("a b", "c", 0), 2),
        (("a b", "c", 1), 3),
        (("a b", "c", 2), 3),
        (("a b", "c", 2, "d"), 3),
        (("a b", "c", 2, "e", 0), 4),
        (("a b", "c", 3), 6),
        (("a b", "c", 4), 7),
        (("a b", "c", 5), 2),  # there is none: the line of the list
        (("one",), 9),
        (("one", "key", "b", "c"), 10),
        (("one", "two"), 11),
        (("one", "two", "key"), 12),
        (("list",), 14),
        (("list", 0, "key"), 15),
        (("list", 0, "sub", "key"), 17),
        (("list", 1), 18),
        (("list", 1, "key"), 18),  # there is none: the head of its table
        (("list", 1, "sub", 0), 20),
        (("list", 1, "sub", 1, "key"), 22),
        (("list", 1, "sub", 1, "key", 0, 0, 0, 0), 22),
        (("nothing",), 1),
    ],
)
def test_lines(path: Path, line: int) -> None:
    _, places = read_toml(TEXT)
    assert places.line(path) == line
    _, places = read_toml(TEXT.replace("\n", "\r\n"))
    assert places.line(path) == line


def test_what_a_text_says_nothing_of() -> None:
    _, places = read_toml(TEXT)
    assert places.has(("list", 1, "sub"))
    assert not places.has(("list", 1, "key"))


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a = 1\nb = here\n", 2, "not TOML: Invalid value; a text stands in quotes"),
        ("a = 1\na = 2\n", 2, "not TOML: Cannot overwrite a value"),
        ("a = 1\n[b\n", 2, "not TOML: Expected ']'"),
        ('a = 1\n\nb = """x\n', 3, "not TOML: "),
        ("a = [1,\n", 1, "not TOML: "),
        ("a = 1\nb = " + "9" * 5000, 2, "longer or deeper than can be read"),
        ("a = 1\n\nb = " + "[" * 5000, 3, "longer or deeper than can be read"),
    ],
)
def test_what_is_no_toml_is_refused_with_its_line(text: str, line: int, problem: str) -> None:
    with pytest.raises(TomlError) as caught:
        read_toml(text)
    assert caught.value.line == line
    assert caught.value.problem.startswith(problem)
    assert str(caught.value) == f"line {line}: {caught.value.problem}"


def test_the_known_word_that_is_meant_or_all() -> None:
    assert near("bords", ["boards", "hands"]) == "; did you mean boards?"
    assert near("x", ["boards", "hands"]) == "; there are boards, hands"


KEYS = st.sampled_from(["a", "b", '"c d"', "'e'", "1"])
INLINE = st.recursive(
    st.sampled_from(["1", "-2.5", "true", '"t]"', "'''\nt\n'''", "2020-01-01", "[]", "{}"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[" + ",\n".join(items) + "]"),
        st.dictionaries(KEYS, inner, max_size=3).map(
            lambda one: "{" + ", ".join(f"{key} = {value}" for key, value in one.items()) + "}"
        ),
    ),
    max_leaves=6,
)
HEADS = st.sampled_from(["[h]", "[[k]]", "[k.m]", "[[k.n]]", "# x", ""])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(HEADS, st.dictionaries(KEYS, INLINE, max_size=3)), max_size=5))
def test_every_value_that_is_read_has_a_line(parts: list[tuple[str, dict[str, str]]]) -> None:
    lines = [
        line
        for head, pairs in parts
        for line in (head, *(f"{key} = {value}" for key, value in pairs.items()))
    ]
    text = "\n".join(lines)
    try:
        values, places = read_toml(text)
    except TomlError:  # a key is there twice
        return
    todo: list[tuple[Path, object]] = [((), values)]
    while todo:
        path, value = todo.pop()
        assert len(path) > 6 or not path or places.has(path)
        items = enumerate(value) if isinstance(value, list) else ()
        members = value.items() if isinstance(value, dict) else ()
        todo += [((*path, key), inner) for key, inner in (*items, *members)]
