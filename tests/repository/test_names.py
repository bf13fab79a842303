"""Names in the package: a class name stands for one thing, and what several rooms need is defined once."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "laconic"


def names_of_classes_and_types() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return where each class, and each type alias of a module, is defined."""
    classes, aliases = defaultdict(list), defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text())
        where = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                classes[node.name].append(where)
        for node in tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)]) if name[0].isupper() and not name.isupper():
                    aliases[name].append(where)
    return classes, aliases


def test_no_class_name_is_defined_twice():
    classes, _ = names_of_classes_and_types()
    assert {name: places for name, places in classes.items() if len(places) > 1} == {}


def test_no_type_alias_takes_the_name_of_a_class():
    classes, aliases = names_of_classes_and_types()
    assert {name: [*classes[name], *aliases[name]] for name in classes.keys() & aliases.keys()} == {}


def test_bits_are_packed_in_one_module():
    """The checkers are exempt: they import nothing of the search."""
    packing = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(r"\bnp\.(un)?packbits\b", path.read_text())
    }
    alone = {
        name for name in packing if re.match(r"checking/(verify|checker|constraint_checker/\w+)\.py", name)
    }
    assert packing - alone == {"data/bits.py"}


@pytest.mark.parametrize("name", ["as_fraction", "onto_simplex", "MAX_COST"])
def test_what_is_needed_in_several_rooms_is_defined_once(name):
    definition = re.compile(rf"^\s*(def _?{name}\b|{name} = )", re.MULTILINE)
    assert sum(len(definition.findall(path.read_text())) for path in PACKAGE.rglob("*.py")) == 1
