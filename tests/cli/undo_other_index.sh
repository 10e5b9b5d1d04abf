# SPDX-License-Identifier: MIT
# Beside an index that is newer than the acts undo says that their hashes are another one's; with the same secret it
# takes them back.
. "$srcdir/tests/cli/lib.sh"

# forget_index: of its files only the journal stays.
forget_index()
{
	for f in "$TWINDEX_DB"*; do
		case $f in
		*-acts) ;;
		*) rm "$f" ;;
		esac
	done
}
mkdir a b
for f in 1 2; do
	printf 'content %s' $f >a/$f
	cp a/$f b/$f
done
scan .
run 0 rm -r b --yes
cp "$TWINDEX_DB" "$T/old.db"
forget_index
sleep 1.1
scan .
run 1 undo
err_has "'$T/work/b/1' is not undone: its content cannot be recognized: the index is newer, and the hashes of the journal are another one's"
err_lacks 'is left'
# What has the name now is not recognized either.
printf 'content 1' >b/1
run 1 undo
err_lacks 'another file'
rm b/1
forget_index
scan --secret-from "$T/old.db" .
run 0 undo
says b/1 'content 1' && says b/2 'content 2' || fail 'not back'
