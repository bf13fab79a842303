"""Entries of the methods that are other people's packages."""

from __future__ import annotations

from laconic.bench.methods.api import MethodEntry
from laconic.bench.methods.own import LAMBDAS

_HERE = "laconic.bench.methods."


def _minds(approach: str, family: str, summary: str) -> MethodEntry:
    return MethodEntry(
        f"{_HERE}minds", f"MinDS {approach}", f"MinDS, {summary}", family, {"approach": approach}
    )


PACKAGES: dict[str, MethodEntry] = {
    "ripper": MethodEntry(f"{_HERE}ripper", "ripper", "RIPPER, one class and a default rule", "heuristic"),
    "cn2": MethodEntry(f"{_HERE}cn2", "cn2", "unordered CN2", "heuristic"),
    "brcg": MethodEntry(
        f"{_HERE}brcg", "BRCG", "column generation, one class and a default rule", "heuristic"
    ),
    "cart": MethodEntry(f"{_HERE}cart", "CART", "scikit-learn's tree, fully grown", "tree"),
    "cart-4": MethodEntry(
        f"{_HERE}cart", "CART[4]", "scikit-learn's tree of depth 4", "tree", {"max_depth": 4}
    ),
    "streed": MethodEntry(
        f"{_HERE}streed",
        "STreeD[4]",
        "optimal tree of depth 4, a branch must gain 1 % of the rows",
        "tree",
        {"max_depth": 4, "cost_complexity": 0.01},
    ),
    "minds-satl": _minds("satl", "perfect", "SAT on all classes at once (opt∪)"),
    "minds-satls": _minds("satls", "perfect", "SAT per class (opt)"),
    "minds-mxsatls": _minds("mxsatls", "perfect", "MaxSAT per class (mopt)"),
    "minds-2stage": _minds("2stage", "perfect", "all prime rules, then the smallest cover"),
    **{
        f"minds-sparse-l{number}": MethodEntry(
            f"{_HERE}minds",
            f"MinDS sp[λ{number}]",
            f"MinDS, sparse, {price:g}, a rule for every class",
            "sparse",
            {"approach": "sparse", "regularization": f"{price:g}"},
        )
        for number, price in LAMBDAS.items()
    },
}
