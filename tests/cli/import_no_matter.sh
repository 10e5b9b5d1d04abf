# SPDX-License-Identifier: MIT
# Claims are no copies: all answers and what rm removes are the same with and without them.
. "$srcdir/tests/cli/lib.sh"

make_tree()
{
	mkdir -p d/e
	printf 'twice\n' >d/a
	printf 'twice\n' >d/e/b
	printf 'alone\n' >d/alone
}
# What is asked, and what goes: all that is printed, without times.
ask()
{
	for question in 'ls d' 'uniques d' 'dups d' 'safe d/e' 'contained d/e --in d' 'redundant' 'at-risk' 'report' 'file d/alone d/a' 'du d' 'marks' \
		'mark drop d/e' 'marks' 'rm -n --marked' 'link -n d' 'rm -r d/e' 'ls d'; do
		echo "== $question"
		# shellcheck disable=SC2086 # words
		"$TWINDEX" $question 2>&1
		echo "status $?"
	done
	find d | sort
}
make_tree
scan d
ask >"$T/without"
rm -rf d
make_tree
rm -f "$TWINDEX_DB"*
scan d
cat >list <<'END'
%%%% HASHDEEP-1.0
%%%% size,md5,sha256,filename
6,44b36ac5acdeb8beb1e2eac7dd6faac5,4ef58f5b0cc5b2ee6bf96b2e4f1f1a5a4c4e8f8e04e6d2a8d0b1f5b2a3c4d5e6,d/alone
6,44b36ac5acdeb8beb1e2eac7dd6faac5,4ef58f5b0cc5b2ee6bf96b2e4f1f1a5a4c4e8f8e04e6d2a8d0b1f5b2a3c4d5e6,d/a
END
run 0 import list --as cloud
ask >"$T/with"
diff "$T/without" "$T/with" || fail 'claims make a difference'
grep -q '^status 1' "$T/with" || fail 'nothing is alone'
