# SPDX-License-Identifier: MIT
# rm --trash moves files into the trash of their volume, where a file manager finds where they were.
. "$srcdir/tests/cli/lib.sh"

XDG_DATA_HOME=$T/data
export XDG_DATA_HOME
mkdir d e "d/a b"
printf 'same' >"d/a b/x%y"
printf 'same' >e/1
printf 'same' >d/1
scan .
need_linux renames that replace nothing, one of which is held here
run 0 rm "d/a b/x%y" --yes --trash
out_line "to the trash: $T/work/d/a b/x%y"
[ "$(cat "$T/data/Trash/files/x%y")" = same ] || fail 'it is not in the trash'
grep -qx "Path=$T/work/d/a%20b/x%25y" "$T/data/Trash/info/x%y.trashinfo" || fail "$(cat "$T/data/Trash/info/"*)"
grep -q '^DeletionDate=[0-9-]*T[0-9:]*$' "$T/data/Trash/info/x%y.trashinfo" || fail 'no date'
# A name that is taken there is not replaced.
printf 'other' >"$T/data/Trash/files/1"
run 0 rm d/1 --yes --trash
[ "$(cat "$T/data/Trash/files/1")" = other ] && [ "$(cat "$T/data/Trash/files/1.2")" = same ] || fail 'replaced'
[ "$(stat -c %a "$T/data/Trash")" = 700 ] || fail 'others can look into the trash'
grep -q '^trash	' "$TWINDEX_DB-acts" || fail 'not in the journal'
run 0 check
# What comes back from there comes back without an act: the copy goes at the last moment.
printf 'same' >d/2
scan .
hold renameat2 1 rm d/2 --yes --trash
rm e/1
resume 3
[ -e d/2 ] && [ ! -e "$T/data/Trash/files/2" ] && [ ! -e "$T/data/Trash/info/2.trashinfo" ] || fail 'not taken back'

# What lies in a trash is no copy that stays: somebody will empty it.
rm -f d/2
mkdir -p other/.Trash-7/files
printf 'same' >d/3
printf 'same' >other/.Trash-7/files/3
scan . "$T/data"
run 1 rm d/3 --yes
out_has "stays: $T/work/d/3 (the last copy)"
run 1 rm d/3 other/.Trash-7/files/3 --yes
out_has "stays: $T/work/d/3 (the last copy)"
[ ! -e other/.Trash-7/files/3 ] || fail 'a copy in the trash stays'
# Nor is it one for what is asked before a file goes by other means, unless the trash itself is where copies count.
mkdir copy
printf 'same' >other/.Trash-7/files/3
scan .
run 0 uniques d
out_has "$T/work/d/3"
run 1 file d/3 -c "$T/work/"
out_has ' unique  d/3'
out_has 'skip  other/.Trash-7/files/3'
run 1 contained d other
run 0 contained d other/.Trash-7
run 1 redundant d
run 1 redundant d --in other
run 0 redundant d --in other/.Trash-7
run 0 redundant other/.Trash-7
run 1 at-risk -0 d
printf '%s\0' "$T/work/d/3" | out
run 1 at-risk -0 d --in other
run 0 at-risk d --in other/.Trash-7
run 0 at-risk other/.Trash-7
run 0 dups other
out_has "$T/work/other/.Trash-7/files/3"
cp d/3 copy/3
scan .
run 0 uniques d
out </dev/null
rm -r copy other/.Trash-7/files/3
scan .
printf 'trash' >other/.Trash-7/files/4
cp other/.Trash-7/files/4 other/.Trash-7/files/5
scan .
run 1 rm other/.Trash-7/files/4 other/.Trash-7/files/5 --yes
out_has "files/4 (the last copy)"
out_has "files/5 (its copies are in a trash)"
[ -e d/3 ] || fail 'the last copy outside of the trash is gone'

# On another volume: at its top.
[ "$(id -u)" = 0 ] || skip 'only root may mount'
need unshare mount
mkdir vol
cat >"$T/vol.sh" <<'END'
mount -t tmpfs none vol || exit 77
mkdir vol/sub
printf 'same' >vol/sub/3
"$TWINDEX" -q scan --racy-window 0s . || exit
"$TWINDEX" rm vol/sub/3 --yes --trash || exit
[ "$(cat "vol/.Trash-0/files/3")" = same ] && grep -qx 'Path=sub/3' vol/.Trash-0/info/3.trashinfo
END
unshare -m sh "$T/vol.sh" >"$T/out" 2>"$T/err" || fail "status $?: $(cat "$T/out" "$T/err")"
