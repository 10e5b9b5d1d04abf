# SPDX-License-Identifier: MIT
# That similar finds no pair is an answer only where all was judged in which one may lie: else it says what was not, with
# status 3.
. "$srcdir/tests/cli/lib.sh"
ordinary

# none ARG...: there is no pair.
none()
{
	run 0 similar "$@"
	out </dev/null
	err_has 'share so much'
	err_lacks 'known'
}
# unproven N REASON WORD ARG...: there may be one.
unproven()
{
	reason="$1 $2" word="\"$3\":$1"
	shift 3
	run 3 similar "$@"
	out </dev/null
	err_has 'are known to share so much'
	err_has "not judged: $reason"
	run 3 similar --json "$@"
	out_has "\"verdict\":\"not_judged\",\"exit\":3,\"not_judged\":{$word},\"unfinished\":false}"
}

mkdir a b c
for d in a b c; do echo "in $d alone" >$d/1; done
scan a b c
none
none a
none a b
# One directory may share with any other, several with each other.
cp b/1 c/new
unproven 1 'new since the scan' new
unproven 1 'new since the scan' new a
unproven 1 'new since the scan' new a c
none a b
none -x c
none --no-check
rm c/new
cp b/1 c/1
unproven 1 'changed since the scan' changed
# What is left of a directory may all be in another.
rm c/1
unproven 1 'gone since the scan' gone a c
cp b/1 c/1
chmod 000 c/1
run 3 scan --racy-window 0s c
unproven 1 unreadable unreadable
none a b
chmod 644 c/1
scan c
run 0 similar
out_has ': twins'
rm c/1
scan c
chmod 000 c
unproven 1 'directory unreadable' unreadable
chmod 755 c
# Above roots all else was never scanned.
mkdir d
unproven 1 'directory never scanned' never_scanned "$PWD"
rmdir d
mv b ../drawer
unproven 1 'offline' offline
unproven 1 'offline' offline "$PWD"
none --online
mv ../drawer b
# Other indexes have directories, too.
scan --db "$T/other.db" --secret-from "$TWINDEX_DB" c
none --with "$T/other.db"
run 0 forget c
cp b/1 c/new
none --with "$T/other.db" -x c/new
unproven 1 'new since the scan' new --with "$T/other.db" a
unproven 1 'new since the scan' new --with "$T/other.db"
rm c/new
