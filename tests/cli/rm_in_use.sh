# SPDX-License-Identifier: MIT
# ACT-5: a file that a program has open for writing is left alone, and who opens it during the act is noticed.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
printf 'same' >d/a
printf 'same' >e/b
scan .
need_linux leases
exec 9>>d/a
run 3 rm d/a --yes
err_has "'$T/work/d/a' stays: it is in use"
exec 9>&-
exec 9>>e/b
run 3 rm d/a --yes
err_has "'$T/work/e/b': it is in use"
exec 9>&-
[ -e d/a ] || fail 'removed while in use'
# A writer that comes before the rename waits for the lease, and the act gives way.
hold renameat2 1 rm d/a --yes
(printf 'more' >>e/b) &
writer=$!
sleep 0.3
resume 3
wait $writer
[ -e d/a ] || fail 'removed while the copy was opened for writing'
[ "$(cat e/b)" = samemore ] || fail 'the writer did not write'
