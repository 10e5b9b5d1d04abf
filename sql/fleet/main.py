# SPDX-License-Identifier: MIT
"""The command line of twindex-fleet."""
import argparse
import os
import re
import shlex
import signal
import sys
import tempfile

import answers
import engines
import exports
from exports import FATAL, PARTIAL, Complaint


def whole_number(text):
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number")
    return int(text)


def signed_number(text):
    if not re.fullmatch(r"-?[0-9]{1,19}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number")
    return int(text)


def size_in_bytes(text):
    m = re.fullmatch(r"([0-9]{1,12})([KMGT]?)", text, re.I)
    if not m:
        raise argparse.ArgumentTypeError(f"{text!r} is no size, as 4096, 64K or 1M")
    return int(m.group(1)) << 10 * ("KMGT".index(m.group(2).upper()) + 1 if m.group(2) else 0)


def parser(data):
    queries = "\n".join(f"  {name:<16} {answers.summary(data, name)}" for name in answers.names(data))
    p = argparse.ArgumentParser(
        prog="twindex-fleet", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Questions over the exports of many hosts: twindex-fleet(1) describes it.",
        usage="twindex-fleet DIR QUERY [OPTION]...", epilog="queries:\n" + queries)
    p.add_argument("dir", metavar="DIR", help="where twindex export --out has put them")
    p.add_argument("query", metavar="QUERY")
    p.add_argument("--engine", choices=sorted(engines.ENGINES), default="duckdb", help="what computes: duckdb, or sqlite for ndjson and csv")
    p.add_argument("--format", choices=("table", "csv", "json"), default="table", help="of the answer: table, csv or json")
    p.add_argument("--hash-id", type=signed_number, metavar="N", help="of hosts with several secrets, ask about this group")
    p.add_argument("--memory", metavar="SIZE", default="1GB", help="what DuckDB may take, as 1GB, which is the default")
    p.add_argument("--min-size", type=size_in_bytes, metavar="SIZE", default=0, help="leave smaller files out")
    p.add_argument("--spark", action="store_true", help="print the command that asks Spark instead")
    p.add_argument("--threads", type=whole_number, metavar="N", default=0, help="of DuckDB; as many as processors")
    return p


def spark_line(data, options):
    words = ["spark-submit", os.path.join(data, "spark.py"), os.path.abspath(options.dir), options.query, "--format", options.format]
    if options.hash_id is not None:
        words.append(f"--hash-id={options.hash_id}")
    if options.min_size:
        words.append(f"--min-size={options.min_size}")
    return shlex.join(words)


def answer(data, options):
    """Print the answer; returns the exit status."""
    query = answers.Query(data, options.query)
    if options.spark:
        print(spark_line(data, options))
        return 0
    fleet = exports.Fleet(options.dir, query.text, options.hash_id)
    with tempfile.TemporaryDirectory(prefix="twindex-fleet-") as scratch:
        engine = engines.ENGINES[options.engine](fleet, scratch, options.memory, options.threads, options.min_size)
        try:
            engine.check()
            columns, rows = answers.ask(engine, query, fleet.buckets())
            widths = answers.table_widths(engine, columns) if options.format == "table" else None
            for note in fleet.told:
                print(f"twindex-fleet: {note}", file=sys.stderr)
            out = answers.to_stdout()
            answers.put(out, columns, widths, engine.execute(rows), options.format)
            out.flush()
        finally:
            engine.db.close()
    return PARTIAL if fleet.told else 0


def run(data, words):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    options = parser(data).parse_args(words)
    try:
        return answer(data, options)
    except Complaint as e:
        print(f"twindex-fleet: {e}", file=sys.stderr)
        return e.status
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # What is left in the buffer has no reader either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as e:
        print(f"twindex-fleet: {e.filename or 'output'}: {e.strerror}", file=sys.stderr)
        return FATAL
