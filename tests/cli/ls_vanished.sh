# SPDX-License-Identifier: MIT
# A path that does not exist is reported, the others are answered, and the status is 2; so do paths from a list.
. "$srcdir/tests/cli/lib.sh"

mkdir d
printf 'same' >d/a
printf 'same' >d/b
printf 'lone' >d/c
scan d
run 2 ls nowhere d/a -c "$T/work/"
out <<'END'
       dup  d/a
END
err_has "'$T/work/nowhere' does not exist"
run 2 dups d/a nowhere d/b -c "$T/work/"
out <<'END'
d/a
d/b
END
run 2 uniques nowhere d -c "$T/work/"
out <<'END'
d/c
END
printf 'nowhere\nd/a\nd/no/where\nd/c\n' >"$T/list"
for format in json ndjson csv fdupes null; do
	run 2 file --files-from "$T/list" --format $format
	out_has 'd/a'
	out_has 'd/c'
	err_has "'$T/work/nowhere' does not exist"
	err_has "'$T/work/d/no/where' does not exist"
done
run 2 file --files-from "$T/list" --json
[ -z "${PYTHON:-}" ] || "$PYTHON" -S -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["files"]) == 2' "$T/out" ||
	fail 'not valid'
# A slip of the pen in what is to be left out would make all look safe; nested in another path it is found, too.
for command in 'ls d' 'dups d' 'uniques d' 'file d/a' 'report d' 'du d' 'tree d' 'waste d' 'where a' 'marks'; do
	run 2 $command -x d/typo
	out </dev/null
	err_has "--exclude-path: '$T/work/d/typo' does not exist"
done
for command in 'report d d/typo' 'report d/typo d' 'report --across d d/typo' 'mark drop d d/typo' 'mark keep d/typo d' \
	'mark clear d d/typo' 'marks d/typo' 'marks d d/typo'; do
	run 2 $command
	out </dev/null
	err_has "'$T/work/d/typo' does not exist"
done
rows 'SELECT count(*) FROM mark_view'
out <<'END'
0
END
# What the index knows may be gone.
rm d/c
run 0 uniques -x d/c d
