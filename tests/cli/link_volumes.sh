# SPDX-License-Identifier: MIT
# link --hard: files have their copy on their own volume, one of themselves if need be; one alone on its volume stays.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"

own_mounts
mkdir a b
mount -t tmpfs none b || skip 'no tmpfs here'
mkdir b/in b/out
printf 'with a copy there' | tee a/1 b/in/1 >b/out/1
printf 'only in' | tee a/2 b/in/2 b/in/2b b/in/2c >/dev/null
printf 'alone' | tee a/3 >b/in/3
scan a b
need_linux names that are exchanged: links need that
run 1 link --hard -r b/in --yes
out_has "stays: $T/work/b/in/2 (the copy that stays on its volume)"
out_has "stays: $T/work/b/in/3 (it is on another volume than '$T/work/a/3')"
out_has '3 files hard-linked'
[ b/in/1 -ef b/out/1 ] && [ b/in/2b -ef b/in/2 ] && [ b/in/2c -ef b/in/2 ] || fail "$(ls -li b/in b/out)"
[ "$(stat -c %h a/1 a/2 a/3 b/in/3 | tr '\n' ' ')" = '1 1 1 1 ' ] || fail 'others were linked'
run 0 check
run 0 scan -n a b
out_has '0 new, 0 changed, 0 gone'
