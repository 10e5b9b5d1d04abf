# SPDX-License-Identifier: MIT
# --copies and --per-volume count inodes that are there, as rm, link and rmsh act; what is offline keeps nothing.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
mkdir here m
disk disk m
mkdir m/d
again()
{
	rm -f here/* m/d/*
	for f in here/1 here/2 here/3 m/d/1 m/d/2; do printf 'same' >$f; done
	ln here/3 here/link
	scan here m
}
# left FILES: the files that are there; each inode by its first name.
left()
{
	find here m/d -type f -printf '%D:%i %p\n' | sort -k 2 | $AWK '!seen[$1]++ { printf "%s ", $2 }' >"$T/left"
	[ "$(cat "$T/left")" = "$1 " ] || fail "after '$ran' there is $(cat "$T/left")and not $1"
}

again
run 1 rm -rn here m --copies 5
out_has 'would remove 0 files'
run 1 rm -rqy here m --copies 2
left 'here/1 here/2'
again
run 1 rm -rqy here m --copies 2 --per-volume
left 'here/1 here/2 m/d/1'
again
run 1 rm -rqy here m --per-volume
left 'here/1 m/d/1'
run 0 check

# A script does the same.
again
run 1 rmsh -r here m --copies 3
sh "$T/out" </dev/null >"$T/told" 2>&1 || fail "the script: $(cat "$T/told")"
left 'here/1 here/2 here/3'

# What is on a disk that is away is none of those that stay, and the last one on no disk of its own.
again
umount m
run 1 rm -rqy here --copies 2
[ -e here/1 ] && [ -e here/2 ] && [ ! -e here/3 ] || fail "left: $(ls here)"
run 1 rm -rn here --copies 3
out_has 'would remove 0 files'
run 3 rm -ry here m --per-volume
err_has "'$T/work/here/1' stays: the last copy that is not offline"
[ -e here/1 ] && [ ! -e here/2 ] || fail "left: $(ls here)"
mount -o loop disk m
left 'here/1 m/d/1 m/d/2'

# Links: names of one inode are one copy.
need_linux names that are exchanged: links need that
again
run 1 link --hard -rqy here m --copies 2
left 'here/1 here/2 m/d/1'
again
run 1 link --hard -rqy here m --per-volume
left 'here/1 m/d/1'
run 0 check
again
umount m
run 1 link --hard -rqy here --copies 2
[ here/1 -ef here/3 ] && ! [ here/2 -ef here/3 ] || fail "links: $(ls -li here)"
run 1 link --hard -rn here --copies 3
out_has 'would hard-link 0 files'
