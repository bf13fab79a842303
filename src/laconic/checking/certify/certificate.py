"""Certificates: proofs about a decision set in a form that anyone can check.

A certificate is plain data (``docs/certificates.md`` gives the format): the words that turn a data file into
a binary table, the table's fingerprint, the objective, the rules, and one proof per class.
`laconic.checking.checker` accepts it or says what fails; this module only writes and reads them.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from laconic import __version__
from laconic.checking import checker
from laconic.data.column import column_to_document
from laconic.data.documents import file_text, parsed
from laconic.data.labels import labels_to_document
from laconic.data.literals import feature_to_dict
from laconic.data.write import write_whole
from laconic.model import document as model_document
from laconic.model.decision_set import DecisionSet
from laconic.runtime.errors import CertificateError, ModelFileError

FORMAT = "laconic certificate"
SCHEMA_VERSION = 3
"""Version with an OTHERWISE rule. Version 2 is for constraints, other measures and budgets."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """A proof that nothing costs less than `lower_bound`, and rules that cost `cost`.

    Attributes
    ----------
    content : dict
        Plain data, sealed; to be believed only after `laconic.verify_certificate` has checked it.
    """

    content: dict[str, Any]

    @property
    def cost(self) -> int:
        """Cost of the rules, in the integer units of the search."""
        return int(self.content["cost"])

    @property
    def lower_bound(self) -> int:
        """Lower bound on the cost of every decision set, if the proof holds."""
        return int(self.content["lower_bound"])

    @property
    def optimal(self) -> bool:
        """Whether the proof, if it holds, shows that no decision set is cheaper than the rules."""
        return self.cost == self.lower_bound

    @cached_property
    def words(self) -> DecisionSet:
        """The columns, conditions and classes that make a table of a data file: a set without rules."""
        labels = self.content.get("classes")
        known = labels.get("labels") if isinstance(labels, dict) else None
        n_classes = len(known) if isinstance(known, list) and known else 1
        default = {"class": known[0] if isinstance(known, list) and known else None, "rows": 0}
        empty = {
            "format": model_document.FORMAT,
            "schema_version": 1,
            "rules": [],
            "else": None,
            "default": {**default, "weights": [0] * n_classes},
            "weight_unit": 1,
            "class_weights": None,
            "proof": None,
        }
        named = {key: self.content.get(key) for key in ("classes", "columns", "named", "features")}
        try:
            return model_document.from_document({**empty, **named})
        except ModelFileError as error:
            what = str(error).removeprefix("the model file is damaged: ").rpartition("; ")[0]
            raise malformed(what or str(error)) from None

    def to_json(self) -> str:
        """Return the text of the certificate file."""
        return json.dumps(self.content, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate to a file, whole or not at all.

        Parameters
        ----------
        path : str or path-like
        """
        try:
            write_whole(path, self.to_json().encode())
        except OSError as error:
            raise CertificateError(
                f"cannot write certificate {os.fspath(path)!r}: {error.strerror}; choose another place"
            ) from error


def facts_of(model: DecisionSet) -> dict[str, Any]:
    """Return the facts of a certificate about a model, without the bound, its proof and the seal."""
    from laconic.data.words import as_fraction

    proof = model.facts
    share = None if proof.regularization is None else as_fraction(proof.regularization)
    return {
        "format": FORMAT,
        "schema_version": 1 if proof.otherwise is None else 3,
        "laconic_version": __version__,
        "table_digest": proof.table_digest,
        "objective": proof.objective,
        "counting": proof.counting,
        "every_class": proof.every_class,
        **({} if proof.otherwise is None else {"otherwise": proof.otherwise}),
        "regularization": None if share is None else [share.numerator, share.denominator],
        "cost": proof.cost,
        "rules": [[rule.target, *rule.literals] for rule in proof.rules],
        "classes": labels_to_document(model.classes, model.label_dtype),
        "columns": [column_to_document(column) for column in model.columns],
        "named": model.named,
        "features": [feature_to_dict(feature) for feature in model.features],
    }


def constrained_facts_of(model: DecisionSet, compiled: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a certificate about a model under constraints or a budget, in integers."""
    proof = model.facts
    return {
        **facts_of(model),
        "schema_version": 2 if proof.otherwise is None else 3,
        "constraints": {} if proof.constraints is None else proof.constraints.to_document(),
        "size_budget": proof.size_budget,
        "max_errors": proof.max_errors,
        "compiled_constraints": compiled,
    }


def joint_facts_of(facts: dict[str, Any], compiled: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a certificate whose proof takes all classes together, without any constraint."""
    added = {"constraints": {}, "size_budget": None, "max_errors": None, "compiled_constraints": compiled}
    return {**facts, "schema_version": 2, **added}


def class_by_class(content: dict[str, Any]) -> dict[str, Any]:
    """Return the certificate in the form with proofs of single classes, if it contains them.

    A proof of all classes together is for `laconic.checking.constraint_checker` only; the proofs of single
    classes give a bound that is often lower, which `checker` and ``laconic-check`` prove. Certificates
    without such an entry are returned unchanged.

    Raises
    ------
    checker.Malformed
        The entry is where it does not belong, or not written as one.
    """
    if "class_by_class" not in content:
        return content
    part, wishes = content["class_by_class"], ("constraints", "size_budget", "max_errors", "otherwise")
    if not isinstance(part, dict) or set(part) != {"lower_bound", "proofs"}:
        raise checker.Malformed("'class_by_class' is not a lower bound and its proofs")
    if "compiled_constraints" not in content or any(content.get(key) not in (None, {}) for key in wishes):
        raise checker.Malformed("'class_by_class' does not go with constraints, a budget or OTHERWISE")
    left_out = {*wishes, "compiled_constraints", "bounds", "class_by_class", "seal"}
    plain = {key: value for key, value in content.items() if key not in left_out}
    plain |= {"schema_version": 1, **part}
    return {**plain, "seal": checker.seal(plain)}


def load_certificate(path: str | os.PathLike[str]) -> Certificate:
    """Read a certificate from a file, without checking its proof.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    Certificate

    Raises
    ------
    CertificateError
        The file is missing, not a certificate, or written by a newer version.
    """
    source = Path(path)
    text = file_text(source, "certificate", CertificateError)
    try:
        return loads(text)
    except CertificateError as error:
        raise CertificateError(f"{str(source)!r}: {error}") from None


def loads(text: str) -> Certificate:
    """Read a certificate from JSON text."""
    try:
        content = parsed(text)
    except json.JSONDecodeError as error:
        raise CertificateError(
            f"this is not a laconic certificate: it is not JSON (line {error.lineno}: {error.msg}); "
            f"check the path"
        ) from None
    except ValueError as error:
        raise malformed(str(error)) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise CertificateError(
            "this JSON is not a laconic certificate; make one with laconic fit --certificate"
        )
    version = content.get("schema_version")
    if type(version) is not int or version < 1:
        raise malformed("'schema_version' is not a number")
    if version > SCHEMA_VERSION:
        raise CertificateError(
            f"this certificate was written by a newer laconic (schema {version}; this one reads up to "
            f"{SCHEMA_VERSION}); upgrade laconic"
        )
    return Certificate(content)


def malformed(what: str) -> CertificateError:
    """Return the error for a certificate that is not written as one."""
    return CertificateError(
        f"the certificate is malformed: {what}; make it again with laconic fit --certificate"
    )
