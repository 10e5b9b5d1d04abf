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
