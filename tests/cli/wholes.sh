# SPDX-License-Identifier: MIT
# What belongs together (git work trees, environments, mail stores) goes as a whole or stays, unless it is named, or --inside.
. "$srcdir/tests/cli/lib.sh"

# would PATHS STATUS ARG...: rm -n ARG... would remove these PATHS, separated by colons, and nothing else.
would()
{
	goes=$1 status=$2
	shift 2
	run "$status" rm -n "$@"
	left=:$goes:
	while IFS= read -r line; do
		case $line in
		"would remove: $T/work/"*) ;;
		*) continue ;;
		esac
		line=${line#"would remove: $T/work/"}
		case $left in
		*:"$line":*) left=${left%%:"$line":*}:${left#*:"$line":} ;;
		*) fail "$ran: '$line' would go, and not only '$goes'" ;;
		esac
	done <"$T/out"
	[ "$left" = : ] || [ -z "$goes" ] || fail "$ran: '$left' would not go"
}

# Each kind, by all of its markers; d/a and d/in/b have copies, the marker has none.
kind()
{
	name=$1 dir=$2
	shift 2
	rm -rf d keep
	mkdir -p "d/$dir/in" keep
	for marker; do
		case $marker in
		*/) mkdir "d/$dir/$marker" ;;
		*) printf '%s alone' "$marker" >"d/$dir/$marker" ;;
		esac
	done
	printf 'a of %s' "$dir" | tee "d/$dir/a" "d/loose" >keep/a
	printf 'b of %s' "$dir" | tee "d/$dir/in/b" >keep/b
	printf 'alone' >"d/$dir/alone"
	scan .
	would 'd/loose' 1 -r d
	err_has "2 files stay: in $name (--inside goes in)"
	would "d/$dir/a:d/$dir/in/b:d/loose" 1 -r d --inside
	# What else is asked differs by the name of the kind alone.
	[ "$name" = 'git work trees' ] || [ "$name" = Maildirs ] || [ -n "${EVERY_KIND:-}" ] || return 0
	would 'd/loose:keep/a:keep/b' 1 -r . --keep in:keep
	run 1 rm -rn d --json
	out_has "\"outcome\":\"left_alone\",\"why\":\"in the "
	out_has " '$T/work/d/$dir'\""
	run 1 redundant d --json
	out_has '"in_wholes":1}'
	out_lacks "$dir/in\",\"state\""
	err_has "1 file stays: in $name (--inside goes in)"
	# Who names it, or a part of it, means it.
	would "d/$dir/a:d/$dir/in/b" 1 -r "d/$dir"
	would "d/$dir/in/b" 0 -r "d/$dir/in"
	would "d/$dir/a" 0 "d/$dir/a"
	run 0 redundant "d/$dir/in"
	run 1 redundant "d/$dir"
	out_has "$dir/in"
	run 1 redundant d --inside
	out_has "$dir/in"
	err_lacks 'goes in'
	# All but the copies outside is left to decide.
	answer 0 'k\nk\nk\nk\n' d --keep newest
	run 0 marks --drop -0
	printf '%s\0' "$T/work/d/loose" | out
	run 0 mark clear .
	answer 0 'k\nk\nk\nk\n' d --keep in:keep --inside
	run 0 marks --drop
	out_has "d/$dir/in/b"
	run 0 mark clear .
}
kind 'git work trees' proj .git/
kind 'git work trees' proj .git
kind 'git repositories' proj.git HEAD objects/ refs/
kind 'Mercurial work trees' proj .hg/
kind 'Subversion work trees' proj .svn/
kind 'Python environments' venv pyvenv.cfg
kind 'conda environments' env conda-meta/
kind 'node_modules' node_modules
kind 'Maildirs' Mail cur/ new/ tmp/
kind 'mailboxes of Apple Mail' INBOX.mbox
kind 'Mozilla profiles' abc.default prefs.js compatibility.ini
kind 'applications' Draw.app Contents/
for library in Photos.photoslibrary Old.photolibrary Old.migratedphotolibrary A.aplibrary L.lrlibrary 'My Previews.lrdata'; do
	in_turn || continue
	kind 'photo libraries' "$library"
