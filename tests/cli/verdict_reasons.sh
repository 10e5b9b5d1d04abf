# SPDX-License-Identifier: MIT
# Of an answer with status 3 the end of its JSON says why: what was not judged, or that a scan is unfinished; and it is
# printed whatever the command had to say.
. "$srcdir/tests/cli/lib.sh"

# why STATUS WORD NOT_JUDGED ARG...
why()
{
	status=$1 end="\"verdict\":\"$2\",\"exit\":$1,\"not_judged\":{$3},\"unfinished\":false}"
	shift 3
	run "$status" "$@" --json
	[ "$(tail -c "$((${#end} + 1))" "$T/out")" = "$end" ] || { show_run; fail "the document does not end with $end"; }
}

mkdir a b shut
printf '%100s' one | tee a/1 >b/1
printf '%100s' two | tee a/2 >b/2
echo shut | tee a/s >shut/s
ordinary
scan a b shut
$as chmod 000 shut
why 3 not_judged '"unreadable":1' ls shut/s
why 3 not_judged '"unreadable":1' file shut/s
why 3 not_judged '"unreadable":1' file a/1 shut/s
why 3 not_judged '"unreadable":1' hash a/1 shut/s
why 2 no_such_path '"unreadable":1' hash a/nothing shut/s
$as chmod 755 shut
# Only a trash has it.
mkdir -p a/.Trash-7/files
echo only >a/.Trash-7/files/only
scan a
why 3 not_judged '"unknown":1' similar a b
# Touched, and never read.
mkdir d
echo edited >d/1
touch -d '2020-01-01 12:00' d/1
scan d
echo EDITED >d/1
touch -d '2020-01-01 12:00' d/1
scan d
why 3 not_judged '"unknown":1' diff --below d
# Not the same, perhaps: never read, and of one size.
mkdir e f
echo 'of a size' >e/x
scan e
echo 'of A size' >f/x
scan --max-size 1 f
why 3 not_judged '"too_large":1' compare e f
run 0 ls --help --json
out_has 'usage:'
out_lacks verdict
