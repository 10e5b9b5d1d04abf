# SPDX-License-Identifier: MIT
# The code uses every statement of sql/.  (One that sql/ lacks does not compile.)
# check_* count as used: all of them are run, by their common beginning.
# Every named list of columns is used, and not written out once more in a statement.

cd "$srcdir" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

sed -n 's/^-- name: *\([a-z0-9_]*\).*/\1/p' sql/*.sql | grep -v '^check_' |
	tr '[:lower:]' '[:upper:]' | sed 's/^/SQL_/' | sort >"$work/defined"
find src -name '*.[ch]' ! -name sql_id.h ! -name sql_text.c -exec cat {} + |
	grep -oE 'SQL_[A-Z0-9_]+' | sort -u >"$work/used"
comm -23 "$work/defined" "$work/used" >"$work/unused"
sed 's/$/: defined in sql\/, used nowhere in src/' "$work/unused"

# Lines "NAME: COLUMN, COLUMN, ...", those that go on in the next line joined.
"$AWK" '/^-- columns / { sub(/^-- columns /, ""); list = "" ; open = 1 }
	open { sub(/^-- */, " "); list = list $0; open = /,$/; if (!open) print list }' sql/*.sql >"$work/lists"
cat sql/*.sql | grep -v '^--' | tr -s ' \t\n' ' ' >"$work/statements"
while IFS=: read -r name list; do
	grep -Eq "\\$\\(([a-z]+\\.|:)?$name\\)" sql/*.sql || echo "sql/: no statement lists the columns \$($name)"
	grep -Fq -e "$list" "$work/statements" && echo "sql/: a statement writes out the columns \$($name):$list"
done <"$work/lists" >"$work/wrong"
cat "$work/wrong"
[ -s "$work/lists" ] && [ ! -s "$work/unused" ] && [ ! -s "$work/wrong" ]
