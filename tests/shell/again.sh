# SPDX-License-Identifier: MIT
# Tests of the command line once more, through the shell: every answer and exit status must be the same.
#
#	again PATTERN...      run the first of the tests tests/cli/PATTERN.sh and each sixth after it, for all run without the
#	                      shell, too; EVERY_KIND=1, as the first step of .ci/run has it: all

TWINDEX_PROPER=$TWINDEX
TWINDEX=$builddir/tests/shell/through
export TWINDEX_PROPER TWINDEX

again()
{
	failed=0 ran=0
	each=6
	[ -z "${EVERY_KIND:-}" ] || each=1
	for pattern; do
		met=0
		for t in "$srcdir"/tests/cli/$pattern.sh; do
			[ -e "$t" ] || {
				echo "no test is called $pattern"
				exit 99
			}
			# Calls of the kernel are counted of the program alone, and a page is written by one function.
			grep -qE 'strace|--html' "$t" && continue
			met=$((met + 1))
			[ $(((met - 1) % each)) -eq 0 ] || continue
			got=0
			sh "$t" || got=$?
			case $got in
			0) ran=$((ran + 1)) ;;
			77) ;;
			*)
				echo "FAIL through the shell: $t"
				failed=$((failed + 1))
				;;
			esac
		done
	done
	echo "$ran passed, $failed failed"
	[ $failed -eq 0 ] && [ $ran -gt 0 ]
}
