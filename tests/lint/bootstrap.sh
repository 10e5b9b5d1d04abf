# SPDX-License-Identifier: MIT
# What bootstrap installs, or says to install, where nothing is there: of the tools that it calls,
# those that ask the machine or change it are scripts here, which note what they are asked.

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
mkdir tools tree
cp "$srcdir/bootstrap" tree/
for tool in sh dirname grep; do
	ln -s "$(command -v $tool)" tools/$tool
done
# play NAME COMMANDS: a tool that does just this.
play()
{
	printf '#!/bin/sh\n%s\n' "$2" >tools/"$1"
	chmod +x tools/"$1"
}
play dpkg-query 'exit 1'
play pkg-config 'exit 1'
play apt-get "echo \"apt-get \$*\" >>$dir/log"
play env 'while [ "${1#*=}" != "$1" ]; do shift; done; "$@"'
# boot STATUS ARG...: leaves err, and in log what was installed.
boot()
{
	status=0 want=$1
	shift
	: >log
	(cd tree && unset CC MORE_PACKAGES MORE_PYTHON && PATH=$dir/tools exec ./bootstrap "$@") >out 2>err </dev/null || status=$?
	[ $status -eq "$want" ] || fail "bootstrap $* exits with $status"
}
fail()
{
	echo "bootstrap: $*"
	cat err log
	exit 1
}

# Neither root nor sudo: one line to type, and the end.
play id 'echo 1000'
boot 1
[ ! -s log ] || fail "something was installed by nobody"
[ "$(grep -c 'apt-get install' err)" = 1 ] && grep -q 'apt-get install .* gcc .*libsqlite3-dev .*libncurses-dev libzstd-dev libgcrypt20-dev libarchive-dev libqrencode-dev$' err ||
	fail "not one line to type"
! grep -q jdupes err || fail "names tools of tests"
boot 1 --tests
[ "$(grep -c 'apt-get install .* gcc .*jdupes' err)" = 1 ] || fail "not one line to type with --tests"

# Nobody is there to type a password for sudo.
play sudo "[ \"\$1\" != -n ] || exit 1; echo \"sudo \$*\" >>$dir/log"
boot 1
[ ! -s log ] || fail "sudo was run"

# Root: what the build needs; and with --tests what tests use.
play id 'echo 0'
boot 1
grep -q '^apt-get install .* gcc ' log || fail "does not install the compiler"
! grep -q jdupes log || fail "installs tools of tests that nobody asked for"
boot 1 --tests
grep -q '^apt-get install .*jdupes' log || fail "does not install tools of tests"
grep -q '^bootstrap: missing: .*check >= 0.15' err || fail "does not miss Check"
