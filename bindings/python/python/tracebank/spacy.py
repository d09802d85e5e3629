"""spaCy: ``nlp.add_pipe("tracebank")`` on any English pipeline with sentences.

>>> import spacy
>>> nlp = spacy.blank("en")
>>> _ = nlp.add_pipe("sentencizer")
>>> _ = nlp.add_pipe("tracebank", config={"model": "fast"})
>>> sentence = next(nlp("They left the house.").sents)
>>> sentence._.parse_string
'(S (NP (PRP They)) (VP (VBD left) (NP (DT the) (NN house))) (. .))'
>>> [(span.text, span._.labels) for span in sentence._.constituents][1:3]
[('They', ('NP',)), ('left the house', ('VP',))]

Extension attributes, the first five as benepar has them:

========================  ==========================================================================================
``span._.parse_string``   the brackets of a constituent, over spaCy's tokens: categories alone, no nulls
``span._.labels``         the labels of a constituent, the topmost first; ``()`` for a lone word
``span._.constituents``   the constituents within a sentence, parents first, then its words
``span._.parent``         the constituent around it; None for a sentence
``span._.children``       the constituents and words right below it
``sent._.parse``          the :class:`tracebank.Parse`: the tree with function tags and nulls, phrases, relations
``sent._.nulls``          the null elements
``span._.antecedent_of``  the nulls that stand for this constituent
``sent._.misaligned``     the tokens that do not line up: pairs of spaCy's tokens and of Penn's
``token._.head_spine``    the spine of the word: the phrases it heads and the nulls in them
``doc._.relations``       who did what to whom
========================  ==========================================================================================

The parser cuts words as the Penn Treebank does; spaCy's tokens are matched by their characters. A Penn token of several spaCy tokens
(``well-known``) has them all as its leaves; a spaCy token of several Penn tokens hangs where the first of them does. No token is dropped.
Parses are kept in ``doc.user_data`` as text, so that they survive ``n_process``, ``to_bytes`` and ``DocBin(store_user_data=True)``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Optional

from spacy.language import Language
from spacy.tokens import Doc, Span, Token

from ._parse import Null, Parse, Phrase, Relation, _parse_of_text, _state_text
from ._parser import Parser

__all__ = ["Tracebank", "make"]

_KEY = "tracebank"


class _Constituent(NamedTuple):
    """A constituent over tokens of the document: phrases of the same tokens, the topmost first, are one."""

    start: int
    end: int
    phrases: tuple[int, ...]
    labels: tuple[str, ...]
    parent: Optional[int]


class _Aligned:
    """The parse of a sentence with its tokens matched to spaCy's."""

    def __init__(self, parse: Parse, start: int, words: list[str], offsets: list[tuple[int, int]]) -> None:
        self.parse = parse
        self.start = start
        self.words = words
        tokens = [(token.start, token.end) for token in parse.tokens]
        #: for each of spaCy's tokens, the first of Penn's that shares a character with it
        self.anchors = _anchors(offsets, tokens)
        self.misaligned = _misaligned(offsets, tokens)
        self.constituents = self._constituents()

    def _span(self, first: int, end: int) -> tuple[int, int]:
        """The tokens of spaCy's that are anchored in a range of Penn's."""
        inside = [place for place, anchor in enumerate(self.anchors) if first <= anchor < end]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)

    def _constituents(self) -> list[_Constituent]:
        if not self.words:
            return []
        whole = (0, len(self.words))
        found = [_Constituent(*whole, (), (), None)]
        #: for each phrase, the constituent that it is in
        owner: dict[Optional[int], int] = {None: 0}
        for phrase in self.parse.phrases:
            above = owner[None if phrase.parent is None else phrase.parent.index]
            owner[phrase.index] = above
            start, end = self._span(*phrase.span)
            is_word = "-NONE-" in phrase.label or self._is_word(phrase)
            if start == end or is_word:
                continue
            if (start, end) == found[above][:2]:
                old = found[above]
                found[above] = old._replace(
                    phrases=(*old.phrases, phrase.index), labels=(*old.labels, phrase.category)
                )
            else:
                owner[phrase.index] = len(found)
                found.append(_Constituent(start, end, (phrase.index,), (phrase.category,), above))
        return found

    def _is_word(self, phrase: Phrase) -> bool:
        """Whether it is a word that a null refers to, which the JSON has among the phrases."""
        first, end = phrase.span
        return end - first == 1 and phrase.label == self.parse.tokens[first].tag and not phrase.children

    def at(self, start: int, end: int) -> Optional[int]:
        for place, found in enumerate(self.constituents):
            if (found.start, found.end) == (start, end):
                return place
        return None

    def children(self, place: int) -> list[tuple[int, int, Optional[int]]]:
        """The constituents and the words right below a constituent, in order."""
        around = self.constituents[place]
        below = {found.start: (number, found) for number, found in enumerate(self.constituents) if found.parent == place}
        children: list[tuple[int, int, Optional[int]]] = []
        token = around.start
        while token < around.end:
            number, found = below.get(token, (None, None))
            end = token + 1 if found is None else found.end
            children.append((token, end, number))
            token = end
        return children

    def brackets(self, place: Optional[int], token: int = 0) -> str:
        if place is None:
            return self._leaf(token)
        inner = " ".join(self.brackets(number, start) for start, _, number in self.children(place))
        for label in reversed(self.constituents[place].labels):
            inner = f"({label} {inner})"
        return inner

    def _leaf(self, token: int) -> str:
        word = self.words[token]
        if word.isspace():
            return "(_SP _)"
        tokens = self.parse._data["tokens"]
        tag = tokens[self.anchors[token]]["tag"] if tokens else "XX"
        escaped = word.replace("(", "-LRB-").replace(")", "-RRB-")
        return f"({tag} {'_'.join(escaped.split())})"


