# SPDX-License-Identifier: MIT
# The numbers of tests in tests/README: no larger than they are, nor smaller by more than a quarter.

cd "$srcdir" || exit 1
failed=0
text=$(tr '\n' ' ' <tests/README)

# holds COUNT WORDS: README says "more than N WORDS", and there are COUNT.
holds()
{
	said=$(expr "$text" : ".*more than \([0-9]*\) $2")
	[ "${said:-0}" -gt 0 ] && [ "$1" -gt "$said" ] && [ "$1" -le $((said * 5 / 4)) ] || {
		echo "tests/README says 'more than ${said:-?} $2', there are $1"
		failed=1
	}
}

holds "$(grep -c '^	tests/[a-z/_0-9]*\.sh' tests/tests.am)" 'scripts'
units=$(find tests/unit -name '*.c')
# shellcheck disable=SC2086 # a list of words
holds "$(cat $units | grep -c '^START_TEST')" 'functions'
# shellcheck disable=SC2086
holds "$(cat $units | grep -c 'tcase_add_loop_test')" 'of them have a table'
exit $failed
