# SPDX-License-Identifier: MIT
# On a terminal rm says what it would do and asks for the word yes; elsewhere it wants to be told; -i asks for each file.
. "$srcdir/tests/cli/lib.sh"

mkdir d e
for f in 1 2 3; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
scan .
run 2 rm d/1 </dev/null
err_has 'no terminal to ask on'
[ -e d/1 ] || fail 'removed without a word'

# What stays by an answer, or without one, makes the status 1.
got=0
printf 'n\ny\nq\n' | "$TWINDEX" rm -r d -i >"$T/out" 2>"$T/err" || got=$?
[ $got -eq 1 ] || fail "two of three stay: status $got"
[ -e d/1 ] && [ ! -e d/2 ] && [ -e d/3 ] || fail "left: $(ls d)"
err_has "remove: $T/work/d/1"
err_has " stays: $T/work/e/1"
got=0
printf '' | "$TWINDEX" rm -r d -i >"$T/out" 2>"$T/err" || got=$?
[ $got -eq 1 ] || fail "the end of the answers: status $got"
err_has 'nothing is removed'
[ -e d/1 ] && [ -e d/3 ] || fail "the end of the answers was a yes"
got=0
printf 'n\nno\n' | "$TWINDEX" rm -r d -i >"$T/out" 2>"$T/err" || got=$?
[ $got -eq 1 ] && [ -e d/1 ] && [ -e d/3 ] || fail "always no: status $got"
# A line that was pasted behind the command answers nothing.
got=0
printf 'yum install twindex\nall at once\n' | "$TWINDEX" rm -r d -i >"$T/out" 2>"$T/err" || got=$?
[ $got -eq 1 ] && [ -e d/1 ] && [ -e d/3 ] || fail "another line than an answer: status $got"
got=0
printf ' \nYES \n' | "$TWINDEX" rm -r d -i --json >"$T/out" 2>"$T/err" || got=$?
[ $got -eq 1 ] || fail "one of two stays: status $got"
out_has "\"path\":\"$T/work/d/1\",\"outcome\":\"stays\""
out_has '"verdict":"some_stay","exit":1'
[ -e d/1 ] && [ ! -e d/3 ] || fail "left: $(ls d)"
printf 'a\n' | "$TWINDEX" rm -r d -i >"$T/out" 2>"$T/err" || fail "status $?"
[ -z "$(ls d)" ] || fail "left: $(ls d)"

[ -n "$PYTHON" ] || skip 'no python3'
cp e/1 d/1
scan .
cat >"$T/ask.py" <<'END'
import os, pty, sys
answer, command = sys.argv[1].encode().split(b' '), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(command[0], command)
seen, asked = b'', 0
while True:
    try:
        got = os.read(fd, 4096)
    except OSError:
        break
    if not got:
        break
    seen += got
    if seen.count(b'No] ') > asked and answer:
        asked = seen.count(b'No] ')
        os.write(fd, answer.pop(0) + b'\n')
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
got=0
"$PYTHON" -S "$T/ask.py" n "$TWINDEX" rm d/1 >"$T/out" || got=$?
[ $got -eq 1 ] && [ -e d/1 ] || fail "no: status $got"
out_has 'would remove: d/1'
out_has 'remove 1 file, '
out_has 'nothing is removed'
got=0
"$PYTHON" -S "$T/ask.py" 'y yep no' "$TWINDEX" rm d/1 >"$T/out" || got=$?
[ $got -eq 1 ] && [ -e d/1 ] || fail "a letter: status $got"
[ "$(grep -c 'type the whole word yes, or no' "$T/out")" -eq 2 ] || fail "$(cat "$T/out")"
got=0
"$PYTHON" -S "$T/ask.py" '' "$TWINDEX" rm d/1 >"$T/out" || got=$?
[ $got -eq 1 ] && [ -e d/1 ] || fail "only Enter: status $got"
out_lacks 'type the whole'
got=0
"$PYTHON" -S "$T/ask.py" yes "$TWINDEX" rm d/1 >"$T/out" || got=$?
[ $got -eq 0 ] && [ ! -e d/1 ] || fail "yes: status $got"
