# SPDX-License-Identifier: MIT
# The manual and the help name the same options: each that `twindex help
# COMMAND` shows is in the manual's subsection of that command (or in those of
# global, listing, choice and index options) with the same argument, and the other way
# round; each is described once; and no other option is mentioned anywhere in the manuals.
# (twindex-fleet is a program of its own: tests/cli/fleet_help.sh compares its manual.)

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

: >"$work/wrong" >"$work/wide"
manuals=$(ls "$srcdir"/man/*.[1-8] | grep -v '/twindex-fleet\.1$')
# Where, option and argument of each: "scan min-size size", "global d file".
"$TWINDEX" help --all >"$work/commands" || exit 1
commands=$(sed -n '/^commands:$/,/^topics:$/s/^  \([a-z][a-z-]*\) .*/\1/p' "$work/commands")
[ -n "$commands" ] || { echo "twindex help shows no commands"; exit 1; }
# The global ones are explained without a command.
PATH=${TWINDEX%/*}:$PATH
for command in '' $commands; do
	echo "@ $command"
	twindex help $command || exit 1
done >"$work/each" || exit 1
"${AWK:-awk}" -v wide="$work/wide" '
/^@ / { command = substr($0, 3); where = ""; next }
length > 80 { print command ": wider than a terminal: " $0 >wide }
/^options:$/ { where = command }
/^options of documents:$/ { where = "documents" }
/^options of listings:$/ { where = "listings" }
/^options of choices:$/ { where = "choices" }
/^options of wholes / { where = "wholes" }
/^options of indexes:$/ { where = "indexes" }
/^global options/ { where = /:$/ && !/help/ ? "global" : "" }
where != "" && /^  (-[^-]|    --)/ {
	# The left column ends at three blanks.
	sub(/^ +/, "")
	sub(/   .*/, "")
	n = split($0, word, /[ ,]+/)
	argument = word[n] ~ /^-/ ? "" : " " tolower(word[n])
	for (i = 1; i <= n; i++)
		if (sub(/^--?/, "", word[i]))
			print where, word[i] argument
}' "$work/each" | sort -u >"$work/help"

# The same of the manual: .It Fl lines where options are described, the rest as "any OPTION".
"${AWK:-awk}" -v mentioned="$work/mentioned" '
function flags(    i, n, option)
{
	for (i = 1; i < NF; i++) {
		if ($i != "Fl" && $i != ".Fl")
			continue
		option = $(i + 1)
		sub(/^-/, "", option)
		print option >mentioned
		if (where != "" && $1 == ".It")
			print where, option (argument != "" ? " " argument : "")
	}
}
/^\.S[hs] / { where = "" }
/^\.Sh / { commands = $2 == "COMMANDS" && FILENAME ~ /twindex(-export)?\.1$/ }
/^\.Sh GLOBAL OPTIONS/ { where = "global" }
/^\.Ss Options of documents/ { where = "documents" }
/^\.Ss Options of listings/ { where = "listings" }
/^\.Ss Options of choices/ { where = "choices" }
/^\.Ss Options of wholes/ { where = "wholes" }
/^\.Ss Options of indexes/ { where = "indexes" }
/^\.Ss / && commands { where = $2 }
/^\./ {
	argument = ""
	for (i = 1; i < NF; i++)
		if ($i == "Ar")
			argument = $(i + 1)
	flags()
}' $manuals | sort >"$work/described"
sort -u "$work/described" >"$work/manual"
uniq -d "$work/described" | sed 's/$/: described twice in the manual/' >>"$work/wrong"
grep '^\.It Fl' $manuals | grep -vE '/twindex(-export)?\.1:' | sed 's/$/: options are described in twindex.1 or twindex-export.1/' >>"$work/wrong"

cat "$srcdir/man/twindex.1" "$srcdir/man/twindex-export.1" | grep '^\.Ss ' | cut -d ' ' -f 2 | sort >"$work/subsections"
for command in $commands; do
	grep -qx "$command" "$work/subsections" || echo "$command: has no subsection in the manual"
done >>"$work/wrong"
comm -23 "$work/help" "$work/manual" | sed 's/$/: in the help, not in the manual/' >>"$work/wrong"
comm -13 "$work/help" "$work/manual" | sed 's/$/: in the manual, not in the help/' >>"$work/wrong"
cut -d ' ' -f 2 "$work/help" | sort -u >"$work/options"
sort -u "$work/mentioned" | comm -13 "$work/options" - |
	sed 's/$/: mentioned in the manual, in no help/' >>"$work/wrong"

# A reader that finds nothing compares nothing.
[ "$(wc -l <"$work/help")" -gt 40 ] || echo "only $(wc -l <"$work/help") options found in the help" >>"$work/wrong"
cat "$work/wide" >>"$work/wrong"
cat "$work/wrong"
[ ! -s "$work/wrong" ]
