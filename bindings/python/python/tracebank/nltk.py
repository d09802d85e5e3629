"""NLTK: the parser as a ``ParserI``, and parsed files as a corpus.

>>> import tracebank.nltk
>>> parser = tracebank.nltk.TracebankParser("fast")
>>> tree = next(parser.raw_parse("They left."))
>>> tree.leaves(), tree[0].label()
(['They', 'left', '.'], 'S')
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Union

import nltk
from nltk.parse.api import ParserI

from ._parse import Parse
from ._parser import Parser
from ._tree import Tree, read_trees

__all__ = ["TracebankCorpusReader", "TracebankParser"]


class TracebankParser(ParserI):  # type: ignore[misc]
    """The parser with NLTK's interface. Trees are ``nltk.Tree``, with null elements below ``-NONE-`` as in ``nltk.corpus.treebank``.

    ``model`` is that of :class:`tracebank.Parser`, or such a parser; ``options`` are its options. With ``alternatives=n`` a sentence has n
    trees, the best first.
    """

    def __init__(self, model: Union[str, os.PathLike[str], Parser] = "default", **options: Any) -> None:
        self.parser = model.with_options(**options) if isinstance(model, Parser) else Parser(model, **options)

    def parse(self, sent: Sequence[str], *_args: Any, **_kwargs: Any) -> Iterator[Any]:
        """The trees of a sentence that is cut into words."""
        yield from _trees(self.parser.parse_tokens(sent))

    def parse_sents(self, sents: Iterable[Sequence[str]], *_args: Any, **_kwargs: Any) -> Iterator[Iterator[Any]]:
        """The trees of many sentences, on all threads."""
        for parse in self.parser.parse_many(list(sent) for sent in sents):
            yield iter(_trees(parse))

    def raw_parse(self, sentence: str) -> Iterator[Any]:
        """The trees of a sentence as it was written."""
        yield from _trees(self.parser.parse(sentence))

    def raw_parse_sents(self, sentences: Iterable[str]) -> Iterator[Iterator[Any]]:
        """The trees of many sentences as they were written, on all threads."""
        for parse in self.parser.parse_many(sentences):
            yield iter(_trees(parse))

    def tagged_parse(self, sent: Sequence[tuple[str, str]]) -> Iterator[Any]:
        """The trees of a sentence whose words have tags, which are kept."""
        yield from _trees(self.parser.parse_tokens([word for word, _ in sent], [tag for _, tag in sent]))

    def grammar(self) -> None:
        """None: the parser has no grammar that NLTK could show."""


def _trees(parse: Parse) -> list[Any]:
    best = [other.tree for other in parse.alternatives] or [parse.tree]
    return [nltk.Tree.fromstring(str(tree)) for tree in best]


class TracebankCorpusReader:
    """Files of trees with the methods of ``nltk.corpus.treebank``; they are read as a stream, plain or gzip, in any dialect.

    Args:
        root: the folder.
        fileids: a pattern of file names in it, or a list of names.
        dialect: how the brackets are written; see ``tracebank.DIALECTS``.
    """

    def __init__(self, root: Union[str, os.PathLike[str]], fileids: Union[str, Sequence[str]] = "*.mrg*", dialect: str = "penn") -> None:
        self._root = os.fspath(root)
        names = glob.glob(os.path.join(self._root, fileids)) if isinstance(fileids, str) else fileids
        self._fileids = sorted(os.path.relpath(name, self._root) if isinstance(fileids, str) else name for name in names)
        self._dialect = dialect

    def fileids(self) -> list[str]:
        """The files."""
        return list(self._fileids)

    def trees(self, fileids: Union[str, Sequence[str], None] = None) -> Iterator[Tree]:
        """The trees as :class:`tracebank.Tree`."""
        wanted = self._fileids if fileids is None else [fileids] if isinstance(fileids, str) else fileids
        for name in wanted:
            yield from read_trees(os.path.join(self._root, name), self._dialect)

    def parsed_sents(self, fileids: Union[str, Sequence[str], None] = None) -> Iterator[Any]:
        """The trees as ``nltk.Tree``."""
        for tree in self.trees(fileids):
            yield tree.to_nltk()

    def sents(self, fileids: Union[str, Sequence[str], None] = None) -> Iterator[list[str]]:
        """The words of each sentence, without null elements."""
        for tree in self.trees(fileids):
            yield list(tree.words)

    def tagged_sents(self, fileids: Union[str, Sequence[str], None] = None) -> Iterator[list[tuple[str, str]]]:
        """The words with their tags."""
        for tree in self.trees(fileids):
            yield list(zip(tree.words, tree.tags))

    def words(self, fileids: Union[str, Sequence[str], None] = None) -> Iterator[str]:
        """All words."""
        for tree in self.trees(fileids):
            yield from tree.words

    def __repr__(self) -> str:
        return f"<TracebankCorpusReader {self._root!r}: {len(self._fileids)} files>"

