"""The command line: ``python -m tracebank``, the same as the program ``tracebank``."""

from __future__ import annotations

import signal
import sys

from . import _native


def main() -> int:
    """Runs the command line and returns its exit code."""
    # The program has handlers of its own; Python's would only be heard after it has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.run_command_line(["tracebank", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
