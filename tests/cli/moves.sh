# SPDX-License-Identifier: MIT
# moves tells renames in an order in which each path is free, sets aside what is in the way, and lists what is to be copied.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/x a/y a/d b/x b/old
echo one >a/x/1
echo one >b/x/2
echo two >a/x/2
echo two >b/x/1
echo three >a/y/3
echo three >b/old/3
echo new >a/n
echo same >a/same
echo same >b/same
# A file where a directory is wanted.
echo gone >b/d
echo four >a/d/f
echo four >b/4
# As logs are rotated: the oldest one goes.
echo c0 >b/log
echo c1 >b/log.1
echo c2 >b/log.2
echo cc >a/log
echo c0 >a/log.1
echo c1 >a/log.2
: >a/empty
scan a b

run 1 moves a b
sed 's/moves-[0-9a-f]*/moves-N/g' "$T/out" >"$T/told"
cat >"$T/want" <<'END'
rename  old/ -> y
aside   log.2 -> .twindex-moves-N/aside/log.2
rename  log.1 -> log.2
aside   d -> .twindex-moves-N/aside/d
rename  4 -> d/f
rename  log -> log.1
park    x/2 -> .twindex-moves-N/1
rename  x/1 -> x/2
rename  .twindex-moves-N/1 -> x/1
copy    empty
copy    log
copy    n
6 files to rename, 25 B; 2 things in the way, to be set aside; 3 files to copy, 7 B
END
cmp "$T/want" "$T/told" || fail "$(cat "$T/told")"
# One plan has one name.
cp "$T/out" "$T/once"
run 1 moves a b
out <"$T/once"

run 1 moves --copy a b
out <<'END'
empty
log
n
END
run 1 moves --copy -0 a b
tr '\0' '!' <"$T/out" >"$T/told"
says "$T/told" 'empty!log!n!'

# A mirror that has all of it.
mkdir c && cp -R a/. c
scan c
run 0 moves a c
out <<'END'
0 files to rename, 0 B; 0 files to copy, 0 B
END
# The other way round one has too little, and too much stays.
echo more >c/more
scan c
run 0 moves a c
run 1 moves --copy c a
out <<'END'
more
END

# Several files of one content: those of one directory stay together, then names count.
mkdir -p many/a/new many/b/old many/b/other
for i in 1 2 3; do
	echo "single $i" >many/a/new/s$i
	cp many/a/new/s$i many/b/old/s$i
	echo common >many/a/new/c$i
	cp many/a/new/c$i many/b/old/c$i
	cp many/a/new/c$i many/b/other/c$i
done
echo common >many/a/c9
echo left >many/b/old/left
scan many
run 1 moves many/a many/b
for i in 1 2 3; do
	out_has "rename  old/c$i -> new/c$i"
done
out_line 'rename  other/c1 -> c9'
out_has '7 files to rename'
# A directory goes as a whole, with what the index does not have, if all of its files go together.
mkdir -p whole/a/2024/deep/er whole/b/in/old/deep/er
for i in 1 deep/2 deep/er/3; do
	echo "whole $i" >whole/b/in/old/$i
	cp whole/b/in/old/$i whole/a/2024/$i
done
mkdir -p whole/a/in/old
echo 'one more' >whole/a/2024/new
echo elsewhere >whole/b/elsewhere
cp whole/b/elsewhere whole/a/in/old/back
ln -s x whole/b/in/old/link
scan whole
run 1 moves whole/a whole/b
out <<'END'
rename  in/old/ -> 2024
rename  elsewhere -> in/old/back
copy    2024/new
4 files to rename, 47 B; 1 file to copy, 9 B
END
run 1 moves --script whole/a whole/b
sh "$T/out" >"$T/told" || fail "$(cat "$T/told")"
[ -L whole/b/2024/link ] || fail 'a link did not go with its directory'
rm whole/b/2024/link whole/a/2024/new
diff -r whole/a whole/b || fail 'the trees differ'
# One file that does not go with them: then each goes by itself.
mkdir -p part/a/new part/b/old
for i in 1 2 3; do
	echo "part $i" >part/b/old/$i
	cp part/b/old/$i part/a/new/$i
done
mv part/a/new/3 part/a/3
scan part
run 1 moves part/a part/b
out <<'END'
rename  old/3 -> 3
rename  old/1 -> new/1
rename  old/2 -> new/2
rmdir   old
3 files to rename, 21 B; 0 files to copy, 0 B
END

# A copy that is in a trash stays there.
mkdir -p t/a t/b/.Trash-1/files
echo trash >t/a/f
echo trash >t/b/.Trash-1/files/f
scan t
run 1 moves t/a t/b
out_has 'copy    f'
out_has '0 files to rename'

# What the index does not know is in nobody's way.
mkdir -p l/a/dir l/b
echo 'to a link' >l/a/link
echo 'to a link' >l/b/from
echo 'into a directory' >l/a/dir/f
echo 'into a directory' >l/b/f
ln -s nowhere l/b/link
ln -s "$T" l/b/dir
scan l
run 1 moves l/a l/b
out <<'END'
copy    link
copy    dir/f
0 files to rename, 0 B; 2 files to copy, 27 B
END
err_has '2 files are to be copied, not renamed'

# A name that differs in the case of letters alone is parked: a file system may take both for one.
mkdir -p case/a case/b
echo case >case/a/File
echo case >case/b/file
scan case
run 1 moves case/a case/b
out_has 'park    file -> .twindex-moves-'

# Not judged: it is copied, whatever it may be.
mkdir -p u/a u/b
echo before >u/a/f
echo before >u/b/g
scan u
echo after >>u/b/g
run 3 moves u/a u/b
out_has 'copy    f'
err_has 'changed'

# In another index.
mkdir -p w/a w/b
echo with >w/a/f
echo with >w/b/g
run 0 scan -q --db "$T/other.db" --secret-from "$TWINDEX_DB" --racy-window 0s w/b
scan w/a
run 1 moves --with "$T/other.db" w/a w/b
out_has 'rename  g -> f'

run 2 moves a
err_has 'moves needs two directories'
run 2 moves a a/x
err_has 'must not lie in each other'
run 2 moves a a
run 2 moves a/n a/log
err_has 'moves needs two directories'
run 2 moves a nowhere
run 2 moves --script --copy a b
err_has 'choose one'
run 2 moves -0 a b
err_has 'the list of --copy'
