# SPDX-License-Identifier: MIT
# redundant --archives: archives of which every member is a file elsewhere, but none that is protected, hidden, in a backup or in
# what belongs together, none of which something is not known; no act takes one for that.  archives_at_risk.sh has the judge.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libarchive [0-9]' || skip 'built without libarchive'
need bsdtar zip

mkdir -p home/photos home/docs old/.hidden old/repo backup
for i in 1 2 3; do printf 'photo %s' $i >home/photos/$i; done
printf 'letter' >home/docs/letter
printf 'lost' >lost
(cd home && zip -q ../old/all.zip photos/1 photos/2 photos/3 docs/letter && bsdtar -czf ../old/two.tgz photos/1 photos/2) || fail 'archives'
zip -q old/most.zip home/photos/1 lost && rm lost
cp old/two.tgz old/.hidden/two.tgz
cp old/two.tgz old/repo/two.tgz && mkdir old/repo/.git && printf 'ref: refs/heads/main\n' >old/repo/.git/HEAD && mkdir old/repo/.git/objects old/repo/.git/refs
scan --archives .
run 0 redundant --archives -c "$T/work/" old
out_line '            all 4 members are also in home'
out_has 'old/all.zip'
out_has 'old/two.tgz'
out_lacks most
out_lacks hidden
out_lacks repo
out_line '2 archives could go: 6 members are there as files, .* to be freed.'
run 0 redundant --archives --include-hidden -c "$T/work/" old
out_has .hidden/two.tgz
run 0 redundant --archives --inside -c "$T/work/" old
out_has repo/two.tgz
run 0 redundant --archives --protect old/all.zip -c "$T/work/" old
out_lacks all.zip
run 0 mark keep old/two.tgz
run 0 redundant --archives -c "$T/work/" old
out_lacks two.tgz
run 0 mark undo
run 0 redundant --archives --in home/photos -c "$T/work/" old
out_has two.tgz
out_lacks all.zip
run 0 redundant --archives --min-size 200 -c "$T/work/" old
out_lacks two.tgz
run 1 redundant --archives home
out_line 'No archive holds only what files have.'
run 2 redundant --archives --copies 2
run 2 redundant --archives --per-volume
# A directory of archives is not one whose files are elsewhere; no act goes by members.
run 1 redundant old
run 1 rm -rn old/all.zip
out_lacks 'all.zip: removed'
run 1 rm --yes -r old/most.zip old/all.zip
[ -e old/all.zip ] || fail 'an act went by members'

# An archive that another one relies on stays; so do all its copies.
mkdir nest && (cd nest && zip -q inner.zip ../home/photos/1 ../home/photos/2 && cp inner.zip again.zip && zip -q outer.zip inner.zip && zip -q all.zip outer.zip) || fail 'nested'
scan .
run 0 redundant --archives -c "$T/work/" nest
out_has nest/all.zip
out_lacks nest/inner.zip
out_lacks nest/again.zip
out_lacks nest/outer.zip
run 0 rm --yes nest/again.zip
rm nest/all.zip
scan .
run 0 redundant --archives -c "$T/work/" nest
out_has nest/outer.zip
out_lacks nest/inner.zip
rm nest/outer.zip
scan .
run 0 redundant --archives -c "$T/work/" nest
out_has nest/inner.zip
# One that lies outside of what is asked about is not offered, nor one that relies on it held.
mkdir nest/in && (cd nest/in && zip -q outer.zip ../inner.zip) || fail 'nested'
scan .
run 0 redundant --archives -c "$T/work/" nest/in
out_has nest/in/outer.zip
rm -r nest
scan .

# Files in a backup do not count, unless asked.
mv home/docs backup/docs
scan --backup "$T/work/backup" .
run 0 redundant --archives -c "$T/work/" old
out_lacks all.zip
run 0 redundant --archives --backups-count -c "$T/work/" old
out_has all.zip
cp old/two.tgz backup/two.tgz
scan .
run 0 redundant --archives -c "$T/work/"
out_lacks backup/two.tgz

# What is not known is no yes.
head -c 100 old/two.tgz >old/cut.tgz
printf 'photo 1' >secret && zip -q -P word old/secret.zip secret && rm secret
scan .
run 3 redundant --archives -c "$T/work/" old
out_lacks cut.tgz
out_lacks secret.zip
rm home/photos/3
run 3 redundant --archives --backups-count -c "$T/work/" old
out_lacks all.zip
