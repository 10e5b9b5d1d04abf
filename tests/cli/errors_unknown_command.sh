# SPDX-License-Identifier: MIT
# A command that is unknown: what begins so, what does that, or what is spelt alike is named.
. "$srcdir/tests/cli/lib.sh"

unknown()
{
	run 2 "$1"
	err_has "$2"
	run 2 shell -c "$1"
	err_has "$2"
	run 2 help "$1"
	err_has "$2"
}

unknown find "unknown command 'find'; did you mean 'where'?"
unknown locate "did you mean 'where'?"
# What people guess.
for guess in duplicates:report stats:info clean:decide dedupe:link delete:rm remove:rm update:scan missing:safe restore:undo \
	verify:validate rescue:safe backup:at-risk space:du changes:diff prune:rm check-backup:safe; do
	unknown "${guess%:*}" "unknown command '${guess%:*}'; did you mean '${guess#*:}'?"
done
# help explains statuses, and names the command that people may mean.
run 2 status
err_has "unknown command 'status'; did you mean 'info'?"
run 0 help status
out_has 'twindex info'
unknown rep "unknown command 'rep'; did you mean 'report'?"
unknown hsah "did you mean 'hash'?"
unknown ma "command 'ma' is ambiguous: mark, marks, man"
unknown nonsense "unknown command 'nonsense': see '"
err_lacks 'did you mean'
# The shell has more of them.
run 2 shell -c s
err_has "command 's' is ambiguous: scan, safe, similar, sql, shell, show, set"
run 2 shell -c pw
err_has "did you mean 'pwd'?"
run 2 shell -c nonsense
err_has "see 'help'"
