# SPDX-License-Identifier: MIT
# --wait waits until the other one is done.
. "$srcdir/tests/cli/lib.sh"

need flock timeout
printf 'x' >x
scan .
for command in scan refresh; do
	flock "$TWINDEX_DB-lock" sleep 0.7 &
	sleep 0.2
	run 4 $command
	timeout 20 "$TWINDEX" $command --wait >"$T/out" 2>"$T/err" || {
		ran="twindex $command --wait"
		show_run
		fail "$command --wait"
	}
	wait
done
