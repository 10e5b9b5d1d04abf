# SPDX-License-Identifier: MIT
# hash says what stands in place of a file: a link to nothing (status 2), a FIFO, a directory, a ring of links (3).
. "$srcdir/tests/cli/lib.sh"

printf x >file
ln -s file link
ln -s nowhere dangling
ln -s ring ring
mkfifo fifo
mkdir dir
scan dir
for keyed in '' -k; do
	# shellcheck disable=SC2086
	run 2 hash $keyed dangling link
	err_has "'dangling': the link leads to nothing"
	out_has '  link'
	# shellcheck disable=SC2086
	run 2 hash $keyed nowhere
	err_has "'nowhere': No such file or directory"
	# shellcheck disable=SC2086
	run 3 hash $keyed fifo dir ring file
	err_has "'fifo': it is not a regular file"
	err_has "'dir': Is a directory"
	err_has "'ring': Too many levels of symbolic links"
	out_has '  file'
done
