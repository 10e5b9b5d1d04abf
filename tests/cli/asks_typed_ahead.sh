# SPDX-License-Identifier: MIT
# What is typed before a question is shown answers none: rm, link, safe --rescue, forget, each file of rm -i, and decide with what it offers.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python3'
mkdir d e
for f in 1 2 3; do
	printf 'content %s' $f >d/$f
	cp d/$f e/$f
done
scan .
cat >"$T/ask.py" <<'END'
# ask.py AHEAD QUESTION ANSWERS COMMAND...: AHEAD is typed before the command begins, then each letter of ANSWERS, or each word between colons, as a line,
# or with "=" in front as a key, when QUESTION has been shown once more; and AHEAD again behind each.
import os, pty, signal, sys, time
signal.alarm(30)
os.environ["TERM"] = "dumb"
ahead, question, answers, command = sys.argv[1].encode().decode("unicode_escape").encode(), sys.argv[2].encode(), sys.argv[3], sys.argv[4:]
keys = answers.startswith("=")
answers = list(answers.lstrip("=")) if ":" not in answers else answers.split(":")
ready, go = os.pipe()
pid, fd = pty.fork()
if pid == 0:
    os.close(go)
    os.read(ready, 1)
    os.execv(command[0], command)
os.write(fd, ahead)
time.sleep(0.1)
os.close(go)
seen, shown = b"", 0
while True:
    try:
        got = os.read(fd, 4096)
    except OSError:
        break
    if not got:
        break
    seen += got
    if seen.count(question) > shown and answers:
        shown = seen.count(question)
        # The question is drawn: what comes now is meant.
        time.sleep(0.1)
        os.write(fd, answers.pop(0).encode() + (b"" if keys else b"\n"))
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
python_forks "$PYTHON" -S pty signal time
# typed STATUS AHEAD QUESTION ANSWERS ARG...
typed() {
	want=$1
	shift
	ahead=$1 question=$2 answers=$3
	shift 3
	forked "$T/out" "$T/err" "$T/ask.py" "$ahead" "$question" "$answers" "$TWINDEX" "$@"
	ran="$ahead before $*"
	[ $got -eq "$want" ] || { show_run; fail "status $got instead of $want"; }
}
typed 1 'yes\n' 'No] ' n rm d/1
[ -e d/1 ] || fail 'rm took what was typed before'
typed 1 'yes\nyes\nyes\n' 'No] ' n rm -r d
[ "$(ls d | tr '\n' ' ')" = '1 2 3 ' ] || fail 'rm -r took it'
typed 1 'a\na\na\n' '[y/N/a/q] ' nnn rm -i -r d
[ "$(ls d | tr '\n' ' ')" = '1 2 3 ' ] || fail 'rm -i took it'
typed 1 'yes\n' 'No] ' n link --hard d/1
[ ! d/1 -ef e/1 ] || fail 'link took it'
typed 1 'y\n' '[y/N] ' n forget d
run 0 dups d
out_has "$T/work/d/1"
printf 'alone' >d/alone
scan d
typed 1 'y\n' '[y/N] ' n safe d --rescue kept
out_has 'would copy: d/alone'
out_has 'copy 1 file, 5 B, to kept?'
out_has 'nothing is copied'
[ ! -e kept ] || fail 'safe --rescue took it'
# An answer to the question counts.
typed 0 'n\n' '[y/N] ' y safe d --rescue kept
out_has 'copied 1 file, 5 B, to kept'
out_has "scan kept' makes the copies count"
says kept/alone alone || fail 'a y is no yes'
rm d/alone
typed 0 'n\n' 'No] ' y:yes rm d/1
[ ! -e d/1 ] || fail 'a y is no yes'
# decide: neither a group nor what it offers at the end.
typed 0 '1r' 'leave' '=q' decide
run 0 marks
out_lacks drop
[ -e d/2 ] && [ -e e/2 ] || fail 'decide acted'
