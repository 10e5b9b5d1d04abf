# SPDX-License-Identifier: MIT
# The manuals are sound mdoc, and what they refer to is there: sections by .Sx, and each other by .Xr.

cd "$srcdir/man" || exit 1
"${AWK:-awk}" '
{ line = $0; gsub(/"/, "", line) }
/^\.S[hs] / { there[FILENAME, substr(line, 5)] = 1 }
# The rest of a line that begins with it, but for a mark at its end; one word within another.
/^\.Sx / { sub(/^\.Sx /, "", line); sub(/ [.,;:) ]*$/, "", line); wanted[FILENAME, line] = 1 }
/^\..* Sx / { sub(/^.* Sx /, "", line); sub(/ [.,;:) ]*$/, "", line); wanted[FILENAME, line] = 1 }
/(^\.| )Xr twindex/ {
	sub(/^.*Xr /, "", line)
	split(line, word, " ")
	file = word[1] "." word[2]
	if ((getline line <file) <= 0) {
		print FILENAME ": there is no " file
		bad = 1
	}
	close(file)
}
END {
	for (key in wanted)
		if (!(key in there)) {
			split(key, part, SUBSEP)
			print part[1] ": there is no section " part[2]
			bad = 1
		}
	exit bad
}' *.[1-8] || exit 1
[ -n "$MANDOC" ] || { echo "no mandoc"; exit 77; }
"$MANDOC" -Tlint -Wwarning ./*.[1-8]
