# SPDX-License-Identifier: MIT
# compare shows on a terminal the first files of each class, and behind a list its sums.
. "$srcdir/tests/cli/lib.sh"
need script

# tty ARG...: what compare ARG... prints on a terminal.
tty()
{
	TERM=dumb script -qec "stty cols ${width:-0}; '$TWINDEX' compare $*" /dev/null </dev/null | tr -d '\r' >"$T/out"
}

mkdir a b
for f in 1 2 3 4 5 6 7; do
	printf "file $f" >a/$f
done
printf 'same' >a/s
printf 'same' >b/s
printf 'x' >"b/$(printf 'esc\033')"
scan .
tty a b
out <<'END'
A: a
B: b
        1 file         4 B  the same
        7 files       42 B  only in A
           1
           2
           3
           4
           5
           ... --only-left lists all
        1 file         1 B  only in B
           esc\x1b
B lacks 7 files (42 B) of A; A lacks 1 file (1 B) of B
END
tty --same -r a b
out <<'END'
s
A: a
B: b
        1 file         4 B  the same
        7 files       42 B  only in A
        1 file         1 B  only in B
B lacks 7 files (42 B) of A; A lacks 1 file (1 B) of B
END
tty -q --same -r a b
out <<'END'
s
END
# Its sentence is broken between words.
width=40
tty -r a b
tail -n 2 "$T/out" >"$T/end" && mv "$T/end" "$T/out"
out <<'END'
B lacks 7 files (42 B) of A; A lacks
  1 file (1 B) of B
END
