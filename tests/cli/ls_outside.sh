# SPDX-License-Identifier: MIT
# What lies outside every root is unknown; what does not exist is an error.
. "$srcdir/tests/cli/lib.sh"

mkdir in out
printf 'x' >in/x
printf 'x' >out/y
scan in
run 0 ls out
out <<END
   unknown  $T/work/out/y (never scanned)
END
run 3 dups out
out </dev/null
run 2 ls nowhere
err_has "'$T/work/nowhere' does not exist"
out </dev/null
run 2 dups in/nowhere
run 2 uniques in/x/below
run 2 ls ''
