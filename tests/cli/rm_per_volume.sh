# SPDX-License-Identifier: MIT
# rm --per-volume: on each volume that has a copy one stays; so it is in decide.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root may mount'
need unshare mount
mkdir here there
cat >"$T/volumes.sh" <<'END'
# Both in memory: a copy there is none for a file on a disk.
mount -t tmpfs none here && mount -t tmpfs none there || exit 77
for f in here/1 here/2 there/1 there/2; do printf 'same' >$f; done
"$TWINDEX" -q scan --racy-window 0s . || exit
printf '1\nall\n' | "$TWINDEX" decide --per-volume --keep first-path >"$T/decided" 2>&1
"$TWINDEX" marks --drop -c "$PWD/" | sed -n 's/^ *drop  *4 B  //p' >"$T/dropped"
[ "$(tr '\n' ' ' <"$T/dropped")" = 'here/2 there/2 ' ] || { cat "$T/decided" "$T/dropped"; exit 99; }
"$TWINDEX" -q mark clear .
"$TWINDEX" rm -rn . --per-volume >"$T/dry"
"$TWINDEX" rm -r . --per-volume --keep first-path --yes -q
[ "$(find . -type f | sort | tr '\n' ' ')" = './here/1 ./there/1 ' ] || { echo "left: $(find . -type f)"; exit 99; }
"$TWINDEX" rm -r . --keep first-path --yes -q
[ "$(find . -type f)" = ./here/1 ]
END
unshare -m sh "$T/volumes.sh" >"$T/out" 2>"$T/err"
case $? in
0) ;;
77) skip 'no tmpfs' ;;
*) fail "status $?: $(cat "$T/out" "$T/err" "$T/dry")" ;;
esac
sed -n '/^would remove:/p' "$T/dry" >"$T/out"
out <<END
would remove: $T/work/here/2
would remove: $T/work/there/2
END
