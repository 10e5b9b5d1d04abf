# SPDX-License-Identifier: MIT
# The index is for its owner alone: file 0600, directories made for it 0700, whatever the umask.
. "$srcdir/tests/cli/lib.sh"

printf 'x' >x
umask 000
unset TWINDEX_DB
scan .
db=$XDG_STATE_HOME/twindex/index.db
[ "$(stat -c %a "$db")" = 600 ] || fail "index has mode $(stat -c %a "$db")"
[ "$(stat -c %a "$XDG_STATE_HOME/twindex")" = 700 ] || fail 'its directory is open'
for f in "$db"-*; do
	[ ! -e "$f" ] || [ "$(stat -c %a "$f")" = 600 ] || fail "$f is open"
done
# A umask that leaves not even the owner anything.
rm -r "$XDG_STATE_HOME/twindex"
(
	umask 777
	exec >"$T/log" 2>&1
	"$TWINDEX" -q scan "$T/work" && "$TWINDEX" ls "$T/work"
) || fail "with umask 777: $(cat "$T/log")"
[ "$(stat -c %a "$db")" = 600 ] || fail "with umask 777 index has mode $(stat -c %a "$db")"
[ "$(stat -c %a "$XDG_STATE_HOME/twindex")" = 700 ] || fail 'with umask 777: directory'
for f in "$db"-*; do
	[ ! -e "$f" ] || [ "$(stat -c %a "$f")" = 600 ] || fail "with umask 777 $f has mode $(stat -c %a "$f")"
done
unset XDG_STATE_HOME
umask 022
scan .
[ "$(stat -c %a "$HOME/.local/state/twindex/index.db")" = 600 ] || fail 'below HOME: file'
[ "$(stat -c %a "$HOME/.local/state/twindex")" = 700 ] || fail 'below HOME: directory'
run 0 -d "$T/a/b/i.db" scan .
[ "$(stat -c %a "$T/a/b")" = 700 ] || fail 'made for --db'
TWINDEX_DB=$T/env.db
export TWINDEX_DB
scan .
[ -f "$T/env.db" ] || fail 'TWINDEX_DB does not count'
