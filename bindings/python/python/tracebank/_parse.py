"""A parsed sentence and its parts."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, Optional, TypeVar

from . import _native
from ._tree import Tree

__all__ = ["Alternative", "Argument", "Null", "Parse", "Phrase", "Predicate", "Relation", "Token"]

_Part = TypeVar("_Part", bound="Part")


class Parse:
    """A parsed sentence, which nothing changes.

    >>> import tracebank
    >>> parse = tracebank.Parser().parse("Which book did she want to buy?")
    >>> parse
    <Parse 'Which book did she want to buy?': 8 tokens, 2 nulls, exact>
    >>> print(parse.tree)
    ( (SBARQ (WHNP-1 (WDT Which) (NN book)) (SQ (VBD did) (NP-SBJ-2 (PRP she)) (VP (VB want) (S (NP-SBJ (-NONE- *-2)) (VP (TO to) (VP (VB buy) (NP (-NONE- *T*-1))))))) (. ?)))
    >>> for null in parse.nulls: print(null.kind, null.antecedent.text, null.description, sep=" | ")
    * | she | *-2 = she, subject of buy
    *T* | Which book | *T*-1 = Which book, object of buy

    In a notebook it is shown as a picture. Two parses are equal if their JSON is.
    """

    __slots__ = ("_inner", "_read")
    _inner: _native.Parse
    _read: Optional[dict[str, Any]]

    def __init__(self) -> None:
        raise TypeError("a Parse comes from Parser.parse, Tree.parse or Parse.from_tree")

    @classmethod
    def _of(cls, native: _native.Parse) -> Parse:
        parse = cls.__new__(cls)
        parse._inner = native
        parse._read = None
        return parse

    @classmethod
    def from_tree(cls, tree: Tree) -> Parse:
        """The parse that a tree stands for; the same as ``tree.parse``."""
        return cls._of(_native.Parse.of_tree(tree._inner))

    @property
    def _data(self) -> dict[str, Any]:
        if self._read is None:
            self._read = self.to_dict()
        return self._read

    @property
    def text(self) -> str:
        """The sentence as it was written. Offsets of tokens count in its characters."""
        return self._inner.text

    @property
    def start(self) -> int:
        """The character of the whole text at which it begins."""
        return self._inner.start

    @property
    def outcome(self) -> str:
        """``exact``, ``approximate``, ``given``, ``empty``, or why there is no parse: ``too-long``, ``failed``."""
        return self._inner.outcome

    @property
    def has_parse(self) -> bool:
        """Whether the tree is more than a flat one over words without a parse."""
        return self.outcome in ("exact", "approximate", "given")

    @property
    def is_approximate(self) -> bool:
        """Whether a budget of the decoder was not enough: another tree might score better."""
        return self.outcome == "approximate"

    @property
    def score(self) -> float:
        """The score of the analysis."""
        return self._inner.score

    @property
    def probability(self) -> Optional[float]:
        """The probability of the analysis, if ``Parser(probabilities=True)`` asked for it."""
        found: Optional[float] = self._data["probability"]
        return found

    @property
    def tree(self) -> Tree:
        """The tree. Where there is no parse it is flat, below a phrase labelled X-FAILED or X-EMPTY."""
        return Tree._of(self._inner.tree)

    def _parts(self, kind: type[_Part], key: str) -> tuple[_Part, ...]:
        return tuple(kind(self, index) for index in range(len(self._data[key])))

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The words."""
        return self._parts(Token, "tokens")

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases, parents first; those that hold no word are among them."""
        return self._parts(Phrase, "phrases")

    @property
    def nulls(self) -> tuple[Null, ...]:
        """The null elements, from left to right."""
        return self._parts(Null, "nulls")

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Who did what to whom: the predicates with their arguments, every null resolved."""
        return self._parts(Relation, "relations")

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The best trees, this one first, if ``Parser(alternatives=n)`` asked for them."""
        return tuple(Alternative(Tree._of(tree), score, share) for tree, score, share in self._inner.alternatives)

    def to(self, form: str) -> str:
        """The parse in a form of ``tracebank parse --output``: penn, pretty, graph, json, conllu, spines, words, relations."""
        return self._inner.form(form)

    def to_json(self) -> str:
        """The parse as JSON, version 2: the line of ``tracebank parse --output json``, without ``origin``."""
        return self._inner.json()

    def to_dict(self) -> dict[str, Any]:
        """The JSON as a dictionary of its own, which may be changed."""
        found: dict[str, Any] = json.loads(self._inner.json())
        return found

    def to_conllu(self) -> str:
        """The parse as Universal Dependencies, basic and enhanced, in CoNLL-U."""
        return self._inner.form("conllu")

    def to_nltk(self) -> Any:
        """The tree as an ``nltk.Tree``."""
        return self.tree.to_nltk()

    def outline(self) -> str:
        """The tree drawn with lines of text, and what its nulls stand for."""
        lines = [self.tree.outline(), *(f"  {null.description}" for null in self.nulls)]
        return "\n".join(lines)

    def svg(self) -> str:
        """The picture of the tree, with an arc from each null element to its antecedent."""
        return self._inner.svg()

    def spine_svg(self) -> str:
        """The picture of the graph: the spine of each word, structural edges and trace edges."""
        return self._inner.spine_svg()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return str(self.tree)

    def __repr__(self) -> str:
        many = f"{len(self.tokens)} tokens, {len(self.nulls)} nulls"
        return f"<Parse {_short(self.text)!r}: {many}, {self.outcome}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Parse):
            return NotImplemented
        return self is other or (self.text == other.text and self.to_json() == other.to_json())

    def __hash__(self) -> int:
        return hash((self.text, str(self._inner.tree)))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_parse_of_state, (self._inner.state(),))


def _parse_of_state(state: dict[str, Any]) -> Parse:
    return Parse._of(_native.Parse.of_state(state))


def _state_text(parse: Parse) -> str:
    """A parse as a text from which all of it comes back, for those who store it among other things."""
    return json.dumps(parse._inner.state())


def _parse_of_text(text: str) -> Parse:
    def tuples(value: Any) -> Any:
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    return _parse_of_state({name: tuples(value) for name, value in json.loads(text).items()})


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


class Alternative(NamedTuple):
    """One of the best trees of a sentence, with its score and its probability."""

    tree: Tree
    score: float
    probability: float


class Part:
    """A part of a parse, known by its place. It is equal to the same part of an equal parse."""

    __slots__ = ("index", "parse")
    _key = ""

    def __init__(self, parse: Parse, index: int) -> None:
        self.parse = parse
        #: its place among its like, from 0
        self.index = index

    @property
    def _data(self) -> dict[str, Any]:
        found: dict[str, Any] = self.parse._data[self._key][self.index]
        return found

    def to_dict(self) -> dict[str, Any]:
        """What the JSON has of it."""
        found: dict[str, Any] = json.loads(json.dumps(self._data))
        return found

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Part):
            return NotImplemented
        return self.index == other.index and self.parse == other.parse

    def __hash__(self) -> int:
        return hash((self._key, self.index, self.parse))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.parse, self.index))


class Token(Part):
    """A word of a sentence.

    >>> import tracebank
    >>> token = tracebank.Parser("fast").parse("They (both) left.").tokens[1]
    >>> token
    <Token '-LRB-' 5:6>
    >>> token.text, token.tag, token.start, token.end, token.source
    ('-LRB-', '-LRB-', 5, 6, '(')
    """

    __slots__ = ()
    _key = "tokens"

    @property
    def text(self) -> str:
        """The word as the tree has it: ``-LRB-``, ``n't``."""
        return str(self._data["text"])

    @property
    def tag(self) -> str:
        """Its part of speech."""
        return str(self._data["tag"])

    @property
    def start(self) -> int:
        """The character of ``parse.text`` at which it begins."""
        return int(self._data["chars"][0])

    @property
    def end(self) -> int:
        """The character behind it."""
        return int(self._data["chars"][1])

    @property
    def source(self) -> str:
        """The word as it was written."""
        return self.parse.text[self.start : self.end]

    @property
    def spine(self) -> str:
        """The phrases that it heads, and the nulls in them, as the graph form writes them."""
        return str(self._data["spine"])

    @property
    def head(self) -> Optional[Token]:
        """The token that is its structural parent; None for the root."""
        place = self._data["head"]
        return None if place is None else Token(self.parse, place)

    @property
    def attachment(self) -> str:
        """The phrase of the parent's spine that it hangs in."""
        return str(self._data["attachment"])

    @property
    def confidence(self) -> Optional[float]:
        """The logarithm of the probability of spine and structural edge; None without a parse."""
        found: Optional[float] = self._data["confidence"]
        return found

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Token {self.text!r} {self.start}:{self.end}>"


