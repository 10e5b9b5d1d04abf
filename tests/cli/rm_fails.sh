# SPDX-License-Identifier: MIT
# ACT-9: an act that fails is taken back, and where that fails too it is said under which name the file is.
. "$srcdir/tests/cli/lib.sh"

# failing STATUS INJECTION...: rm with calls that fail.
failing()
{
	status=$1
	shift
	rm -rf d e
	mkdir d e
	printf 'same' >d/a
	printf 'same' >e/b
	scan d e
	injected fsync,fdatasync,renameat2,linkat,unlinkat,write "$*" rm d/a --yes || skip 'no strace that can let calls fail'
	[ $got -eq "$status" ] || {
		show_run
		fail "$*: exit status $got instead of $status"
	}
	says e/b same || fail "$*: the copy is gone"
}
# POSIX has no inodes that tell files apart: the file gets a second name for a moment, which is removed first.  Nor has it
# renames that replace nothing: a link gives the name back.
removal=1 back=renameat2
if ! is_linux; then
	removal=2 back=linkat
	failing 3 unlinkat:error=EIO:when=1
	err_has "'$T/work/d/a' stays: a second name of it could not be removed again"
	run 0 recover
	[ "$(ls -A d)" = a ] || fail "left: $(ls -A d)"
fi
for error in EIO ENOSPC EPERM EACCES EROFS; do
	in_turn || continue
	failing 3 renameat2:error=$error:when=1
	[ "$(ls -A d)" = a ] || fail "$error: $(ls -A d)"
	failing 3 unlinkat:error=$error:when=$removal
	[ "$(ls -A d)" = a ] || fail "$error: $(ls -A d)"
	err_has "'$T/work/d/a' stays: cannot be removed"
done
# No way back: the content is there, and it is said where.
failing 3 unlinkat:error=EIO:when=$removal $back:error=EIO:when=2
name=$(ls -A d)
case $name in .twindex-rm-*) ;; *) fail "left: $name" ;; esac
says "d/$name" same || fail 'the content is gone'
err_has "it is '$name' in the same directory now"
# Where no rename can promise to replace nothing, removal still works.
if is_linux; then
	failing 0 renameat2:error=EINVAL
	[ -z "$(ls -A d)" ] || fail "left: $(ls -A d)"
fi
# ACT-11: what is not on the disk yet is no copy.
failing 3 fsync:error=EIO:when=1
err_has 'cannot be written to the disk'
[ "$(ls -A d)" = a ] || fail "left: $(ls -A d)"
# An act without its line in the journal is none.
failing 6 fdatasync:error=EIO:when=1
[ "$(ls -A d)" = a ] || fail "left: $(ls -A d)"
