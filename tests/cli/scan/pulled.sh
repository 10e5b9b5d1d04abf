# SPDX-License-Identifier: MIT
# A volume that is unmounted while it is walked loses nothing: what could not be opened any more is not gone.
. "$srcdir/tests/cli/lib.sh"

[ "$(id -u)" = 0 ] || skip 'only root can mount'
mkdir -p r/m
trap 'umount -l "$T/work/r/m" 2>/dev/null; cleanup' EXIT
fill()
{
	mount -t tmpfs pulled r/m 2>/dev/null || skip 'cannot mount here'
	for i in 0 1 2 3 4 5 6 7 8 9; do
		mkdir r/m/$i
		echo $i >r/m/$i/file
	done
}
count() { rows "SELECT count(*) FROM file_view WHERE path LIKE '%/m/%'"; }

# pulled ROOT N COMMAND STATUS: scan ROOT anew, and run COMMAND when the walk is about to open its Nth directory.
pulled()
{
	n=$2
	# By POSIX it opens more than directories; to the first one in m it goes by way of m, which is its second time there.
	is_linux || hold_path=m n=$(($2 - 1))
	hold openat2 $n scan --threads 1 --racy-window 0s "$1"
	eval "$3"
	ran="twindex scan $1, and $3"
	resume "$4"
}

fill
echo here >r/here
scan r
# Within another root.
pulled r 3 'umount -l r/m' 3
err_has "'$T/work/r/m': unmounted during the scan"
[ "$(grep -c "$T/work/r/m" "$T/err")" = 1 ] || fail 'told more than once'
out_line 'index       .* 0 gone, .*'
count
out_line 10
run 0 check
# The mount point holds directories of the same names.
fill
scan r
mkdir r/m/0/sub
pulled r 3 'umount -l r/m; mkdir -p r/m/0 r/m/1 r/m/2 r/m/3 r/m/4 r/m/5 r/m/6 r/m/7 r/m/8 r/m/9' 3
count
out_line 10
rm -r r/m/*
# What is removed meanwhile is gone.
rm -f "$TWINDEX_DB"*
fill
scan r
pulled r 3 'rm -r r/m/*' 0
count
out_line 0
