# SPDX-License-Identifier: MIT
# du counts an inode once wherever it has names; one that has a name elsewhere frees nothing.
. "$srcdir/tests/cli/lib.sh"

mkdir -p a/in b c
printf '%01000d' 1 >a/one
ln a/one a/again
ln a/one a/in/deep
ln a/one b/far
cp a/one c/copy
printf '%0300d' 2 >b/alone
ln b/alone b/alone2
scan .
run 0 du --format csv -c "$T/work/"
# a's inode stays by its name in b, and so does the content; the copy in c could go.
printf '%s\r\n' 'kind,depth,files,bytes,duplicated,share,redundant,path,path_b64' \
	'"dir",1,3,1300,1000,76.9,0,"b",' '"dir",1,3,1000,1000,100.0,0,"a",' '"dir",1,1,1000,1000,100.0,1000,"c",' \
	'"total",,7,2300,2000,86.9,1000,"'"$T"'/work",' | out
run 0 du --json
out_has '"files":7,"bytes":2300,"duplicated":2000,"share":86.9,"redundant":1000'
# All names of one inode: here they can go, for the copy stays in c.
run 0 du --json -x b
out_has '"total":{"path":"'"$T"'/work","files":4,"bytes":2000,"duplicated":2000,"share":100.0,"redundant":1000}'
out_has '/a","kind":"dir","depth":1,"files":3,"bytes":1000,"duplicated":1000,"share":100.0,"redundant":1000}'
run 0 du --json a
out_has '"kind":"files","depth":1,"files":2,"bytes":1000,'
out_has '"kind":"dir","depth":1,"files":1,"bytes":1000,'
out_has '"files":3,"bytes":1000,'
# The whole has what a report has.
run 0 report --bytes
out_has '1000 redundant'

# Rows of an inode from different scans, with two contents, for only a part was scanned since it was written: it
# counts once in bytes, is a copy of both as in the sets, and frees neither, for nobody knows which one it has now.
mkdir -p two/x/d1 two/x/d2 two/j two/k two/one
printf '%01000d' 1 >two/x/d1/i
ln two/x/d1/i two/x/d2/i
cp two/x/d1/i two/j/j
printf '%01000d' 2 >two/k/k
printf '%0700d' 1 >two/one/o
cp two/one/o two/j/o
printf '%0700d' 2 >two/k/o
run 0 --db two.db scan --racy-window 0s two
printf '%01000d' 2 >two/x/d1/i
run 0 --db two.db scan --racy-window 0s two/x/d2
run 0 --db two.db du --no-check --format csv -c "$T/work/two/" two
printf '%s\r\n' 'kind,depth,files,bytes,duplicated,share,redundant,path,path_b64' \
	'"dir",1,2,1700,1700,100.0,1700,"j",' '"dir",1,2,1700,1000,58.8,1000,"k",' \
	'"dir",1,2,1000,1000,100.0,0,"x",' '"dir",1,1,700,700,100.0,700,"one",' \
	'"total",,7,5100,4400,86.2,2700,"'"$T"'/work/two",' | out
run 0 --db two.db du --no-check --format csv -c "$T/work/two/x/" two/x
printf '%s\r\n' 'kind,depth,files,bytes,duplicated,share,redundant,path,path_b64' \
	'"dir",1,1,1000,1000,100.0,0,"d1",' '"dir",1,1,1000,1000,100.0,0,"d2",' \
	'"total",,2,1000,1000,100.0,0,"'"$T"'/work/two/x",' | out
run 0 --db two.db sql --no-header 'SELECT sum(redundant) FROM set_view'
echo 2700 | out
run 0 --db two.db volumes
out_has '7 files, 5.0 KiB; only here: 7 files, 3.3 KiB'
# As well if the first scan knew no other link.
printf '%0700d' 2 >two/one/o
ln two/one/o two/x/d2/o
run 0 --db two.db scan --racy-window 0s two/x/d2
run 0 --db two.db du --no-check --format csv -c "$T/work/two/" two
printf '%s\r\n' 'kind,depth,files,bytes,duplicated,share,redundant,path,path_b64' \
	'"dir",1,2,1700,1700,100.0,1700,"j",' '"dir",1,2,1700,1700,100.0,1700,"k",' \
	'"dir",1,3,1700,1700,100.0,0,"x",' '"dir",1,1,700,700,100.0,0,"one",' \
	'"total",,8,5100,5100,100.0,3400,"'"$T"'/work/two",' | out
