# SPDX-License-Identifier: MIT
"""What the tests share that have archives damaged and other programs judge what is said of them."""
import os, subprocess, sys

def fail(message):
    print('FAIL:', message)
    sys.exit(1)

def run(*arguments, statuses=(0, 1, 3)):
    ended = subprocess.run([os.environ['TWINDEX'], *arguments], capture_output=True, timeout=300)
    if ended.returncode not in statuses:
        fail(f'{arguments}: {ended.returncode}: {ended.stderr[-500:]}')
    return ended

def damage_of(data, chance):
    """The bytes with some of them changed, lost or doubled, as chance has it."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 40))):
        how, at = chance.randrange(6), chance.randrange(len(data))
        if how < 2:
            data[at] = chance.randrange(256)
        elif how == 2:
            data[at:at + 4] = chance.choice((b'\xff\xff\xff\xff', b'\0\0\0\0', b'\x7f\xff\xff\xff', chance.randbytes(4)))[:len(data) - at]
        elif how == 3:
            del data[at:]
        elif how == 4:
            piece = chance.randrange(1, 400)
            data[at:at] = data[max(0, at - piece):at]
        else:
            del data[at:at + chance.randrange(1, 300)]
        if len(data) < 30:
            break
    return bytes(data) or b'x'
