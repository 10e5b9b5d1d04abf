# SPDX-License-Identifier: MIT
# Calls that have no safe use here, LIKE on paths, and SQL outside sql/.

cd "$srcdir" || exit 1
failed=0

# refuse WHY PATTERN FILE...: no file may have a line that matches.
refuse()
{
	why=$1 pattern=$2
	shift 2
	if grep -nE "$pattern" "$@" /dev/null; then
		echo "^ $why"
		failed=1
	fi
}

# Sources, without what make generates beside them.
made='! -name sql_id.h ! -name sql_text.c ! -name manual_text.c ! -name license_text.c ! -name script_text.c ! -name page_text.c'
# shellcheck disable=SC2086 # a list of words
sources=$(find src tests bench -name '*.[ch]' $made)
# shellcheck disable=SC2086
code=$(find src -name '*.c' $made)

# shellcheck disable=SC2086 # lists of words
{
	refuse "unbounded: use buf or snprintf" \
		'(^|[^a-zA-Z0-9_])(strcpy|strcat|stpcpy|sprintf|vsprintf|gets) *\(' $sources
	refuse "may cut what it copies: use buf" \
		'(^|[^a-zA-Z0-9_])(strncpy|strncat) *\(' $sources
	refuse "cannot tell errors from numbers: use num" \
		'(^|[^a-zA-Z0-9_])(atoi|atol|atoll|atof|strto[a-z]+) *\(' $code
	refuse "keeps state between calls: use path_next or strcspn" \
		'(^|[^a-zA-Z0-9_])strtok *\(' $sources
	refuse "returns NULL: use mem" \
		'(^|[^a-zA-Z0-9_])(malloc|calloc|realloc|strdup|strndup) *\(' \
		$(printf '%s\n' $code | grep -v '^src/base/mem\.c$')
	refuse "runs a shell" \
		'(^|[^a-zA-Z0-9_])(system|popen) *\(' $code
	refuse "not POSIX, or not everywhere the same: use order_sort_by, mem_last, buf_vaddf, sys/stream, pipe, strcspn, mkstemp" \
		'(^|[^a-zA-Z0-9_])(qsort_r|memrchr|v?asprintf|fopencookie|pipe2|strsep|mkostemp|usleep) *\(' \
		$(printf '%s\n' $sources | grep -vE '^(src/base/order|src/sys/stream|tests/faults/[a-z]*)\.c$')
	refuse "SQL belongs into sql/" \
		'"[ (]*(SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER|WITH)[ "\\]' $code
	refuse "lines are edited by src/shell/line" \
		'(histedit|editline/|readline/)[a-z]*\.h' $(printf '%s\n' $sources | grep -v '^src/shell/line_')
}
refuse "a subtree is found by the directory table, never by a pattern" \
	'[^a-zA-Z_](LIKE|GLOB|REGEXP)[^a-zA-Z_]' sql/*.sql
exit $failed
