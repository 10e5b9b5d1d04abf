# SPDX-License-Identifier: MIT
# A file includes only headers of files that src/README lists above its own;
# every file of src is listed there, and every listed file exists.
#
# scan is a neighbour of query, trees and act, and knows none of them, nor they it; nor do
# trees and act know each other.  bulk is a guest, known to scan alone.
#
# cmd/cmd_* stand together at the end of their room, one per subcommand, and see
# all below but each other; the last ones of all are commands and main.
# base/base, the first include of all, is all of base.
# db/sql_id and db/sql_text are parts of db/sql; generated texts include nothing.

cd "$srcdir/src" || exit 1

find . -name '*.[ch]' | sed 's|^\./||' | sort | "${AWK:-awk}" '
function module(file)
{
	sub(/\.[ch]$/, "", file)
	return file ~ /^db\/sql_(id|text)$/ ? "db/sql" : file
}

function room(name)
{
	sub(/\/.*/, "", name)
	return name
}

# Whether a room may not know another one, wherever they stand.
function stranger(a, b)
{
	return a == "scan" && (b == "query" || b == "act") || b == "scan" && (a == "query" || a == "act") ||
	       a == "trees" && (b == "scan" || b == "act") || b == "trees" && (a == "scan" || a == "act") ||
	       b == "bulk" && a != "bulk" && a != "scan"
}

function complain(message)
{
	print "src/" message
	failed = 1
}

FILENAME == "README" {
	if ($1 ~ /^([a-z]+\/[a-z0-9_]+|commands|main)$/ && !(module($1) in listed))
		listed[module($1)] = ++last
	next
}

{
	file = $1
	self = module(file)
	exists[self] = 1
	if (file ~ /^(cmd\/(manual|license)|ui\/(page|script))_text\.c$/)
		next
	if (!(self in listed)) {
		complain(file ": not in src/README")
		next
	}
	for (n = 1; (getline line <file) > 0; n++) {
		if (line !~ /^[ \t]*#[ \t]*include[ \t]*"/)
			continue
		split(line, quoted, "\"")
		other = module(quoted[2])
		if (other == "base/base")
			continue
		if (!(other in listed))
			complain(file ":" n ": includes " quoted[2] ", which src/README does not list")
		else if (stranger(room(self), room(other)))
			complain(file ":" n ": " room(self) " does not know " room(other))
		else if (other != self && listed[other] >= listed[self])
			complain(file ":" n ": includes " quoted[2] ", which is not below it")
	}
	close(file)
}

END {
	for (name in listed)
		if (!(name in exists))
			complain("README: " name " does not exist")
	exit failed
}' README -
