"""Spark: a column of a data frame, parsed on the executors.

    answers = tracebank.spark.parse(df, "text", key="id")                 # id, sentence, outcome, json
    tables = tracebank.spark.parse(df, "text", key="id", output="tables")  # sentences, phrases, nulls, relations
    tracebank.spark.write(df, "hdfs:///parsed", "text", key="id", source="source")

Spark does the distributing: ``mapInArrow`` hands batches to the Python processes of the executors, each of which loads the model once and
keeps it from task to task. The package must be installed there (``pip install tracebank``). A task has one thread unless ``threads`` says
otherwise; with more, set ``spark.task.cpus`` to as many. The same input gives the same rows for any number of partitions and executors;
a task that is run again gives them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Optional, Union

from . import _engine, frames

__all__ = ["parse", "tables", "write"]

#: Words of a partition: some minutes of work on one core, little to lose when a worker is lost.
WORDS_PER_PARTITION = 500_000

_TYPES = {"int64": "long", "string": "string", "double": "double", "bool": "boolean"}


def parse(
    df: Any,
    column: str = "text",
    *,
    key: Union[str, Sequence[str], None] = None,
    output: str = "json",
    partitions: Optional[int] = None,
    model: str = "default",
    **options: Any,
) -> Any:
    """The answers as a data frame, lazily: the key columns and those of ``tracebank.frames.SCHEMA[output]``.

    Args:
        df: the data frame.
        column: its column of texts, each of which is cut into sentences.
        key: the columns that tell texts apart, which the answers carry; all others but the text unless given.
        output: ``json`` (a row for each sentence), ``sentences``, ``phrases``, ``nulls``, ``relations``; or ``tables``, which is
            :class:`tracebank.frames.Tables` of the last four, made of answers that are parsed once and persisted.
        partitions: the number of partitions; unless given, the words are counted (a pass over the input) and divided by
            ``WORDS_PER_PARTITION``, with at least as many partitions as there are cores. 0 leaves them as they are.
        model, options: those of :class:`tracebank.Parser`.

    A text that cannot be parsed is a row whose ``outcome`` says so.
    """
    keys = _engine.keys_of(df.columns, column, key)
    options = {"threads": 1, **options}
    _engine.check(model, options, output)
    if output == "tables":
        return tables(parse(df, column, key=keys, partitions=partitions, model=model, **options).persist(), keys)
    wanted = df.select(*keys, column)
    if partitions is None:
        partitions = _partitions(df, column)
    if partitions:
        wanted = wanted.repartition(partitions)

    def answer(batches: Iterator[Any]) -> Iterator[Any]:
        parser = _engine.parser_of(model, options)
        for batch in batches:
            yield from frames.parse_arrow(parser, batch, column, keys, output).to_batches()

    return wanted.mapInArrow(answer, _schema(wanted, keys, output))


def tables(answers: Any, key: Union[str, Sequence[str]]) -> frames.Tables:
    """The tables of answers whose output is ``json``, as they come from :func:`parse` or from the files of :func:`write`."""
    keys = frames._keys(key)

    def made(output: str) -> Any:
        def rows(batches: Iterator[Any]) -> Iterator[Any]:
            for batch in batches:
                yield from frames.tables_of_json(batch, keys, output).to_batches()

        return answers.mapInArrow(rows, _schema(answers, keys, output))

    return frames.Tables(*(made(output) for output in frames.Tables._fields))


def write(
    df: Any,
    path: str,
    column: str = "text",
    *,
    key: Union[str, Sequence[str], None] = None,
    source: Optional[str] = None,
    resume: bool = False,
    output: str = "json",
    **options: Any,
) -> None:
    """Parses and writes Parquet, a folder for each value of the column ``source``, if one is named (it must be one of the key).

    Files appear when all is done; until then they are where Spark keeps what is not committed. A path that is there is refused; with
    ``resume`` the texts whose keys are there already are left out, and the others are added.
    """
    keys = _engine.keys_of(df.columns, column, key)
    if source is not None and source not in keys:
        raise ValueError(f"the source {source!r} is no column of the key: {', '.join(keys)}")
    mode = "errorifexists"
    if resume and _is_there(df.sparkSession, path):
        done = df.sparkSession.read.parquet(path).select(*keys).distinct()
        condition = [df[name].eqNullSafe(done[name]) for name in keys]
        df = df.join(done, condition, "left_anti")
        mode = "append"
    writer = parse(df, column, key=keys, output=output, **options).write.mode(mode)
    if source is not None:
        writer = writer.partitionBy(source)
    writer.parquet(path)


def _is_there(session: Any, path: str) -> bool:
    place = session._jvm.org.apache.hadoop.fs.Path(path)
    there: bool = place.getFileSystem(session._jsc.hadoopConfiguration()).exists(place)
    return there


def _partitions(df: Any, column: str) -> int:
    from pyspark.sql import functions

    words = functions.size(functions.split(functions.trim(functions.col(column)), r"\s+"))
    total = df.select(functions.sum(words)).first()[0] or 0
    cores: int = df.sparkSession.sparkContext.defaultParallelism
    return max(cores, -(-int(total) // WORDS_PER_PARTITION))


def _schema(df: Any, keys: Sequence[str], output: str) -> Any:
    from pyspark.sql.types import StructType

    schema = StructType([df.schema[name] for name in keys])
    for name, kind in frames.SCHEMA[output].items():
        schema.add(name, _TYPES[kind], True)
    return schema
