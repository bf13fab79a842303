"""A decision set as an ONNX model, for runtimes without Python.

There is one input per used column. Columns of numbers or truth values are doubles, with NaN for missing
values; all others are strings, with the empty string for missing values. Texts may be as in the file: blanks
around them and words for "no value" are read as the model reads them, but texts that are numbers have to be
converted before, and dates are numbers: days or seconds since 1970. Each condition is evaluated once, a
rule is the conjunction of its conditions, and a chain of ``Where``, least precise rule first, yields the
number of the deciding rule. Two lookup tables map that number to the label and to the probabilities.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np

from laconic.data.literals import Among, Equals, Interval, Literal, Missing, Threshold, named_values
from laconic.data.reading.column_reading import ColumnReading
from laconic.data.reading.number_texts import BLANKS, number_of
from laconic.export.names import holds_numbers, refuse_unwritable, texts_of
from laconic.model.decision_set import DecisionSet
from laconic.model.predict import best_first
from laconic.runtime.errors import InputError

OPSET = 19
"""The first operator set that can compare strings."""
OPSET_WITH_PATTERNS = 20
"""The first operator set that can match strings with patterns."""
IR_VERSION = 9
"""The file format of this operator set; old runtimes reject newer formats."""


def to_onnx(model: DecisionSet) -> bytes:
    """Export a decision set as an ONNX model.

    Parameters
    ----------
    model : DecisionSet

    Returns
    -------
    bytes
        The serialised model. It has one input of shape (rows,) per used column, with the column's name, and
        the outputs ``label`` and ``probabilities`` (with underscores added if a column has such a name). The
        export needs the package onnx.
    """
    try:
        import onnx
    except ImportError:
        raise InputError("the ONNX export needs onnx; run: pip install 'laconic-rules[onnx]'") from None
    if not model.used_columns:
        raise InputError(
            f"these rules use no column, so there is nothing to compute: the class is always "
            f"{model.predict(np.zeros((1, len(model.columns)))).tolist()[0]!r}"
        )
    refuse_unwritable(texts_of(model), "ONNX")
    graph = _Graph(model, onnx.helper)
    built = graph.build()
    opset = OPSET_WITH_PATTERNS if graph.has_patterns else OPSET
    made = onnx.helper.make_model(
        built,
        producer_name="laconic",
        opset_imports=[onnx.helper.make_opsetid("", opset)],
        ir_version=IR_VERSION,
    )
    onnx.checker.check_model(made)
    return bytes(made.SerializeToString())


class _Graph:
    """Builds the graph; no value in it has the name of a column."""

    def __init__(self, model: DecisionSet, helper: Any) -> None:
        self._model = model
        self._helper = helper
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._taken = set(model.used_columns)
        self._numbers = {name: _as_numbers(model, name) for name in model.used_columns}
        self._readings = {column.name: column.reading or ColumnReading() for column in model.columns}
        self._conditions: dict[Literal, str] = {}
        self.has_patterns = False

    def build(self) -> Any:
        from onnx import TensorProto

        model, make = self._model, self._helper.make_tensor_value_info
        inputs = [
            make(name, TensorProto.DOUBLE if self._numbers[name] else TensorProto.STRING, ["rows"])
            for name in model.used_columns
        ]
        fallback = len(model.rules)
        shape = self._node("Shape", model.used_columns[0])
        chosen = self._node("Expand", self._constant(np.array([fallback], np.int64)), shape)
        for k in reversed(best_first(model.rules)):
            rule = model.rules[k]
            covered = self._all([self._condition(literal) for literal in rule.literals])
            chosen = self._node("Where", covered, self._constant(np.array([k], np.int64)), chosen)
        labels = model.label_per_rule()
        label = self._node("Gather", self._constant(labels), chosen, name="label")
        shares = self._constant(model.probabilities_per_rule())
        probabilities = self._node("Gather", shares, chosen, name="probabilities", axis=0)
        outputs = [
            make(label, self._constants_type(labels), ["rows"]),
            make(probabilities, TensorProto.DOUBLE, ["rows", len(model.classes)]),
        ]
        return self._helper.make_graph(
            self._nodes, "decision_set", inputs, outputs, initializer=self._constants
        )

    def _condition(self, literal: Literal) -> str:
        if literal not in self._conditions:
            self._conditions[literal] = self._test(literal)
        return self._conditions[literal]

    def _test(self, literal: Literal) -> str:
        column = literal.column
        if isinstance(literal, Missing):
            missing = self._missing(column)
            return missing if literal.missing else self._node("Not", missing)
        if isinstance(literal, Equals):
            value = float(literal.value) if self._numbers[column] else literal.value
            same = self._is_text(column, [value]) if isinstance(value, str) else self._is(column, value)
            if literal.op == "=":
                return same
            return self._node("Not", self._node("Or", same, self._missing(column)))
        if isinstance(literal, Among):
            members = [self._condition(Equals(column, "=", value)) for value in literal.values]
            found = members[0]
            for member in members[1:]:
                found = self._node("Or", found, member)
            return (
                found if literal.inside else self._node("Not", self._node("Or", found, self._missing(column)))
            )
        if isinstance(literal, Threshold):
            operator = "LessOrEqual" if literal.op == "<=" else "Greater"
            return self._without_codes(column, self._compare(operator, column, literal.value))
        return self._without_codes(column, self._interval(literal))

    def _interval(self, literal: Interval) -> str:
        column, low, high = literal.column, literal.low, literal.high
        if literal.inside:
            return self._node(
                "And", self._compare("Greater", column, low), self._compare("LessOrEqual", column, high)
            )
        return self._node(
            "Or", self._compare("LessOrEqual", column, low), self._compare("Greater", column, high)
        )

    def _missing(self, column: str) -> str:
        words = self._readings[column].missing
        if not self._numbers[column]:
            return self._is_text(column, ["", *words])
        missing = self._node("IsNaN", column)
        for number in self._missing_numbers(column):
            missing = self._node("Or", missing, self._compare("Equal", column, float(number)))
        return missing

    def _missing_numbers(self, column: str) -> list[float]:
        found = map(number_of, self._readings[column].missing)
        return [float(number) for number in found if number is not None]

    def _is(self, column: str, value: Any) -> str:
        """Return which cells hold a number that does not mean "no value"."""
        same = self._compare("Equal", column, value)
        return (
            self._node("And", same, self._node("Not", self._missing(column)))
            if self._missing_numbers(column)
            else same
        )

    def _is_text(self, column: str, texts: list[str]) -> str:
        """Return which cells hold one of some texts; blanks around them count as the model says."""
        if not self._readings[column].strip and len(texts) == 1:
            return self._compare("Equal", column, texts[0])
        self.has_patterns = True
        blanks = f"[{BLANKS}]*" if self._readings[column].strip else ""
        pattern = f"{blanks}(?:{'|'.join(map(re.escape, texts))}){blanks}"
        return self._node("RegexFullMatch", column, pattern=pattern)

    def _without_codes(self, column: str, test: str) -> str:
        """Exclude special codes, and numbers that mean "no value", from a test of numbers."""
        for number in (*self._readings[column].codes, *self._missing_numbers(column)):
            test = self._node("And", test, self._node("Not", self._compare("Equal", column, float(number))))
        return test

    def _compare(self, operator: str, column: str, value: Any) -> str:
        constant = np.array([value], dtype=object if isinstance(value, str) else np.float64)
        return self._node(operator, column, self._constant(constant))

    def _all(self, conditions: list[str]) -> str:
        if not conditions:
            return self._constant(np.array([True]))
        covered = conditions[0]
        for condition in conditions[1:]:
            covered = self._node("And", covered, condition)
        return covered

    def _node(self, operator: str, *inputs: str, name: str = "value", **attributes: Any) -> str:
        output = self._fresh(name)
        self._nodes.append(self._helper.make_node(operator, inputs, [output], **attributes))
        return output

    def _constant(self, array: Any) -> str:
        name = self._fresh("constant")
        flat = (
            [str(v).encode() for v in array.ravel()] if array.dtype.kind in "UO" else array.ravel().tolist()
        )
        self._constants.append(self._helper.make_tensor(name, self._constants_type(array), array.shape, flat))
        return name

    def _constants_type(self, array: Any) -> int:
        from onnx import TensorProto

        if array.dtype.kind in "UO":
            return int(TensorProto.STRING)
        return int(self._helper.np_dtype_to_tensor_dtype(array.dtype))

    def _fresh(self, name: str) -> str:
        numbered = name in {"value", "constant"}
        candidates = (f"{name}_{i}" for i in itertools.count()) if numbered else _with_underscores(name)
        found = next(one for one in candidates if one not in self._taken)
        self._taken.add(found)
        return found


def _with_underscores(name: str) -> Any:
    return (name + "_" * n for n in itertools.count())


def _as_numbers(model: DecisionSet, column: str) -> bool:
    """Return whether a column is a tensor of numbers; refuse a column that is neither numbers nor texts."""
    if not column:
        raise InputError("a column without a name cannot be an ONNX input; rename it")
    sides = [side for feature in model.features for side in (feature.positive, feature.negative)]
    named = {
        value
        for literal in (*(x for rule in model.rules for x in rule.literals), *sides)
        if literal is not None and literal.column == column
        for value in named_values(literal)
    }
    if holds_numbers(model, column) or any(isinstance(value, bool) for value in named):
        if any(isinstance(value, str) for value in named):
            raise InputError(f"column {column!r} mixes texts and numbers, which ONNX cannot hold; convert it")
        return True
    if "" in named:
        raise InputError(
            f"the empty text is a category of column {column!r}, but in ONNX it stands for a missing value; "
            f"give the category a name"
        )
    return False
