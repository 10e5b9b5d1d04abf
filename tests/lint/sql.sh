# SPDX-License-Identifier: MIT
# The code uses every statement of sql/, and no others.  check_* count as used:
# all of them are run, by their common beginning.

cd "$srcdir" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

sed -n 's/^-- name: *\([a-z0-9_]*\).*/\1/p' sql/*.sql | tr '[:lower:]' '[:upper:]' |
	sed 's/^/SQL_/' | sort >"$work/defined"
find src -name '*.[ch]' ! -name sql_id.h ! -name sql_text.c -exec cat {} + |
	grep -oE '(^|[^A-Za-z0-9_])SQL_[A-Z0-9_]+' | grep -oE 'SQL_[A-Z0-9_]+' |
	grep -vxE 'SQL_COUNT' | sort -u >"$work/used"

for id in $(comm -23 "$work/defined" "$work/used" | grep -v '^SQL_CHECK_'); do
	echo "$id: defined in sql/, used nowhere in src/"
	failed=1
done
for id in $(comm -13 "$work/defined" "$work/used"); do
	echo "$id: used in src/, but sql/ has no such statement"
	failed=1
done
exit $failed
