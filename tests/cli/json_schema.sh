# SPDX-License-Identifier: MIT
# Each document and each line that a command prints as JSON is what `help --schema` says, and has no member besides.
. "$srcdir/tests/cli/lib.sh"

[ -n "$PYTHON" ] || skip 'no python3'
"$PYTHON" -c 'import sys, importlib.util as u; sys.exit(not u.find_spec("jsonschema"))' || skip 'no jsonschema for python3'
odd=$(printf 'n\nq\377"')
mkdir -p t/a t/b t/c/.Trash-7/files
for f in 1 2 3 "$odd"; do
	printf 'content %s' "$f" >"t/a/$f"
	cp "t/a/$f" "t/b/$f"
done
echo alone >t/a/alone
cp t/a/alone t/c/.Trash-7/files/
ln t/a/1 t/a/link
mkdir out
n=0 names=
# Whatever the answer is: a document is printed, unless the call as a whole failed.
doc() {
	n=$((n + 1))
	status=0
	"$TWINDEX" "$@" >"out/$n.json" 2>"$T/err" || status=$?
	[ $status -le "${most:-3}" ] || fail "$*: $status, $(cat "$T/err")"
	echo "$n $status $*" >>"$T/asked"
	names="$names $1 "
}
lines() {
	n=$((n + 1))
	"$TWINDEX" "$@" --format ndjson >"out/$n.lines" 2>"$T/err"
	echo "$n - $*" >>"$T/asked"
}
doc scan --json t
doc scan --json -n --exclude x t
doc scan --json "$T/work/t" --min-size 1
doc refresh --json
doc info --json
doc export --json --host x --out "$T/export"
most=6 doc export --json
doc mark drop --json t/a/1
doc mark drop --json t/a/alone
doc mark keep --json t/b
doc mark undo --json
doc mark clear --json t/a
doc mark drop --json t/a/2
for question in 'report' 'ls t/a' 'dups t' 'uniques t' 'contained t/a t/b' 'safe t/a' 'compare t/a t/b' 'redundant t' 'at-risk t' 'at-risk --files t' 'diff' 'similar t' \
	'file t/a/1 t/a/alone' 'du t' 'waste t' 'tree t' 'where alone' 'marks' 'volumes'; do
	# shellcheck disable=SC2086
	doc $question --json
	# shellcheck disable=SC2086
	! in_turn || lines $question
done
doc moves --json t/a t/b
printf '\377\330\377\300\0\2\377\332\0\2data\377\331' >"t/a/$odd.jpg"
printf '\377\330\377\376\0\3x\377\300\0\2\377\332\0\2data\377\331' >t/b/x.jpg
doc scan --json --payload t
doc report --json --payload
doc file --json t/b/x.jpg
lines file t/b/x.jpg
doc similar --json --payload
doc rm -n --json -r t
doc link -n --json --hard -r t
doc rm -y --json t/a/2 t/a/alone
doc rm -y --json --trash t/a/3
doc link -y --json --hard "t/a/$odd"
doc safe t/b --rescue of-b --json -n
doc safe t --rescue of-t --json --yes
doc log --json
doc undo -n --json
doc undo --json 2
doc recover --json
doc recover -n --json
doc check --json
doc validate --json -v
printf 'rotten' >t/b/1
doc validate --json
doc digest --json t
doc digest --json --kind md5,sha1 t/a
doc digest --json --list t
doc hash --json t/a/4 t/b/2 "t/b/$odd" t/b
doc hash --json -k t/b/2
doc decide --json t </dev/null
echo "9dd4e461268c8034f5c8564e155c67a6  x" >sums
doc import sums --as nas --json
doc file --elsewhere t/a/3 --json
lines file --elsewhere t/a/3
doc at-risk --elsewhere --json
doc contained t/a --in nas: --json
doc import --list --json
doc import --drop nas --json
doc forget --json t/c/.Trash-7 t/b/2
doc forget --json t/nowhere
# Of a call that fails.
most=5
doc forget --json
doc ls --json --db none.db
lines ls --db none.db
printf 'x' | dd of="$TWINDEX_DB" bs=1 seek=5000 conv=notrunc 2>/dev/null
doc check --json

# All that take the option were asked.
"$TWINDEX" help --all | sed -n '/^commands:$/,/^topics:$/s/^  \([a-z][a-z-]*\) .*/\1/p' | while read -r command; do
	case $("$TWINDEX" help "$command") in
	*' --json '*) ;;
	*) continue ;;
	esac
	echo "$command" >>"$T/asked"
	case $names in
	*" $command "*) ;;
	*) echo "$command" ;;
	esac
done >"$T/forgotten"
[ "$(wc -l <"$T/asked")" -gt 20 ] || fail 'help shows few commands with --json'
[ ! -s "$T/forgotten" ] || fail "not asked: $(tr '\n' ' ' <"$T/forgotten")"

"$TWINDEX" help --schema >"$T/schema"
cat >"$T/judge.py" <<'END'
import json, os, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
# That takes as long as all that follows.
if os.environ.get("EVERY_KIND"):
    jsonschema.Draft202012Validator.check_schema(schema)
line = {"$schema": schema["$schema"], "$ref": "#/$defs/line", "$defs": schema["$defs"]}
# jsonschema.validate() would check the schema anew for each document.
validators = {"json": jsonschema.Draft202012Validator(schema), "lines": jsonschema.Draft202012Validator(line)}
asked = {row.split()[0]: row.strip() for row in open(sys.argv[2], errors="replace")}
wrong = 0
for name in sorted(os.listdir("out")):
    number, kind = name.split(".")
    texts = [open("out/" + name).read()] if kind == "json" else open("out/" + name).read().splitlines()
    if not texts:
        print(asked[number], "printed nothing"); wrong += 1
    for text in texts:
        try:
            best = jsonschema.exceptions.best_match(validators[kind].iter_errors(json.loads(text)))
        except ValueError as e:
            print(asked[number], e, text[:300]); wrong += 1
            continue
        if best is not None:
            print(asked[number], best.message[:200], text[:600]); wrong += 1
    if kind == "json" and texts[0].strip() and json.loads(texts[0])["exit"] != int(asked[number].split()[1]):
        print(asked[number], "says another exit status"); wrong += 1
    if kind == "lines" and texts and json.loads(texts[-1]).get("type") != "verdict":
        print(asked[number], "has no end"); wrong += 1
sys.exit(wrong > 0)
END
"$PYTHON" "$T/judge.py" "$T/schema" "$T/asked" >"$T/wrong" 2>&1 || fail "$(cat "$T/wrong")"
