# SPDX-License-Identifier: MIT
# How many lines of code are heads and braces of functions, by room.  A function that only passes on, or that one place
# calls, costs four of them and a jump: of all lines of src at most 23.5 in 100.

cd "$srcdir" || exit 1
find src -name '*.[ch]' ! -name sql_id.h ! -name sql_text.c ! -name manual_text.c ! -name license_text.c ! -name script_text.c ! -name page_text.c | sort | xargs "${AWK:-awk}" '
FNR == 1 {
	part = FILENAME
	sub(/^src\//, "", part)
	part = part ~ /\// ? substr(part, 1, index(part, "/") - 1) : "src"
	comment = head = 0
}

{
	# What is no comment; none ends in the middle of a line of code.
	if (comment) {
		comment = $0 !~ /\*\//
		next
	}
	if ($0 ~ /^[ \t]*\/\*/) {
		comment = $0 !~ /\*\//
		next
	}
	if ($0 ~ /^[ \t]*$/) {
		head = 0
		next
	}
	lines[part]++
	# Lines from the type on are the head of a function if a brace comes alone.
	if ($0 == "{") {
		functions[part]++
		heads[part] += head + 2
	}
	head = $0 ~ /^[}#]/ ? 0 : head + 1
}

END {
	for (part in lines) {
		printf "%-8s %6d lines, %4d functions, %4.1f%%\n", part, lines[part], functions[part], heads[part] * 100 / lines[part]
		all += lines[part]
		all_heads += heads[part]
		n += functions[part]
	}
	printf "%-8s %6d lines, %4d functions, %4.1f%%\n", "all", all, n, all_heads * 100 / all
	exit n == 0 || all_heads * 100 / all > 23.5
}'
