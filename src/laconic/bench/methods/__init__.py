"""Methods by name; each is imported only in the process that runs it.

Adding a method is one file and one line:

1. a module with a function ``run(training, limits, **options) -> Answer`` (see `laconic.bench.methods.api`).
   State the rules with `laconic.bench.rules.binary_rule`; a learner of one class adds the paper's default
   rule with `laconic.bench.rules.default_class`. Raise `MissingPeerError`, saying how to install it, if a
   package or program is not there. A module whose peer may be absent also defines
   ``missing() -> str | None``, the reason why it cannot run here, for ``laconic bench methods``;
2. a line in `METHODS` below: ``"name": Entry(module, label, summary, family, {options of this variant})``.

``laconic bench run --method name`` then runs it like all the others, and tables and figures show it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable

from laconic.bench.methods.api import Entry, Method
from laconic.bench.methods.few_rules import FEW_RULES
from laconic.bench.methods.own import OWN
from laconic.bench.methods.packages import PACKAGES
from laconic.runtime.errors import InputError

METHODS: dict[str, Entry] = {
    **OWN,
    **PACKAGES,
    **FEW_RULES,
}

GROUPS: dict[str, tuple[str, ...]] = {
    # All tools that "Computing Optimal Decision Sets with SAT" (CP 2020) compares.
    "paper": (
        *("opt", "mopt", "opt-union", "mds2", "mds2-star"),
        *("sp-l1", "sp-l2", "sp-l3", "mds2-star-r1", "mds2-star-r2", "mds2-star-r3"),
        *("ripper", "cn2", "imli1", "imli16"),
    ),
}
"""Names that stand for several methods."""


def entry(name: str) -> Entry:
    """Return a method's line; an unknown name is refused with the list of known ones."""
    try:
        return METHODS[name]
    except KeyError:
        known = ", ".join(METHODS)
        raise InputError(f"unknown method {name!r}; choose among: {known}") from None


def expanded(names: Iterable[str]) -> list[str]:
    """Return the names with every group replaced by its methods."""
    return [method for name in names for method in GROUPS.get(name, (name,))]


def load(module: str) -> Method:
    """Import a method's module and return its ``run``."""
    method: Method = importlib.import_module(module).run
    return method


def missing(name: str) -> str | None:
    """Return why a method cannot run on this machine, or ``None`` if nothing is known to be missing."""
    module = importlib.import_module(entry(name).module)
    check = getattr(module, "missing", None)
    return None if check is None else check()


def labels(names: Iterable[str]) -> dict[str, str]:
    """Return the labels of methods; a name that is no longer registered is its own label."""
    return {name: METHODS[name].label if name in METHODS else name for name in names}
