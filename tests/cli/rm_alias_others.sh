# SPDX-License-Identifier: MIT
# ACT-1: asking whether two files are one says nothing false of the next: beside an alias of the copy, real copies go.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root may mount'
need unshare mount
[ -n "${TWINDEX_RM_ALIAS:-}" ] || {
	TWINDEX_RM_ALIAS=1
	export TWINDEX_RM_ALIAS
	unshare -m "${SHELL:-sh}" "$srcdir/tests/cli/rm_alias_others.sh"
	exit
}
mkdir fs
mount -t tmpfs none fs || skip 'no tmpfs here'
mkdir fs/lower fs/upper fs/work fs/merged
mount -t overlay -o "lowerdir=$T/work/fs/lower,upperdir=$T/work/fs/upper,workdir=$T/work/fs/work" none fs/merged ||
	skip 'no overlay file systems here'
for f in 1 2 3; do printf 'same' >fs/upper/$f; done
mount -o remount fs/merged 2>/dev/null
scan fs/upper fs/merged
run 1 rm -r fs/merged --yes
out_has "stays: $T/work/fs/merged/1 (it is the same file as '$T/work/fs/upper/1', reached by another way)"
out_has '2 files removed'
[ "$(ls fs/upper)" = 1 ] || fail "left: $(ls fs/upper)"
# The probe gave the copy another ctime, which its row follows.
run 0 scan -n fs/upper
out_has "0 changed, 2 gone, 1 unchanged"
umount fs/merged fs
