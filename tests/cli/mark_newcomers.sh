# SPDX-License-Identifier: MIT
# Files that came into a directory after all else in it was marked keep are told by scan and marks; of other directories
# nothing is said.
. "$srcdir/tests/cli/lib.sh"

mkdir -p home/photos/2024 home/mixed home/zz
printf 'one' | tee home/photos/2024/a >home/zz/a
printf 'two' | tee home/mixed/kept >home/mixed/other
scan home
run 0 mark keep home/photos home/mixed/kept
scan home
err_lacks came
run 0 marks
err_lacks came
# Marks know whole seconds.
sleep 1.1
mkdir home/photos/2025
printf 'new' >home/photos/2025/b
printf 'new' >home/mixed/new
printf 'newer' >home/photos/2024/c
scan home
err_has "2 files came into '$T/work/home/photos' after all else there was marked keep: 'twindex mark keep DIR' keeps them, too"
err_lacks mixed
run 0 marks
err_has '2 files came'
run 0 marks -q
err_lacks came
run 0 marks --drop
err_lacks came
scan -q home
err_lacks came
run 0 mark keep home/photos/2025
run 0 marks
err_has "1 file came into '$T/work/home/photos/2024' after"
run 0 mark keep home/photos
run 0 marks
err_lacks came

# Two directories.
mkdir home/docs
printf 'three' >home/docs/d
scan home
run 0 mark keep home/docs
sleep 1.1
printf 'a' >home/docs/e
printf 'b' >home/photos/2024/f
scan home
err_has "2 files came into 2 directories after all else there was marked keep, the first is '$T/work/home/docs'"
