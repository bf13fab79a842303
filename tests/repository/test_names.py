"""Names in the package: a class name stands for one thing, and the top level shows the plan."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "laconic"
MOST_ENTRIES = 15


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


def test_the_top_level_of_the_package_is_short():
    entries = [path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"]
    assert len(entries) <= MOST_ENTRIES, sorted(entries)
