# SPDX-License-Identifier: MIT
# where finds whole names, or with *, ? or [ a pattern; -i ignores case; --type and --top restrict; 1 means nothing found.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/notes b/deep notes
for f in a/notes/one.txt a/ONE.txt b/one.txt b/deep/one.txt.gz 'b/back\slash' 'b/star*' b/-dash notes/x; do printf '%s' "$f" >"$f"; done
scan .
found() { run "$@" -c "$T/work/"; }
found 0 where one.txt
out <<'END'
a/notes/one.txt
b/one.txt
END
found 0 where -i One.TXT
out <<'END'
a/ONE.txt
a/notes/one.txt
b/one.txt
END
found 0 where 'one*'
out <<'END'
a/notes/one.txt
b/one.txt
b/deep/one.txt.gz
END
found 0 where -i '[O]NE.???' -t 2
out <<'END'
a/ONE.txt
a/notes/one.txt
END
found 0 where notes
out <<'END'
a/notes/
notes/
END
found 0 where notes/
out <<'END'
a/notes/
notes/
END
found 0 where --type f 'n*' --type d
out_has 'notes/'
found 1 where --type f notes
out </dev/null
found 1 where one.txt/
found 0 where 'back\slash'
out_has 'b/back\slash'
# Without wildcards a backslash is itself; with them it quotes.
found 0 where 'star\**'
out <<'END'
b/star*
END
run 0 where -c "$T/work/" -- -dash
out <<'END'
b/-dash
END
found 1 where one
out </dev/null
err_has "nothing in the index is named 'one'; 3 names contain it: "
err_has "where '*one*'"
run 1 where one a/notes
err_has "named 'one' there; 1 name contains it: "
err_has "where '*one*' 'a/notes'"
# What is offered finds as many as are told, none of another type, and nothing that a shell could take for something else.
offers()
{
	run 1 where ${3-} "$2"
	err_has "; $1 it"
	sed "s;.* it[^:]*: .*where ;$TWINDEX where ;" "$T/err" >"$T/offer"
	sh "$T/offer" >"$T/out" 2>"$T/err" || fail "what is offered finds nothing: $(cat "$T/offer")"
	[ "$(wc -l <"$T/out")" -eq "${1%% *}" ] || fail "$1 for $2, and $(cat "$T/out") by $(cat "$T/offer")"
}
offers '3 names contain' one
offers '1 name contains' 'k\sl'
offers '2 names contain' note/
offers '2 names contain' note '--type d'
offers '1 name contains' 'deep/one'
offers '1 name contains' -das --
touch "b/it's"
scan .
offers '1 name contains' "t'"
err_lacks 'other case'
offers '4 names contain' oNe
run 1 where oNe
err_has "4 names contain it in other case: "
err_has "where -i '*oNe*'"
run 1 where nothing-like-it
err_lacks contain
run 1 where '*nothing*'
err_lacks contain
run 1 where --json one
err_has '3 names contain it'
out_lacks '*one*'
run 1 shell -c 'where one'
err_has "3 names contain it: where '*one*'"
run 1 -q where one
[ ! -s "$T/err" ] || fail 'not quiet'
found 1 where ONE.TXT
found 0 where x -t 5
run 2 where
err_has 'where needs a name'
run 2 where ''
err_has "'' is not a file name"
run 2 where /
err_has "'/' is not a file name"
run 2 where x --type socket
err_has 'any, file, dir'
# What looks like a pattern may be the name itself, or nothing.
printf 'x' >'b/[1] x?'
scan .
found 0 where '[1] x?'
out_has 'b/[1] x?'
found 0 where 'b/[1] x?'
found 1 where '['
# As indexed: nothing is looked at.
rm b/one.txt
printf 'new' >b/new
found 0 where one.txt
out_has 'b/one.txt'
found 1 where new
# Other scripts by the locale.
printf 'x' >ÄÖ.txt
scan .
locale -a 2>/dev/null | grep -qi '^C.utf-*8$' || skip 'no locale C.UTF-8'
LC_ALL=C.UTF-8 run 0 where -i äö.TXT
out_has 'ÄÖ.txt'
