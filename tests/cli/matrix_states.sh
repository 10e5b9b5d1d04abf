# SPDX-License-Identifier: MIT
# What every question and act says of a file whose copy is there, gone, changed, unread, not known, or not wanted.
. "$srcdir/tests/cli/lib.sh"
. "$srcdir/tests/cli/mounts.sh"
. "$srcdir/tests/cli/matrix.sh"

plain() { copy b; scan .; }
hidden() { copy .h; scan .; }
dropped() { copy b; scan .; run 0 mark drop b/f; }
kept() { copy b; scan .; run 0 mark keep a/f; }
left_out() { copy .h; scan --no-hidden .; }
excluded() { copy b; scan --exclude /b .; }
gone() { copy b; scan .; rm b/f; }
new() { scan .; copy b; }
changed() { copy b; scan .; echo another >b/f; }
own() { [ "$(id -u)" != 0 ] || { command -v setpriv >/dev/null && ordinary && chown -R 65534:65534 "$base/$row"; }; }
closed() { copy b; own && scan . && chmod 0 b; }
unread() { copy b; own && chmod 0 b/f && run 3 scan . ; }
# Too large to be read in that time.
unfinished() { copy b && truncate -s 400G a/f b/f && run 3 scan --racy-window 0s --max-time 1ms .; }
indexed_too()
{
	copy b
	scan a
	run 0 --db "$T/index.db-other" --secret-from "$TWINDEX_DB" scan --racy-window 0s b
	with="--with $T/index.db-other"
}

# A copy that has changed or cannot be looked at lies on the same disk, whatever it is: --one-volume need not know.
matrix <<'END'
row         file ls         dups uniq uniq-x cont comp risk 1-vol redun report  du  sim mark rm-n hard soft rmsh vols rm-y
plain          0 dup          +0   -0     -0    0    0    0     1     0    1+0 8/0  1/0    0    0    0    0   +0  2/0   -0
hidden         0 dup          +0   -0     -0    0    0    0     1     0    1+0 8/0  1/0    0    0    0    0   +0  2/0   -0
dropped        0 dup          +0   -0     -0    0    0    0     1     0    1+0 8/0  1/0    1    0    0    0   +0  2/0   -0
kept           0 dup          +0   -0     -0    0    0    0     1     1    1-0 8/0  1/0    1    1    1    1   -1  2/0   +1
left_out       1 unique       -0   +0     +0    3    2    1     1     1    0-0 0/0  0/2    1    1    1    1   -1  1/0   +1
excluded       1 unique       -0   +0     +0    3    2    1     1     1    0-0 0/0  0/2    1    1    1    1   -1  1/0   +1
gone           1 unique       -0   +0     +0    1    1    1     1     1    0-0 8/0  1/3    1    1    1    1   -1  2/0   +1
new            1 unique       -0   +0     +0    3    2    1     1     1    0-0 0/0  0/2    1    1    1    1   -1  1/0   +1
changed        1 unknown      -3   -3     -3    3    3    3     1     3    0-0 8/0  1/3    1    3    3    3   -3  2/0   +3
closed         1 unknown      -3   -3     -3    3    3    3     1     3    0-3 8/0  1/3    1    3    3    3   -3  2/0   +3
unread         1 unknown      -3   -3     -3    3    3    3     3     1    0-3 0/0  0/3    1    3    3    3   -3  2/0   +3
unfinished     3 unknown      -3   -3     -3    3    3    3     3     3    0-3 0/3  0/3    1    3    3    3   -3  2/3   +3
indexed_too    0 dup          +0   -0     -0    0    0    1     1     1    1-0 0/0  0/2    1    1    1    1   -1  1/0   +1
END
