# SPDX-License-Identifier: MIT
# ACT-5: what another program puts in the place of the file just before the rename is not removed.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
printf 'same' >d/a
printf 'same' >e/b
printf 'precious' >other
scan .
hold renameat2 1 rm d/a --yes
mv other d/a
resume 3
err_has "'$T/work/d/a' stays: another file had taken its name meanwhile"
[ "$(cat d/a)" = precious ] || fail 'another file was removed'
[ "$(ls -A d)" = a ] || fail "left behind: $(ls -A d)"
