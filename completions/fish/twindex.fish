# SPDX-License-Identifier: MIT
# Completion of twindex for fish: `twindex __complete` knows what may follow.

function __twindex_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    # A quote that is still open is closed.
    set -l plain (string unescape -- $word"" || string unescape -- $word"'" || string unescape -- $word'"')
    set -l answer ($words[1] __complete --null -- $words[2..] "$plain" 2>/dev/null | string split0)
    for i in (seq 1 2 (count $answer))
        printf '%s\t%s\0' $answer[$i] $answer[(math $i + 1)]
    end | string split0
end
complete -c twindex -f -a '(__twindex_complete)'
