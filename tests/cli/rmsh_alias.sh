# SPDX-License-Identifier: MIT
# The scripts of rmsh leave a file alone that two file systems lead to: by twindex, and by themselves.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

overlay
mkdir fs/bound
mount --bind fs/upper fs/bound
printf 'the only copy' >fs/upper/file
mount -o remount fs/merged 2>/dev/null
for kind in '' --hard --soft; do
	for form in '' --portable; do
		in_turn || continue
		for victim in upper merged; do
			scan -q fs/upper fs/merged
			run 0 rmsh $kind $form fs/$victim/file
			cp "$T/out" script
			grep -q "fs/upper/file' '.*fs/merged/file'\|fs/merged/file' '.*fs/upper/file'" script || fail 'they are not in the script'
			sh ./script >"$T/out" 2>"$T/err" && fail "rmsh $kind $form: done: $(cat "$T/out" "$T/err")"
			[ "$(cat fs/upper/file)" = 'the only copy' ] && [ "$(cat fs/merged/file)" = 'the only copy' ] ||
				fail "rmsh $kind $form of $victim: the only copy is gone"
			[ ! -L fs/upper/file ] || fail 'a link to itself'
			[ "$(ls -A fs/upper fs/merged | grep -c '^\.twindex')" = 0 ] || fail 'something is left'
		done
		# By a mount of the same directory at another place.
		sed "s|$T/work/fs/merged/file|$T/work/fs/bound/file|" script >bound
		sh ./bound >"$T/out" 2>"$T/err" && fail "rmsh $kind $form: done: $(cat "$T/out" "$T/err")"
		[ "$(cat fs/upper/file)" = 'the only copy' ] || fail "rmsh $kind $form: the only copy is gone"
	done
done
