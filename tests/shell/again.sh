# SPDX-License-Identifier: MIT
# Tests of the command line once more, through the shell: every answer and exit status must be the same.
#
#	again PATTERN...      run the tests tests/cli/PATTERN.sh; with a sanitized program, which takes ten times as long to
#	                      start, the first of each PATTERN and each third after it: all run without the shell there

TWINDEX_PROPER=$TWINDEX
TWINDEX=$builddir/tests/shell/through
export TWINDEX_PROPER TWINDEX

again()
{
	failed=0 ran=0
	case $CC_FLAGS in
	*-fsanitize*) each=3 ;;
	*) each=1 ;;
	esac
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
