# SPDX-License-Identifier: MIT
# A function that a header of src declares is used by a file of src other than
# the one that defines it.  One that is not should be static; one that only
# tests use is not wanted.

# Parts of a module that unit tests try alone.
tried='content_index_make countmap_set countmap_value glob_match line_completion_release sets_member_arrange sets_member_freed'

cd "$srcdir/src" || exit 1
# Bytes are split faster than characters.
LC_ALL=C
export LC_ALL

# Words of each file without comments, twice: first what headers declare, then who uses it.
find . -name '*.[ch]' ! -name sql_id.h ! -name sql_text.c ! -name manual_text.c ! -name license_text.c ! -name script_text.c ! -name page_text.c | sed 's|^\./||' | sort | "${AWK:-awk}" -v tried=" $tried " '
# The line without what stands in comments.
function code(line,    begin, end, rest)
{
	if (in_comment) {
		end = index(line, "*/")
		if (!end)
			return ""
		in_comment = 0
		return code(substr(line, end + 2))
	}
	begin = index(line, "/*")
	if (!begin)
		return line
	rest = substr(line, begin + 2)
	in_comment = 1
	return substr(line, 1, begin - 1) " " code(rest)
}

# A prototype begins in the first column, and the name stands before the first parenthesis.
function declare(line)
{
	if (line !~ /^[a-z][^=]*[ *][a-z][a-z0-9_]*\(/ || line ~ /^(static|typedef) / || line ~ /__attribute__[^a-z]*\(\(/ && line !~ /[a-z0-9_]\([^_]*\) __attribute__/)
		return
	sub(/\(.*/, "", line)
	sub(/^.*[ *]/, "", line)
	declared[line] = file
}

{
	file = $1
	in_comment = 0
	while ((getline line <file) > 0) {
		line = code(line)
		if (file ~ /\.h$/ && line !~ /^#/)
			declare(line)
		defines = ""
		if (file ~ /\.c$/ && line ~ /^[a-z][a-z0-9_]*\(/) {
			defines = line
			sub(/\(.*/, "", defines)
		}
		n = split(line, word, /[^A-Za-z0-9_]+/)
		for (i = 1; i <= n; i++) {
			if (word[i] == defines)
				defined[word[i]] = file
			else if (word[i] != "" && last_user[word[i]] != file) {
				last_user[word[i]] = file
				users[word[i]] = users[word[i]] " " file
			}
		}
	}
	close(file)
}

END {
	for (name in declared) {
		n_declared++
		n_users = 0
		for (i = split(users[name], file_of, " "); i > 0; i--)
			if (file_of[i] != declared[name] && file_of[i] != defined[name])
				n_users++
		if (!n_users && !index(tried, " " name " ")) {
			print "src/" declared[name] ": " name ": used nowhere but in src/" defined[name]
			failed = 1
		}
	}
	n = split(tried, word, " ")
	for (i = 1; i <= n; i++) {
		if (!(word[i] in declared)) {
			print word[i] ": is declared no more, strike it from the list here"
			failed = 1
		}
	}
	# A reader that finds nothing compares nothing.
	if (n_declared < 200) {
		print "only " n_declared + 0 " functions found in headers"
		failed = 1
	}
	exit failed
}' -
