# SPDX-License-Identifier: MIT
# safe DIR --rescue TO: what exists nowhere else is in TO then, as it lay in DIR, whole and with all that it had; undo takes the copies back.
. "$srcdir/tests/cli/lib.sh"

# setup: old, of which one file has a copy in home.
setup()
{
	rm -rf old home keep "$TWINDEX_DB"*
	mkdir -p old/a/b home
	printf 'one' >old/a/1
	printf 'two' >old/a/b/2
	printf 'there' >old/here
	cp old/here home/
	printf 'three' >old/3
	chmod 640 old/a/1
	touch -d 2001-02-03 old/a/1 old/a/b
	chmod 750 old/a/b
	scan old home
}

setup
: >old/empty
ln -s 3 old/symlink
scan old
# A question without a terminal, and options that are for it alone.
run 2 safe old --rescue keep
err_has 'no terminal to ask on'
run 2 safe old --yes
run 2 safe old -n
run 2 safe old -r --rescue keep --yes
run 2 safe old -0 --rescue keep --yes
run 2 contained old home --rescue keep --yes
err_has "unknown option '--rescue'"
[ ! -e keep ] || fail 'it was made for nothing'
# Where copies would go with DIR, or cannot be.
run 2 safe old --rescue old --yes
run 2 safe old --rescue old/new --yes
err_has "'old/new' lies in 'old', and would go with it"
run 2 safe old --rescue no/keep --yes
err_has "--rescue makes 'keep', but nothing above it"
run 2 safe old --rescue home/here --yes
err_has 'not a directory'
mkdir -p wide/x/x
printf 'deep' >wide/x/x/f
printf 'way' >wide/x/g
scan wide
run 2 safe wide/x --rescue wide --yes
err_has "and go with '$T/work/wide/x'"
[ "$(ls -A wide wide/x)" = "$(printf 'wide:\nx\n\nwide/x:\ng\nx')" ] || fail 'something was copied'
# What it would do.
run 0 safe old --rescue keep -n
out <<END
would copy: $T/work/old/3
would copy: $T/work/old/a/1
would copy: $T/work/old/a/b/2
would copy 3 files, 11 B, to $T/work/keep
END
[ ! -e keep ] && [ ! -e "$TWINDEX_DB-acts" ] || fail 'a dry run did something'
run 0 safe old --rescue keep -n --json
out_has '"outcome":"planned","judged":true,"size":3,'
out_has '"rescued_to":"'"$T/work/keep"'","dry_run":true,"copied":3,"bytes":11,"there":0,"taken":0,"failed":0,'
out_has '"verdict":"can_be_rescued","exit":0'
# It does that.
run 0 safe old --rescue keep --yes
out <<END
copied 3 files, 11 B, to $T/work/keep
END
err_has "scan $T/work/keep' makes the copies count"
says keep/a/1 one && says keep/a/b/2 two && says keep/3 three || fail 'not what was in old'
[ "$(find keep ! -type d | wc -l)" = 3 ] || fail "$(find keep)"
[ "$(stat -c '%a %y' keep/a/1)" = "$(stat -c '%a %y' old/a/1)" ] || fail 'another mode or time'
for d in . a a/b; do
	[ "$(stat -c '%a %y' keep/$d)" = "$(stat -c '%a %y' old/$d)" ] || fail "$d: $(stat -c '%a %y' keep/$d old/$d)"
done
# Then DIR is safe, and there is nothing left to copy.
scan keep
run 0 safe old
run 0 safe old keep home
run 0 safe old --rescue keep --yes
out_has 'nothing to copy'
run 0 log
out_line ".*  rescued  *3 B  $T/work/keep/a/1"
run 0 log -v old/a
out_has "stayed  $T/work/old/a/1"
run 0 log --json
out_has '"act":"rescued","stayed":"'
# undo removes the copies and what was made for them, and the index knows; a root stays.
run 0 undo -n
run 0 undo
out_has '3 acts undone'
[ "$(find keep)" = keep ] && [ "$(find old -type f | wc -l)" = 5 ] || fail "$(find keep old)"
run 0 check
run 1 undo
run 1 safe old

# What is there with the same content counts, what is there with another one stays.
setup
mkdir -p keep/a/b
printf 'one' >keep/a/1
printf 'TWO' >keep/a/b/2
run 1 safe old --rescue keep -n
out_line "would copy 1 file, 5 B, to $T/work/keep; 1 is there already"
run 1 safe old --rescue keep --yes
out_line "copied 1 file, 5 B, to $T/work/keep; 1 is there already"
err_has "'$T/work/old/a/b/2' is not copied: something else has the name of its copy, '$T/work/keep/a/b/2'"
says keep/a/b/2 TWO && says keep/3 three || fail 'another content'
run 1 safe old --rescue keep --yes --json
out_has '"outcome":"there"'
out_has '"outcome":"taken"'
out_has '"verdict":"not_rescued","exit":1'
# A scan and the question again list it.
scan keep
run 1 safe -r old keep
printf 'here\na/b/2\n' | out
rm -r keep/a/b/2
for other in 'ln -s ../../../home/here' 'mkfifo' 'mkdir' 'ln -s nowhere'; do
	$other keep/a/b/2
	run 1 safe old --rescue keep --yes
	err_has 'something else has the name'
	rm -rf keep/a/b/2
