"""Search: patterns over trees in Tregex's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Union

from . import _native
from ._parse import Parse
from ._tree import Node, Tree

__all__ = ["Construction", "Match", "Pattern", "constructions"]


class Match(NamedTuple):
    """A match of a pattern: the node that its first node matched, and those that have a name."""

    node: Node
    names: Mapping[str, Node]

    def __getitem__(self, name: Any) -> Any:
        return self.names[name] if isinstance(name, str) else tuple.__getitem__(self, name)


class Construction(NamedTuple):
    """A construction that has a name."""

    name: str
    description: str
    pattern: str


class Pattern:
    """A search pattern; docs/search.md teaches the language.

    >>> pattern = Pattern("NP=gap =>> (@NP=noun !>> SBAR)")
    >>> tree = Tree("(NP (NP (NNS cakes)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (PRP we)) (VP (VBD baked) (NP (-NONE- *T*-1))))))")
    >>> [match["noun"].text for match in pattern.matches(tree)]
    ['cakes']
    >>> Pattern("NP < (VP << )")
    Traceback (most recent call last):
        ...
    tracebank._errors.PatternError: a node is missing here
      NP < (VP << )
                  ^ expected a label, /…/, __, =name or (…)
    """

    __slots__ = ("_inner",)

    def __init__(self, text: str) -> None:
        self._inner = _native.Pattern(text)

    @classmethod
    def named(cls, name: str) -> Pattern:
        """The pattern of a construction: ``object-relative``; see :func:`constructions`."""
        for known in constructions():
            if known.name == name:
                return cls(known.pattern)
        raise KeyError(name)

    @property
    def text(self) -> str:
        """The pattern as it was written."""
        return self._inner.text

    @property
    def names(self) -> tuple[str, ...]:
        """The names in it."""
        return tuple(self._inner.names)

    def matches(self, tree: Union[Tree, Parse]) -> list[Match]:
        """Every match in a tree."""
        tree = tree.tree if isinstance(tree, Parse) else tree
        found = self._inner.matches(tree._inner)
        return [Match(Node(tree, place), {name: Node(tree, there) for name, (there, _) in names}) for (place, _), names in found]

    def search(self, trees: Iterable[Union[Tree, Parse]]) -> Iterator[tuple[Union[Tree, Parse], Match]]:
        """The matches in many trees, each with its tree."""
        for tree in trees:
            for match in self.matches(tree):
                yield tree, match

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Pattern) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Pattern, (self.text,))


def constructions() -> list[Construction]:
    """The constructions that have a name.

    >>> "object-relative" in [one.name for one in constructions()]
    True
    """
    return [Construction(*found) for found in _native.constructions()]
