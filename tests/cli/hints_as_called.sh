# SPDX-License-Identifier: MIT
# What hints tell to type is this program as it was called: by its path, or by a name that PATH finds.
. "$srcdir/tests/cli/lib.sh"

mkdir tree 'a dir'
printf 'x' >tree/x
for link in twindex 'a dir/twindex' "it's"; do ln -s "${TWINDEX_PROPER:-$TWINDEX}" "$link"; done

# hint CALLED SHOWN: called so it tells to type SHOWN, and a shell takes that.
hint()
{
	ran="$1 report"
	rm -f "$TWINDEX_DB"*
	got=0
	"$1" report >"$T/out" 2>"$T/err" || got=$?
	[ $got -eq 5 ] || fail "exit status $got"
	says "$T/err" "twindex: no index at '$TWINDEX_DB': run $2 scan first" || { show_run; fail 'another hint'; }
	eval "$2 scan -q tree" || fail "a shell does not take $2"
}
PATH=$T/work:$PATH
hint twindex twindex
hint ./twindex ./twindex
hint "$T/work/twindex" "$T/work/twindex"
hint './a dir/twindex' '"./a dir/twindex"'
hint "./it's" twindex

# With the index that the command line names, wherever; not with what the environment has.
for path in other.db 'a dir/other.db'; do
	ran="./twindex --db '$path' report"
	! ./twindex --db "$path" report >"$T/out" 2>"$T/err" || fail 'an index is there'
	case $path in *' '*) path="\"$path\"" ;; esac
	err_has "run ./twindex --db $path scan first"
	eval "./twindex --db $path scan -q tree" || fail 'a shell does not take it'
done

# An unknown command, and none.
ran='./twindex xyzzy'
./twindex xyzzy 2>"$T/err" && fail 'xyzzy is a command'
err_has "see './twindex help'"
./twindex --help >"$T/out" || fail 'no help'
out_has '  ./twindex scan ~  '
out_has "'./twindex help COMMAND' tells more."

# What is kept may be read elsewhere, later.
[ -n "$SQLITE3" ] || exit 0
"$SQLITE3" "$TWINDEX_DB" "UPDATE meta SET value = 1 WHERE key = 'pending'; UPDATE scan SET state = 'interrupted'" || fail 'sqlite3'
./twindex info >"$T/out"
out_has "'./twindex scan' goes on"
./twindex report --html page.html >"$T/out" 2>"$T/err"
grep -q 'twindex scan.* goes on' page.html || fail 'the page does not tell'
! grep -qF './twindex' page.html || fail 'the page has the path of the program'
