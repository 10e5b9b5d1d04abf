# SPDX-License-Identifier: MIT
# Comments end before column 100 (a tab takes 8), and neither they nor messages use words that circle around the
# quantity or the thing that is meant: say which.

cd "$srcdir" || exit 1

find src -name '*.[ch]' ! -name sql_id.h ! -name sql_text.c ! -name manual_text.c ! -name license_text.c ! -name script_text.c ! -name page_text.c |
sort | LC_ALL=C xargs "${AWK:-awk}" '
# In which column a line ends.
function width(line,    i, n)
{
	n = length(line)
	if (n > 12 && n * 8 <= 100 || line !~ /\t/)
		return n
	for (n = i = 0; i++ < length(line);)
		n = substr(line, i, 1) == "\t" ? n + 8 - n % 8 : n + 1
	return n
}

function complain(message)
{
	print FILENAME ":" FNR ": " message
	failed = 1
}

{
	comment = inside || /\/\*.*\*\/$/ || /^[ \t]*\/\*/
	if (/\/\*/)
		inside = 1
	if (/\*\//)
		inside = 0
	if (comment && length($0) > 60 && width($0) > 100)
		complain("the comment ends in column " width($0))
	if ((comment || /"/) && tolower($0) ~ /(^|[^a-z])(whoever|whom|so many|is none|let go)([^a-z]|$)/)
		complain("names neither a quantity nor a thing: " $0)
}

END { exit failed }'
