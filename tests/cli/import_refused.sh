# SPDX-License-Identifier: MIT
# What is no listing, or is damaged, is refused with its line, and leaves nothing behind, as does an import that is killed.
. "$srcdir/tests/cli/lib.sh"

printf 'a\n' >a
scan .
md5=60b725f10c9c85c70d97880dfe8191b3
echo "$md5  a" >sums
run 0 import sums --as kept
run 0 import --list --json
cp "$T/out" "$T/before"

# refused STATUS TEXT ARG...: and the index holds what it did.
refused()
{
	status=$1 text=$2
	shift 2
	run "$status" import "$@"
	err_has "$text"
	run 0 import --list --json
	out <"$T/before"
}
refused 2 'needs one listing' --as x
refused 2 '--as NAME' sums
refused 2 "no '/' or ':'" sums --as a:b
refused 2 'stand alone' --list --drop kept
refused 2 'stand alone' --list sums
refused 2 'does not exist' nothing --as x
refused 2 'is a directory' . --as x
refused 2 'is the index itself' "$TWINDEX_DB" --as x
: >empty
refused 2 "'empty' is empty" empty --as x
printf 'some text\nand more\n' >text
refused 2 '--kind says which one it is' text --as x
refused 2 '2 of 2 records were not understood as sums, more than 1 %' text --as x --kind sums
printf '%s%s%s%s  a\n' $md5 $md5 $md5 $md5 >long
refused 2 "'long':1: a checksum of 128 digits may be sha512 or blake2b: --digest says which" long --as x
refused 2 'nothing was imported' long --as x --digest sha1
printf '[\n{"Path":"a","Size":1},\n{"Path":"b","Si' >cut
refused 2 "'cut':3: it ends within an object: the listing is cut off" cut --as x
refused 2 'nothing was imported' cut --as kept --replace --kind sums
head -c 20000 /dev/urandom >noise
refused 2 noise noise --as x --kind efu
run 0 import long --as x --digest blake2b
run 0 import --drop x

# Killed in the middle: its pipe stays open, and what it has read is not kept.
mkfifo pipe
"$TWINDEX" import pipe --as killed >/dev/null 2>&1 &
importer=$!
exec 3>pipe
i=0
while [ $i -lt 200 ]; do
	echo "$md5  file $i" >&3
	i=$((i + 1))
done
kill -9 $importer
wait $importer 2>/dev/null
exec 3>&-
refused 2 'does not exist' nothing --as x
run 0 check
