# SPDX-License-Identifier: MIT
"""The same queries by Spark, all buckets at once: twindex-fleet --spark prints how to run this."""
import argparse
import os
import sys

data = os.path.dirname(os.path.realpath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, data)

from pyspark.sql import SparkSession, types  # noqa: E402

import answers  # noqa: E402
import engines  # noqa: E402
import exports  # noqa: E402
from exports import DAMAGED, PARTIAL, USAGE, Complaint  # noqa: E402

TYPES = {"BIGINT": types.LongType(), "INTEGER": types.IntegerType(), "VARCHAR": types.StringType()}


def frame(spark, kind, those):
    """The rows of these exports.  Types that are not those of twindex are an error when they are read."""
    schema = types.StructType([types.StructField(name, TYPES[type_]) for name, type_ in exports.COLUMNS[kind]])
    paths = [path for e in those for _, path in e.files[kind]]
    return spark.read.schema(schema).parquet(*paths) if paths else spark.createDataFrame([], schema)


def check(rows, kind, those):
    """A Complaint unless the rows are those that the manifests count, all at once: a job for each export takes long."""
    found = {tuple(r[name] for name in engines.IDENTITY): r["count"] for r in rows.groupBy(*engines.IDENTITY).count().collect()}
    for e in those:
        engines.check_rows(e, kind, found.pop(tuple(getattr(e, name) for name in engines.IDENTITY), 0))
    for other in found:
        told = ", ".join(f"{name} {value}" for name, value in zip(engines.IDENTITY, other))
        raise Complaint(DAMAGED, f"{exports.paths_of(those)}: a file of {kind} there belongs to another export: {told}")


def answer(options):
    query = answers.Query(data, options.query)
    fleet = exports.Fleet(options.dir, query.text, options.hash_id)
    for e, _ in fleet.used():
        if e.format != "parquet":
            raise Complaint(USAGE, f"{e.path}: Spark reads exports as parquet alone")
    spark = SparkSession.builder.appName("twindex-fleet " + options.query).getOrCreate()
    for view, those in fleet.sources.items():
        kind = "keys" if view == "keys_all" else view
        rows_read = frame(spark, kind, those)
        check(rows_read, kind, those)
        if options.min_size and kind != "dirs":
            rows_read = rows_read.where(rows_read["size"] >= options.min_size)
        rows_read.createOrReplaceTempView(view)
    result = spark.sql(query.select)
    rows = [tuple(r) for r in result.collect()]
    for note in fleet.told:
        print(f"twindex-fleet: {note}", file=sys.stderr)
    widths = [max([len(c)] + [len(answers.shown(r[i])) for r in rows]) for i, c in enumerate(result.columns)]
    answers.put(answers.to_stdout(), result.columns, widths, rows, options.format)
    spark.stop()
    return PARTIAL if fleet.told else 0


def main():
    p = argparse.ArgumentParser(prog="spark.py", allow_abbrev=False)
    p.add_argument("dir")
    p.add_argument("query")
    p.add_argument("--format", choices=("table", "csv", "json"), default="table")
    p.add_argument("--hash-id", type=int)
    p.add_argument("--min-size", type=int, default=0)
    try:
        return answer(p.parse_args())
    except Complaint as e:
        print(f"twindex-fleet: {e}", file=sys.stderr)
        return e.status
    except Exception as e:
        # Spark's own errors name the file that it could not read.
        print(f"twindex-fleet: Spark: {e}", file=sys.stderr)
        return DAMAGED


if __name__ == "__main__":
    sys.exit(main())
