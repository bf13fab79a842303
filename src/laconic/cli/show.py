"""``laconic show``: the rules of a saved model, and its proof facts."""

from __future__ import annotations

from laconic.cli import output
from laconic.cli.options import Json, Model


def show(model: Model, as_json: Json = False) -> None:
    """Print a saved model and its proof facts."""
    from laconic.cli.summary import proof_text, summary
    from laconic.model.store import load_model

    decision_set = load_model(model)
    if as_json:
        output.write_json(summary(decision_set))
        return
    output.write(f"{decision_set}\n")
    if decision_set.proof is not None:
        output.write(f"\n{proof_text(decision_set)}\n")
    for note in decision_set.notes:
        output.write(f"{'note':<11} {note}\n")
