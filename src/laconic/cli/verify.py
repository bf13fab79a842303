"""``laconic verify``: count a saved model again on its data, or check a certificate, trusting neither."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli import exits, output
from laconic.cli.options import (
    Decimal,
    Delimiter,
    Encoding,
    Json,
    Missing,
    RequireProof,
    Target,
    WeightColumn,
)
from laconic.errors import InputError

if TYPE_CHECKING:
    from laconic.certify.certificate import Certificate
    from laconic.certify.certify import Verdict
    from laconic.cli.inputs import Source
    from laconic.model.decision_set import DecisionSet
    from laconic.model.origin import Origin


RESPECTED: tuple[tuple[str, Any], ...] = (("constraints", {}), ("max_size", None), ("max_errors", None))
"""Entries of a certificate under constraints or a budget, and what others mean instead."""


def verify(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="[MODEL] DATA", help="A model file and its training table; for a certificate the table."
        ),
    ],
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Check this certificate, from: laconic fit --certificate"),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="For the check of a certificate.")
    ] = None,
    target: Target = None,
    weight_column: WeightColumn = None,
    require_proof: RequireProof = False,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: Missing = None,
    as_json: Json = False,
) -> None:
    """Recount a saved model on its training data, and prove its certificate again.

    The fingerprint of the data, the errors, the size and the cost must be those of the file; whatever is
    not is said, and the exit code is 1. The lower bound is proved again only with --certificate, by a small
    independent checker: it says "optimal", the bound that holds, or what fails.
    """
    from laconic.cli.inputs import Source
    from laconic.model.store import load_model

    if time_limit is not None and not 0 < time_limit < math.inf:
        raise InputError(f"--time-limit must be a positive number of seconds, not {time_limit:g}")
    if not 1 + (certificate is None) <= len(files) <= 2:
        wanted = "a model and its data" if certificate is None else "the data, and at most a model before it"
        raise InputError(f"laconic verify needs {wanted}, not {len(files)} files; see: laconic verify --help")
    source = Source.of(files[-1], delimiter, encoding, decimal, missing)
    origin = load_model(files[0]).origin if len(files) == 2 else None
    found: list[str] = []
    report: dict[str, Any] = {}
    if len(files) == 2:
        found, report = _recount(files[0], source, target, weight_column, require_proof=require_proof)
    if certificate is not None:
        problem, proved = _prove(certificate, source, origin, target, weight_column, time_limit)
        if len(files) == 2 and problem is None:
            problem = _other_rules(certificate, files[0])
        if require_proof and problem is None and not proved["optimal"]:
            problem = "it proves a bound, but not that the rules are optimal, as --require-proof asks"
        found += [] if problem is None else [f"{certificate}: {problem}"]
        report |= {"certificate": {**proved, "holds": problem is None}}
    if as_json:
        output.write_json({"stands": not found, "problems": found, **report})
    elif found:
        what = files[0] if len(files) == 2 else certificate
        output.write(f"{what} does not stand on {files[-1]}:\n" + "".join(f"  - {one}\n" for one in found))
    else:
        if len(files) == 2:
            output.write(_standing(files[0], files[-1], proved_too=certificate is not None))
        if certificate is not None:
            output.write(f"{certificate} holds on {files[-1]}: {report['certificate']['verdict']}\n")
    if found:
        raise typer.Exit(exits.FAILED)


def _recount(
    model: Path, source: Source, target: str | None, weight_column: str | None, *, require_proof: bool
) -> tuple[list[str], dict[str, Any]]:
    """Return what does not stand of a model, and what was looked at."""
    from laconic.cli.inputs import labelled_rows_for
    from laconic.model.store import load_model
    from laconic.recheck import recheck

    decision_set = load_model(model)
    table = labelled_rows_for(decision_set, source, target, weight_column)
    found = recheck(decision_set, table.X, table.y, table.weights)
    proof = decision_set.proof
    assert proof is not None  # recheck refuses a model without one
    if require_proof and not proof.optimal:
        found.append("it is not proven optimal, as --require-proof asks")
    return found, {"target": table.target, "rows": len(table.X), "optimal": proof.optimal}


def _prove(
    path: Path,
    source: Source,
    origin: Origin | None,
    target: str | None,
    weight_column: str | None,
    time_limit: float | None,
) -> tuple[str | None, dict[str, Any]]:
    """Return what fails of a certificate, if anything, and what it proves."""
    from laconic.certify.certificate import load_certificate
    from laconic.certify.certify import verify_certificate
    from laconic.cli.inputs import labelled_rows_for

    certificate = load_certificate(path)
    table = labelled_rows_for(replace(certificate.words, origin=origin), source, target, weight_column)
    verdict = verify_certificate(certificate, table.X, table.y, table.weights, time_limit=time_limit)
    facts = {"optimal": verdict.optimal, "cost": verdict.cost, "lower_bound": verdict.lower_bound}
    return verdict.problem, {**facts, "verdict": _verdict(certificate, verdict)}


def _verdict(certificate: Certificate, verdict: Verdict) -> str:
    content = certificate.content
    if not verdict.decided:
        return "undecided"
    if not verdict.holds:
        return "fails"
    what = str(content["objective"])
    if what == "sparse" and content["regularization"] is not None:
        top, bottom = content["regularization"]
        every = ", a rule for every class" if content["every_class"] else ""
        what += f", λ = {top}/{bottom}, errors {content['counting'].replace('_', ' ')}{every}"
    if "demands" in content:
        return _demanding_verdict(content, what, verdict)
    if verdict.optimal:
        return f"optimal ({what}). The rules cost {verdict.cost}, and no decision set costs less."
    return f"valid bound {verdict.lower_bound} ({what}): no set costs less. The rules cost {verdict.cost}."


def _demanding_verdict(content: dict[str, Any], what: str, verdict: Verdict) -> str:
    """Say what is proved under constraints or a budget, part by part of the cost."""
    from laconic.constraints import Constraints
    from laconic.model.render import parts_text

    assert verdict.cost is not None
    assert verdict.lower_bound is not None
    limits = [
        f"{name} = {content[name]:g}" for name in ("max_size", "max_errors") if content[name] is not None
    ]
    respecting = "; ".join(Constraints.from_document(content["constraints"]).lines() + limits)
    known = parts_text(verdict.parts, verdict.cost, verdict.lower_bound)
    said = "optimal" if verdict.optimal else "valid bound"
    end = "no decision set that respects this is better" if verdict.optimal else "none is below the bounds"
    return f"{said} ({what}), respecting {respecting}. The rules have {known}: {end}."


def _other_rules(certificate: Path, model: Path) -> str | None:
    """Return why a certificate is not that of a model, if so."""
    from laconic.certify.certificate import load_certificate
    from laconic.model.store import load_model

    content, proof = load_certificate(certificate).content, load_model(model).proof
    if proof is not None:
        wishes = {} if proof.constraints is None else proof.constraints.to_document()
        if (wishes, proof.max_size, proof.max_errors) != tuple(content.get(*entry) for entry in RESPECTED):
            return f"it is not the certificate of {model}: the constraints or the budget differ"
    same = proof is not None and (proof.table_digest, proof.cost) == (
        content["table_digest"],
        content["cost"],
    )
    if same and proof is not None and [[r.target, *r.literals] for r in proof.rules] == content["rules"]:
        return None
    return f"it is not the certificate of {model}: the rules or the data differ"


def _standing(model: Path, data: Path, *, proved_too: bool) -> str:
    from fractions import Fraction

    from laconic.model.render import number_text
    from laconic.model.store import load_model

    decision_set: DecisionSet = load_model(model)
    proof = decision_set.proof
    assert proof is not None
    cost = number_text(Fraction(proof.in_user_units(proof.cost)))
    errors = number_text((proof.errors + proof.unavoidable_errors) / proof.weight_scale)
    bound = number_text(Fraction(proof.in_user_units(proof.lower_bound)))
    again = (
        "" if proved_too else f"Its lower bound ({bound}, by engine {proof.engine}) was not proved again.\n"
    )
    return (
        f"{model} stands on {data}: the fingerprint of the data, errors ({errors}), size "
        f"({decision_set.size}) and cost ({cost}) are as recounted.\n{again}"
    )
