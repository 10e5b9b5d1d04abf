# SPDX-License-Identifier: MIT
# du: on a terminal bars are as wide as there is room, in eighths where it shows UTF-8; numbers are in columns.
. "$srcdir/tests/cli/lib.sh"

need script
mkdir half tiny whole
printf '%08000d' 1 >whole/f
printf '%04500d' 1 >half/f
printf '1' >tiny/f
scan .
shown()
{
	LC_ALL=$1 NO_COLOR=1 TERM=xterm script -qec "stty columns $2; $TWINDEX du --bytes -c '$T/'" "$T/typescript" >/dev/null 2>&1 </dev/null
	tr -d '\r' <"$T/typescript" | grep -v '^Script ' >"$T/out"
	sed -i '/^$/d' "$T/out"
}
shown C 65
out <<'END'
 size                               redundant  duplicated
 8000  ###########################          0          0%  whole/
 4500  ###############                      0          0%  half/
    1  #                                    0          0%  tiny/
12501                                       0          0%  work/
END
shown C 46
out_has '    1  #                 0          0%  tiny/'
# Where a short one would make lines wrap there is none.
shown C 45
out <<'END'
 size  redundant  duplicated
 8000          0          0%  whole/
 4500          0          0%  half/
    1          0          0%  tiny/
12501          0          0%  work/
END
locale -a 2>/dev/null | grep -qi '^C.utf-*8$' || skip 'no locale C.UTF-8'
shown C.UTF-8 65
out <<'END'
 size                               redundant  duplicated
 8000  ███████████████████████████          0          0%  whole/
 4500  ███████████████▎                     0          0%  half/
    1  ▏                                    0          0%  tiny/
12501                                       0          0%  work/
END
shown C.UTF-8 66
out_has ' 4500  ███████████████▊  '
# In a pipe neither the width nor the blocks of a terminal.
LC_ALL=C.UTF-8 run 0 du
out_has '#######################################'
