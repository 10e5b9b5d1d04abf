# SPDX-License-Identifier: MIT
# On a terminal an error with a long path takes two lines: the path stands on the first, whole, and the cause on the second.
. "$srcdir/tests/cli/lib.sh"

need script
long=/nonexistent/$(printf '%0100d' 1)
scan .
terminal 80 ls "$long"
printf "%s\n" "twindex: '$long'" '  does not exist' '' | out
# What comes before the path stands before it, and its colon behind it.
: >file
terminal 80 --db "$T/work/file$long/index.db" scan .
printf "%s\n" "twindex: make the directory of '$T/work/file$long/index.db':" '  Not a directory' '' | out
# One that fits is on one line, and one with a short path is broken between words.
terminal 80 ls /nonexistent/short
out_line "twindex: '/nonexistent/short' does not exist"
terminal 40 ls "/nonexistent/$(printf '%06d' 1)"
printf "%s\n" "twindex: '/nonexistent/000001'" '  does not exist' '' | out
terminal 140 ls "$long"
out_line "twindex: '$long' does not exist"
# A pipe gets each message as a line.
run 2 ls "$long"
says "$T/err" "twindex: '$long' does not exist" || { show_run; fail 'not one line'; }
