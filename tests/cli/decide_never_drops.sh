# SPDX-License-Identifier: MIT
# decide marks nothing drop that is hidden, linked from elsewhere, gone, changed, offline or unreadable, or the last that is there.
. "$srcdir/tests/cli/lib.sh"

drops()
{
	cat >"$T/want"
	run 0 marks --drop -0
	tr '\0' '\n' <"$T/out" | sed "s|^$T/work/||" >"$T/got"
	diff -u "$T/want" "$T/got" || fail "not these drops after $ran"
	run 0 mark clear .
}

ordinary
mkdir -p a b .h a/.hid out
printf 'hidden too' >a/1
cp a/1 .h/1
cp a/1 a/.hid/1
printf 'hidden and two' >a/2
cp a/2 b/2
cp a/2 .h/2
$as "$TWINDEX" scan -q --racy-window 0s a b .h || fail scan
rm -f "$T"/index.db*
[ -z "$as" ] || chown -R 65534:65534 "$T"
scan .
# Only one copy is not hidden: that is no question.
answer 0 '1\n'
err_has '1 set is in hidden directories not asked about: --include-hidden asks'
err_has '1 set, 14 B, in 1 group'
drops <<'EOF'
b/2
EOF
answer 0 's\n2\n'
err_has '(hidden: stays)'
drops <<'EOF'
a/2
EOF
answer 0 '1\n1\nq\n' --include-hidden
err_has '.h/'

# Links: an inode goes with all its names, or stays.
run 0 mark clear .
rm -rf a b .h
mkdir -p a b
printf 'linked' >a/l
ln a/l b/l
cp a/l b/copy
printf 'linked outside' >a/o
cp a/o b/o
ln a/o "$T/outside"
[ -z "$as" ] || chown -R 65534:65534 "$T"
scan .
answer 0 's\n1\n1\n'
answer 0 'q\n'
run 0 mark clear .
answer 0 '2\nq\n' --elsewhere a
err_has '1 other copy stays: dropping would free nothing'
drops <<'EOF'
EOF

# What is so when it is marked counts, not what was so when it was asked.
rm -rf a b "$T/outside"
mkdir a b c
for f in gone changed stays; do
	printf 'three of %s' $f >a/$f
	cp a/$f b/$f
	cp a/$f c/$f
done
[ -z "$as" ] || chown -R 65534:65534 "$T"
scan .
rm a/gone
printf 'THREE of changed' >a/changed
answer 0 '1\nq\n'
err_has '  kept 1 in a/, 2 marked drop'
err_has '  2 sets have changed since the scan, and not marked'
drops <<'EOF'
b/stays
c/stays
EOF
chmod 0 c
answer 0 '2\nq\n'
drops <<'EOF'
a/stays
EOF
answer 0 '3\nq\n'
drops <<'EOF'
EOF
# What can't be looked at has not changed, as far as is known.
chmod 0 b
answer 0 '1\nq\n'
err_has '  3 sets have copies that are offline or unreadable, and not marked'
err_lacks 'changed since'
drops <<'EOF'
EOF
answer 0 's\n'
err_has 'set 1 of 3   has copies that are offline or unreadable: nothing is to be decided'
err_has '0 of 3 sets decided'
chmod 755 b c
