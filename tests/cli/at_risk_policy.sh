# SPDX-License-Identifier: MIT
# at-risk --policy: which files have less copies, on less disks, than the config file asks for, by which line.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

mkdir -p photos/raw/deep docs loose trash
printf 'twice' >photos/two
cp photos/two loose/two
printf 'alone' >photos/one
printf 'only raw' >photos/raw/r
printf 'deeper' >photos/raw/deep/d
printf 'linked' >photos/l1
ln photos/l1 photos/l2
printf 'a text' >docs/text
: >photos/empty
TWINDEX_CONFIG=$T/config
export TWINDEX_CONFIG
scan_all() { scan photos docs loose; }
: >"$TWINDEX_CONFIG"
scan_all

# No policy, or one that can't be read.
run 2 at-risk --policy
err_has 'the config file has no [policy DIR]'
while IFS='|' read -r text why; do
	printf "$text" >"$TWINDEX_CONFIG"
	run 2 at-risk --policy
	err_has "$why"
done <<'END'
[policy photos]\ncopies = 2\n|config:2: [policy DIR]: 'photos' is not an absolute path
[policy /x]\ncopies = many\n|config:2: 'copies' of a policy is a number from 0 to 20
[policy /x]\ncopies = 21\n|config:2: 'copies' of a policy is a number from 0 to 20
[policy /x]\ncopies\n|config:2: 'copies' of a policy is a number from 0 to 20
[policy /x]\nfriends = 2\n|config:2: a policy has no 'friends'
[policy /x]\ncopies = 2\ncopies = 3\n|config:3: the policy of '/x' has 'copies' already
[policy]\ncopies = 2\n|[policy] is no command
END

# Links are one copy; of nested trees the inner one's line holds; where no line holds nothing is asked.
cat >"$TWINDEX_CONFIG" <<END
[policy $T/work/photos]
copies = 2
[policy $T/work/photos/raw]
copies = 1
[policy $T/work/docs]
volumes = 1
END
run 1 at-risk --policy --files
out <<END
    unique  $T/work/photos/l1 (line 2: copies = 2, and it has 1)
    unique  $T/work/photos/l2 (line 2: copies = 2, and it has 1)
    unique  $T/work/photos/one (line 2: copies = 2, and it has 1)
END
run 1 at-risk --policy
out_line "$T/config:2: $T/work/photos/*: copies = 2: 3 files break it, 11 B"
out_line "$T/config:4: $T/work/photos/raw/*: copies = 1: holds"
out_line "$T/config:6: $T/work/docs/*: volumes = 1: holds"
run 1 at-risk --policy --json
out_has '"policy":[{"line":2,"tree":"'"$T"'/work/photos","rule":"copies","least":2,"files":3,"bytes":11},'
run 1 at-risk --policy -0
[ "$(tr '\0' '\n' <"$T/out" | sed 1q)" = "$T/work/photos/l1" ] || fail 'other files'
run 0 at-risk --policy docs
run 0 at-risk --policy photos/raw
run 1 at-risk --policy photos docs
run 0 at-risk --policy loose
run 1 at-risk --policy --min-size 5 --files
out_has photos/one
run 0 at-risk --policy --min-size 7
run 2 at-risk --policy --one-volume
run 2 at-risk --policy --online
run 2 at-risk --policy --no-config
run 0 info
out_has "policy      $T/work/photos: copies = 2"

# A copy in a trash is none, and one that has changed is not known.
mkdir -p loose/.Trash-0/files
cp photos/one loose/.Trash-0/files/one
cp photos/l1 loose/l
scan_all
run 1 at-risk --policy --files
out_line "    unique  $T/work/photos/one (line 2: copies = 2, and it has 1)"
cp photos/one loose/one
scan_all
run 0 at-risk --policy
out_line "$T/config:2: $T/work/photos/*: copies = 2: holds"
printf 'other one' >loose/one
run 3 at-risk --policy
out_line "$T/config:2: $T/work/photos/*: copies = 2: no file is known to break it"
printf 'alone' >loose/one
scan_all

# A tree that the index does not have, and one that is gone, are not judged.
printf '[policy %s]\ncopies = 2\n' "$T/work/never" >>"$TWINDEX_CONFIG"
run 3 at-risk --policy
err_has 'not judged: 1 directory'
run 3 at-risk --policy -v
err_has "$T/work/never"
mkdir never
printf gone >never/f
scan never
rm -r never
run 3 at-risk --policy -v
err_has "$T/work/never/ (the policy is about it, and it is not there)"

# A config file that everybody may write to is no policy, and says so.
chmod 666 "$TWINDEX_CONFIG"
run 2 at-risk --policy
chmod 644 "$TWINDEX_CONFIG"

# Copies and disks, here and in the drawer.
own_mounts
need_linux file systems by their ids
mkdir m1 m2
mkdir h1 h2
for i in 1 2; do
	mount -t tmpfs none h$i || skip 'no tmpfs here'
	disk h$i/image m$i
done
cp -r photos m1/photos
mkdir m2/backup
cp photos/two m1/photos/two
scan m1 m2
cat >"$TWINDEX_CONFIG" <<END
[policy $T/work/m1/photos]
copies = 2
volumes = 3
offline = 1
END
run 1 at-risk --policy --files
out_has "$T/work/m1/photos/one (line 3: volumes = 3, and it has 2; line 4: offline = 1, and it has 0)"
cp -r photos/. m2/backup
scan m2
run 1 at-risk --policy
out_line "$T/config:3: $T/work/m1/photos/*: volumes = 3: holds"
out_has 'offline = 1: '
# In the drawer the copies on it are what the last line asks for.
umount m2
run 0 at-risk --policy
out_line "$T/config:3: $T/work/m1/photos/*: volumes = 3: holds"
out_line "$T/config:4: $T/work/m1/photos/*: offline = 1: holds"
# The tree itself in the drawer: nothing of it can be judged.
umount m1
run 3 at-risk --policy
