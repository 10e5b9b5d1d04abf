# SPDX-License-Identifier: MIT
# link --soft of a file to itself, shown by a program in user space that tells neither links nor times of change: the link
# would lead into itself, and opening it would never return.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
mkdir d m
mount_ssh d m
printf 'only' >d/f
run 0 scan -q --racy-window 0s d m
"$TWINDEX" link --soft -y --in m d/f >"$T/out" 2>"$T/err" &
pid=$!
i=0
while kill -0 $pid 2>/dev/null && [ $i -lt 100 ]; do
	i=$((i + 1))
	sleep 0.1
done
if kill -0 $pid 2>/dev/null; then
	pkill -9 -f "sshfs.*$T/work/d"
	fail 'it hangs'
fi
wait $pid && fail 'it was linked'
err_has "stays: the copy '$T/work/m/f'"
[ -f d/f ] && [ ! -h d/f ] && [ "$(cat d/f)" = only ] || fail 'the file is gone'
[ "$(ls -A d)" = f ] || fail "left: $(ls -A d)"
umount m