done
# Undo leaves what was there before.
run 0 undo
[ ! -e keep/3 ] && says keep/a/1 one && [ -d keep/a/b ] || fail "$(find keep)"
# A link on the way is not followed.
rm -rf keep/a
ln -s ../home keep/a
run 3 safe old --rescue keep --yes
[ "$(ls home)" = here ] || fail 'copied through a link'
rm -rf keep

# What could not be judged is copied, too, for it may be the only one, also from directories that no scan has met.
setup
printf 'changed' >old/here
printf 'new' >old/new
mkdir old/unmet
mkdir old/unmet/deeper
printf 'unmet' >old/unmet/f
printf 'deeper' >old/unmet/deeper/f
: >old/unmet/empty
ln -s f old/unmet/link
cp home/here old/unmet/again
run 1 safe old
run 0 safe old --rescue keep --yes
out_has 'copied 8 files'
out_has 'whether 5 of these exist elsewhere is not known'
says keep/here changed && says keep/new new && says keep/unmet/f unmet && says keep/unmet/deeper/f deeper || fail "$(find keep)"
[ ! -e keep/unmet/empty ] && [ ! -L keep/unmet/link ] || fail "$(find keep)"
run 0 undo
# So are those that a scan leaves out.
mkdir old/.hidden
printf 'hidden' >old/.hidden/f
scan --no-hidden --exclude unmet old
run 0 safe old --rescue keep --yes
says keep/.hidden/f hidden && says keep/unmet/f unmet || fail "$(find keep)"
# But not what cannot be listed, nor the index itself.
rm -r keep
mkdir old/unmet/state
cp "$TWINDEX_DB" old/unmet/state/i.db
run 0 -d old/unmet/state/i.db scan -q home
run 0 -d old/unmet/state/i.db scan -q old --exclude unmet
run 0 -d old/unmet/state/i.db safe old --rescue keep --yes
[ ! -e keep/unmet/state/i.db ] && says keep/unmet/f unmet || fail "$(find keep)"
# A file that has become a directory since the scan, asked about by itself, and below DIR.
setup
rm old/a/1
mkdir old/a/1
printf 'inside' >old/a/1/in
run 0 safe old/a/1 --rescue keep --yes
says keep/in inside || fail "$(find keep)"
run 0 safe old --rescue keep --yes
out_has 'copied 3 files'
says keep/a/1/in inside || fail "$(find keep)"
# With IN, what is not there.
setup
mkdir in
printf 'one' >in/1
scan in
run 0 safe old in --rescue keep --yes
[ ! -e keep/a/1 ] && says keep/here there || fail 'not those that in lacks'
run 0 undo
# Of a single file, its name.
run 0 safe old/a/1 in --rescue keep --yes
out_has 'nothing to copy'
run 0 safe old/a/b/2 --rescue keep --yes
[ "$(find keep -type f)" = keep/2 ] || fail "$(find keep)"
run 2 safe old/a/b/2 --rescue old/a/b --yes
# It goes on where it was stopped, also without the index's knowing.
run 0 safe old --rescue keep --yes
run 0 safe old --rescue keep --yes
out_has 'copied 0 files'

# Hard links, holes, and names of any bytes.
setup
ln old/a/1 old/1-too
ln old/a/1 old/a/b/1-also
truncate -s 20M old/holes
printf 'end' >>old/holes
each_file()
{
	printf '%s' "$1-content" >"old/$1"
}
each_hostile each_file
scan old
run 0 safe old --rescue keep --yes
[ keep/1-too -ef keep/a/1 ] && [ keep/a/b/1-also -ef keep/a/1 ] && [ ! keep/a/1 -ef old/a/1 ] || fail "$(ls -liR keep)"
cmp old/holes keep/holes || fail 'another content'
! is_linux || [ "$(stat -c %b keep/holes)" -le $(($(stat -c %b old/holes) + 16)) ] || fail "holes were filled: $(stat -c %b old/holes keep/holes)"
each_same()
{
	cmp "old/$1" "keep/$1" || fail "not there: $1"
}
each_hostile each_same
run 0 undo
[ ! -e keep ] || fail "$(find keep)"
# Where the index has the directory, it knows the copies at once.
mkdir keep
scan keep
run 0 safe old/3 --rescue keep --yes
err_lacks 'makes the copies count'
run 0 safe old/3
run 0 check

