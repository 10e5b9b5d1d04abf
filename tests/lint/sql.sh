# SPDX-License-Identifier: MIT
# The code uses every statement of sql/.  (One that sql/ lacks does not compile.)
# check_* count as used: all of them are run, by their common beginning.

cd "$srcdir" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

sed -n 's/^-- name: *\([a-z0-9_]*\).*/\1/p' sql/*.sql | grep -v '^check_' |
	tr '[:lower:]' '[:upper:]' | sed 's/^/SQL_/' | sort >"$work/defined"
find src -name '*.[ch]' ! -name sql_id.h ! -name sql_text.c -exec cat {} + |
	grep -oE 'SQL_[A-Z0-9_]+' | sort -u >"$work/used"
comm -23 "$work/defined" "$work/used" >"$work/unused"
sed 's/$/: defined in sql\/, used nowhere in src/' "$work/unused"
[ ! -s "$work/unused" ]
