# SPDX-License-Identifier: MIT
# Directories and files that cannot be looked at do not vanish from the answers: they are unreadable, and the status is 3.
. "$srcdir/tests/cli/lib.sh"

mkdir -p z/d/sub z/d/listed z/other never/shut
printf 'lone' >z/d/sub/a
printf 'only one' >z/d/listed/b
printf 'copied' >z/d/c
printf 'copied' >z/other/c
ordinary
scan z
# A directory that may be listed but not entered: its files are there for all that is known.
$as chmod 444 z/d/listed
for command in 'uniques -x z/d' uniques dups; do
	run 3 $command z/d
	err_has 'not judged: 1 unreadable'
done
run 3 ls z/d/listed
out <<END
unreadable  $T/work/z/d/listed/b (Permission denied)
END
run 3 file z/d/listed/b
run 3 file z/d/listed
$as chmod 755 z/d/listed
# One that may not be listed: known before, met by the scan, and never scanned.
$as chmod 000 z/d/sub never/shut
for when in before after; do
	for command in 'uniques -x z/d' uniques dups; do
		run 3 $command z/d
		err_has "unreadable $T/work/z/d/sub/ (Permission denied)"
		err_has '1 directory unreadable'
	done
	for path in z/d z/d/sub; do
		run 3 ls $path
		out_line "unreadable  $T/work/z/d/sub (Permission denied)"
		run 3 ls $path --json
		out_has '"state":"unreadable"'
	done
	run 3 file z/d/sub
	run 3 file z/d/sub/a z/d/c
	out_line "unreadable  $T/work/z/d/sub/a (Permission denied)"
	$as chmod 755 z/d/sub
	$as rm -rf z/d/sub
	$as mkdir z/d/sub
	printf 'inside' >z/d/sub/in
	$as chmod 000 z/d/sub
	run 3 scan -q --racy-window 0s
done
for command in uniques dups; do
	run 3 $command never/shut
	err_has "unreadable $T/work/never/shut/ (Permission denied)"
done
run 3 ls never/shut
run 3 uniques never/shut/deep
err_has '1 unreadable'
