"""Sentences per second of processor time, of the command line and of every way from Python, in turns.

    python throughput.py PROGRAM FILE [--model fast] [--threads 1 2] [--rounds 3] [--ways json write_json …]

FILE has a sentence a line, its tokens with blanks between. Each run is a process of its own, which first answers 64 sentences: what starting,
importing and loading take is not counted, as it does not grow with the sentences. Processor time is that of all threads of the process, which
other programs on the machine disturb less than the clock.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
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
#: The run of the command line that a way is held against; for the others, the one that cuts lines and writes JSON.
BASES = {"parse_many": "cli penn", "write_penn": "cli penn", "write_json": "cli json"}
PROGRAM = """
import resource, sys, time
import tracebank
file, model, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
whole, out = open(file).read().splitlines(), open("/dev/null", "w")

def spent():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, time.perf_counter()

def way(lines):
{way}

way(whole[:WARM])
before = spent()
way(whole)
print(*(after - start for after, start in zip(spent(), before)))
"""
#: The sentences that are answered before the clock starts.
WARM = 64


def of_python(way: str, file: str, model: str, threads: int) -> tuple[float, float]:
    """The processor time and the wall time of a way from Python."""
    body = "\n".join(f"    {line}" for line in WAYS[way].split("\n"))
    program = PROGRAM.replace("{way}", body).replace("WARM", str(WARM))
    done = subprocess.run([sys.executable, "-c", program, file, model, str(threads)], stdout=subprocess.PIPE, text=True, check=True)
    cpu, wall = map(float, done.stdout.splitlines()[-1].split())
    return cpu, wall


def of_program(command: list[str], file: str) -> tuple[float, float]:
    """The processor time and the wall time of the command line, without those of the first few sentences alone."""

    def measure(name: str) -> tuple[float, float]:
        start = time.perf_counter()
        process = subprocess.Popen([*command, name], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 3):
            raise SystemExit(f"failed: {command}")
        return usage.ru_utime + usage.ru_stime, time.perf_counter() - start

    with tempfile.NamedTemporaryFile("w") as few, open(file) as lines:
        few.writelines(itertools.islice(lines, WARM))
        few.flush()
        start, whole = measure(few.name), measure(file)
    # the few are part of the whole; what they take themselves is little, and is counted by their share
    sentences = sum(1 for _ in open(file))
    share = sentences / (sentences - WARM)
    return (whole[0] - start[0]) * share, (whole[1] - start[1]) * share


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
        shared = ["--model", arguments.model, "--threads", str(threads), "--quiet"]
        programs = {
            "cli penn": [arguments.program, "parse", "--input", "tokens", "--output", "penn", *shared],
            "cli json": [arguments.program, "parse", "--input", "tokens", "--output", "json", *shared],
            "cli lines json": [arguments.program, "parse", "--input", "lines", "--output", "json", *shared],
        }
        wanted = {BASES.get(way, "cli lines json") for way in arguments.ways}
        best: dict[str, tuple[float, float]] = {}
        for _ in range(arguments.rounds):
            found = {name: of_program(programs[name], arguments.file) for name in sorted(wanted)}
            found.update((way, of_python(way, arguments.file, arguments.model, threads)) for way in arguments.ways)
            best = {name: min(best.get(name, new), new) for name, new in found.items()}
        for name, (cpu, wall) in best.items():
            share = best[name if name in wanted else BASES.get(name, "cli lines json")][0] / cpu
            print(f"{name:18} {threads:7} {cpu:8.2f} {wall:8.2f} {sentences / cpu:18.1f} {100 * share:19.1f}%")


if __name__ == "__main__":
    main()
