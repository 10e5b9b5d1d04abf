# SPDX-License-Identifier: MIT
# A backup is never a victim unless named with --from-backup, and none to rely on without --backups-count: in rm,
# link, rmsh, mark, decide and report, whether scan --backup or the config file says so.
. "$srcdir/tests/cli/lib.sh"

HOME=$T/work/home
export HOME
mkdir -p home/live home/down home/bak
printf one | tee home/live/1 >home/bak/1
printf two | tee home/live/2 home/down/2 >home/bak/2
printf three >home/bak/3
printf four | tee home/bak/4 >home/bak/44
cd home || exit
scan .
run 1 rm -rn .
out_has 'would remove 4 files'

# What is chosen, however the backup was declared.
holds()
{
	run 1 rm -rn .
	out <<END
stays: $HOME/down/2 (the last copy outside of backups)
stays: $HOME/live/1 (the last copy outside of backups)
would remove: $HOME/live/2
       stays: $HOME/down/2
would remove 1 file, 4.0 KiB on disk
END
	err_has '5 files left alone in backups: -v lists them, --from-backup DIR lets those in DIR go'
}
run 0 scan --backup bak
holds
run 0 info
out_has "backup      $HOME/bak"
run 0 info --json
out_has "\"backups\":[
{\"path\":\"$HOME/bak\"}
]"
# A scan with other options of the root keeps that, and one by its parts.
run 0 scan . --hidden -q
run 0 scan bak -q
run 0 scan -q
holds
run 0 scan --no-backup bak -q
run 1 rm -rn .
out_has 'would remove 4 files'
run 0 scan --no-backup bak
err_has "'$HOME/bak' was not noted as a backup"
run 0 info
out_lacks backup
# A root of its own, and a dry run.
run 0 scan -n --backup bak
run 0 info
out_lacks backup
mkdir "$T/work/other"
printf one >"$T/work/other/1"
run 0 scan --backup "$T/work/other" -q
run 0 info
out_has "backup      $T/work/other"
run 1 rm -n "$T/work/other/1"
out_has 'would remove 0 files'
run 0 forget -y "$T/work/other"
run 0 info
out_lacks 'backup '

# The config file, in any section; the section of an alias is none.
printf '[global]\nbackup = ~/bak\n' >"$T/config"
TWINDEX_CONFIG=$T/config
export TWINDEX_CONFIG
holds
printf '[rm]\nbackup = %s/bak/../bak\n' "$HOME" >"$T/config"
holds
run 1 mark drop live/1
err_has "'$HOME/live/1' is not marked: the last copy outside of backups"
run 1 rm -rn --config-protect .
out_has 'would remove 1 file,'
run 1 rm -rn --no-config .
out_has 'would remove 4 files'
printf '[global]\nbackup = bak\n' >"$T/config"
run 2 rm -rn .
err_has "$T/config:2: 'backup' is an absolute path"
printf '[global]\nbackup\n' >"$T/config"
run 2 rm -rn .
err_has "$T/config:2: 'backup' needs a value"
printf '[global]\nbackup = ~/bk\n' >"$T/config"
run 2 rm -rn .
err_has "the backup in the config file: '$HOME/bk' does not exist"
run 0 file live/1
TWINDEX_CONFIG=
run 0 scan --backup bak -q

# Named or not, nothing in it goes; a script says so, too.
run 1 rm -ry bak
out_has '0 files removed'
run 1 rm bak/4 -y
err_has '1 file left alone in backups'
run 1 rm -rn . --json
out_has '"outcome":"left_alone","why":"in a backup"'
run 1 rmsh -r . -q
grep -q "'$HOME/bak/" "$T/out" && fail 'the script names a file of the backup'
# Only copies there: asked for by --in, it is the copy that stays.
run 0 rm -n live/1 --in bak
out_has "stays: $HOME/bak/1"
run 1 rm -n live/1 --in .
out_has 'would remove 0 files'
# They count, and a live copy stays before them.
run 0 rm -n live/1 --backups-count
out_has "stays: $HOME/bak/1"
run 1 rm -rn . --backups-count
out_has 'would remove 1 file,'
# Of a backup.
run 1 rm -rn . --from-backup bak
out_has 'would remove 3 files'
out_has "would remove: $HOME/bak/1"
out_has "stays: $HOME/bak/44 (its other copies are in backups, which count only with --backups-count)"
run 1 rm -rn . --from-backup bak --backups-count
out_has 'would remove 4 files'
run 2 rm -rn . --from-backup nowhere
run 1 rmsh -r bak --from-backup bak -q
sh "$T/out" </dev/null >"$T/told" 2>&1 || fail "the script: $(cat "$T/told")"
[ ! -e bak/1 ] && [ ! -e bak/2 ] && [ -e bak/3 ] && [ -e bak/4 ] && [ -e bak/44 ] && [ -e live/1 ] || fail "left: $(ls bak live)"
run 0 undo 2
[ -e bak/1 ] && [ -e bak/2 ] || fail 'not taken back'

