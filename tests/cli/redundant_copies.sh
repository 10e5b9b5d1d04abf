# SPDX-License-Identifier: MIT
# redundant --copies N, --per-volume: so many copies of all that goes stay elsewhere, and one on each volume; as in rm.
. "$srcdir/tests/cli/lib.sh"

mkdir a b c part link
printf 'in three places' >a/3
cp a/3 b
cp a/3 c
printf 'in two' >b/2
cp b/2 part
ln a/3 link
scan .
# Two copies stay: of the three and a link one; the two stay where they are.
run 0 redundant --copies 2 -0 c
printf '%s\0' "$T/work/c" | out
run 1 redundant --copies 2 part
out <<END
No directory can go as a whole.
END
run 1 redundant --copies 3 c
# A link goes, and with it no copy.
run 0 redundant --copies 3 -0 link
printf '%s\0' "$T/work/link" | out
# All that go together leave two; of what would go one by one is said which.
run 0 redundant --copies 2 -c "$T/work/"
out <<END
      15 B  c
            its only file is also in a
      15 B  link
            its only file is also in a
            frees 0 B: the rest has links outside of it
2 directories can go together: 2 files, 15 B to be freed.
1 other one could go instead of some of these: -v shows which.
END
run 0 redundant --copies 2 --json c
out_has "{\"path\":\"$T/work/c\",\"state\":\"redundant\",\"files\":1,\"bytes\":15,\"frees\":15,\"also_in\":["
# What rm takes of the same place with the same words is the same.
run 0 rm -rn c --copies 2
out_has "$T/work/c/3"
run 1 rm -rn part --copies 2
# A copy that nobody can look at counts as none, and the answer is not proven, but not where it could not suffice.
cp a/3 part/one-more
scan .
printf 'changed' >part/one-more
run 3 redundant --copies 3 c
out_has 'not proven'
run 1 redundant --copies 4 c
out_lacks 'not proven'
run 2 redundant --copies no
err_has 'copies'
# On one volume --per-volume asks for one.
run 0 redundant --per-volume -0 c
printf '%s\0' "$T/work/c" | out
[ "$(id -u)" = 0 ] || exit 0
need unshare mount
mkdir "$T/work/there" "$T/work/here"
cat >"$T/volumes.sh" <<'END'
mount -t tmpfs none here && mount -t tmpfs none there || exit 77
mkdir here/1 here/2 there/1 there/2 there/3
for d in here/1 here/2 there/1; do printf 'here and there' >$d/f; done
for d in there/2 there/3; do printf 'twice there' >$d/f; done
"$TWINDEX" -q scan --racy-window 0s here there || exit
"$TWINDEX" redundant here there --per-volume -0 | tr '\0' '\n' | sort
END
unshare -m sh "$T/volumes.sh" >"$T/out" 2>"$T/err"
case $? in
0) ;;
77) skip 'no tmpfs' ;;
*) fail "status $?: $(cat "$T/out" "$T/err")" ;;
esac
out <<END
$T/work/here/2
$T/work/there/3
END
