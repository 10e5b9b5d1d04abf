# SPDX-License-Identifier: MIT
# rm, mark and report keep the live file and let the one in a backup go, wherever it sorts; --keep decides before that.
. "$srcdir/tests/cli/lib.sh"

mkdir -p home/Pictures home/backup-laptop/Pictures home/VMs/old home/Maildir home/a-mail-backup home/Documents home/Downloads
printf picture | tee home/Pictures/a.jpg >home/backup-laptop/Pictures/a.jpg
printf disk | tee home/VMs/disk >'home/VMs/old/disk copy'
printf letter | tee home/Maildir/1 >home/a-mail-backup/1
printf report | tee home/report.pdf >home/report_copy.pdf
printf book | tee home/Documents/book >home/Downloads/book
scan home
live='Documents/book Maildir/1 Pictures/a.jpg VMs/disk report.pdf '
run 3 mark drop home
run 0 marks --drop -0
tr '\0' '\n' <"$T/out" | grep -qx "$T/work/home/Documents/book" && fail 'the live file is marked'
run 0 mark clear home
run 1 rm -ry home
[ "$(cd home && find . -type f -printf '%P\n' | LC_ALL=C sort | tr '\n' ' ')" = "$live" ] || fail "left: $(find home -type f)"
run 0 undo
scan home
run 1 rm -rny --keep in:home/Downloads home/Documents home/Downloads
out_has "would remove: $T/work/home/Documents/book"
