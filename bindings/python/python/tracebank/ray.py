"""Ray: a class for ``Dataset.map_batches``.

    parsed = dataset.map_batches(
        tracebank.ray.Parse,
        fn_constructor_kwargs={"column": "text", "key": "id"},
        batch_format="pyarrow", batch_size=1000, concurrency=8, num_cpus=1,
    )

Ray makes the actors and gives each its batches; an actor loads the model once. Give an actor as many CPUs as it has threads (one, unless
``threads`` says otherwise), and leave some to the tasks that read: on two cores, two actors of 0.9 CPUs starve them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

from . import _engine, frames

__all__ = ["Parse"]


class Parse:
    """A callable that parses a column of Arrow tables: the key columns and those of ``tracebank.frames.SCHEMA[output]`` come out."""

    def __init__(
        self,
        column: str = "text",
        key: Union[str, Sequence[str], None] = None,
        output: str = "json",
        model: str = "default",
        **options: Any,
    ) -> None:
        options = {"threads": 1, **options}
        if output not in frames.OUTPUTS:
            raise ValueError(f"there is no output {output!r}; there are {', '.join(frames.OUTPUTS)}")
        self._column, self._key, self._output = column, key, output
        self._parser = _engine.parser_of(model, options)

    def __call__(self, batch: Any) -> Any:
        keys = _engine.keys_of(batch.column_names, self._column, self._key)
        return frames.parse_arrow(self._parser, batch, self._column, keys, self._output)
