# SPDX-License-Identifier: MIT
# uniques -x DIR DIR lists what would be lost with DIR: links and copies within it save nothing.
. "$srcdir/tests/cli/lib.sh"

mkdir -p old old2 new
printf 'saved' >old/saved
printf 'saved' >new/saved
printf 'twice' >old/one
printf 'twice' >old/two
printf 'linked' >old/l1
ln old/l1 old/l2
printf 'outside' >old/o1
ln old/o1 new/o2
printf 'prefix!!' >old/p
printf 'prefix!!' >old2/p
printf 'only here' >old/only
scan .
run 0 uniques -x old old -c "$T/work/"
out <<'END'
old/l1
old/l2
old/one
old/only
old/two
END
run 0 uniques old -c "$T/work/"
out <<'END'
old/only
END
run 0 dups -x old old -c "$T/work/"
out <<'END'
old/p
old/saved
END
# What is left out is nothing to be asked about: "nothing at risk" would be read as an answer about it.
for question in 'at-risk old' 'at-risk new old' 'redundant old' 'similar old' 'report old' 'du old' 'tree old' 'where only old' \
	'compare old new' 'compare new old' 'diff --below old' 'marks old' 'compare old/one old/two'; do
	run 2 $question -x old
	err_has "--exclude-path leaves out '$T/work/old"
done
# Two directories at once.
run 0 uniques -x old -x new old -c "$T/work/"
out_has 'old/saved'
out_has 'old/o1'
out_lacks 'old/p'
# A link that leads nowhere leaves out nothing, nor does it protect anything.
ln -s nowhere dangling
run 2 uniques old -x dangling
err_has "--exclude-path: '$T/work/dangling' is a symbolic link that leads nowhere"
run 2 redundant old --protect dangling
err_has 'leads nowhere'
run 2 rm -n -r old --protect dangling
err_has 'leads nowhere'
# at-risk, for which a copy beside a file is one, tells how many have them only there; volumes, which knows no directories,
# takes none to leave out.
run 1 at-risk old
out_has "2 files have other copies only in this directory: 'uniques -x DIR DIR' lists all that would be lost with it."
run 1 at-risk --json old
out_has '"inside":2}'
run 1 at-risk
out_lacks 'only in this directory'
run 2 volumes -x old
err_has 'volumes takes no --exclude-path'
