# SPDX-License-Identifier: MIT
# The outer form: the licence line, base.h first, no blanks at line ends, at
# most 1,000 lines a file (700 is where a second noun should be looked for), no
# conflict that was left unresolved, Python in tests without what a machine adds to
# it, and static functions that are named after their file, or after its first word: in
# the rooms where a file is one module (ui has printers of one set of names, cmd
# files of several commands).

cd "$srcdir" || exit 1

# All text files but what autoreconf, configure, make and the tests leave there.
{
	for file in Makefile.am NEWS README bootstrap configure.ac; do
		[ ! -e $file ] || echo $file
	done
	find .ci bench man sql src tests -type f \
		! -name '*.log' ! -name '*.trs' ! -name '*.o' ! -name '*.pyc' ! -name '*.tap' ! -name '.*' \
		! -path tests/agree/by_sqlite ! -path tests/shell/lines ! -path tests/shell/through ! -path 'src/db/sql_id.h' ! -name sql_text.c ! -name manual_text.c ! -name license_text.c ! -name script_text.c ! -name page_text.c ! -path '*/.deps/*'
} | sort | "${AWK:-awk}" '
function complain(message)
{
	print message
	failed = 1
}

# Of "static TYPE" and "NAME(", two lines of a definition.
function check_static(file, n, line,    prefix)
{
	prefix = file
	sub(/.*\//, "", prefix)
	sub(/[._].*/, "", prefix)
	if (index(line, prefix "_") != 1)
		complain(file ":" n ": the name of this static function does not begin with " prefix "_")
}

function check(file,    line, last, n, spdx, first)
{
	while ((getline line <file) > 0) {
		n++
		if (line ~ /[ \t]$/)
			complain(file ":" n ": blanks at the end")
		if (line ~ /\r/)
			complain(file ":" n ": carriage return")
		if (line ~ /^(<<<<<<<|>>>>>>>) /)
			complain(file ":" n ": a conflict that was not resolved")
		if (file ~ /^tests\/.*\.sh$/ && line ~ /"\$PYTHON" [^]z]/ && line !~ /"\$PYTHON" -[A-Za-z]*S/ && file !~ /^tests\/(cli\/json_schema|lint\/form)\.sh$/)
			complain(file ":" n ": Python is started with -S, where it needs no packages: to look for them takes most of a start")
		if (n <= 2 && line ~ /SPDX-License-Identifier: MIT/)
			spdx = n
		if (!first && line ~ /^[ \t]*#[ \t]*include/)
			first = line
		if (last ~ /^static / && line ~ /^[a-z_0-9]+\(/ && file ~ /^src\/(act|base|bulk|db|index|query|scan|sys)\/|^src\/ui\/opt/)
			check_static(file, n, line)
		last = line
	}
	close(file)
	if (n > 1000 && file !~ /^(README|NEWS|man\/twindex\.1|man\/twindex-rules\.7)$/)
		complain(file ": " n " lines are more than 1,000")
	if (n > 1500 && file == "man/twindex.1")
		complain(file ": " n " lines are more than 1,500: what is rare belongs in man/twindex-rules.7")
	# A script has #! before it.
	if (file ~ /\.[ch]$/ ? spdx != 1 : !spdx && file !~ /(README|NEWS|RESULTS|tour|\.svg|\.sql|\.1)$/)
		complain(file ": does not begin with the SPDX line")
	if (file ~ /\.c$/ && file !~ /^(tests\/faults|bench)\// && first != "#include \"base/base.h\"")
		complain(file ": base/base.h is not the first include")
}

{ check($0) }

END { exit failed }'
