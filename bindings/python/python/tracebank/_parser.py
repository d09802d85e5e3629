"""The parser."""

from __future__ import annotations

import os
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Optional, Union, overload

from . import _native
from ._errors import ApproximateWarning
from ._parse import Parse

if TYPE_CHECKING:
    from .frames import Tables

__all__ = ["Parser"]

#: Bytes of text after which a batch is full, whatever the number of its texts.
_BATCH_BYTES = 1 << 18

_models: weakref.WeakValueDictionary[tuple[object, ...], _native.Parser] = weakref.WeakValueDictionary()
_loading = threading.Lock()


def _forget_lock() -> None:
    """A child process has a lock of its own: a thread that it does not have may have held the old one."""
    global _loading
    _loading = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_lock)


def _load(model: Union[str, os.PathLike[str]]) -> _native.Parser:
    """The model, loaded once in a process as long as somebody has it. A file that has changed is another model."""
    name = os.fspath(model)
    is_path = not isinstance(model, str) or name not in ("default", "fast")
    key: tuple[object, ...] = (name,)
    if is_path and os.path.exists(name):
        found = os.stat(name)
        key = (os.path.realpath(name), found.st_mtime_ns, found.st_size)
    with _loading:
        native = _models.get(key)
        if native is None:
            native = _native.Parser.load(name, is_path)
            _models[key] = native
        return native