def _anchors(offsets: list[tuple[int, int]], tokens: list[tuple[int, int]]) -> list[int]:
    """For each range of characters, the first token that does not end before it; the last where all do."""
    anchors: list[int] = []
    place = 0
    for start, _ in offsets:
        while place + 1 < len(tokens) and tokens[place][1] <= start:
            place += 1
        anchors.append(place)
    return anchors


def _misaligned(offsets: list[tuple[int, int]], tokens: list[tuple[int, int]]) -> list[tuple[list[int], list[int]]]:
    """The groups of tokens of both sides that share characters and are not one and one."""
    groups: list[tuple[list[int], list[int]]] = []
    here = 0
    reach = -1
    for place, (start, end) in enumerate(offsets):
        theirs: list[int] = []
        while here < len(tokens) and tokens[here][1] <= start:
            here += 1
        look = here
        while look < len(tokens) and tokens[look][0] < end:
            theirs.append(look)
            look += 1
        if groups and theirs and theirs[0] <= reach:
            mine, known = groups[-1]
            mine.append(place)
            known.extend(token for token in theirs if token > reach)
        elif theirs:
            groups.append(([place], theirs))
        if theirs:
            reach = max(reach, theirs[-1])
    return [(mine, theirs) for mine, theirs in groups if len(mine) != 1 or len(theirs) != 1]


class Tracebank:
    """The component; see the module. ``options`` are those of :class:`tracebank.Parser`."""

    def __init__(self, parser: Parser, batch: int = 256) -> None:
        self.parser = parser
        self.batch = batch

    def __call__(self, doc: Doc) -> Doc:
        return next(iter(self.pipe([doc])))

    def pipe(self, stream: Iterable[Doc], batch_size: Optional[int] = None) -> Iterator[Doc]:
        """Parses documents, the sentences of many at a time."""
        docs: list[Doc] = []
        sentences = 0
        for doc in stream:
            docs.append(doc)
            sentences += sum(1 for _ in doc.sents) if doc.has_annotation("SENT_START") else 1
            if sentences >= (batch_size or self.batch):
                yield from self._parsed(docs)
                docs, sentences = [], 0
        yield from self._parsed(docs)

    def _parsed(self, docs: list[Doc]) -> Iterator[Doc]:
        spans = [list(doc.sents) if doc.has_annotation("SENT_START") or len(doc) == 0 else [doc[:]] for doc in docs]
        parses = self.parser.parse_many((span.text for known in spans for span in known), batch=self.batch)
        for doc, known in zip(docs, spans):
            doc.user_data[_KEY] = [[span.start, span.end, _state_text(next(parses))] for span in known]
            yield doc

    def to_bytes(self, **_: Any) -> bytes:
        """Nothing: the configuration of the pipeline has all."""
        return b""

    def from_bytes(self, _: bytes, **__: Any) -> Tracebank:
        """Nothing to be read."""
        return self

    def to_disk(self, path: Any, **_: Any) -> None:
        """Nothing: the configuration of the pipeline has all."""

    def from_disk(self, path: Any, **_: Any) -> Tracebank:
        """Nothing to be read."""
        return self


@Language.factory(  # type: ignore[untyped-decorator,unused-ignore]
    "tracebank",
    default_config={"model": "default", "options": {}, "batch": 256},
    assigns=["doc._.relations", "span._.parse_string", "span._.labels", "span._.nulls", "token._.head_spine"],
    requires=["doc.sents"],
)
def make(nlp: Language, name: str, model: str, options: dict[str, Any], batch: int) -> Tracebank:
    """The component with a model and the options of :class:`tracebank.Parser`."""
    return Tracebank(Parser(model, **options), batch)


@functools.lru_cache(maxsize=1024)
def _aligned(text: str, start: int, words: tuple[str, ...], offsets: tuple[tuple[int, int], ...]) -> _Aligned:
    return _Aligned(_parse_of_text(text), start, list(words), list(offsets))


