"""Entries of the methods that minimise or fix the number of rules: MinDS's objectives and IMLI.

mds2 and mds2* learn perfect sets, so the paper includes them in its virtual tool *perfect*. mds2*[ρ] must
have a rule for every class, like the authors' sparse prototype. The ``exact-`` variants find the same optima
with our engine.
"""

from __future__ import annotations

from laconic.bench.methods.api import MethodEntry

_RUN = "laconic.bench.methods.laconic"

RHOS = {1: 0.05, 2: 0.1, 3: 0.5}
"""ρ1, ρ2, ρ3 of the paper's mds2*[ρ]: the price of a rule, as a share of the rows."""

FEW_RULES: dict[str, MethodEntry] = {}
for _engine, _prefix, _mark in (("minrules", "", ""), ("exact", "exact-", "exact ")):
    for _name, _objective, _what in (
        ("mds2", "min_rules", "fewest rules"),
        ("mds2-star", "min_rules_then_literals", "fewest rules, then fewest literals"),
    ):
        FEW_RULES[_prefix + _name] = MethodEntry(
            _RUN,
            _mark + _name.replace("-star", "*"),
            f"perfect set of the {_what}, {_engine} engine",
            "perfect",
            {"engine": _engine, "objective": _objective},
        )
    for _i, _rho in RHOS.items():
        FEW_RULES[f"{_prefix}mds2-star-r{_i}"] = MethodEntry(
            _RUN,
            f"{_mark}mds2*[ρ{_i}]",
            f"sparse, {_rho:g} per rule, then fewest literals, {_engine} engine",
            "rules",
            {
                "engine": _engine,
                "objective": "sparse",
                "regularization": _rho,
                "priced_by_rules": True,
                "every_class": True,
            },
        )
for _k in (1, 2, 4, 8, 16):
    FEW_RULES[f"imli{_k}"] = MethodEntry(
        "laconic.bench.methods.imli",
        f"imli{_k}",
        f"{_k} rule{'s' * (_k > 1)} for one class by MaxSAT on partitions, and a default rule",
        "heuristic",
        {"n_rules": _k},
    )