class Parser:
    """A parser: a model with options.

    >>> parser = Parser("fast")
    >>> parser
    Parser('fast')
    >>> parser.parse("They left.").tree
    Tree('( (S (NP-SBJ (PRP They)) (VP (VBD left)) (. .)))')
    >>> parser.with_options(functions=False).parse("They left.").tree
    Tree('( (S (NP (PRP They)) (VP (VBD left)) (. .)))')

    A model is loaded once: other parsers of the same model, and those with other options, share its weights. A parser may be used by many
    threads at a time, and in processes that are forked from this one; it can be pickled.

    Args:
        model: ``"default"``, ``"fast"`` or the path of a model file.
        dialect: the dialect of the trees (``tracebank.DIALECTS``); Penn if the model can give it.
        traces: whether trees have null elements and indices.
        functions: whether labels have function tags.
        threads: the threads for batches; as many as the machine lets this process use, unless given.
        structure: the class of structures that the best is searched in (``tracebank.STRUCTURES``).
        max_words: sentences with more words get a flat tree.
        spines: the most candidate spines of a word; as the model was tuned, unless given.
        margin: the margin of candidates below the best of their word, in logarithms.
        alternatives: the number of best trees wanted, with their probabilities.
        probabilities: whether the probabilities of phrases, nulls and antecedents are wanted.
        min_probability: nulls, and antecedents of nulls, that are less likely are left out.
        seconds: the budget of decoding one sentence, in seconds of a usual machine: work, not time.
        memory: the bytes that decoding one sentence may take.
        warn_approximate: whether a parse for which a budget was not enough warns (:class:`ApproximateWarning`).
    """

    __slots__ = ("__weakref__", "_base", "_inner", "_options", "_warn", "model", "threads")
    _base: _native.Parser
    _inner: _native.Parser

    def __init__(
        self,
        model: Union[str, os.PathLike[str]] = "default",
        *,
        dialect: Optional[str] = None,
        traces: bool = True,
        functions: bool = True,
        threads: Optional[int] = None,
        structure: str = "1ec-graph",
        max_words: int = 1000,
        spines: Optional[int] = None,
        margin: Optional[float] = None,
        alternatives: int = 0,
        probabilities: bool = False,
        min_probability: float = 0.0,
        seconds: Optional[float] = None,
        memory: Optional[int] = None,
        warn_approximate: bool = False,
    ) -> None:
        options: dict[str, Any] = {
            "dialect": dialect,
            "traces": traces,
            "functions": functions,
            "structure": structure,
            "max_words": max_words,
            "spines": spines,
            "margin": margin,
            "alternatives": alternatives,
            "probabilities": probabilities,
            "min_probability": min_probability,
            "seconds": seconds,
            "memory": memory,
        }
        _check(options)
        #: the model's name or path
        self.model = model
        #: the threads for batches
        self.threads = _threads(threads)
        self._options = options
        self._warn = warn_approximate
        self._base = _load(model)
        self._inner = self._base.with_options(threads=self.threads, **options)

    def with_options(self, **changes: Any) -> Parser:
        """A parser with the same model and some other options; those of :class:`Parser`. It takes microseconds, and shares the weights.

        >>> best = Parser("fast").with_options(alternatives=2).parse("I saw the man with the telescope.")
        >>> [round(other.probability, 2) > 0 for other in best.alternatives]
        [True, True]
        """
        options = {"threads": self.threads, "warn_approximate": self._warn, **self._options, **changes}
        return Parser(options.pop("model", self.model), **options)

    def parse(self, text: str) -> Parse:
        """Parses one sentence, whatever full stops are in it."""
        return self._checked(Parse._of(self._inner.parse(text)))

    def parse_tokens(self, words: Sequence[str], tags: Sequence[str] = ()) -> Parse:
        """Parses one sentence that is cut into words already, perhaps with parts of speech that are to be kept.

        >>> Parser("fast").parse_tokens(["They", "left"], ["PRP", "VBD"]).tree.tags
        ('PRP', 'VBD')
        """
        if isinstance(words, str):
            raise TypeError("words is a list of words, not a text; Parser.parse takes a text")
        if len(tags) > len(words):
            raise ValueError(f"there are {len(tags)} tags for {len(words)} words")
        return self._checked(Parse._of(self._inner.parse_tokens(list(words), list(tags))))

    def parse_text(self, text: str) -> list[Parse]:
        """Parses every sentence of a running text.

        >>> [parse.start for parse in Parser("fast").parse_text("They left. We stayed.")]
        [0, 11]
        """
        return [self._checked(Parse._of(one)) for one in self._inner.parse_batch([text], True)[0]]

    @overload
    def parse_many(
        self,
        texts: Iterable[Union[str, Sequence[str]]],
        *,
        threads: Optional[int] = ...,
        batch: int = ...,
        split: Literal[False] = ...,
        progress: Optional[Callable[[int], object]] = ...,
    ) -> Iterator[Parse]: ...

    @overload
    def parse_many(
        self,
        texts: Iterable[Union[str, Sequence[str]]],
        *,
        threads: Optional[int] = ...,
        batch: int = ...,
        split: Literal[True],
        progress: Optional[Callable[[int], object]] = ...,
    ) -> Iterator[list[Parse]]: ...

    def parse_many(
        self,
        texts: Iterable[Union[str, Sequence[str]]],
        *,
        threads: Optional[int] = None,
        batch: int = 256,
        split: bool = False,
        progress: Optional[Callable[[int], object]] = None,
    ) -> Iterator[Any]:
        """Parses many texts: a generator with an answer for each, in order, in memory that does not grow with their number.

        Each text is one sentence; with ``split`` it is cut into sentences, and its answer is a list. A list of words is a sentence that is
        cut already. The answers are the same for any number of threads and any batch. Other threads of Python run meanwhile, and Ctrl-C
        ends it in the middle of a batch.

        >>> parser = Parser("fast")
        >>> [len(parse.tokens) for parse in parser.parse_many(["They left.", ["We", "stayed"]], batch=2)]
        [3, 2]
        >>> [len(parses) for parses in parser.parse_many(["One came. Two left.", ""], split=True)]
        [2, 0]

        Args:
            texts: the texts.
            threads: the threads; the parser's own unless given.
            batch: the number of texts that are held at a time. Small batches leave threads idle.
            split: whether texts are cut into sentences.
            progress: called now and then with the number of sentences that are answered.
        """
        return self._answers(texts, threads, batch, split, None, progress)

    @overload
    def write_many(
        self,
        texts: Iterable[Union[str, Sequence[str]]],
        form: str = ...,
        *,
        threads: Optional[int] = ...,
        batch: int = ...,
        split: Literal[False] = ...,
    ) -> Iterator[str]: ...

    @overload
    def write_many(
        self,
        texts: Iterable[Union[str, Sequence[str]]],
        form: str = ...,
        *,
        threads: Optional[int] = ...,
        batch: int = ...,
        split: Literal[True],
    ) -> Iterator[list[str]]: ...

    def write_many(
        self,
        texts: Iterable[Union[str, Sequence[str]]],
        form: str = "json",
        *,
        threads: Optional[int] = None,
        batch: int = 256,
        split: bool = False,
    ) -> Iterator[Any]:
        """The answers of :meth:`parse_many` in a form (``tracebank.FORMS``), written on the parser's threads. The fastest way to a file.

        >>> list(Parser("fast").write_many(["They left."], "penn"))
        ['( (S (NP-SBJ (PRP They)) (VP (VBD left)) (. .)))']
        """
        return self._answers(texts, threads, batch, split, form, None)

    def _answers(
        self,
        texts: Iterable[Union[str, Sequence[str]]],
        threads: Optional[int],
        batch: int,
        split: bool,
        form: Optional[str],
        progress: Optional[Callable[[int], object]],
    ) -> Iterator[Any]:
        if isinstance(texts, str):
            raise TypeError("texts is an iterable of texts, not one text")
        if batch < 1:
            raise ValueError(f"a batch has at least one text, not {batch}")
        if form is not None and form not in _native.FORMS:
            raise ValueError(f"there is no form {form!r}; there are {', '.join(_native.FORMS)}")
        native = self._inner if threads is None else self._inner.with_threads(_threads(threads))
        return self._generate(native, texts, batch, split, form, progress)

    def _generate(
        self,
        native: _native.Parser,
        texts: Iterable[Union[str, Sequence[str]]],
        batch: int,
        split: bool,
        form: Optional[str],
        progress: Optional[Callable[[int], object]],
    ) -> Iterator[Any]:
        answered = 0

        def report(here: int) -> None:
            if progress is not None:
                progress(answered + here)

        for items in _batches(texts, batch):
            found = native.parse_batch(items, split, form, None if progress is None else report)
            answered += sum(len(answers) for answers in found)
            report(0)
            for answers in found:
                if form is None:
                    answers = [self._checked(Parse._of(one)) for one in answers]
                yield answers if split else answers[0]

    def parse_frame(self, frame: Any, column: str = "text", *, key: Union[str, Sequence[str], None] = None) -> Tables:
        """Parses a column of a data frame (pandas, Polars or Arrow) into long tables: ``sentences``, ``phrases``, ``nulls``, ``relations``.

        See :func:`tracebank.frames.parse_frame`.
        """
        from .frames import parse_frame

        return parse_frame(self, frame, column, key=key)

    def _checked(self, parse: Parse) -> Parse:
        if self._warn and parse.outcome == "approximate":
            message = f"the parse of {parse.text[:60]!r} may not be the best: a budget was not enough"
            warnings.warn(message, ApproximateWarning, stacklevel=3)
        return parse

    def __repr__(self) -> str:
        usual = _usual()
        changed = [f"{name}={value!r}" for name, value in self._options.items() if value != usual[name]]
        return f"Parser({', '.join([repr(os.fspath(self.model)), *changed])})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Parser):
            return NotImplemented
        return self._base is other._base and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return (os.fspath(self.model), self.threads, self._warn, tuple(self._options.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_parser_of, (self.model, {"threads": self.threads, "warn_approximate": self._warn, **self._options}))


def _parser_of(model: Union[str, os.PathLike[str]], options: dict[str, Any]) -> Parser:
    return Parser(model, **options)


def _usual() -> dict[str, Any]:
    return dict(Parser.__init__.__kwdefaults__ or {})


#: The most threads that may be asked for, as on the command line.
_MOST_THREADS = 1024


def _threads(wanted: Optional[int]) -> int:
    if wanted is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return (len(affinity(0)) if affinity else os.cpu_count()) or 1
    if not 1 <= wanted <= _MOST_THREADS:
        raise ValueError(f"threads is from 1 to {_MOST_THREADS}, not {wanted}")
    return wanted


def _check(options: dict[str, Any]) -> None:
    """Numbers that make no sense, as the command line refuses them."""
    for name, least, most in [
        ("max_words", 1, 1_000_000),
        ("spines", 1, 1000),
        ("alternatives", 0, 1000),
        ("min_probability", 0, 1),
        ("memory", 1 << 20, None),
    ]:
        value = options[name]
        if value is not None and not (value >= least and (most is None or value <= most)):
            bounds = f"at least {least}" if most is None else f"from {least} to {most}"
            raise ValueError(f"{name} is {bounds}, not {value}")
    for name, limit in [("margin", None), ("seconds", 86400.0)]:
        value = options[name]
        if value is not None and not (value > 0 and (limit is None or value <= limit)):
            raise ValueError(f"{name} is above 0{'' if limit is None else f' and at most {limit:g}'}, not {value}")


def _batches(texts: Iterable[Union[str, Sequence[str]]], most: int) -> Iterator[list[Any]]:
    """Lists of at most so many texts, and fewer where they are long."""
    items: list[Any] = []
    size = 0
    for text in texts:
        if isinstance(text, str):
            size += len(text)
            items.append(text)
        else:
            words = [text] if text is None else list(text)
            if not all(isinstance(word, str) for word in words):
                raise TypeError(f"a text is a string or a list of words, not {text!r}")
            size += sum(map(len, words))
            items.append(words)
        if len(items) >= most or size >= _BATCH_BYTES:
            yield items
            items, size = [], 0
    if items:
        yield items
