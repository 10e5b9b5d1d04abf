# SPDX-License-Identifier: MIT
# ls, file and contained tell of members where they are asked; no act takes one, or relies on one.
. "$srcdir/tests/cli/lib.sh"

"$TWINDEX" version | grep -q '^libarchive [0-9]' || skip 'built without libarchive'
need bsdtar zip

mkdir -p home/src "home/dir!"
printf 'one' >home/src/one
printf 'two, longer' >home/src/two
printf 'three' >home/three
: >home/empty
ln home/three home/linked
(cd home && zip -q ../old.zip src/one src/two three empty && bsdtar -czf ../old.tgz src three linked) || fail 'archives'
printf 'lost' >lost
bsdtar --format zip -cf more.zip lost -C home src/one
rm lost
scan --archives .
run 0 check

# Members with their states, behind the archive's own line.
run 0 ls old.zip
out <<END
    unique  $T/work/old.zip
       dup  $T/work/old.zip!/src/one
       dup  $T/work/old.zip!/src/two
       dup  $T/work/old.zip!/three
     empty  $T/work/old.zip!/empty
END
run 0 ls more.zip
out_line "    unique  $T/work/more.zip!/lost"
run 0 ls --json more.zip
out_has "\"archive\":\"$T/work/more.zip\""
# What takes a path a line gets none.
run 0 ls --format null more.zip
[ "$(tr -cd '\0' <"$T/out" | wc -c)" -eq 1 ] || fail 'members among paths for programs'
run 0 ls --format csv more.zip
out_lacks '!/'
run 0 ls .
out_lacks '!/'

# Which archives have a file's content; the answer stays.
run 1 file home/src/one
out_line "    unique  $T/work/home/src/one"
out_line "           also in $T/work/old.zip!/src/one"
out_line "           also in $T/work/old.tgz!/src/one"
out_line "           also in $T/work/more.zip!/src/one"
run 1 file --json home/src/two
out_has "\"in_archives\":[{\"path\":\"$T/work/old.tgz!/src/two\"},{\"path\":\"$T/work/old.zip!/src/two\"}]"

# Is all of an archive among files?
for archive in old.zip old.tgz; do
	run 0 contained $archive home
	says "$T/out" '' || [ ! -s "$T/out" ] || fail 'something is missing'
	err_has "'$archive' is an archive without a copy of its own there: its 4 members were looked for"
done
run 1 contained more.zip home
out <<END
$T/work/more.zip!/lost
END
run 1 contained --json more.zip home
out_has '"verdict":"missing"'
run 1 contained old.zip home/src
out_has "$T/work/old.zip!/three"
run 1 contained -x home/src old.zip .
out_has "$T/work/old.zip!/src/one"

# And the reverse: only where an archive is named as the place.
run 0 contained home/src --in old.zip
err_has 'looked for among the members of an archive'
run 0 contained home old.zip
printf 'new file' >home/new
scan .
run 1 contained home --in old.zip
out <<END
$T/work/home/new
END
run 1 contained home/src .
run 2 contained home/src --in old.zip --in home/new
err_has 'members of archives count, or files'
run 2 contained home/src --in home/new
err_has 'no archive that is there as scan --archives has opened it'
run 2 contained home/src --in home
run 2 contained home/src home --in old.zip
run 1 safe home/src
run 1 safe home/src old.zip

# The archive itself, where it has a copy; and two archives.
cp old.zip home/copy.zip
scan .
run 0 contained old.zip home
err_lacks 'members'
run 1 contained more.zip old.zip
err_has "both are archives: asked about is the file 'more.zip' itself"

# What has changed since is not judged, on either side.
printf 'and more' >>home/src/one
run 3 contained old.tgz home
run 3 contained home/src --in old.zip
touch old.tgz
run 3 contained old.tgz home
out_lacks '!/'
run 1 file home/src/two
out_has "also in $T/work/old.zip!/src/two"
out_lacks 'old.tgz'
scan .
run 1 file home/src/two
out_has "also in $T/work/old.tgz!/src/two"

# No act takes a member, or relies on one.
for act in 'rm -n' 'rm --yes' 'link --hard --yes' 'mark drop' 'mark keep' rmsh; do
	# shellcheck disable=SC2086 # words
	run 2 $act "old.zip!/src/two"
	err_has "'$T/work/old.zip!/src/two' is a member of an archive, and no file"
done
run 2 file "old.zip!/src/two"
err_has 'is a member of an archive: ask about the archive'
run 1 rm -n home/src/two
run 1 rm -n --in old.zip home/src/two
run 0 marks
out_lacks '!/'
# A directory of such a name holds files.
printf 'content' >"home/dir!/f"
cp "home/dir!/f" home/g
scan .
run 0 rm -n "home/dir!/f"

# An encrypted or damaged member may be what is looked for.
(cd home && zip -q -P secret ../secret.zip src/two) || fail 'zip -P'
scan .
run 3 contained secret.zip home
run 3 contained home/src --in secret.zip
run 0 ls secret.zip
out_line "   unknown  $T/work/secret.zip!/src/two (encrypted)"

# An index of a build without archives, and one that was not asked to open them, answer as before.
scan --hidden .
run 0 ls old.zip
out_lacks '!/'
run 1 contained old.tgz home
out <<END
$T/work/old.tgz
END

# One member is one.
bsdtar --format zip -cf single.zip -C home three
scan --archives .
run 0 contained single.zip home
err_has "'single.zip' is an archive without a copy of its own there: its only member was looked for; symbolic links"