def _sentence(doc: Doc, start: int, end: int) -> _Aligned:
    """The parsed sentence that holds some tokens."""
    for first, last, text in doc.user_data.get(_KEY, ()):
        if first <= start and end <= last:
            span = doc[first:last]
            offsets = tuple((token.idx - span.start_char, token.idx - span.start_char + len(token)) for token in span)
            return _aligned(text, first, tuple(token.text for token in span), offsets)
    raise ValueError('these tokens are in no parsed sentence: has nlp.add_pipe("tracebank") seen the document?')


def _of_span(span: Span) -> tuple[_Aligned, Optional[int]]:
    found = _sentence(span.doc, span.start, span.end)
    return found, found.at(span.start - found.start, span.end - found.start)


def _constituent(span: Span) -> tuple[_Aligned, Optional[int]]:
    found, place = _of_span(span)
    if place is None and len(span) != 1:
        raise ValueError(f"{span.text!r} is no constituent")
    return found, place


def _parse_string(span: Span) -> str:
    found, place = _constituent(span)
    return found.brackets(place, span.start - found.start)


def _labels(span: Span) -> tuple[str, ...]:
    found, place = _constituent(span)
    return () if place is None else found.constituents[place].labels


def _subspan(found: _Aligned, doc: Doc, start: int, end: int) -> Span:
    return doc[found.start + start : found.start + end]


def _constituents(span: Span) -> Iterator[Span]:
    yield span
    for child in _children(span):
        yield from _constituents(child)


def _children(span: Span) -> Iterator[Span]:
    found, place = _constituent(span)
    if place is None:
        return
    for start, end, _ in found.children(place):
        if (start, end) != found.constituents[place][:2]:
            yield _subspan(found, span.doc, start, end)


def _parent(span: Span) -> Optional[Span]:
    found, place = _constituent(span)
    if place is None:
        token = span.start - found.start
        around = [one for one in found.constituents if one.start <= token < one.end]
        parent = min(around, key=lambda one: (one.end - one.start))
    else:
        above = found.constituents[place].parent
        if above is None:
            return None
        parent = found.constituents[above]
    return _subspan(found, span.doc, parent.start, parent.end)


def _span_parse(span: Span) -> Parse:
    return _sentence(span.doc, span.start, span.end).parse


def _span_nulls(span: Span) -> list[Null]:
    found = _sentence(span.doc, span.start, span.end)
    first, end = span.start - found.start, span.end - found.start
    if (first, end) == (0, len(found.words)):
        return list(found.parse.nulls)
    anchors = [anchor for anchor in found.anchors[first:end]]
    return [null for null in found.parse.nulls if anchors and anchors[0] <= null.before <= anchors[-1]]


def _antecedent_of(span: Span) -> list[Null]:
    found, place = _of_span(span)
    first, end = span.start - found.start, span.end - found.start
    return [null for null in found.parse.nulls if null.antecedent and found._span(*null.antecedent.span) == (first, end)]


def _span_misaligned(span: Span) -> list[tuple[list[Token], list[Any]]]:
    found = _sentence(span.doc, span.start, span.end)
    tokens = found.parse.tokens
    pairs = ((mine, theirs) for mine, theirs in found.misaligned)
    return [([span.doc[found.start + one] for one in mine], [tokens[one] for one in theirs]) for mine, theirs in pairs]


def _head_spine(token: Token) -> str:
    found = _sentence(token.doc, token.i, token.i + 1)
    if token.is_space or not found.parse.tokens:
        return ""
    spine: str = found.parse.tokens[found.anchors[token.i - found.start]].spine
    return spine


def _relations(doc: Doc) -> list[Relation]:
    sentences = (_sentence(doc, first, last) for first, last, _ in doc.user_data.get(_KEY, ()) if first < last)
    return [relation for found in sentences for relation in found.parse.relations]


def _register() -> None:
    for name, getter in [
        ("parse_string", _parse_string),
        ("labels", _labels),
        ("constituents", _constituents),
        ("parent", _parent),
        ("children", _children),
        ("parse", _span_parse),
        ("nulls", _span_nulls),
        ("antecedent_of", _antecedent_of),
        ("misaligned", _span_misaligned),
    ]:
        Span.set_extension(name, getter=getter, force=True)
    Token.set_extension("head_spine", getter=_head_spine, force=True)
    # benepar has these for tokens too
    for name in ("labels", "parse_string", "parent", "constituents", "children"):
        Token.set_extension(name, getter=_for_token(name), force=True)
    Doc.set_extension("relations", getter=_relations, force=True)


def _for_token(name: str) -> Any:
    def getter(token: Token) -> Any:
        return getattr(token.doc[token.i : token.i + 1]._, name)

    return getter


_register()
