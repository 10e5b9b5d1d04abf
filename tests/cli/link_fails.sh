# SPDX-License-Identifier: MIT
# ACT-9 for links: what fails is taken back and becomes no other kind of act; where that fails too it is said where the file is.
. "$srcdir/tests/cli/lib.sh"
need_linux names that are exchanged: links need that

# failing KIND STATUS INJECTION...: link with calls that fail.
failing()
{
	kind=$1 status=$2
	shift 2
	rm -rf d e
	mkdir d e
	printf 'same' >d/a
	printf 'same' >e/b
	scan d e
	before=$(stat -c '%i %h' d/a)
	injected fsync,fdatasync,renameat2,linkat,symlinkat,unlinkat "$*" link "--$kind" d/a --yes || skip 'no strace that can let calls fail'
	[ $got -eq "$status" ] || {
		show_run
		fail "$*: exit status $got instead of $status"
	}
	says e/b same && says d/a same || fail "$*: the content is gone"
}
# untouched: the file has its name and its inode, and nothing lies beside it.
untouched()
{
	[ "$(ls -A d)" = a ] && [ "$(stat -c '%i %h' d/a)" = "$before" ] && [ "$(stat -c %h e/b)" = 1 ] || fail "$ran: $(ls -Ali d e)"
}
for kind in hard soft; do
	for error in EIO ENOSPC EPERM; do
		in_turn || continue
		failing $kind 3 renameat2:error=$error:when=1
		untouched
	done
	failing $kind 3 renameat2:error=EINVAL:when=1
	untouched
	err_has 'its file system cannot exchange names'
	failing $kind 3 unlinkat:error=EIO:when=1
	untouched
	failing $kind 3 fsync:error=EIO:when=1
	untouched
	# The link can't be removed again: it is said where it is.
	failing $kind 3 renameat2:error=EIO:when=1 unlinkat:error=EIO
	err_has "; the link '$(ls -A d | grep '^\.twindex-link-')' is left in the same directory"
	failing $kind 3 unlinkat:error=EIO:when=1 renameat2:error=EIO:when=2
	name=$(ls -A d | grep '^\.twindex-link-') || fail "left: $(ls -A d)"
	says "d/$name" same || fail 'the content is gone'
	err_has "it is '$name' in the same directory now"
done
for error in EXDEV EMLINK EPERM EOPNOTSUPP; do
	in_turn || continue
	status=3
	[ $error != EXDEV ] || status=1
	failing hard $status linkat:error=$error:when=1
	untouched
done
failing soft 3 symlinkat:error=ENOSPC:when=1
untouched