done

# None of these is one.
for dir in 'proj git' 'Mail cur' 'x.app Content' 'my_node_modules x' 'prof prefs.js' 'repo HEAD'; do
	in_turn || continue
	rm -rf d keep
	mkdir -p "d/${dir% *}/in" keep
	mkdir "d/${dir% *}/${dir#* }"
	printf 'b' | tee "d/${dir% *}/in/b" >keep/b
	scan .
	would "d/${dir% *}/in/b" 0 -r d
	err_lacks 'goes in'
done

# It goes where all of it does, empty files and links aside; then the directories above may, too.
rm -rf d keep
mkdir -p d/venv/lib keep
printf 'home = /usr' | tee d/venv/pyvenv.cfg >keep/cfg
printf 'library' | tee d/venv/lib/a >keep/a
: >d/venv/lib/empty
ln -s a d/venv/lib/link
scan .
would 'd/venv/lib/a:d/venv/pyvenv.cfg' 1 -r d
err_lacks 'goes in'
run 0 redundant d
# What is gone keeps nothing there.
rm d/venv/lib/a
would 'd/venv/pyvenv.cfg' 1 -r d
err_lacks 'goes in'
cp keep/a d/venv/lib/a
scan .
# Of two in places of one kind both are in use, for all that is known.
rm -rf keep
cp -R d/venv d/venw
scan .
would '' 1 -r d
err_has '4 files stay: in Python environments (--inside goes in)'
run 1 rm -rn d -v
for env in venv venw; do
	out_has "left alone: $T/work/d/$env/lib/a (in the Python environment '$T/work/d/$env', whose copies are in no better place)"
done
would '' 1 -r d --protect d/venv
# One goes, whole, where a choice says so: it is named, or its copies are marked, in --in, or chosen by a rule.
would 'd/venw/lib/a:d/venw/pyvenv.cfg' 1 -r d/venw
would 'd/venv/lib/a:d/venv/pyvenv.cfg' 1 -r d/venv
would 'd/venw/lib/a:d/venw/pyvenv.cfg' 1 -r d --in d/venv
would 'd/venw/lib/a:d/venw/pyvenv.cfg' 1 -r d --keep in:d/venv
run 0 mark keep d/venv
would 'd/venw/lib/a:d/venw/pyvenv.cfg' 1 -r d
run 0 mark clear d
# One in a spare place goes, and never a part of each.
mkdir d/old
mv d/venw d/old
ln -s old/venw d/venw
scan .
would 'd/old/venw/lib/a:d/old/venw/pyvenv.cfg' 1 -r d
err_lacks 'goes in'
# One stays because of the other: a copy outside of both goes in its place.
printf 'changed' >d/venv/lib/more
printf 'library' >d/zz
scan .
would 'd/old/venw/lib/a:d/old/venw/pyvenv.cfg:d/zz' 1 -r d
err_has '2 files stay: in Python environments (--inside goes in)'
# By a rule the copy that stays would lie in either: nothing is torn apart.
rm d/venw
mv d/old/venw d
rmdir d/old
touch -d 2020-01-01 d/venw/lib/a d/venv/pyvenv.cfg
touch -d 2021-01-01 d/venv/lib/a d/venw/pyvenv.cfg
rm d/venv/lib/more d/zz
scan .
would '' 1 -r d --keep newest
err_has '2 files stay: in Python environments (--inside goes in)'
run 1 redundant d --json
out_has '"in_wholes":0}'

# report says what rm does with parts of wholes.
mkdir -p e/proj/.hg e/other
printf 'part' | tee e/proj/part e/other/part >e/zz
printf 'alone here' >e/proj/.hg/store
scan .
run 0 report e --keep newest -c "$T/work/"
out_line '  stays  e/proj/part'
out_line '  goes   e/zz'
would 'e/other/part:e/zz' 1 -r e --keep newest
run 0 report e --keep newest --inside -c "$T/work/"
out_line '  goes   e/proj/part'

