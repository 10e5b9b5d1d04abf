# SPDX-License-Identifier: MIT
# --with an index that has the same files: a file is no copy of itself, whatever either index says of it.
. "$srcdir/tests/cli/lib.sh"

other=$T/other.db
mkdir tree
printf 'single' >tree/single
printf 'two of it' >tree/a
cp tree/a tree/b
printf 'LINKS' >tree/l
ln tree/l tree/m
scan tree
scan --db "$other" --secret-from "$TWINDEX_DB" tree
# same ARG...: ARG... with the other index says what it says without.
same()
{
	"$TWINDEX" "$@" >"$T/alone" 2>"$T/alone-told"
	status=$?
	run $status "$@" --with "$other"
	out <"$T/alone"
	cmp "$T/alone-told" "$T/err" || fail "$*: told is something else: $(cat "$T/alone-told" "$T/err")"
}
all()
{
	for c in ls dups uniques file; do
		same $c tree -v
		same $c tree --json
	done
	same uniques tree -x tree
	same contained tree/a tree
	same ls -H -v tree
	same ls -I -v tree
}
all
# The other is older: changed, gone and new files.
printf 'new' >tree/new
rm tree/b
printf 'SINGLE' >tree/single
mv tree/m tree/n
scan tree
all
# This one is older.
scan --db "$other" tree
printf 'other' >tree/new
touch tree/a
cp tree/a tree/c
scan --db "$other" tree
run 0 ls tree/n --with "$other"
out <<END
    linked  $T/work/tree/n
END
run 0 uniques tree/single --with "$other"
out <<END
$T/work/tree/single
END
# A part of it by each.
mkdir more
cp tree/single more/x
scan tree
scan --db "$other" .
run 0 file tree/single --with "$other"
out <<END
       dup  $T/work/tree/single
            copy  $T/work/more/x (index $other)
END
run 0 dups tree --with "$other" --json
out_has '"copies":1'
out_lacks '"copies":2'
