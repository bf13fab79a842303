"""``laconic verify``: count a saved model again on its training data, without trusting who found it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from laconic.cli import exits, output
from laconic.cli.options import (
    Data,
    Decimal,
    Delimiter,
    Encoding,
    Json,
    Missing,
    Model,
    RequireProof,
    Target,
    WeightColumn,
)

if TYPE_CHECKING:
    from laconic.model.decision_set import DecisionSet


def verify(
    model: Model,
    data: Data,
    target: Target = None,
    weight_column: WeightColumn = None,
    require_proof: RequireProof = False,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    decimal: Decimal = ".",
    missing: Missing = None,
    as_json: Json = False,
) -> None:
    """Recount a saved model on its training data.

    The fingerprint of the data, the errors, the size and the cost must be those of the file; whatever is
    not is said, and the exit code is 1. The lower bound is not proved again; for that, fit again and compare.
    """
    from laconic.cli.inputs import Source, labelled_rows_for
    from laconic.model.store import load_model
    from laconic.recheck import recheck

    decision_set = load_model(model)
    source = Source.of(data, delimiter, encoding, decimal, missing)
    table = labelled_rows_for(decision_set, source, target, weight_column)
    found = recheck(decision_set, table.X, table.y, table.weights)
    proof = decision_set.proof
    assert proof is not None  # recheck refuses a model without one
    if require_proof and not proof.optimal:
        found.append("it is not proven optimal, as --require-proof asks")
    if as_json:
        verdict: dict[str, Any] = {"stands": not found, "problems": found, "target": table.target}
        output.write_json({**verdict, "rows": len(table.X), "optimal": proof.optimal})
    elif found:
        output.write(f"{model} does not stand on {data}:\n" + "".join(f"  - {one}\n" for one in found))
    else:
        output.write(_standing(str(model), str(data), decision_set))
    if found:
        raise typer.Exit(exits.FAILED)


def _standing(model: str, data: str, decision_set: DecisionSet) -> str:
    from fractions import Fraction

    from laconic.model.render import number_text

    proof = decision_set.proof
    assert proof is not None
    cost = number_text(Fraction(proof.in_user_units(proof.cost)))
    errors = number_text((proof.errors + proof.unavoidable_errors) / proof.weight_scale)
    bound = number_text(Fraction(proof.in_user_units(proof.lower_bound)))
    return (
        f"{model} stands on {data}: the fingerprint of the data, errors ({errors}), size "
        f"({decision_set.size}) and cost ({cost}) are as recounted.\n"
        f"Its lower bound ({bound}, by engine {proof.engine}) was not proved again.\n"
    )
