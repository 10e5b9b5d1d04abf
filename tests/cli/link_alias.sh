# SPDX-License-Identifier: MIT
# ACT-1 for links: a file that is reached by two file systems is one file: neither name becomes a link.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

overlay
printf 'the only copy' >fs/upper/file
mount -o remount fs/merged 2>/dev/null
scan fs/upper fs/merged
for kind in hard soft; do
	for f in fs/upper/file fs/merged/file; do
		run 1 link --$kind $f --yes
		out_has 'it is the same file as'
		[ -f fs/upper/file ] && [ ! -L fs/upper/file ] && [ "$(cat fs/merged/file)" = 'the only copy' ] || fail "$kind: the only copy is gone"
		[ "$(ls -A fs/upper fs/merged | grep -c '^\.twindex')" = 0 ] || fail 'a name is left'
		scan fs/upper fs/merged
	done
done