class Phrase(Part):
    """A phrase of the tree, or a word that a null refers to.

    >>> import tracebank
    >>> phrase = tracebank.Parser("fast").parse("The old dog barked.").phrases[1]
    >>> phrase
    <Phrase NP-SBJ 'The old dog'>
    >>> phrase.span, phrase.parent.label, [child.label for child in phrase.parent.children]
    ((0, 3), 'S', ['NP-SBJ', 'VP'])
    """

    __slots__ = ()
    _key = "phrases"

    @property
    def label(self) -> str:
        """Its label, with function tags and indices: ``NP-SBJ-1``."""
        return str(self._data["label"])

    @property
    def category(self) -> str:
        """Its label without function tags and indices: ``NP``."""
        label = self.label
        return label if label.startswith("-") else label.split("-")[0].split("=")[0]

    @property
    def span(self) -> tuple[int, int]:
        """Its tokens: the first, and the one behind the last."""
        start, end = self._data["tokens"]
        return (start, end)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Its tokens; none for a phrase that holds no word."""
        return tuple(Token(self.parse, index) for index in range(*self.span))

    @property
    def start(self) -> int:
        """The character of ``parse.text`` at which it begins; of a phrase without words, where it stands."""
        start, end = self.span
        tokens = self.parse._data["tokens"]
        if start < end:
            return int(tokens[start]["chars"][0])
        return int(tokens[start]["chars"][0]) if start < len(tokens) else len(self.parse.text)

    @property
    def end(self) -> int:
        """The character behind it."""
        start, end = self.span
        return int(self.parse._data["tokens"][end - 1]["chars"][1]) if start < end else self.start

    @property
    def text(self) -> str:
        """Its words as they were written, with single blanks."""
        return " ".join(self.parse.text[self.start : self.end].split())

    @property
    def parent(self) -> Optional[Phrase]:
        """The phrase above it; None for the topmost."""
        place = self._data["parent"]
        return None if place is None else Phrase(self.parse, place)

    @property
    def children(self) -> tuple[Phrase, ...]:
        """The phrases right below it."""
        phrases = enumerate(self.parse._data["phrases"])
        return tuple(Phrase(self.parse, place) for place, phrase in phrases if phrase["parent"] == self.index)

    @property
    def probability(self) -> Optional[float]:
        """Its probability, if ``Parser(probabilities=True)`` asked for it."""
        found: Optional[float] = self._data.get("probability")
        return found

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Phrase {self.label} {_short(self.text)!r}>"


class Null(Part):
    """A null element, or (as kind ``=``) a phrase that fills a gap.

    >>> import tracebank
    >>> null = tracebank.Parser().parse("Who left?").nulls[0]
    >>> null
    <Null *T*-1 = Who, subject of left>
    >>> null.kind, null.number, null.antecedent.label, null.role, null.predicate.text
    ('*T*', 1, 'WHNP-1', 'subject', 'left')
    """

    __slots__ = ()
    _key = "nulls"

    def _phrase(self, key: str) -> Optional[Phrase]:
        place = self._data[key]
        return None if place is None else Phrase(self.parse, place)

    @property
    def kind(self) -> str:
        """Its type: ``*T*``, ``*``, ``0``, ``*U*``, …"""
        return str(self._data["type"])

    @property
    def number(self) -> Optional[int]:
        """The number that it shares with its antecedent."""
        found: Optional[int] = self._data["index"]
        return found

    @property
    def before(self) -> int:
        """The token before which it stands; the number of tokens if it is behind the last."""
        return int(self._data["before"])

    @property
    def phrase(self) -> Optional[Phrase]:
        """The phrase right above it that holds nothing else."""
        return self._phrase("phrase")

    @property
    def host(self) -> Optional[Phrase]:
        """The lowest phrase around it that holds a word."""
        return self._phrase("host")

    @property
    def antecedent(self) -> Optional[Phrase]:
        """What it stands for; that may be a phrase without words, another null's."""
        return self._phrase("antecedent")

    @property
    def overt(self) -> Optional[Phrase]:
        """The end of the chain of antecedents, if that has words."""
        return self._phrase("overt")

    @property
    def role(self) -> Optional[str]:
        """What it is to its predicate: ``object``."""
        found: Optional[str] = self._data["role"]
        return found

    @property
    def predicate(self) -> Optional[Token]:
        """The word whose argument it is."""
        place = self._data["predicate"]
        return None if place is None else Token(self.parse, place)

    @property
    def reason(self) -> Optional[str]:
        """Why it is no argument, where it is none."""
        found: Optional[str] = self._data["reason"]
        return found

    @property
    def description(self) -> str:
        """A sentence for people: ``*T*-1 = Which book, object of buy``."""
        return str(self._data["description"])

    @property
    def probability(self) -> Optional[float]:
        """The probability that it is there, if ``Parser(probabilities=True)`` asked for it."""
        found: Optional[float] = self._data.get("probability")
        return found

    def __str__(self) -> str:
        return self.description

    def __repr__(self) -> str:
        return f"<Null {self.description}>"


