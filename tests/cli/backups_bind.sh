# SPDX-License-Identifier: MIT
# What lies in a declared backup is left alone by whatever path the index has it: here by that of a bind mount.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root can mount'
mkdir -p bak/sub t/live t/view
trap 'umount "$T/work/t/view" 2>/dev/null; cleanup' EXIT
for f in 1 2; do
	printf 'content %s' $f | tee t/live/$f >bak/sub/$f
done
mount --bind bak t/view 2>/dev/null || skip 'cannot mount here'
held() {
	run 1 rm -rn t
	out_lacks "would remove: $T/work/t/view/sub/1"
	err_has '2 files left alone in backups'
	run 1 redundant -0 t
	out </dev/null
	run 3 mark drop t/view
	run 0 marks
	out_lacks drop
}
# Declared by a path that the index has not, with a root above, or in the config file.
mkdir config
printf '[choices]\nbackup = %s\n' "$T/work/bak/sub" >config/own
chmod 600 config/own
scan t
TWINDEX_CONFIG=$T/work/config/own
export TWINDEX_CONFIG
held
unset TWINDEX_CONFIG
run 1 rm -rn t
out_has "would remove: $T/work/t/view/sub/1"
# Whoever names it may let it go.
TWINDEX_CONFIG=$T/work/config/own
export TWINDEX_CONFIG
run 1 rm -rn t --from-backup bak
out_has "would remove: $T/work/t/view/sub/1"
unset TWINDEX_CONFIG
# Declared with the index.
scan --backup t/view
held
