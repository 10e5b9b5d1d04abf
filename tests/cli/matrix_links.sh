# SPDX-License-Identifier: MIT
# What every question and act says of a file that has other names, and no copy.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
. "$srcdir/tests/cli/matrix.sh"

linked() { other=$1 && mkdir "$1" && ln a/f "$1/f"; }
within() { ln a/f a/g; scan .; }
outside() { linked b; scan .; }
unmet() { ln a/f "$base/unmet-link"; scan .; }
in_trash() { mkdir .Trash-7 && linked .Trash-7/files && scan .; }
excluded() { linked b; scan --exclude /b .; }
in_parts() { scan .; sleep 0.05; linked b; scan b; }
with_copy() { linked b; mkdir c && cp a/f c/f && scan .; }

# A link keeps the content of a directory that goes, and is no copy for a backup; one that no scan has met keeps nothing.
matrix <<'END'
row         file ls         dups uniq uniq-x cont comp risk 1-vol redun report  du  sim mark rm-n hard soft rmsh vols rm-y
within         1 linked       -0   -0     +0    1    .    1     1     1    0-0 0/0    .    1    1    1    1   -1  2/0   +1
outside        1 linked       -0   -0     -0    0    0    1     1     0    0-0 0/0  1/0    1    1    1    1   -1  2/0   +1
unmet          1 unique       -0   +0     +0    1    .    1     1     1    0-0 0/0    .    1    1    1    1   -1  1/0   +1
in_trash       1 unique       -0   +0     +0    1    0    1     1     1    0-0 0/0  1/0    1    1    1    1   -1  2/0   +1
excluded       1 unique       -0   +0     +0    3    2    1     1     1    0-0 0/0  0/2    1    1    1    1   -1  1/0   +1
in_parts       1 changed      -3   -3     -3    3    3    3     3     3    0-0 0/0  1/3    1    3    3    3   -3  2/0   +3
with_copy      0 dup          +0   -0     -0    0    0    0     1     0    1+0 0/0  1/0    0    0    0    0   +0  3/0   -0
END