# In a shell, which has the index open, the same.
setup
printf 'safe old --rescue keep --yes\ncd old\nundo -n\nsafe . --rescue ../keep --yes\n' >s
run 0 shell <s
out_has "copied 3 files, 11 B, to $T/work/keep"
out_has '3 acts would be undone'
out_has 'copied 0 files, 0 B, to'
# Much takes a while: it says how far it is.
if [ -n "${EVERY_KIND:-}" ]; then
	setup
	head -c 70000000 /dev/zero | tr '\0' x >old/much
	ln old/much old/a/much-too
	scan old
	run 0 --progress plain safe old --rescue keep --yes
	err_has "copy  "
	cmp old/much keep/much && [ keep/a/much-too -ef keep/much ] || fail "$(ls -lR keep)"
	run 0 undo
	[ ! -e keep ] || fail "$(find keep)"
fi
# Few descriptors are enough.
setup
(cd old && seq -f many-%.0f 90 | xargs mkdir)
i=0
while [ $i -lt 90 ]; do
	i=$((i + 1))
	printf 'content %s' $i >old/many-$i/f
done
scan old
(ulimit -n 40 && exec "$TWINDEX" safe old --rescue keep --yes) >"$T/out" 2>"$T/err" || fail "status $?: $(head -n 3 "$T/err")"
out_has 'copied 93 files'
# The config file can't ask for it.
printf '[safe]\nrescue = keep\n' >"$T/config"
TWINDEX_CONFIG=$T/config
export TWINDEX_CONFIG
run 2 safe old
err_has 'rescue'
unset TWINDEX_CONFIG
# Undo never removes the only copy.
setup
run 0 safe old --rescue keep --yes
rm old/3
printf 'ONE' >old/a/1
printf 'Two' >keep/a/b/2
run 1 undo
err_has "'$T/work/keep/3' is not undone: it may be the only copy: the original '$T/work/old/3': it is gone"
err_has "'$T/work/keep/a/1' is not undone: it may be the only copy: the original '$T/work/old/a/1': it has another content"
err_has "'$T/work/keep/a/b/2' is not undone: its content has changed since"
says keep/3 three && says keep/a/1 one && says keep/a/b/2 Two || fail 'something is gone'
# After rm took the originals, undo brings them back first.
setup
run 0 safe old --rescue keep --yes
scan keep
run 0 rm -r old --yes
[ -z "$(find old -type f)" ] || fail "$(find old)"
run 0 undo
run 0 undo
says old/a/1 one && [ -z "$(ls keep)" ] || fail "$(find old keep)"

# What is open for writing, or unreadable, is told of.
if is_linux && command -v strace >/dev/null; then
	setup
	exec 7>>old/3
	run 3 safe old --rescue keep --yes
	exec 7>&-
	if grep -q 'in use' "$T/err"; then
		[ ! -e keep/3 ] && says keep/a/1 one || fail "$(find keep)"
	fi
	# A file that changes between its reading and its copy's name.
	setup
	hold fsync 1 safe old --rescue keep --yes
	printf 'and more' >>other
	mv other old/3
	resume 3
	[ ! -e keep/3 ] && [ -e keep/a/1 ] || fail "$(find keep)"
	err_has "'$T/work/old/3' is not copied"
fi
# Names that the index's own files would have are not taken.
setup
mkdir own
printf 'x' >old/i.db
run 0 --db own/i.db scan -q old home
printf 'y' >old/i.db-journal
run 3 --db own/i.db safe old --rescue own --yes
err_has "old/i.db-journal' is not copied: its copy would be taken for a file of the index"
run 0 --db own/i.db check

# Attributes, ACLs and owners.
setup
if is_linux && command -v setfattr >/dev/null && setfattr -n user.note -v 'a tag' old/3 2>/dev/null; then
	! command -v setfacl >/dev/null || setfacl -m u:12345:r old/a/1 2>/dev/null
	[ "$(id -u)" != 0 ] || chown 123:456 old/a/b/2 old/a/b
	run 0 safe old --rescue keep --yes
	[ "$(getfattr --only-values -n user.note keep/3)" = 'a tag' ] || fail 'the tag is lost'
	! command -v getfacl >/dev/null || [ "$(getfacl -c old/a/1)" = "$(getfacl -c keep/a/1)" ] || fail 'another ACL'
	[ "$(stat -c %u:%g old/a/b/2 old/a/b)" = "$(stat -c %u:%g keep/a/b/2 keep/a/b)" ] || fail 'another owner'
fi
# An ordinary user keeps what may be kept.
setup
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 4755 old/3
	ordinary
	chown 0:0 old/3
	run 0 safe old --rescue keep --yes
	[ "$(stat -c '%u %a' keep/3)" = '65534 755' ] || fail "$(stat -c '%u %a' keep/3)"
	chmod 0 old/a/1
	chown 0:0 old/a/1
	rm keep/a/1
	run 3 safe old --rescue keep --yes
	err_has "'$T/work/old/a/1' is not copied"
	mkdir old/shut
	chmod 0 old/shut
	chown 0:0 old/shut
	run 3 safe old --rescue keep --yes
	err_has "unreadable $T/work/old/shut/"
fi
