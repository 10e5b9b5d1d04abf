# SPDX-License-Identifier: MIT
# contained and safe say on a terminal what the answer is: a verdict, and a sentence with the words that were typed.
. "$srcdir/tests/cli/lib.sh"
need script

# tty WANT ARG...: contained ARG... on a terminal has just that line below the verdict.
tty()
{
	want=$1
	shift
	got=$(TERM=dumb script -qec "'$TWINDEX' contained $*" /dev/null </dev/null | tr -d '\r' | sed 's/, looked at just now$//')
	printf '%s\n' "$got" | grep -qFx -- "$want" || fail "contained $*: '$got' instead of '$want'"
}

mkdir -p a b/deep c
for f in 1 2 3; do
	printf "file $f" >a/$f
	printf "file $f" >b/deep/$f
done
scan .
tty 'all 3 files (18 B) of a are also in b' a b
tty 'the only file (6 B) of a/1 is also in ./b' a/1 ./b
tty 'all 3 files (18 B) of a are also elsewhere in .' a .
tty 'all 3 files (18 B) of . outside of it are also in a' . a
printf 'more' >a/4
: >a/5
: >c/6
scan .
tty '1 of the 4 files (4 B of 22 B) of a is not in b; 1 file is empty' a b
tty 'no file has content; 1 file is empty' c b
rm b/deep/1
tty '2 of the 4 files (10 B of 22 B) of a are not in b; 1 file is empty' a b
: >b/new
printf 'new' >b/7
# What is new in b may be what is missing.
tty 'at least 2 of the 4 files (10 B of 22 B) of a are not in b; 1 file is empty' a b 2>/dev/null
tty 'the only file (6 B) of a/1 is not in c' a/1 c
# A copy on a disk that is not there is no proof, but told.
mkdir "$T/disk"
cp a/1 "$T/disk/"
scan . "$T/disk"
mv "$T/disk" "$T/drawer"
tty 'no file could be judged now; 1 file has a copy there that is offline' a/1 "$T/disk" 2>/dev/null
# In a pipe it is silent.
run 0 contained a/3 b
out </dev/null
