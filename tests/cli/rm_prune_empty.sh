# SPDX-License-Identifier: MIT
# rm --prune-empty removes directories that are empty then, up to what was named, never a root of the index.
. "$srcdir/tests/cli/lib.sh"

mkdir -p r/d/x/y r/d/z r/d/was-empty/deep r/d/.hid/empty r/d/.conf r/d/.conf/empty e
printf 'one' >r/d/x/y/1
printf 'two' >r/d/z/2
printf 'only' >r/d/z/u
printf 'set' >r/d/.conf/rc
printf 'one' >e/1
printf 'two' >e/2
scan r e
run 1 rm -r r/d --yes --prune-empty -v
out_has "removed: $T/work/r/d/x/y (empty directory)"
out_has ', and 6 directories'
# What is hidden is left alone, unless it holds nothing at all.
[ ! -e r/d/x ] && [ -e r/d/z/u ] && [ ! -e r/d/was-empty ] && [ ! -e r/d/.hid ] && [ -e r/d/.conf/empty ] || fail "left: $(find r)"
run 0 check
rows "SELECT count(*) FROM dir_view WHERE path LIKE '%/x%'"
out <<'END'
0
END
# The root stays, and what lies above what was named.
mkdir -p r2/sub/deep
printf 'one' >r2/sub/deep/1
scan r2
run 0 rm r2/sub/deep/1 --yes --prune-empty
[ -d r2/sub/deep ] || fail 'above a file that was named'
printf 'one' >r2/1
scan r2
run 0 rm -r r2 --yes --prune-empty
[ -d r2 ] || fail 'a root was removed'
# undo brings the directories back into the index, too: nothing has changed, for all questions and for the next scan.
mkdir -p "b/d/one/$(printf 'bad\377')/deep" b/d/two keep
printf 'three' | tee "b/d/one/$(printf 'bad\377')/deep/3" >keep/3
printf 'four' | tee b/d/two/4 >keep/4
scan b keep
scan b keep
rows 'SELECT path FROM dir_view ORDER BY path' && cp "$T/out" "$T/dirs"
run 0 rm -r b/d --yes --prune-empty
[ ! -e b/d/one ] || fail 'not pruned'
run 0 undo
err_lacks 'not in the index'
rows 'SELECT path FROM dir_view ORDER BY path'
out <"$T/dirs"
run 0 check
run 0 diff --below b
run 0 safe b/d
run 0 file b/d/two/4
scan b keep
out_has '0 new, 0 changed, 0 gone'
run 0 check
# With a scan in between the next one takes them in.
run 0 rm -r b/d --yes --prune-empty
scan b keep
run 0 undo
err_has 'not in the index any more'
scan b keep
run 0 file b/d/two/4
run 0 check
# What was empty before comes back with undo, too, and stays where something belongs together or is protected.
rm -rf b keep "$TWINDEX_DB"*
mkdir -p b/d/empty/deep b/d/Mail/cur b/d/Mail/new b/d/Mail/tmp b/d/safe/empty keep b/d/proj/.git/refs/tags b/d/proj/src
chmod 750 b/d/empty
printf 'five' | tee b/d/5 >keep/5
printf 'only' >b/d/Mail/cur/1
printf 'ref' | tee b/d/proj/.git/HEAD >keep/6
printf 'src' | tee b/d/proj/src/a >keep/7
scan b keep
scan b keep
find b | sort >"$T/before"
run 1 rm -r b/d --yes --prune-empty --protect b/d/safe
out_lacks 'hidden'
[ ! -e b/d/empty ] && [ -e b/d/Mail/tmp ] && [ -e b/d/safe/empty ] && [ ! -e b/d/proj ] || fail "left: $(find b)"
run 0 check
run 0 undo
find b | sort | cmp - "$T/before" || fail "not all is back: $(find b)"
[ "$(stat -c %a b/d/empty)" = 750 ] || fail 'the mode is not what it was'
run 0 check
run 0 diff --below b
scan b keep
out_has '0 new, 0 changed, 0 gone'
# With nothing to remove it removes what is empty.
rm b/d/5 b/d/proj/src/a
rm -r b/d/Mail
scan b keep
run 0 rm -r b/d/empty --yes --prune-empty
[ ! -e b/d/empty ] || fail 'empty directories stay alone'
run 0 check
# Who agrees to nothing keeps what is empty, and of a part only its directories come back.
rm -rf b keep "$TWINDEX_DB"*
mkdir -p b/one/empty b/two/empty keep
printf 'six' | tee b/one/6 >keep/6
printf 'seven' | tee b/two/7 >keep/7
scan b keep
got=0
printf 'n\nn\n' | "$by_name" rm -ri --prune-empty b >"$T/out" 2>"$T/err" || got=$?
[ $got -eq 1 ] && [ -d b/one/empty ] || fail "status $got: $(cat "$T/out" "$T/err")"
run 0 rm -r b --yes --prune-empty
run 0 undo b/one
[ -e b/one/6 ] && [ -d b/one/empty ] && [ ! -e b/two ] || fail "back: $(find b)"
run 0 undo
[ -e b/two/7 ] && [ -d b/two/empty ] || fail "back: $(find b)"
run 0 check
