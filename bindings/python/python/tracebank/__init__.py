"""tracebank: a constituency parser that predicts traces and null elements and resolves their antecedents.

>>> import tracebank
>>> parse = tracebank.Parser("fast").parse("Who did they see?")
>>> print(parse.nulls[0].description)
*T*-1 = Who, object of see

``Parser`` is where to begin. ``tracebank.nltk``, ``tracebank.spacy``, ``tracebank.frames`` (pandas, Polars, Arrow), ``tracebank.duckdb``,
``tracebank.dask``, ``tracebank.spark`` and ``tracebank.ray`` are doors to where your text is; each needs the library it is named after.
``python -m tracebank`` is the command line.
"""

from ._errors import (
    ApproximateWarning,
    DamagedModelError,
    DialectError,
    ModelError,
    ModelNotFoundError,
    PatternError,
    TracebankError,
    TreeError,
)
from ._evaluate import Difference, Evaluation, Score, compare, draw_comparison, evaluate
from ._native import DIALECTS, FORMS, STRUCTURES, __version__
from ._parse import Alternative, Argument, Null, Parse, Phrase, Predicate, Relation, Token
from ._parser import Parser
from ._search import Construction, Match, Pattern, constructions
from ._tree import Node, Tree, read_trees, write_trees

__all__ = [
    "DIALECTS",
    "FORMS",
    "STRUCTURES",
    "Alternative",
    "ApproximateWarning",
    "Argument",
    "Construction",
    "DamagedModelError",
    "DialectError",
    "Difference",
    "Evaluation",
    "Match",
    "ModelError",
    "ModelNotFoundError",
    "Node",
    "Null",
    "Parse",
    "Parser",
    "Pattern",
    "PatternError",
    "Phrase",
    "Predicate",
    "Relation",
    "Score",
    "Token",
    "TracebankError",
    "Tree",
    "TreeError",
    "__version__",
    "compare",
    "constructions",
    "draw_comparison",
    "evaluate",
    "read_trees",
    "write_trees",
]
