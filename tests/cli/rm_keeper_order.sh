# SPDX-License-Identifier: MIT
# Which copy stays without rules: what was not named, else what is visible, else the first in the order of paths;
# mark drop chooses as rm does.
. "$srcdir/tests/cli/lib.sh"

for f in d/.config/1 d/1 d/2 d/3 e/3 d/.git/4 d/4 d/5; do
	mkdir -p "$(dirname $f)"
	case $f in
	*1) echo one ;; *[23]) echo two ;; *) echo four ;;
	esac >$f
done
scan .
run 1 rm -rn d
out <<END
stays: $T/work/d/1 (the copy chosen to stay)
stays: $T/work/d/4 (the copy chosen to stay)
would remove: $T/work/d/2
       stays: $T/work/e/3
would remove: $T/work/d/3
       stays: $T/work/e/3
would remove: $T/work/d/5
       stays: $T/work/d/4
would remove 3 files, 12.0 KiB on disk
END
err_has '2 files left alone in hidden directories'
run 3 mark drop d
run 0 marks --drop -0 -c "$T/work/"
printf 'd/.config/1\0d/.git/4\0d/2\0d/3\0d/5\0' | out
run 0 mark clear d
run 1 rm -rn d --include-hidden
out_has "would remove: $T/work/d/.config/1
       stays: $T/work/d/1"
# A copy in a hidden directory elsewhere is one that nobody named.
mv d/.config e/.config
scan .
run 0 rm d/1 --yes
out_has "  stays: $T/work/e/.config/1"
