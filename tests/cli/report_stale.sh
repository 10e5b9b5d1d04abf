# SPDX-License-Identifier: MIT
# Members that are gone or changed since the scan are shown as such and not counted; a set of one is none.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python'
for n in a b c d; do printf 'same' >$n; done
scan .
rm b
printf 'SAME' >c
run 0 report -c "$T/work/"
out <<'END'
2 copies of 4 B each, 4 B redundant
  a
  d
  --- b (gone)
  --- c (changed)

1 set, 2 files, 4 B redundant
2 members gone or changed since the last scan: run twindex scan
END
run 0 report --format fdupes -c "$T/work/"
out <<'END'
a
d

END
run 0 report --json
"$PYTHON" -S - "$T/out" <<'END' || fail 'JSON'
import json, sys
d = json.load(open(sys.argv[1]))
kinds = {m["path"][-1]: m["kind"] for m in d["sets"][0]["members"]}
assert kinds == {"a": "copy", "b": "gone", "c": "changed", "d": "copy"}, kinds
assert d["sets"][0]["copies"] == 2 and d["totals"]["stale"] == 2, d
END
run 0 report --no-check --format fdupes -c "$T/work/"
out <<'END'
a
b
c
d

END
