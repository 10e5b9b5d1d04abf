# SPDX-License-Identifier: MIT
# [choices] of the config file holds for every command that chooses which copies stay: a command's own section comes
# before it, and what was typed before both.
. "$srcdir/tests/cli/lib.sh"

mkdir a b c
for d in a b c; do printf 'same' >$d/$d; done
touch -d 2020-01-03 a/a
touch -d 2020-01-02 b/b
touch -d 2020-01-01 c/c
scan .
TWINDEX_CONFIG=$T/config
export TWINDEX_CONFIG

# goes NAMES ARG...: what rm of all would remove.
goes()
{
	want=$1
	shift
	got=0
	"$TWINDEX" rm -rn . "$@" >"$T/out" 2>"$T/err" || got=$?
	[ $got -eq 1 ] || fail "rm $*: $got: $(cat "$T/err")"
	went=$(sed -n "s|^would remove: $T/work/./||p" "$T/out" | tr '\n' ' ')
	[ "$went" = "$want" ] || fail "rm $*: '$went' instead of '$want'"
}
: >"$T/config"
goes 'b c '
printf '[choices]\nkeep = oldest\n' >"$T/config"
goes 'a b '
# Typed rules decide alone.
goes 'b c ' --keep newest
goes 'b c ' --no-config
printf '[choices]\nkeep = oldest\ncopies = 2\n' >"$T/config"
goes 'a '
goes 'a b ' --copies 1
printf '[choices]\nkeep = oldest\n[rm]\nkeep = in:%s/b\n' "$T/work" >"$T/config"
goes 'a c '
goes 'b c ' --keep newest
run 1 link --hard -rn .
out_has "       stays: $T/work/c/c"
printf '[choices]\nper-volume = yes\ncopies = 3\n[rm]\ncopies = 1\nper-volume = no\n' >"$T/config"
goes 'b c '
run 1 link --hard -rn .
out_has 'would hard-link 0 files'

# All commands that choose alike: rmsh, mark, decide, report, redundant.
printf '[choices]\nkeep = oldest\n' >"$T/config"
run 1 rmsh -r . -q
grep -q "'$T/work/c/c'\$" "$T/out" || fail "the script: $(grep -n c/c "$T/out")"
run 3 mark drop .
run 0 marks --drop -0 -c "$T/work/"
printf 'a/a\0b/b\0' | out
run 0 mark clear .
answer 0 'k\n'
run 0 marks --drop -0 -c "$T/work/"
printf 'a/a\0b/b\0' | out
run 0 mark clear .
run 0 report -c "$T/work/"
out_has '  stays  c/c'
# Marks have an option of that name, which is another one; other marks need no choice.
run 0 mark keep a
run 0 marks --keep -0 -c "$T/work/"
printf 'a/a\0' | out
run 0 marks
run 2 mark keep a --copies 2
run 0 mark clear .
run 0 redundant -0 -c "$T/work/"
printf 'c\0b\0' | out
printf '[choices]\ncopies = 2\n' >"$T/config"
run 0 redundant -0 -c "$T/work/"
printf 'c\0' | out
printf '[choices]\nprotect = %s/c\n' "$T/work" >"$T/config"
run 0 redundant -0 -c "$T/work/"
printf 'b\0a\0' | out
goes 'a b '
goes 'a b ' --keep first-path

# Backups, and whether they count.
printf '[choices]\nbackup = %s/c\n' "$T/work" >"$T/config"
run 1 rm -rn a b c
out_has "would remove: $T/work/b/b"
run 1 rm -n a/a b/b c/c --keep in:c
out_has "would remove: $T/work/b/b"
printf '[choices]\nbackup = %s/c\nbackups-count = yes\n' "$T/work" >"$T/config"
run 0 rm -rn a b
out_has 'would remove 2 files'
run 0 rm -rn a b --no-config
printf '[choices]\nbackup = %s/c\nbackups-count = yes\n[rm]\nbackups-count = no\n' "$T/work" >"$T/config"
run 1 rm -rn a b
out_has 'would remove 1 file,'

# Mistakes.
printf '[choices]\nonly = %s/a\n' "$T/work" >"$T/config"
run 2 rm -rn .
err_has "$T/config:2: [choices] has no option 'only'"
run 2 version
printf '[choices]\ncopies = many\n' >"$T/config"
run 2 rm -rn .
err_has "$T/config:2: option '--copies': 'many' is not"
printf '[choice]\ncopies = 2\n' >"$T/config"
run 2 rm -rn .
err_has '[choice] is no command, nor one of global, listing, choices, alias'
