# SPDX-License-Identifier: MIT
# ACT-1: the same for a directory that FUSE shows a second time, with attributes that it keeps for a minute.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

need bindfs
[ -e /dev/fuse ] || skip 'no FUSE here'
own_mounts
mkdir real fuse
for options in attr_timeout=0,entry_timeout=0 attr_timeout=60,entry_timeout=60; do
	printf 'the only copy' >real/file
	bindfs -o $options real fuse || skip 'no FUSE here'
	scan real fuse
	for f in real/file fuse/file; do
		for act in rm 'link --hard' 'link --soft'; do
			# The kernel has its attributes at hand.
			ls -l real fuse >/dev/null
			# shellcheck disable=SC2086
			got=0
			"$TWINDEX" $act $f --yes >"$T/out" 2>"$T/err" || got=$?
			ran="$act $f ($options)"
			[ $got -eq 1 ] || [ $got -eq 3 ] || {
				show_run
				fail "status $got"
			}
			[ -f real/file ] && [ ! -L real/file ] && [ "$(cat real/file)" = 'the only copy' ] && [ "$(cat fuse/file)" = 'the only copy' ] || {
				show_run
				fail "$ran: the only copy is gone: $(ls -Al real)"
			}
			[ "$(ls -A real)" = file ] || fail "$ran: left: $(ls -A real)"
			scan real fuse
		done
	done
	# A copy there that is one goes.
	printf 'two' >real/a
	printf 'two' >real/b
	scan real fuse
	run 1 rm -r fuse --yes
	[ "$(ls real | grep -c '^[ab]$')" = 1 ] || fail "left: $(ls real)"
	umount fuse
	rm -f real/* "$TWINDEX_DB"*
done