# Marks that a person made act, wherever they are; links keep what there is, but for soft ones.
printf 'part' >keep.txt
scan .
run 0 mark drop e/proj/part
would 'e/proj/part' 0 --marked
run 0 mark clear e
for kind in hard reflink; do
	run 1 rmsh --$kind -r e
	out_has "$T/work/e/proj/part"
	err_lacks 'goes in'
done
run 1 link --soft -rn e
err_has '1 file stays: in Mercurial work trees (--inside goes in)'
run 1 rmsh -r e
out_lacks "remove '$T/work/e/proj/part'"
err_has '1 file stays: in Mercurial work trees (--inside goes in)'

# Outermost first: what lies in a whole is its part; of one that was named the wholes in it are wholes.
rm -rf "$T/work/"*
mkdir -p d/proj/.git d/proj/node_modules/x d/proj/node_modules/y d/proj/src keep
printf 'source' | tee d/proj/src/1 >keep/1
printf 'module' | tee d/proj/node_modules/y/2 >keep/2
printf 'alone' >d/proj/alone
printf 'alone, too' >d/proj/node_modules/x/alone
scan .
run 1 rm -rn d
err_has '2 files stay: in git work trees (--inside goes in)'
would 'd/proj/src/1' 1 -r d/proj
err_has '1 file stays: in node_modules (--inside goes in)'
would 'd/proj/node_modules/y/2' 1 -r d/proj/node_modules
cd d/proj && run 1 redundant . && cd "$T/work" || exit 99
out_has "$T/work/d/proj/src"
out_lacks node_modules

# Nor is a part of it told that could go but for a few files.
mkdir d/proj/near keep/near
for i in 1 2 3 4 5 6 7 8; do printf 'near %s' $i | tee d/proj/near/$i >keep/near/$i; done
printf 'only here' >d/proj/near/only
printf '%2000s' large >d/proj/large
scan .
run 1 redundant d --json
out_lacks all-but
run 1 redundant d --inside --json
out_has "{\"path\":\"$T/work/d/proj/near\",\"state\":\"all-but\""
run 1 redundant d/proj --json
out_has "{\"path\":\"$T/work/d/proj/near\",\"state\":\"all-but\""
rm -rf d/proj/near keep/near d/proj/large
scan .

# The root of a scan was named, too.
mv d/proj "$T/work/root"
rm -f "$T"/index.db*
scan root keep
run 0 redundant --protect keep
out_has "$T/work/root/src"
out_lacks node_modules
err_has '1 file stays: in node_modules'

# Markers that no scan has met are looked for on the disk; where it is not there, in the index.
rm -f "$T"/index.db*
mkdir d/proj
mv root/* root/.git d/proj
scan --exclude .git .
would '' 3 -r d
run 1 redundant --protect keep
err_has '2 files stay: in git work trees'
# decide shows what the index has, and marks by what is there.
answer 0 '2\n2\n' d keep
run 0 marks --drop
out_lacks d/proj
run 0 mark clear .
rm -rf d/proj/.git
would 'd/proj/src/1' 1 -r d

# More markers: on the command line and in the config, where they hold for all commands that have them.
printf 'x' >d/proj/.mine
scan .
would '' 1 -r d --whole .mine
err_has '2 files stay: in directories that --whole keeps together (--inside goes in)'
would '' 1 -r d --whole '*oj'
would 'd/proj/src/1' 1 -r d --whole '*ojx' --whole proj
run 2 rm -rn d --whole a/b
err_has "not 'a/b'"
run 2 redundant --whole ''
err_has "not ''"
unset TWINDEX_CONFIG
mkdir -p "$HOME/.config/twindex"
for section in global choices rm redundant decide; do
	in_turn || continue
	printf '[%s]\nwhole = .mine\n' "$section" >"$HOME/.config/twindex/config"
	would '' 1 -r d
	would '' 1 -r d --config-protect
	would 'd/proj/src/1' 1 -r d --no-config
	run 1 redundant d
	out_lacks d/proj/src
	answer 0 'q\n' d
	err_has 'not asked about: --inside asks'
done
printf '[rm]\ninside\n' >"$HOME/.config/twindex/config"
run 2 rm -rn d
err_has "'inside' is for command lines alone"
