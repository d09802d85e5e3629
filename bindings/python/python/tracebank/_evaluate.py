"""Scores of guesses against gold trees."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple, Union

from . import _native
from ._parse import Parse
from ._tree import Tree

__all__ = ["Difference", "Evaluation", "Score", "compare", "draw_comparison", "evaluate"]


class Score(NamedTuple):
    """Precision, recall and F1 in percent, with the counts behind them."""

    precision: float
    recall: float
    f1: float
    match: int
    gold: int
    test: int


class Evaluation:
    """The scores of a system; docs/metrics.md says what each counts.

    ``scores`` has them by name, as ``evaluate(…).scores["null"].f1``; printed it is the table of ``tracebank eval``.
    """

    __slots__ = ("_table", "_text")

    def __init__(self, text: str, table: str) -> None:
        self._text = text
        self._table = table

    def to_dict(self) -> dict[str, Any]:
        """The JSON of ``tracebank eval --json``."""
        found: dict[str, Any] = json.loads(self._text)
        return found

    @property
    def sentences(self) -> int:
        """The number of gold sentences."""
        return int(self.to_dict()["sentences"])

    @property
    def unaligned(self) -> tuple[int, ...]:
        """The numbers of the gold sentences, from 1, whose guess is missing or over other words. They count as missed."""
        return tuple(self.to_dict()["unaligned"])

    @property
    def scores(self) -> dict[str, Score]:
        """The scores by name: ``evalb``, ``null``, ``coindex``, ``johnson.full``, …"""
        return dict(_scores("", self.to_dict()))

    def __str__(self) -> str:
        return self._table

    def __repr__(self) -> str:
        shown = (f"{name} {self.scores[name].f1:.2f}" for name in ("evalb", "null", "coindex"))
        return f"<Evaluation of {self.sentences} sentences: {', '.join(shown)}>"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Evaluation) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Evaluation, (self._text, self._table))


def _scores(above: str, found: dict[str, Any]) -> Iterable[tuple[str, Score]]:
    for name, value in found.items():
        if not isinstance(value, dict):
            continue
        if "f1" in value:
            yield above + name, Score(*(value[field] for field in Score._fields))
        else:
            yield from _scores(f"{above}{name}.", value)


class Difference(NamedTuple):
    """The difference of two systems in a metric, by bootstrap: points of F1, the interval that holds 95 %, and the p value."""

    metric: str
    first_f1: float
    second_f1: float
    difference: float
    interval_95: tuple[float, float]
    p_value: float


def _trees(trees: Iterable[Union[Tree, Parse]]) -> list[_native.Tree]:
    return [(tree.tree if isinstance(tree, Parse) else tree)._inner for tree in trees]


def evaluate(gold: Iterable[Union[Tree, Parse]], guess: Iterable[Union[Tree, Parse]]) -> Evaluation:
    """Scores guesses against gold trees, one for each and in the same order.

    >>> gold = Tree("(S (NP (PRP We)) (VP (VBP go)))")
    >>> evaluate([gold], [gold]).scores["evalb"].f1
    100.0
    """
    return Evaluation(*_native.evaluate(_trees(gold), _trees(guess)))


def compare(
    gold: Iterable[Union[Tree, Parse]],
    first: Iterable[Union[Tree, Parse]],
    second: Iterable[Union[Tree, Parse]],
    *,
    samples: int = 1000,
    seed: int = 1,
) -> list[Difference]:
    """Compares two systems by bootstrap, as ``tracebank eval --against`` does."""
    if not 1 <= samples <= 10_000_000:
        raise ValueError(f"samples is from 1 to 10000000, not {samples}")
    text, _ = _native.compare(_trees(gold), _trees(first), _trees(second), samples, seed)
    rows = json.loads(text)
    return [Difference(**{**row, "interval_95": tuple(row["interval_95"])}) for row in rows]


def draw_comparison(gold: Tree, guess: Tree) -> str:
    """The picture of a gold tree and a guess as SVG, with their differences marked."""
    return _native.draw_comparison(gold._inner, guess._inner)