class Predicate(NamedTuple):
    """The predicate of a relation."""

    token: Token
    lemma: str
    voice: str
    negated: bool
    modality: tuple[str, ...]
    particle: Optional[Token]
    copula: Optional[Token]
    gapped: bool

    @property
    def text(self) -> str:
        """The word."""
        return self.token.source


class Argument(NamedTuple):
    """An argument of a predicate.

    ``role`` is what it is to the predicate, ``surface`` what it looks like; ``filler`` is ``phrase``, ``clause``, ``addressee`` or
    ``anyone``; ``text``, ``tokens`` and ``head`` are its words (none for the last two).
    """

    role: str
    surface: str
    preposition: Optional[str]
    filler: str
    text: Optional[str]
    tokens: tuple[Token, ...]
    head: Optional[Token]
    nulls: tuple[Null, ...]


class Relation(Part):
    """A predicate with its arguments, every null resolved.

    >>> import tracebank
    >>> relation = tracebank.Parser("fast").parse("She wants to leave.").relations[1]
    >>> print(relation)
    leave  subject=She
    >>> relation.predicate.lemma, relation.arguments[0].text, relation.arguments[0].nulls
    ('leave', 'She', (<Null *-1 = She, subject of leave>,))
    """

    __slots__ = ()
    _key = "relations"

    @property
    def predicate(self) -> Predicate:
        """The predicate."""
        found = self._data["predicate"]

        def token(place: Optional[int]) -> Optional[Token]:
            return None if place is None else Token(self.parse, place)

        return Predicate(
            token=Token(self.parse, found["token"]),
            lemma=found["lemma"],
            voice=found["voice"],
            negated=found["negated"],
            modality=tuple(found["modality"]),
            particle=token(found["particle"]),
            copula=token(found["copula"]),
            gapped=found["gapped"],
        )

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Its arguments."""
        return tuple(self._argument(found) for found in self._data["arguments"])

    def _argument(self, found: dict[str, Any]) -> Argument:
        head = found["head"]
        passed = (step.get("null") for step in found["via"])
        return Argument(
            role=found["role"],
            surface=found["surface"],
            preposition=found["preposition"],
            filler=found["filler"],
            text=found["text"],
            tokens=tuple(Token(self.parse, place) for place in range(*(found["tokens"] or (0, 0)))),
            head=None if head is None else Token(self.parse, head),
            nulls=tuple(Null(self.parse, place) for place in passed if place is not None),
        )

    def __getitem__(self, role: str) -> Argument:
        """The first argument with a role; KeyError if there is none."""
        for argument in self.arguments:
            if argument.role == role:
                return argument
        raise KeyError(role)

    def __str__(self) -> str:
        return self.parse._inner.relation_lines()[self.index]

    def __repr__(self) -> str:
        return f"<Relation {self}>"
