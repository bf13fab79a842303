"""Entries of Laconic's own methods, by the paper's names.

The plain ``sp`` names are the authors' prototype (a rule for every class), which gives the paper's numbers;
``-written`` is the objective as printed, and ``-joint`` the same counted per row. ``r`` instead of ``l``
stands for ρ: the price is λ / K, where K is the number of binary features.
"""

from __future__ import annotations

from typing import Any

from laconic.bench.methods.api import MethodEntry

_RUN = "laconic.bench.methods.laconic"

DEFAULT = "exact-sp-l2-written"
"""The method with the default settings of `laconic fit`."""

LAMBDAS = {1: 0.005, 2: 0.05, 3: 0.5}
"""λ1, λ2, λ3 of the paper."""


def _perfect(label: str, summary: str, engine: str, **engine_options: Any) -> MethodEntry:
    options = {"engine": engine, "objective": "perfect", "engine_options": engine_options}
    return MethodEntry(_RUN, label, f"smallest perfect set, {summary}", "perfect", options)


def _sparse(
    name: str, label: str, number: int, engine: str, what: str, **options: Any
) -> dict[str, MethodEntry]:
    price = LAMBDAS[number]
    summary = f"sparse, {engine} engine, {price:g}{'/K' if options.get('per_feature') else ''}, {what}"
    settings = {"engine": engine, "objective": "sparse", "regularization": price, **options}
    return {name: MethodEntry(_RUN, label, summary, "sparse", settings)}


OWN: dict[str, MethodEntry] = {
    "exact": _perfect("exact", "exact engine", "exact"),
    "opt": _perfect("opt", "iterative SAT per class", "sat"),
    "opt-union": _perfect("opt∪", "iterative SAT on all classes at once", "sat", separated=False),
    "mopt": _perfect("mopt", "MaxSAT per class", "maxsat"),
    "mopt-union": _perfect("mopt∪", "MaxSAT on all classes at once", "maxsat", separated=False),
}
for _engine, _prefix, _mark in (("maxsat", "", ""), ("exact", "exact-", "exact ")):
    for _i in LAMBDAS:
        _forced = "a rule for every class (the prototype)"
        OWN |= _sparse(f"{_prefix}sp-l{_i}", f"{_mark}sp[λ{_i}]", _i, _engine, _forced, every_class=True)
        OWN |= _sparse(
            f"{_prefix}sp-r{_i}",
            f"{_mark}sp[ρ{_i}]",
            _i,
            _engine,
            _forced,
            every_class=True,
            per_feature=True,
        )
        OWN |= _sparse(
            f"{_prefix}sp-l{_i}-written", f"{_mark}sp[λ{_i}] as printed", _i, _engine, "as printed"
        )
        OWN |= _sparse(
            f"{_prefix}sp-l{_i}-joint",
            f"{_mark}sp∪[λ{_i}]",
            _i,
            _engine,
            "as printed, per row",
            counting="per_row",
        )
