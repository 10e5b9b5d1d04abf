# SPDX-License-Identifier: MIT
# redundant: the highest directories all of whose contents lie outside of them, which can all go together.
. "$srcdir/tests/cli/lib.sh"

mkdir -p old/pics old/docs pics docs b/in c/in empty
printf 'one' >pics/1
printf 'two' >pics/2
printf 'three' >docs/3
cp pics/1 pics/2 old/pics
cp docs/3 old/docs/drei
printf 'mirror' >b/in/m
cp b/in/m c/in
: >old/docs/none
: >empty/none
scan .
# Everything below old is elsewhere; of two mirrors the last by its path goes.
run 0 redundant
out <<END
      11 B  $T/work/old
            all 3 files are also in $T/work/pics (2) and $T/work/docs (1)
       6 B  $T/work/c
            its only file is also in $T/work/b/in
            either it or $T/work/b can go, not both
2 directories can go together: 4 files, 17 B to be freed.
1 other one could go instead of some of these: -v shows which.
END
err_lacks twindex
run 0 redundant -0
printf '%s\0' "$T/work/old" "$T/work/c" | out
run 0 redundant -v -c "$T/work/"
out <<END
      11 B  old
            all 3 files are also in pics (2) and docs (1)
       6 B  c
            its only file is also in b/in
            either it or b can go, not both
2 directories can go together: 4 files, 17 B to be freed.
1 other one could go instead of some of these.
END
# With operands: only these, and what is below them; a question with yes and no.
run 0 redundant old -0
printf '%s\0' "$T/work/old" | out
run 0 redundant c/in old/docs/.. -0
printf '%s\0' "$T/work/old" "$T/work/c/in" | out
run 1 redundant b c -0
printf '%s\0' "$T/work/c" | out
run 1 redundant empty
out <<END
No directory can go as a whole.
END
run 1 redundant .
run 2 redundant nowhere
err_has "'$T/work/nowhere' does not exist"
run 2 redundant old/pics/1
err_has 'is not a directory'
# What is protected stays, and so does what it lies in; the other one of a pair goes.
run 0 redundant -0 --protect c/in --protect old/pics
printf '%s\0' "$T/work/pics" "$T/work/b" "$T/work/old/docs" | out
# Copies that do not count: elsewhere than --in, and at -x.
run 1 redundant old --in pics -c "$T/work/"
out <<END
       6 B  old/pics
            both files are also in pics
1 directory can go: 2 files, 6 B to be freed.
1 more directory could go but for a few files ('safe DIR' tells which):
      11 B  old
            all but 1 of its 3 files are elsewhere
END
run 1 redundant old -x pics -0
printf '%s\0' "$T/work/old/docs" | out
run 0 redundant --min-size 7 -0
printf '%s\0' "$T/work/old" | out
run 0 redundant --top 1 -0
printf '%s\0' "$T/work/old" | out
run 0 redundant --json c
out_has "{\"path\":\"$T/work/c\",\"state\":\"redundant\",\"files\":1,\"bytes\":6,\"frees\":6,\"also_in\":[{\"path\":\"$T/work/b/in\",\"files\":1}]"
out_has '"totals":{"dirs":1,"files":1,"bytes":6,"frees":6,"leaned_on":0,"unproven":0,"live":0,"in_wholes":0}'
run 0 redundant --format csv b
printf '%s\r\n' 'kind,state,files,bytes,frees,not_judged,path,path_b64' "\"tree\",\"redundant\",1,6,6,0,\"$T/work/b\"," \
	"\"dir\",,1,,,,\"$T/work/c/in\"," | out
# All that -0 prints can be removed.
run 0 redundant -0
xargs -0 rm -r <"$T/out"
cat pics/1 pics/2 docs/3 b/in/m >/dev/null || fail 'lost'
scan .
run 1 redundant
out <<END
No directory can go as a whole.
END
# Of equals the deepest goes: what lies in a backup, whatever the names.
mkdir -p deep/a-backup/pictures deep/pictures
printf 'in a backup' >deep/pictures/1
printf 'alone' >deep/a-backup/own
cp deep/pictures/1 deep/a-backup/pictures/
scan deep
run 0 redundant -0 deep/a-backup/pictures
printf '%s\0' "$T/work/deep/a-backup/pictures" | out
run 1 redundant -0 deep
printf '%s\0' "$T/work/deep/a-backup/pictures" | out
# Of equals that are as deep the one that is called a copy goes, whatever the letters.
mkdir -p called/Backup called/Pictures
printf 'a photo' >called/Pictures/1
cp called/Pictures/1 called/Backup
scan called
run 1 redundant -0 called
printf '%s\0' "$T/work/called/Backup" | out
# Hidden directories are left alone, but for those that were named.
mkdir -p own/.config/app own/more/app
printf 'settings' >own/.config/app/1
cp own/.config/app/1 own/more/app
printf 'more' >own/more/app/2
scan own
run 1 redundant -0 own
out </dev/null
err_has 'hidden director'
run 1 redundant -0 own --include-hidden
printf '%s\0' "$T/work/own/.config" | out
run 0 redundant -0 own/.config
printf '%s\0' "$T/work/own/.config" | out
# A root is not, by its own name.
mkdir "$T/.dots" other
printf 'dots' >"$T/.dots/1"
cp "$T/.dots/1" other
scan "$T/.dots"
scan other
run 0 redundant -0 --protect other
out_has "$T/.dots"
# On a terminal sentences are broken between words, and never within a path.
command -v script >/dev/null || exit 0
mkdir -p wide/a wide/one wide/two wide/three 'wide/a place with blanks'
n=0
for d in one two three 'a place with blanks'; do
	n=$((n + 1))
	printf 'of these %s' $n >"wide/$d/f"
	cp "wide/$d/f" wide/a/$n
done
scan wide
(cd wide && TERM=dumb NO_COLOR=1 script -qec "stty cols 50; '$TWINDEX' redundant a" /dev/null </dev/null) | tr -d '\r' >"$T/out"
! grep -v 'rm -r --include' "$T/out" | grep -q '.\{50\}' || fail "wider than the terminal: $(cat "$T/out")"
out_has 'rm -r --include-hidden --prune-empty a'
grep -q '^              a place with blanks (1), one (1),$' "$T/out" || fail "not folded: $(cat "$T/out")"
