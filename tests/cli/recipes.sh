# SPDX-License-Identifier: MIT
# Lines that help, the manual and README print for readers to paste, run as printed on trees where they could do harm: a
# name that is taken by another content, a newer file, a file that came since the scan, names of any bytes.
. "$srcdir/tests/cli/lib.sh"
need rsync sha256sum

# Every printed line that runs another program which writes.  One that is not played below fails here.
writes='(^|[|;&] *|&& *)(rsync|xargs|cp|mv|rm|dd|ln|install|sh|tar|cpio)( |$)'
for command in $(run 0 help --all >/dev/null; grep -o '^  [a-z][a-z-]*' "$T/out"); do
	"$TWINDEX" help "$command" 2>/dev/null
done | $AWK '{ line = line $0; if (line ~ /\|$/) next; print line; line = "" }' | sed -n 's/^  *\(twindex .*\)/\1/p' | grep -E "$writes" >"$T/help" || fail 'help prints no recipe: then this test is of no use'
# Literal blocks of the manual; a line that ends in a pipe goes on.
$AWK '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on { line = line $0; if (line ~ /\|$/) next; print line; line = "" }' \
	"$srcdir/man/twindex.1" "$srcdir/man/twindex-rules.7" "$srcdir/man/twindex-formats.5" | grep -E "$writes" >"$T/man"
sed -n 's/^    \([a-z.].*\)/\1/p' "$srcdir/README" | grep -E "$writes" >"$T/readme"
cat "$T/help" "$T/man" "$T/readme" | sed 's/  */ /g' | sort >"$T/printed"
sort >"$T/played" <<'END'
twindex compare --only-left -0r A B | rsync -a --ignore-existing --from0 --files-from=- A/ B/
twindex dups -0 ~/Downloads | xargs -0 ls -ld --
END
diff "$T/played" "$T/printed" || fail 'recipes are printed that are not played here, or no more printed'

contents()
{
	find "$@" -type f -exec sha256sum {} + | cut -c1-64 | sort -u
}

# play RECIPE: with A and B, or their names in the manual, as here; nothing that was there is lost.
play()
{
	contents A B >"$T/before"
	echo "$1" | sed 's|~/Downloads|B|g' >"$T/recipe"
	sh "$T/recipe" >/dev/null 2>"$T/err" || :
	contents A B >"$T/after"
	[ -z "$(comm -23 "$T/before" "$T/after")" ] || fail "lost by: $(cat "$T/recipe")"
}

while read -r recipe; do
	rm -rf A B "$TWINDEX_DB"
	mkdir -p A/Documents B/Documents B/from-A/Documents
	echo 'draft of 2019' >A/Documents/thesis
	touch -d 2019-01-01 A/Documents/thesis
	echo 'three years of work' >B/Documents/thesis
	echo 'taken' >A/Documents/name
	echo 'by another' >B/from-A/Documents/name
	echo twice >A/1
	cp A/1 A/1b
	echo both | tee A/both >B/Documents/other
	n=$(printf 'new\nline \377 "$HOME"')
	echo hostile >"A/$n"
	echo 'old notes' >A/Documents/notes
	scan A B
	echo 'written after the scan' >B/Documents/notes
	play "$recipe"
done <"$T/played"
