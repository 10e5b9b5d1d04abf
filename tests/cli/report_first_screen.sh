# SPDX-License-Identifier: MIT
# report on a terminal begins with a first screen: the answer, where most of it lies, what is next; -a lists the sets.
. "$srcdir/tests/cli/lib.sh"

need script
mkdir -p deep/er/one deep/er/two few 'odd name'
for i in 10 11 12 13 14 15 16 17 18 19 20; do
	printf "%0${i}00d" "$i" >deep/er/one/$i
	cp deep/er/one/$i deep/er/two
done
printf '%0500d' 1 >few/1
cp few/1 'odd name'
printf 'alone' >deep/alone
scan .

HOME=$T terminal 80 report
out <<END
25 files, 33.2 KiB in ~/work, 99% of it duplicated
16.6 KiB (49%) of it can go, a copy stays: 12 sets of duplicates

where the waste is (columns overlap: every copy counts, one has to stay)
    size                    redundant  duplicated
16.1 KiB  ################   16.1 KiB        100%  deep/er/one/
16.1 KiB  ################   16.1 KiB        100%  deep/er/two/
   500 B  #                     500 B        100%  few/
   500 B  #                     500 B        100%  odd name/

the sets with the most waste
   2.0 KiB  ################       2 copies  deep/er/one/20
   1.9 KiB  ###############        2 copies  deep/er/one/19
   1.8 KiB  ##############         2 copies  deep/er/one/18
   1.7 KiB  ##############         2 copies  deep/er/one/17
   1.6 KiB  #############          2 copies  deep/er/one/16
   1.5 KiB  ############           2 copies  deep/er/one/15

next
  twindex decide deep/er/one      choose which copies to keep; deletes nothing
  twindex redundant               directories that can go as a whole
  twindex report --all            all 12 sets

END
# A narrow terminal loses bars, the beginnings of paths and what steps are for; sentences are broken between words.
terminal 36 report deep
out_has '   2.0 KiB       2 copies  ...one/20'
out_line '  twindex redundant deep'
out_line '  twindex report --all deep'
out_line 'where the waste is (columns'
out_line 'overlap: every copy counts, one has'
terminal 30 report -a deep
out_line '2 copies of 2.0 KiB each,'
out_line '  2.0 KiB redundant'
out_line '11 sets, 22 files, 16.1 KiB'
# A step is typed as it stands.
mkdir 'a b' 'a b/in' "it's" "it's/in"
cp deep/er/one/* 'a b/in'
cp deep/er/one/* 'a b'
cp deep/er/one/* "it's"
cp deep/er/one/* "it's/in"
scan .
HOME=$T terminal 80 report 'a\ b'
out_line "  twindex decide 'a b'            choose which copies to keep; deletes nothing"
out_line "  twindex redundant 'a b'         directories that can go as a whole"
HOME=$T terminal 80 report "it\\'s"
out_line '  twindex redundant DIR           directories that can go as a whole'
cd /
HOME=$T terminal 80 report "$T/work/a\\ b"
out_line "  twindex report --all ~/'work/a b'  all 11 sets"
cd "$T/work"
rm -r 'a b' "it's"
scan .
# What is asked for in particular, and few sets, are listed; paths are whole if told so.
terminal 80 report -a
out_line '  > deep/er/one/10'
terminal 80 report --top 1 --absolute
out_line "  > $T/work/deep/er/one/20"
terminal 80 report few
out_line '  > odd name/1'
# So is all that goes into a pipe.
run 0 report
out_line "  $T/work/odd name/1"
# From another directory, home is ~; what it would be read as otherwise is whole: options, numbers of the shell, and what
# a shell takes for a comment, another program or nothing.
mkdir -- '-x' '~'
printf '%0900d' 1 >./-x/1
cp ./-x/1 '~/2'
for name in =ls '#h' ' blank' 2021 3- 4.1 5a .6; do
	cp ./-x/1 "$name"
done
scan .
HOME=$T terminal 80 report --min-size 900 --top 99 -- ./-x
out_line '    ~/work/-x/1'
out_line '  > ~/work/~/2'
for name in =ls '#h' ' blank' 2021 3- 4.1; do
	out_line "  > ~/work/$name"
done
out_line '  > 5a'
out_line '  > .6'
cd /
HOME=$T terminal 80 dups "$T/work/few"
out_line '~/work/few/1'
# Where all of it is directly in the directory asked about, nothing says so again.
cd "$T/work"
HOME=$T terminal 80 report deep/er/one
out_lacks 'where the waste is'
# What is as of the last scan is the most that can go where copies were not counted, and why is said, be it offline.
mkdir "$T/disk"
cp deep/er/one/1? "$T/disk"
scan "$T/disk"
terminal 80 report
out_lacks 'up to'
mv "$T/disk" "$T/away"
rm deep/er/two/20
terminal 80 report
out_has 'up to '
out_line '1 member gone or changed since the last scan: run twindex scan'
out_line '10 members offline: not counted'
