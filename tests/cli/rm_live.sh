# SPDX-License-Identifier: MIT
# rm, mark, report and redundant keep the live file and let the one in a backup go, wherever it sorts; --keep decides before that.
. "$srcdir/tests/cli/lib.sh"

mkdir -p home/Pictures home/backup-laptop/Pictures home/VMs/old home/Maildir home/a-mail-backup home/Documents home/Downloads
printf picture | tee home/Pictures/a.jpg >home/backup-laptop/Pictures/a.jpg
printf disk | tee home/VMs/disk >'home/VMs/old/disk copy'
printf letter | tee home/Maildir/1 >home/a-mail-backup/1
printf report | tee home/report.pdf >home/report_copy.pdf
printf book | tee home/Documents/book >home/Downloads/book
printf setup | tee home/Downloads/setup.deb >'home/Downloads/setup (1).deb'
scan home
live='Documents/book Downloads/setup.deb Maildir/1 Pictures/a.jpg VMs/disk report.pdf '
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

# redundant goes by the same rule, also where the live directory would free more; of equals by the depth and the path.
mkdir -p away/old-laptop/Maildir/cur away/Maildir/cur away/Downloads/deep
for f in 1 2 3; do printf 'letter %s' $f | tee away/Maildir/cur/$f >away/old-laptop/Maildir/cur/$f; done
cp away/Maildir/cur/1 away/Maildir/cur/again
printf novel | tee away/Downloads/book >away/Downloads/deep/book
scan away
run 1 redundant -0 away -c "$T/work/"
printf 'away/old-laptop\0away/Downloads/deep\0' | out
run 1 rm -rny away
out_lacks "would remove: $T/work/away/Maildir/cur/2"
out_lacks "would remove: $T/work/away/Downloads/book"
run 0 rm -rqy away/Downloads/deep
run 1 rm -rqy away
[ -e away/Maildir/cur/1 ] && [ ! -e away/Maildir/cur/again ] && [ ! -e away/old-laptop/Maildir/cur/1 ] ||
	fail "left: $(find away -type f)"
