# SPDX-License-Identifier: MIT
# rm -n --json and link -n --json print a plan, and --plan acts on just that one: on no other file, and by no other copy.
# What no longer holds stays and is told; a document that is not whole, edited or of another command does nothing.
. "$srcdir/tests/cli/lib.sh"

need jq
odd=$(printf 'n\nq\377"')
mkdir -p t/a t/b t/c
for f in 1 2 3 4 5 "$odd"; do
	printf 'content %s' "$f" >"t/a/$f"
	cp "t/a/$f" "t/b/$f"
done
scan t
files() { find t -type f | wc -l; }
plan() {
	"$TWINDEX" "$@" >"$T/plan" 2>"$T/err" || fail "no plan: $(cat "$T/err")"
	jq -e '.schema_version == 1 and .digest != null and .exit == 0 and .planned == (.files | length)' "$T/plan" >/dev/null || fail "$(cat "$T/plan")"
}

# What is no plan does nothing.
plan rm -n --json -r --only t/a t
n=$(files)
head -c 400 "$T/plan" >"$T/cut"
run 2 rm --plan "$T/cut"
err_has 'is cut short, or is not JSON'
jq -c '.files[0].path = .files[1].path' "$T/plan" >"$T/edited"
run 2 rm --plan "$T/edited"
err_has 'nothing is done'
jq -c '.files[0].keepers[0].path = "/etc/passwd"' "$T/plan" >"$T/edited"
run 2 rm --plan "$T/edited"
err_has 'was changed since it was made'
jq -c '.files[0].keepers[0].path = .files[1].path' "$T/plan" >"$T/edited"
run 2 rm --plan "$T/edited"
err_has 'both as one that goes and as one that stays'
for change in '.files[0].path = 5' '.files[0].path = "../x"' '.files[0].path = "/a/../b"' '.files = ["x"]' '.files = 7' 'del(.files[0].keepers)' \
	'.schema_version = 2' '.kind = "burn"' '.copies = 7' 'del(.exit)' '.files[0].hash = null' '.files[0].path_b64 = "%%"'; do
	in_turn || continue
	jq -c "$change" "$T/plan" >"$T/edited"
	run 2 rm --plan "$T/edited"
	err_has "$T/edited"
done
run 2 link --plan "$T/plan"
err_has 'is of another command'
run 2 rm --plan "$T/nowhere"
run 2 rm --plan "$T/plan" t
run 2 rm --plan "$T/plan" --marked
echo '[]' | "$TWINDEX" rm --plan - >/dev/null 2>&1 && fail 'a list is no plan'
[ "$(files)" = "$n" ] || fail 'something went'

# One that fits is acted on, but for what has changed, is protected, or has lost its copy since.
echo another >t/b/2
cp t/a/3 t/c/3
rm t/b/3
touch -d 2001-02-03 t/a/4
scan t
# -n promises no more than that, in text and sum, and as a plan that can be done.
run 1 rm -n --plan "$T/plan" --protect t/a/5
out_has 'would remove 2 files'
[ "$(grep -c '^would remove: ' "$T/out")" = 2 ] || fail "$(cat "$T/out")"
run 1 rm -n --json --plan "$T/plan" --protect t/a/5
jq -e '.planned == 2 and ([.files[] | select(.outcome == "planned")] | length == 2) and .exit == 1' "$T/out" >/dev/null || fail "$(cat "$T/out")"
cp "$T/out" "$T/held"
run 0 rm -n --plan "$T/held" --protect t/a/5
run 1 rm --plan "$T/plan" --protect t/a/5 --json
[ -e t/a/2 ] && [ -e t/a/3 ] && [ -e t/a/4 ] && [ -e t/a/5 ] || fail 'a file went whose state the plan does not tell'
[ ! -e t/a/1 ] && [ ! -e "t/a/$odd" ] || fail 'a file of the plan stays'
jq -e '([.files[] | select(.outcome == "done")] | length == 2) and
	([.files[] | select(.outcome == "stays") | .why] | length == 4) and
	.verdict == "some_stay" and .exit == 1 and .done == 2 and
	(.files[] | select(.path | endswith("/3")) | .why | test("no copy that the plan names")) and
	(.files[] | select(.path | endswith("/4")) | .why | test("changed since the plan"))' "$T/out" >/dev/null || fail "$(cat "$T/out")"

# Once more: nothing of it is left to do.  -n tells what of a plan still holds.
run 1 rm --plan "$T/plan" -q
run 0 undo -q
run 0 scan -q --racy-window 0s
rm t/a/3
plan rm -n --json t/a/5
run 0 rm -n --plan "$T/plan"
out_has "would remove: $T/work/t/a/5"
[ -e t/a/5 ] || fail 'it went'
run 0 rm --plan "$T/plan"
[ ! -e t/a/5 ] || fail 'it stays'

# Links, and from a pipe.
cp t/b/5 t/a/5
scan t
"$TWINDEX" link -n --hard --json t/a/5 | "$TWINDEX" link --json --plan - >"$T/out" || fail 'no link'
jq -e '.kind == "hard" and .done == 1' "$T/out" >/dev/null || fail "$(cat "$T/out")"
[ t/a/5 -ef t/b/5 ] || fail 'no link was made'
run 2 link --hard --plan "$T/plan"

# What the config file says of other acts is not typed: a plan says what is done.
printf '[rm]\ntrash = yes\n[link]\nhard = yes\n' >"$T/config"
rm -rf t
mkdir -p t/a t/b
for f in 1 2; do
	echo "once more $f" >t/a/$f
	cp t/a/$f t/b/$f
done
scan t
plan rm -n --json t/a/1
cp "$T/plan" "$T/plan1"
plan link -n --json --soft t/a/2
TWINDEX_CONFIG=$T/config
export TWINDEX_CONFIG
run 0 rm --plan "$T/plan1"
run 0 link --plan "$T/plan"
[ ! -e t/a/1 ] && [ -L t/a/2 ] || fail 'a plan was not carried out beside a config file'