# A plan holds without the options that it was made with, but for what was declared a backup since.
if command -v jq >/dev/null; then
	scan . --racy-window 0s
	for options in '--from-backup bak bak/1' '--backups-count live/1'; do
		# shellcheck disable=SC2086
		run 0 rm -n --json $options
		cp "$T/out" "$T/plan"
		run 0 rm -n --plan "$T/plan"
		out_has 'would remove 1 file,'
		jq -c 'del(.from_backup, .backups_count)' "$T/plan" >"$T/edited"
		run 2 rm -n --plan "$T/edited"
		err_has 'was changed since it was made'
	done
	run 0 rm -n --json live/2
	cp "$T/out" "$T/plan"
	run 0 scan --backup live -q
	run 1 rm -n --plan "$T/plan"
	err_has '1 file left alone in backups'
	run 0 scan --no-backup live -q
fi

# Sets: what is there twice outside of the backup, with the copies there told.
scan .
run 0 report -v
out <<END
2 copies of 3 B each, 3 B redundant
  $HOME/down/2
  $HOME/live/2
  bak $HOME/bak/2 (in a backup)

1 set, 2 files, 3 B redundant
END
run 0 report --json
out_has "{\"path\":\"$HOME/bak/2\",\"kind\":\"backup\""
run 0 report bak
out_has 'No duplicates.'
run 0 report --copies 1
out_has "  stays  $HOME/down/2
  goes   $HOME/live/2"
run 0 report --from-backup bak --json
out_has "{\"path\":\"$HOME/bak/1\",\"kind\":\"copy\""

# Marks.
run 3 mark drop .
run 0 marks --drop -0 -c "$HOME/"
printf 'live/2\0' | out
run 1 mark drop bak/1
err_has "'$HOME/bak/1' is not marked: in a backup"
run 0 mark clear .
run 0 mark drop --from-backup bak bak/1
run 1 rm --marked -n
out_has 'would remove 0 files'
run 0 marks -a
out_has "$HOME/bak/1 (last: in a backup, of which only --from-backup lets files go)"
run 0 rm --marked -n --from-backup bak
run 0 mark clear .
# What marks call effective is what rm takes without options.
run 0 mark drop --backups-count live/1
run 1 rm --marked -n
out_has 'would remove 0 files'
run 0 marks -a
out_has "$HOME/live/1 (last: its other copies are in backups, which count only with --backups-count)"
run 0 file live/1
out_lacks '[drop]'
run 0 rm --marked -n --backups-count
out_has 'would remove 1 file,'
run 0 mark clear .
# decide: the copies in the backup are no choice, and go with none.
answer 0 '1\n'
run 0 marks --drop -0 -c "$HOME/"
printf 'live/2\0' | out
run 0 mark clear .
answer 0 'l\nq\n' --backups-count
err_has 'bak/2'
answer 0 '1\n1\n1\n' --backups-count --keep in:bak
err_has "'rm --marked --backups-count' removes them"
run 0 marks --drop -0
out </dev/null
run 1 rm --marked -n
out_has 'would remove 1 file,'
run 0 rm --marked -n --backups-count
out_has 'would remove 3 files'

need_linux names that are exchanged: links need that
run 0 mark clear .
run 1 link --hard -ry .
out_has '1 file hard-linked'
[ live/2 -ef down/2 ] && ! [ live/2 -ef bak/2 ] && ! [ live/1 -ef bak/1 ] || fail "$(ls -li live down bak)"
