# SPDX-License-Identifier: MIT
# Backups are no waste and no place to go: redundant, du, waste, tree and report leave them out, also as copies; at-risk
# is what no backup has; file, ls, dups, uniques and safe count the copies there.
. "$srcdir/tests/cli/lib.sh"

mkdir -p home/pics home/old home/more home/bak/pics home/bak/twice
for f in 1 2 3; do printf 'picture %s' $f | tee home/pics/$f >home/bak/pics/$f; done
cp home/pics/1 home/old/1
cp home/bak/pics/2 home/bak/twice/2
printf 'only here' >home/more/x
printf 'twice here' | tee home/more/y >home/more/yy
scan home

# waste DIR: what du, waste, tree and report say is redundant there.
waste()
{
	for command in du waste tree; do
		run 0 $command --json "$1"
		sed -n 's/.*"redundant":\([0-9]*\).*/\1/p' "$T/out" | tail -n 1
	done
	run 0 report --json "$1"
	sed -n 's/.*"totals":{"sets":[0-9]*,"files":[0-9]*,"redundant":\([0-9]*\),.*/\1/p' "$T/out"
}
[ "$(waste home | tr '\n' ' ')" = '55 55 55 55 ' ] || fail "without a backup: $(waste home)"
run 1 redundant home -0 -c "$T/work/home/"
printf 'bak\0old\0' | out
run 1 at-risk home -0 -c "$T/work/home/"
printf 'more/x\0' | out

run 0 scan -q --backup home/bak
# Outside of the backup one picture and one file are there twice.
[ "$(waste home | tr '\n' ' ')" = '19 19 19 19 ' ] || fail "with a backup: $(waste home)"
[ "$(waste home/bak | sort -u)" = 0 ] || fail "in the backup: $(waste home/bak)"
[ "$(waste home/pics | sort -u)" = 9 ] || [ "$(waste home/pics | head -n 1)" = 0 ] || fail "in pics: $(waste home/pics)"
run 1 redundant home -0 -c "$T/work/home/"
printf 'old\0' | out
run 1 redundant home/bak
out_has 'No directory can go as a whole.'
err_has "'$T/work/home/bak' is in a backup: nothing there is offered to go"
run 1 redundant home/pics
run 0 redundant home/pics --backups-count -0 -c "$T/work/home/"
printf 'pics\0' | out
run 0 redundant home/pics --in home/bak -0 -c "$T/work/home/"
printf 'pics\0' | out
run 1 redundant home --backups-count -0 -c "$T/work/home/"
printf 'pics\0old\0' | out
# What redundant says can go: rm has nothing against it.
run 1 rm -rn home/old home/pics
out_has "would remove: $T/work/home/old/1"
out_has 'would remove 1 file,'

# In no backup: also what has copies elsewhere; nothing in a backup is asked about.
run 1 at-risk home -0 -c "$T/work/home/"
printf 'more/x\0more/y\0more/yy\0' | out
run 1 at-risk home -c "$T/work/"
out <<END
      29 B  3 files in home/more
3 files, 29 B in no backup.
END
run 1 at-risk --json
out_has '"in_no_backup":true'
run 0 at-risk home/pics
out_has 'No file is missing in the backups.'
run 0 at-risk home/bak
run 1 at-risk home --in home -0 -c "$T/work/home/"
printf 'more/x\0' | out
run 1 at-risk home --in home/pics -0 -c "$T/work/home/"
out_has more/y
# A new file in the backup may be a copy; one that was never scanned is none.
cp home/more/x home/bak/new
run 3 at-risk home
err_has 'not judged: 1 new'
scan home
run 1 at-risk home -0 -c "$T/work/home/"
printf 'more/y\0more/yy\0' | out
printf '[global]\nbackup = %s/home/away\n' "$T/work" >"$T/config"
TWINDEX_CONFIG=$T/config
export TWINDEX_CONFIG
run 1 at-risk home -0 -c "$T/work/home/"
printf 'more/y\0more/yy\0' | out
run 0 scan -q --no-backup home/bak
run 1 at-risk home/more
out_has '3 files, 29 B in no backup.'
TWINDEX_CONFIG=
run 0 scan -q --backup home/bak

# What is true of a file does not change.
run 0 file home/pics/2
out_has "copy  $T/work/home/bak/pics/2 (in a backup)"
run 0 file home/pics/2 --json
out_has "{\"path\":\"$T/work/home/bak/pics/2\",\"kind\":\"copy\",\"backup\":true,"
run 0 file home/bak/pics/2 -v
out_has "copy  $T/work/home/pics/2
"
run 0 safe home/pics
run 0 dups home/pics -0 -c "$T/work/home/"
printf 'pics/1\0pics/2\0pics/3\0' | out
run 0 uniques home/pics
command -v script >/dev/null || exit 0
terminal 100 safe home/pics
out_has 'all 3 files'
out_has 'home/bak'
out_has ', a backup'
# The originals of a backup are not offered, nor a backup itself.
out_lacks ' rm -r'
out_has 'rm relies on them only with --backups-count'
run 0 rm -rn --prune-empty --backups-count home/pics
terminal 100 safe home/pics home/bak
out_lacks ' rm -r'
terminal 100 safe home/bak
out_lacks ' rm -r'
out_has 'it is a declared backup'
