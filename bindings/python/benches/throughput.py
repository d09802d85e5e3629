"""Sentences per second of processor time, of the command line and of every way from Python, in turns.

    python throughput.py PROGRAM FILE [--model fast] [--threads 1 2] [--rounds 3] [--ways json write_json …]

FILE has a sentence a line, its tokens with blanks between. Each run is a process of its own, start and loading included; processor time is
that of the process and its children, which other programs on the machine disturb less than the clock.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

#: What each way does with a list of sentences, as a program; `threads` and `model` are its names.
WAYS = {
    "parse_many": "for parse in tracebank.Parser(model, threads=threads).parse_many(line.split() for line in lines): pass",
    "write_penn": "for tree in tracebank.Parser(model, threads=threads).write_many((line.split() for line in lines), 'penn'): out.write(tree)",
    "write_json": "for text in tracebank.Parser(model, threads=threads).write_many((line.split() for line in lines), 'json'): out.write(text)",
    "parse_text_json": "for texts in tracebank.Parser(model, threads=threads).write_many(lines, 'json', split=True): out.write(''.join(texts))",
    "frame": "import pyarrow; from tracebank import frames; tracebank.Parser(model, threads=threads).parse_frame(pyarrow.table({'text': lines}))",
    "arrow_json": (
        "import pyarrow; from tracebank import frames; frames.parse_arrow(tracebank.Parser(model, threads=threads),"
        " pyarrow.table({'id': list(range(len(lines))), 'text': lines}), 'text', ['id'])"
    ),
    "duckdb": (
        "import duckdb, pyarrow, tracebank.duckdb; c = duckdb.connect(); tracebank.duckdb.register(c, model, threads=threads);"
        " t = pyarrow.table({'text': lines}); c.sql('SELECT parse_json(text) FROM t').fetchall()"
    ),
    "dask": (
        "import pandas, dask.dataframe, tracebank.dask; f = dask.dataframe.from_pandas(pandas.DataFrame({'id': range(len(lines)), 'text': lines}),"
        " npartitions=8); tracebank.dask.parse(f, 'text', model=model, threads=threads).compute(scheduler='synchronous')"
    ),
    "spacy": (
        "import spacy; n = spacy.blank('en'); n.add_pipe('sentencizer'); n.add_pipe('tracebank', config={'model': model, 'options': {'threads': threads}})\n"
        "for doc in n.pipe(lines, batch_size=256): pass"
    ),
}
SETUP = "import sys, tracebank; file, model, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]); lines = open(file).read().splitlines(); out = open('/dev/null', 'w')\n"


def measure(command: list[str]) -> tuple[float, float]:
    """The processor time and the wall time of a program."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 3):
        raise SystemExit(f"failed: {command}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("file")
    parser.add_argument("--model", default="fast")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ways", nargs="+", default=list(WAYS))
    arguments = parser.parse_args()
    sentences = sum(1 for _ in open(arguments.file))
    print(f"{sentences} sentences, model {arguments.model}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'way':18} {'threads':>7} {'CPU s':>8} {'wall s':>8} {'sentences / CPU s':>18} {'of the command line':>20}")
    for threads in arguments.threads:
        shared = ["--model", arguments.model, "--threads", str(threads), "--quiet", arguments.file]
        commands = {
            "cli penn": [arguments.program, "parse", "--input", "tokens", "--output", "penn", *shared],
            "cli json": [arguments.program, "parse", "--input", "tokens", "--output", "json", *shared],
            "cli lines json": [arguments.program, "parse", "--input", "lines", "--output", "json", *shared],
        }
        for way in arguments.ways:
            commands[way] = [sys.executable, "-c", SETUP + WAYS[way], arguments.file, arguments.model, str(threads)]
        best: dict[str, tuple[float, float]] = {}
        for _ in range(arguments.rounds):
            for name, command in commands.items():
                found = measure(command)
                best[name] = min(best.get(name, found), found)
        for name, (cpu, wall) in best.items():
            base = {"parse_many": "cli penn", "write_penn": "cli penn", "cli penn": "cli penn", "write_json": "cli json", "cli json": "cli json"}
            share = best[base.get(name, "cli lines json")][0] / cpu
            print(f"{name:18} {threads:7} {cpu:8.2f} {wall:8.2f} {sentences / cpu:18.1f} {100 * share:19.1f}%")


if __name__ == "__main__":
    main()
