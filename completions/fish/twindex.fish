# SPDX-License-Identifier: MIT
# Completion of twindex for fish: `twindex __complete` knows what may follow.

function __twindex_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    # A quote that is still open is closed.
    set -l plain (string unescape -- $word"" || string unescape -- $word"'" || string unescape -- $word'"')
    # The home directory is asked for as ~, and told as it was typed.
    set -l home (string match -r -- '^"?(\$HOME)/' $word)[2]
    test -z "$home" || set plain '~'(string sub -s 6 -- $plain)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    # env is quiet where there is no such program.
    set -l answer (env -- $program __complete --null -- $words[2..] "$plain" 2>/dev/null | string split0)
    for i in (seq 1 2 (count $answer))
        # What follows a tab would be told about the rest, which is another name.
        string match -q -- \*\t\* $answer[$i] && continue
        test -z "$home" || set answer[$i] $home(string sub -s 2 -- $answer[$i])
        printf '%s\t%s\0' $answer[$i] $answer[(math $i + 1)]
    end | string split0
end
complete -c twindex -f -a '(__twindex_complete)'
