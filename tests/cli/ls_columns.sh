# SPDX-License-Identifier: MIT
# ls -C shows one directory in columns that fit, whatever the names; subdirectories first, each name with its mark.
. "$srcdir/tests/cli/lib.sh"

# w before anything goes: it must not be taken for d/away, whose inode number it could get.
mkdir d d/sub d/away d/.hidden w
printf 'same' >d/dup
printf 'same' >d/sub/dup
printf 'linked' >d/link
ln d/link d/sub/link
: >d/empty
printf 'changes' >d/changed
printf 'goes' >d/gone
printf 'lone one' >"$(printf 'd/new\nline')"
printf 'lone two two' >"$(printf 'd/tab\t\\')"
printf 'lone three three' >"$(printf 'd/bad\377')"
printf 'lone wide wide wide' >"$(printf 'd/\344\270\255\346\226\207')"
wide=$(printf '\344\270\255\346\226\207')
scan --no-hidden d
printf 'changed now' >d/changed
rm d/gone
rmdir d/away
mkdir d/made
printf 'fresh' >d/fresh

# columns WIDTH ARG...: ls -C ARG... for that width; no line fills it to the end.
columns() {
	COLUMNS=$1
	export COLUMNS
	shift
	run 0 ls -C "$@"
	LC_ALL=C "${AWK:-awk}" -v width="$COLUMNS" '{ gsub(/[\200-\277]/, "") } length >= width { exit 1 }' "$T/out" ||
		fail "a line is not below $COLUMNS columns"
}
columns 80 d
out <<END
s .hidden/  ? made/  u bad\\xff  d dup    ? fresh  l link       u tab\\t\\\\
x away/       sub/   ~ changed  e empty  x gone   u new\\nline  u $wide
END
cp "$T/out" "$T/80"
columns 20 d
out <<END
s .hidden/
x away/
? made/
  sub/
u bad\\xff
~ changed
d dup
e empty
? fresh
x gone
l link
u new\\nline
u tab\\t\\\\
u $wide
END
columns 200 d
[ "$(wc -l <"$T/out")" -eq 1 ] || fail 'not one line in 200 columns'
COLUMNS=1
run 0 ls -C d
[ "$(wc -l <"$T/out")" -eq 14 ] || fail 'not one name a line in 1 column'
# Without a terminal and without a number: as on 80 columns.
unset COLUMNS
run 0 ls -C d
out <"$T/80"
COLUMNS=many
export COLUMNS
run 0 ls -C d
out <"$T/80"

# The order is that of ls; directories stay where they are.
columns 100 d -r
out <<END
s .hidden/  ? made/  u $wide   u new\\nline  x gone   e empty  ~ changed
x away/       sub/   u tab\\t\\\\  l link       ? fresh  d dup    u bad\\xff
END
columns 20 d --sort size
out <<END
s .hidden/
x away/
? made/
  sub/
u $wide
u bad\\xff
u tab\\t\\\\
u new\\nline
~ changed
l link
? fresh
d dup
x gone
e empty
END

# A wide character takes two columns, where the locale knows it.
for n in 1 2 3 4; do printf "wide $n" >"w/$wide$n"; done
scan w
if [ "$(LC_ALL=C.UTF-8 locale charmap 2>/dev/null)" = UTF-8 ]; then
	LC_ALL=C.UTF-8
	columns 34 w
	out <<END
u ${wide}1  u ${wide}3
u ${wide}2  u ${wide}4
END
	columns 35 w
	out <<END
u ${wide}1  u ${wide}2  u ${wide}3  u ${wide}4
END
	LC_ALL=C
fi

# Relative to the directory that was asked for: a file by itself, roots further down, / and a path with dots.
columns 80 d/dup
out <<'END'
d dup
END
columns 80 .
out <<'END'
  d/    w/
END
columns 80 d/sub/../../w/../d
out <"$T/80"
columns 1000 /
out_has "  ${T#/}/work/d/  "
columns 80 d/made
out </dev/null

# Colours are of the marks.
esc=$(printf '\033')
columns 80 d/dup --color always
out <<END
${esc}[33md${esc}[0m dup
END
columns 80 d --depth 1
out <"$T/80"

# On a terminal its own width counts.
if command -v script >/dev/null && command -v stty >/dev/null; then
	NO_COLOR=1 script -qec "stty cols 20; COLUMNS=200 '$TWINDEX' ls -C d" "$T/typescript" >/dev/null 2>&1 </dev/null
	# Its first line has the command, and with it the program's path.
	! sed 1d "$T/typescript" | grep -q 'sub/.*[a-z]' || fail 'the width of the terminal is not heeded'
fi

unset COLUMNS
# What columns have no room for comes in lines, of one level unless --depth says otherwise.
run 0 ls d --depth 1 -v
cp "$T/out" "$T/lines"
run 0 ls -C -v d
out <"$T/lines"
run 0 ls -l d --depth 1
cp "$T/out" "$T/lines"
run 0 ls -C -l d
out <"$T/lines"
run 0 ls d w --depth 1
cp "$T/out" "$T/lines"
run 0 ls -C d w
out <"$T/lines"
for depth in 0 2; do
	run 0 ls d --depth $depth
	cp "$T/out" "$T/lines"
	run 0 ls -C --depth $depth d
	out <"$T/lines"
done
run 0 ls --json d --depth 1
cp "$T/out" "$T/lines"
run 0 ls -C --json d
out <"$T/lines"
run 2 ls -C nowhere
run 2 dups -C d
