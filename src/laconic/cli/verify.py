"""``laconic verify``: recount a saved model on its data, or check a certificate, without the engines."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli import exits, output
from laconic.cli.options import (
    Database,
    Decimal,
    Delimiter,
    Encoding,
    Json,
    MissingText,
    RequireProof,
    Sql,
    Target,
    WeightColumn,
)
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible

if TYPE_CHECKING:
    from laconic.checking.certify.certify import Verdict
    from laconic.checking.certify.statement import Scope
    from laconic.cli.inputs import Labelled, Source
    from laconic.model.decision_set import DecisionSet
    from laconic.model.held_out import HeldOut


def verify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[MODEL] DATA...",
            help="A model file and its training table, also in several files; for a certificate the table.",
            show_default=False,
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Check this certificate, from: laconic fit --certificate"),
    ] = None,
    conditions: Annotated[
        bool, typer.Option("--conditions", help="List the conditions and rules that a certificate is about.")
    ] = False,
    verified: Annotated[
        bool,
        typer.Option("--verified", help="Check the certificate with laconic-check, which is proved in Coq."),
    ] = False,
    canonical: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write what laconic-check reads, to run it by hand: laconic-check FILE"
        ),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="For the check of a certificate.")
    ] = None,
    target: Target = None,
    weight_column: WeightColumn = None,
    require_proof: RequireProof = False,
    sql: Sql = None,
    database: Database = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: MissingText = None,
    as_json: Json = False,
) -> None:
    """Recount a saved model on its training data, and prove its certificate again.

    The rules are evaluated on the data as laconic predict does it. The fingerprint of the data, the errors,
    the size and the cost must be those of the file; every difference is reported, and the exit code is 1.
    The lower bound is proved only with --certificate, by a small independent checker, and only if everything
    that the certificate says is what the model says: it says "optimal" or the bound that holds, over which
    conditions and rows, or what fails.
    """
    from laconic.cli.inputs import Source
    from laconic.cli.several import split_model
    from laconic.model.store import load_model

    if time_limit is not None and not 0 < time_limit < math.inf:
        raise InputError(f"--time-limit must be a positive number of seconds, not {time_limit:g}")
    # Only with a certificate, the model may be left out.
    files = files or []
    model_path, tables = split_model(files, surely=certificate is None)
    if (not tables and sql is None) or (model_path is None and certificate is None):
        wanted = "a model and its data" if certificate is None else "the data, and at most a model before it"
        raise InputError(f"laconic verify needs {wanted}, not {len(files)} files; see: laconic verify --help")
    if conditions and certificate is None:
        raise InputError("--conditions lists what a certificate is about; name it with --certificate")
    if verified or canonical is not None:
        _check_options(certificate, canonical, files, verified=verified)
    source = Source.of_tables(tables, sql, database, delimiter, encoding, decimal, missing)
    model = None if model_path is None else load_model(model_path)
    checks = _Checks(source, target, weight_column, canonical, verified=verified)
    found = [] if model is None else checks.recount(model)
    if certificate is not None:
        found += checks.prove(certificate, model, model_path, time_limit, require_proof=require_proof)
    elif require_proof:
        found.append(_unproved(model))
    if as_json:
        output.write_json({"stands": not found, "problems": found, **checks.report})
    elif found:
        what = certificate if model_path is None else model_path
        lines = "".join(f"  - {visible(one)}\n" for one in found)
        output.write(f"{visible(what)} does not stand on {visible(source.name)}:\n{lines}")
    else:
        said = []
        if model is not None and model_path is not None:
            said = _standing(model_path, source.name, model, checks.verdict, checks.held_out)
            if checks.verdict is None:  # which says it too
                from laconic.checking.certify.statement import reading_texts

                said += [f"Cells of {one}." for one in reading_texts(model)]
        if checks.verdict is not None:
            said += [f"{certificate} holds on {source.name}: {checks.verdict.statement}"]
            said += [checks.theorem] if checks.theorem else []
            said += _listed(checks.verdict.scope) if conditions else []
        output.write("".join(f"{visible(line)}\n" for line in [*said, checks.reading]))
    if found:
        raise typer.Exit(exits.FAILED)


class _Checks:
    """The data as a model or a certificate reads them, with facts about both."""

    def __init__(
        self,
        source: Source,
        target: str | None,
        weight_column: str | None,
        canonical: Path | None,
        *,
        verified: bool,
    ) -> None:
        self.source, self.target, self.weight_column = source, target, weight_column
        self.canonical, self.verified = canonical, verified
        self.theorem: str | None = None
        self.report: dict[str, Any] = {}
        self.reading = ""
        self.verdict: Verdict | None = None
        self.held_out: HeldOut | None = None

    def recount(self, model: DecisionSet) -> list[str]:
        """Return the facts of a model that fail."""
        from laconic.checking.recheck import recheck
        from laconic.model.held_out import measured_on

        table, held = self._training_rows(model)
        found = recheck(model, table.X, table.y, table.weights)
        if held is not None and model.held_out is not None and not found:
            said = model.held_out
            drawn = {"share": said.share, "seed": said.seed, "of_rows": said.of_rows}
            again = measured_on(model, held.X, held.y, held.weights, said.source, **drawn)
            found += again.differences(said)
            self.held_out = again
            self.report["held_out"] = again.to_dict()
        self.report["claims_optimal"] = model.facts.optimal
        return found

    def prove(
        self,
        path: Path,
        model: DecisionSet | None,
        model_path: Path | None,
        time_limit: float | None,
        *,
        require_proof: bool,
    ) -> list[str]:
        """Return the reasons why a certificate fails, or is not the certificate of the model."""
        from laconic.checking.certify.binding import mismatches
        from laconic.checking.certify.canonical import text_for_program
        from laconic.checking.certify.certificate import load_certificate
        from laconic.checking.certify.certify import verify_certificate

        certificate = load_certificate(path)
        words = certificate.words
        if model is not None:
            words = replace(words, origin=model.origin, held_out=model.held_out)
        table, _ = self._training_rows(words)
        if self.canonical is not None:
            text = text_for_program(certificate.content, certificate.words, table.X, table.y, table.weights)
            output.save(self.canonical, text.encode(), "--canonical")
        verdict = verify_certificate(
            certificate, table.X, table.y, table.weights, time_limit=time_limit, verified=self.verified
        )
        otherwise = certificate.content.get("otherwise") is not None
        self.theorem = _theorem(verdict, otherwise=otherwise) if self.verified else None
        others = [] if model is None else mismatches(certificate, model)
        found = [] if verdict.problem is None else [f"{path}: {verdict.problem}"]
        found += [f"{path} is not the certificate of {model_path}: {one}" for one in others]
        if require_proof and not found and not verdict.optimal:
            found.append(
                f"{path}: it proves a bound, but not that the rules are optimal, as --require-proof asks"
            )
        self.verdict = verdict
        self.report["certificate"] = {
            "holds": verdict.holds and not others,
            "optimal": verdict.optimal and not others,
            "cost": verdict.cost,
            "lower_bound": verdict.lower_bound,
            "verdict": verdict.statement or ("fails" if verdict.decided else "undecided"),
            **({"verified": verdict.holds, "theorem": self.theorem} if self.verified else {}),
            **({} if verdict.scope is None else asdict(verdict.scope)),
        }
        return found

    def _training_rows(self, words: DecisionSet) -> tuple[Labelled, Labelled | None]:
        """Read the rows that were learned from and, if the model file says so, those that were held out."""
        from laconic.cli.holdout import without_held_out

        read = self._read(words)
        table, held = without_held_out(words, read)
        if held is not None:
            self.reading = (
                f"{self.reading[:-1]}; {len(held.X)} of {len(read.X)} rows were held out, as the model file "
                f"says, and nothing above but what is said of rows held out is about them."
            )
            self.report["rows_held_out"] = len(held.X)
        return table, held

    def _read(self, words: DecisionSet) -> Labelled:
        from laconic.cli.inputs import labelled_rows_for

        table = labelled_rows_for(words, self.source, self.target, self.weight_column)
        options = self.source.read_as(words.origin)
        self.report |= {"target": table.target, "weight_column": table.weight_column, "rows": len(table.X)}
        self.report["read_with"] = options
        weights = "" if table.weight_column is None else f", weights from column {table.weight_column!r}"
        remembered = "".join(f" {text}" for text in options)
        self.reading = f"Labels were read from column {table.target!r}{weights}" + (
            f"; the file was read with{remembered}." if options else "."
        )
        return table


def _check_options(
    certificate: Path | None, canonical: Path | None, files: list[Path], *, verified: bool
) -> None:
    """Refuse options and files that cannot be used, before any work."""
    from laconic.checking.certify.verified import find_program

    if certificate is None:
        option = "--verified" if verified else "--canonical"
        raise InputError(f"{option} is about a certificate; name it with --certificate")
    output.check_places({"--canonical": canonical}, [*files, certificate])
    if verified:
        find_program()


def _theorem(verdict: Verdict, *, otherwise: bool) -> str | None:
    """Write the statement that the theorem proves about a certificate accepted by the verified checker."""
    from laconic.checking.certify.verified import PROGRAM
    from laconic.model.render import count

    if not verdict.holds or verdict.scope is None:
        return None
    over = count(len(verdict.scope.conditions), "condition")
    line = "with an OTHERWISE rule " if otherwise else ""
    return (
        f"By the theorem of {PROGRAM}, which is proved in Coq, these rules are a decision set over {over} "
        f"and cost {verdict.cost}, and every decision set {line}over them costs at least "
        f"{verdict.lower_bound}."
    )


def _unproved(model: DecisionSet | None) -> str:
    """Explain why --require-proof needs a certificate, not only a model."""
    if model is not None and model.proof is not None and not model.proof.optimal:
        return "it is not proven optimal, as --require-proof asks"
    return (
        "that nothing is cheaper is only claimed, and --require-proof asks for a proof; name the certificate "
        "with --certificate"
    )


def _listed(scope: Scope | None) -> list[str]:
    """Return the lines of --conditions."""
    if scope is None:
        return []
    return [
        "Conditions:",
        *(f"  {one}" for one in scope.conditions or ("none",)),
        "Rules:",
        *(f"  {one}" for one in scope.rules or ("none",)),
    ]


def _standing(
    model: Path, data: str, decision_set: DecisionSet, verdict: Verdict | None, held_out: HeldOut | None
) -> list[str]:
    from fractions import Fraction

    from laconic.data.words import number_text

    proof = decision_set.facts
    cost = number_text(Fraction(proof.in_user_units(proof.cost)))
    errors = number_text((proof.errors + proof.unavoidable_errors) / proof.weight_scale)
    bound = number_text(Fraction(proof.in_user_units(proof.lower_bound)))
    wrong = "none" if decision_set.mispredicted is None else number_text(decision_set.mispredicted)
    text = (
        f"{model} stands on {data}: the fingerprint of the data, rows predicted wrongly ({wrong}), errors "
        f"({errors}), size ({decision_set.size}) and cost ({cost}) are as recounted."
    )
    if held_out is not None:
        text += f" So are its predictions for the rows held out: {held_out.text}."
    elif decision_set.held_out is not None:
        text += f" What it says of rows held out ({decision_set.held_out.name}) was not counted again."
    if decision_set.choice is not None and decision_set.choice.is_measured:
        text += " How λ was chosen, with the cross-validated accuracy, was not computed again."
    if verdict is None:
        return [text, f"Its lower bound ({bound}, by engine {proof.engine}) was not proved again."]
    if verdict.lower_bound is not None and proof.lower_bound > verdict.lower_bound:
        proved = number_text(Fraction(proof.in_user_units(verdict.lower_bound)))
        return [text, f"It claims the lower bound {bound} (by engine {proof.engine}); proved is {proved}."]
    return [text]
