"""Trees: brackets read and written, their nodes, their pictures."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native

if TYPE_CHECKING:
    from ._parse import Parse

__all__ = ["Node", "Tree", "read_trees"]


class Tree:
    """A tree in the style of the Penn Treebank, which nothing changes.

    >>> tree = Tree("(S (NP-SBJ (PRP They)) (VP (VBD left)))")
    >>> tree.words, tree.tags
    (('They', 'left'), ('PRP', 'VBD'))
    >>> print(tree.without_functions())
    (S (NP (PRP They)) (VP (VBD left)))
    >>> Tree("(S (NP")
    Traceback (most recent call last):
        ...
    tracebank._errors.TreeError: 1:1: the bracket that opens here is never closed

    ``dialect`` is how the brackets are written (``tracebank.DIALECTS``); the tree is then in the Penn Treebank's.
    """

    __slots__ = ("_inner",)
    _inner: _native.Tree

    def __init__(self, text: str, dialect: str = "penn") -> None:
        self._inner = _native.Tree.read(text, dialect)

    @classmethod
    def _of(cls, native: _native.Tree) -> Tree:
        tree = cls.__new__(cls)
        tree._inner = native
        return tree

    @classmethod
    def from_nltk(cls, tree: Any) -> Tree:
        """The tree that an ``nltk.Tree`` stands for. White space and brackets in words are escaped, as treebanks do it."""
        return cls(_brackets(tree))

    @property
    def words(self) -> tuple[str, ...]:
        """The words, without null elements."""
        return tuple(word for word, _ in self._inner.words)

    @property
    def tags(self) -> tuple[str, ...]:
        """The part of speech of each word."""
        return tuple(tag for _, tag in self._inner.words)

    @property
    def top(self) -> Node:
        """The topmost node, which in many treebanks has no label."""
        return Node(self, 0)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, parents first: phrases, words and null elements."""
        return tuple(Node(self, place) for place in range(len(self._inner)))

    @property
    def parse(self) -> Parse:
        """The tree as a :class:`Parse`, with its nulls, relations and JSON.

        >>> tree = Tree("(S (NP-SBJ-1 (PRP She)) (VP (VBZ tries) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB help))))))")
        >>> [str(relation) for relation in tree.parse.relations]
        ['tries  subject=She  complement=[help]', 'help  subject=She']
        """
        from ._parse import Parse

        return Parse._of(_native.Parse.of_tree(self._inner))

    def pretty(self) -> str:
        """The brackets over several lines."""
        return self._inner.pretty()

    def outline(self) -> str:
        """The tree drawn with lines of text."""
        return self._inner.outline()

    def svg(self) -> str:
        """The picture of the tree, with an arc from each null element to its antecedent."""
        return self._inner.svg()

    def to(self, form: str) -> str:
        """The tree in a form of ``tracebank convert --to``: penn, pretty, graph, json, conllu, spines, words, relations, tagged, shp."""
        return self._inner.form(form)

    def without_traces(self) -> Tree:
        """The tree without null elements, and without the indices that then point to nothing."""
        return Tree._of(self._inner.without_traces())

    def without_functions(self) -> Tree:
        """The tree without function tags: NP-SBJ-1 becomes NP-1."""
        return Tree._of(self._inner.without_functions())

    def to_nltk(self) -> Any:
        """The tree as an ``nltk.Tree``."""
        import nltk

        return nltk.Tree.fromstring(str(self))

    def __str__(self) -> str:
        return str(self._inner)

    def __repr__(self) -> str:
        return f"Tree({str(self)!r})"

    def _repr_svg_(self) -> str:
        return self.svg()

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Tree) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Tree, (str(self),))


class Node:
    """A node of a tree: a phrase, a word or a null element.

    >>> node = Tree("(S (NP-SBJ (PRP They)) (VP (VBD left)))").top.children[0]
    >>> node.label, node.text, node.parent.label, node.children[0].word
    ('NP-SBJ', 'They', 'S', 'They')
    """

    __slots__ = ("_place", "tree")

    def __init__(self, tree: Tree, place: int) -> None:
        self.tree = tree
        self._place = place
        tree._inner.label(place)

    @property
    def label(self) -> str:
        """The label of a phrase, the tag of a word."""
        return self.tree._inner.label(self._place)

    @property
    def word(self) -> Optional[str]:
        """The word, or the null element; None for a phrase."""
        return self.tree._inner.word(self._place)

    @property
    def span(self) -> tuple[int, int]:
        """The words below it: the first, and the one behind the last."""
        return self.tree._inner.span(self._place)

    @property
    def words(self) -> tuple[str, ...]:
        """The words below it, without null elements."""
        start, end = self.span
        return self.tree.words[start:end]

    @property
    def text(self) -> str:
        """The words with blanks between them."""
        return " ".join(self.words)

    @property
    def parent(self) -> Optional[Node]:
        """The node above it."""
        place = self.tree._inner.parent(self._place)
        return None if place is None else Node(self.tree, place)

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes right below it."""
        return tuple(Node(self.tree, place) for place in self.tree._inner.children(self._place))

    def __str__(self) -> str:
        if self.word is not None:
            return f"({self.label} {self.word})"
        inner = " ".join(str(child) for child in self.children)
        return f"({self.label} {inner})"

    def __repr__(self) -> str:
        return f"<Node {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return self._place == other._place and self.tree == other.tree

    def __hash__(self) -> int:
        return hash((self._place, self.tree))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Node, (self.tree, self._place))


def read_trees(path: Union[str, os.PathLike[str]], dialect: str = "penn") -> Iterator[Tree]:
    """The trees of a file, plain or gzip, one after another: memory does not grow with the file.

    A bad tree raises :class:`TreeError` with its place; what is behind it can be read on.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "two.mrg"
    >>> _ = path.write_text("(NP (DT the) (NN dog))\\n(NP (DT a) (NN cat))\\n")
    >>> [tree.words for tree in read_trees(path)]
    [('the', 'dog'), ('a', 'cat')]
    """
    return _Trees(_native.Reader(os.fspath(path), dialect))


class _Trees(Iterator[Tree]):
    """An iterator, not a generator: a generator would end with the first bad tree."""

    def __init__(self, reader: _native.Reader) -> None:
        self._reader = reader

    def __next__(self) -> Tree:
        return Tree._of(next(self._reader))


def write_trees(path: Union[str, os.PathLike[str]], trees: Iterable[Tree]) -> None:
    """Writes trees to a file, a line each; the file appears when it is complete."""
    path = os.fspath(path)
    unfinished = f"{path}.part"
    with open(unfinished, "w", encoding="utf-8") as file:
        for tree in trees:
            file.write(f"{tree}\n")
    os.replace(unfinished, path)


_ESCAPES = str.maketrans({"(": "-LRB-", ")": "-RRB-"})


def _brackets(tree: Any) -> str:
    """The brackets of an nltk.Tree, without recursion: trees may be deep."""
    pieces: list[str] = []
    stack: list[Any] = [tree]
    while stack:
        item = stack.pop()
        if item is None:
            pieces.append(")")
        elif hasattr(item, "label"):
            pieces.append(f"({item.label()} ")
            stack.append(None)
            stack.extend(reversed(list(item)))
        else:
            word = item[0] if isinstance(item, tuple) else item
            pieces.append("_".join(str(word).translate(_ESCAPES).split()) or "_")
    return "".join(pieces).replace(")(", ") (")
