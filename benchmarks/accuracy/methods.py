"""The methods of the comparison, with their settings."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from laconic import DecisionSetClassifier
from laconic.bench.peers import environments
from laconic.bench.peers.catalogue import PEERS
from laconic.data.scikit import InvalidParameterError, check_parameters

_DRIVERS = Path(__file__).parent / "drivers"
FIXED_SECONDS = 10.0
"""Time limit of the classifier at a fixed λ. The default chooses λ and limits its own work."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method of the comparison.

    Attributes
    ----------
    name, label : str
        Name in the records, and label in tables and pictures.
    family : str
        "ours", "tree", "rules", "ceiling" or "floor".
    driver : str
        Name of a peer, or of a file in ``drivers`` beside this one.
    packages : tuple of str
        The packages whose versions are recorded; for a peer, those of its catalogue entry.
    options : mapping
    one_hot, fill : bool
        How columns are encoded, see `tables.encode`.
    note : str
        The settings, for the page.
    """

    name: str
    label: str
    family: str
    driver: str
    note: str
    packages: tuple[str, ...] = ("scikit-learn",)
    options: Mapping[str, Any] = field(default_factory=dict)
    one_hot: bool = False
    fill: bool = False

    @property
    def command(self) -> list[str]:
        """The command that runs the driver."""
        if self.driver in PEERS:
            peer = PEERS[self.driver]
            interpreter, script = environments.python(peer), peer.table_driver
            assert script is not None
        else:
            interpreter, script = Path(sys.executable), _DRIVERS / f"{self.driver}.py"
        return [str(part) for part in (interpreter, "-P", environments.SERVE_TABLES, script)]

    def missing(self) -> str | None:
        """Return why the method cannot run here, or ``None`` if it can."""
        if self.driver in PEERS:
            return environments.missing(PEERS[self.driver])
        if self.driver == "decision_set":
            return _refused(self.options)
        return None


def _refused(options: Mapping[str, Any]) -> str | None:
    known = DecisionSetClassifier().get_params()
    for name, value in options.items():
        if name not in known:
            return f"the classifier has no parameter {name!r}"
        try:
            check_parameters(DecisionSetClassifier(**{name: value}))
        except InvalidParameterError:
            return f"the classifier does not take {name}={value!r}"
    return None


def _ours(name: str, label: str, **options: Any) -> Method:
    given = ", ".join(f"{key}={value!r}" for key, value in options.items())
    return Method(name, label, "ours", "decision_set", f"`DecisionSetClassifier({given})`", (), options)


def _other(name: str, label: str, family: str, driver: str, note: str, **how: Any) -> Method:
    packages = PEERS[driver].packages[:1] if driver in PEERS else ("scikit-learn",)
    return Method(name, label, family, driver, note, packages, **how)


_ONE_HOT: dict[str, Any] = {"one_hot": True, "fill": True}
_PACKAGE = "the package's defaults"

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        _ours("auto", "Laconic auto", regularization="auto"),
        _ours(
            *("otherwise", "Laconic auto with OTHERWISE"),
            regularization="auto",
            default="otherwise",
        ),
        _ours("lambda-0.05", "Laconic λ = 0.05", regularization=0.05, time_limit=FIXED_SECONDS),
        _ours("lambda-0.005", "Laconic λ = 0.005", regularization=0.005, time_limit=FIXED_SECONDS),
        _other(
            *("cart-8", "CART, 8 leaves", "tree", "cart", "scikit-learn's tree, `max_leaf_nodes=8`"),
            options={"leaves": 8},
            one_hot=True,
        ),
        _other(
            "cart-cv", "CART, cross-validated", "tree", "cart", "scikit-learn's tree, pruned", one_hot=True
        ),
        _other("ripper", "RIPPER", "rules", "ripper", f"wittgenstein, {_PACKAGE}", fill=True),
        _other("cn2", "CN2", "rules", "cn2", "Orange, `CN2UnorderedLearner()` and its classifier"),
        _other("figs", "FIGS", "tree", "figs", f"imodels, {_PACKAGE}: 12 splits", **_ONE_HOT),
        _other(
            *("brcg", "BRCG", "rules", "brcg", f"AIX360, {_PACKAGE}: 9 thresholds of its own and negations"),
            fill=True,
        ),
        _other(
            *("streed-4", "STreeD, depth 4", "tree", "streed", f"{_PACKAGE}: 5 thresholds of its own"),
            options={"max_depth": 4},
            fill=True,
        ),
        _other(
            *("contree-3", "ConTree, depth 3", "tree", "contree", f"{_PACKAGE}: every threshold"),
            options={"max_depth": 3},
            **_ONE_HOT,
        ),
        _other(
            *("gosdt", "GOSDT", "tree", "gosdt", f"{_PACKAGE}: 0.05 per leaf, its guess of thresholds"),
            **_ONE_HOT,
        ),
        _other("ebm", "EBM", "ceiling", "ebm", f"InterpretML, {_PACKAGE}"),
        _other("forest", "random forest", "ceiling", "forest", f"scikit-learn, {_PACKAGE}", one_hot=True),
        Method(
            "majority", "majority class", "floor", "majority", "the most frequent class for every row", ()
        ),
    )
}
