# SPDX-License-Identifier: MIT
# --wait waits until the other one is done.
. "$srcdir/tests/cli/lib.sh"

need flock timeout
printf 'x' >x
scan .
for command in scan refresh; do
	flock "$TWINDEX_DB-lock" sleep 0.7 &
	while flock -n "$TWINDEX_DB-lock" true; do sleep 0.02; done
	run 4 $command
	timeout 20 "$TWINDEX" $command --wait >"$T/out" 2>"$T/err" || {
		ran="twindex $command --wait"
		show_run
		fail "$command --wait"
	}
	wait
done
