/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <check.h>

#include "ui/opt.h"
#include "unit.h"

struct values {
	bool all, quiet;
	int verbose;
	int64_t threads, min_size, wait;
	const char *db;
	struct opt_list exclude;
	int format;
};

struct globals {
	bool quiet, help;
};

static const char *const formats[] = { "text", "json", "ndjson", "js", "ndtext", NULL };

static const struct opt value_opts[] = {
	OPT_FLAG_('a', "all", struct values, all, "take all"),
	OPT_FLAG_('q', "quiet", struct values, quiet, "say less"),
	OPT_COUNT_('v', "verbose", struct values, verbose, "say more; twice: even more"),
	OPT_INT_('j', "threads", struct values, threads, "N", "use N threads"),
	OPT_SIZE_('m', "min-size", struct values, min_size, "SIZE",
	          "ignore files below SIZE, which is a number of bytes that may be followed by a unit"),
	OPT_SIZE_(0, "minimum", struct values, min_size, "SIZE", "the same"),
	OPT_SIZE_(0, "minsize", struct values, min_size, "SIZE", NULL),
	OPT_FLAG_(0, "allow-old-spelling", struct values, all, NULL),
	OPT_DURATION_(0, "wait", struct values, wait, "TIME", "wait up to TIME"),
	OPT_STRING_('d', "db", struct values, db, "FILE", "use the index FILE"),
	OPT_LIST_('x', "exclude-everything-below", struct values, exclude, "DIRECTORY", "leave out DIRECTORY"),
	OPT_CHOICE_('f', "format", struct values, format, "FORMAT", "print as FORMAT", formats),
	OPT_END
};

static const struct opt global_opts[] = {
	OPT_FLAG_('q', "quiet", struct globals, quiet, "behind the other quiet"),
	OPT_FLAG_('h', "help", struct globals, help, "show this"),
	OPT_FLAG_(0, "allow", struct globals, help, "another beginning"),
	OPT_END
};

/* Words are separated by blanks; ~ is an empty one. */
static int
split(char *text, char **words)
{
	int n = 0;
	char *word, *rest = text;

	while ((word = strtok_r(rest, " ", &rest)) != NULL) {
		if (strcmp(word, "~") == 0)
			*word = '\0';
		words[n++] = word;
	}
	return n;
}

/* What was set, then the operands. */
static void
dump(struct buf *b, const struct values *v, const struct globals *g, char **words, int n)
{
	size_t i;
	int j;

	if (v->all)
		buf_adds(b, "all ");
	if (v->quiet)
		buf_adds(b, "quiet ");
	if (v->verbose)
		buf_addf(b, "verbose=%d ", v->verbose);
	if (v->threads)
		buf_addf(b, "threads=%lld ", (long long)v->threads);
	if (v->min_size)
		buf_addf(b, "min=%lld ", (long long)v->min_size);
	if (v->wait)
		buf_addf(b, "wait=%lld ", (long long)v->wait);
	if (v->db != NULL)
		buf_addf(b, "db=%s ", v->db);
	for (i = 0; i < v->exclude.n; i++)
		buf_addf(b, "exclude=%s ", v->exclude.v[i]);
	if (v->format)
		buf_addf(b, "format=%s ", formats[v->format]);
	if (g->quiet)
		buf_adds(b, "global-quiet ");
	if (g->help)
		buf_adds(b, "help ");
	buf_addc(b, '|');
	for (j = 0; j < n; j++)
		buf_addf(b, " %s", words[j]);
}

static const struct { const char *line, *want; bool stop_early; } parse_rows[] = {
	{ "", "|", false },
	{ "a b", "| a b", false },
	{ "-a", "all |", false },
	{ "-q", "quiet |", false },
	{ "--quiet --help", "quiet help |", false },
	{ "-qvv", "quiet verbose=2 |", false },
	{ "-v x -v y --verbose", "verbose=3 | x y", false },
	{ "-m10k", "min=10240 |", false },
	{ "-vm 10k x", "verbose=1 min=10240 | x", false },
	{ "--min-size=1MB", "min=1000000 |", false },
	{ "--min-size 2 --minsize 3", "min=3 |", false },
	{ "--min-s 2", "min=2 |", false },
	{ "--min 2", "min=2 |", false },
	{ "--thr=4 -j5", "threads=5 |", false },
	{ "--wait 1.5s", "wait=1500000000 |", false },
	{ "-d -a", "db=-a |", false },
	{ "-d -- -a", "all db=-- |", false },
	{ "--db=~ --db= x", "db= | x", false },
	{ "--db=a=b", "db=a=b |", false },
	{ "-x a -x b --exclude=c d", "exclude=a exclude=b exclude=c | d", false },
	{ "-f json", "format=json |", false },
	{ "-f js", "format=js |", false },
	{ "-f ndj", "format=ndjson |", false },
	{ "--format=t", "|", false },
	{ "a -v b -v c - d", "verbose=2 | a b c - d", false },
	{ "-v -v -q a b c -a d", "all quiet verbose=2 | a b c d", false },
	{ "-a -- -q --nope", "all | -q --nope", false },
	{ "a -- b -- c", "| a b -- c", false },
	{ "a ~ b", "| a  b", false },
	{ "-v cmd -q --nope", "verbose=1 | cmd -q --nope", true },
	{ "-v -m 5 cmd -- -q", "verbose=1 min=5 | cmd -- -q", true },
	{ "-v -- -q x", "verbose=1 | -q x", true },
	{ "-v - x", "verbose=1 | - x", true },
	{ "--allow", "help |", false },
	{ "--allo", "help |", false },
};

START_TEST(parses)
{
	char *line = mem_str(parse_rows[_i].line);
	char *words[32];
	struct values v = { 0 };
	struct globals g = { 0 };
	const struct opt_target targets[] = { { value_opts, &v, NULL }, { global_opts, &g, NULL }, { NULL, NULL, NULL } };
	struct buf got = { 0 };
	struct err err = { 0 };
	int n = split(line, words), n_operands = -1;

	ck_assert_msg(opt_parse(targets, n, words, parse_rows[_i].stop_early, &n_operands, &err) == 0,
	              "%s: %s", parse_rows[_i].line, err.text);
	dump(&got, &v, &g, words, n_operands);
	ck_assert_str_eq(buf_str(&got), parse_rows[_i].want);
	ck_assert_int_eq(err.code, ERR_NONE);

	opt_release(value_opts, &v);
	ck_assert_ptr_null(v.exclude.v);
	buf_release(&got);
	free(line);
}
END_TEST

static const struct { const char *line, *want; } fail_rows[] = {
	{ "--nope", "unknown option '--nope'" },
	{ "--size 10", "unknown option '--size'; did you mean '--min-size'?" },
	{ "--quite", "unknown option '--quite'; did you mean '--quiet'?" },
	{ "--min-sise=10", "unknown option '--min-sise'; did you mean '--min-size'?" },
	{ "--mnisize 10", "unknown option '--mnisize'; did you mean '--min-size'?" },
	{ "--halp", "unknown option '--halp'; did you mean '--help'?" },
	{ "--=x", "unknown option '--'" },
	{ "---all", "unknown option '---all'; did you mean '--all'?" },
	{ "-z", "unknown option '-z'" },
	{ "-qz", "unknown option '-z'" },
	{ "-zhelp", "unknown option '-z'" },
	{ "-threads=2", "unknown option '-t'; did you mean '--threads'?" },
	{ "-\xc3\xa9q", "unknown option '-\xc3\xa9'" },
	{ "-1", "unknown option '-1'" },
	{ "--al", "option '--al' is ambiguous: '--all', '--allow'" },
	{ "--min-size", "option '--min-size' needs SIZE" },
	{ "--min-s", "option '--min-size' needs SIZE" },
	{ "-vm", "option '-m' needs SIZE" },
	{ "--min-size 1x", "option '--min-size': '1x' is not a size" },
	{ "--min-size=", "option '--min-size': '' is not a size" },
	{ "-m=1", "option '-m': '=1' is not a size" },
	{ "-j -1", "option '-j': '-1' is not a number" },
	{ "--threads 99999999999999999999", "option '--threads': '99999999999999999999' is not a number" },
	{ "--wait soon", "option '--wait': 'soon' is not a duration" },
	{ "--quiet=yes", "option '--quiet' takes no argument" },
	{ "--verb=", "option '--verbose' takes no argument" },
	{ "-f xml", "option '-f': 'xml' is none of text, json, ndjson, js, ndtext" },
	{ "--format=", "option '--format': '' is none of text, json, ndjson, js, ndtext" },
	{ "--format nd", "option '--format': 'nd' is ambiguous: ndjson, ndtext" },
	{ "a b -a --nope c", "unknown option '--nope'" },
};

START_TEST(fails)
{
	char *line = mem_str(fail_rows[_i].line);
	char *words[32];
	struct values v = { 0 };
	struct globals g = { 0 };
	const struct opt_target targets[] = { { value_opts, &v, NULL }, { global_opts, &g, NULL }, { NULL, NULL, NULL } };
	struct err err = { 0 };
	int n = split(line, words), n_operands = -1;

	ck_assert_int_eq(opt_parse(targets, n, words, false, &n_operands, &err), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_str_eq(err.text, fail_rows[_i].want);
	opt_release(value_opts, &v);
	free(line);
}
END_TEST

/* argv stays a permutation of itself: whoever owns the words can free them through it. */
START_TEST(loses_no_word)
{
	char *words[] = { "-v", "a", "-m", "5", "b", "--", "-c", "d" };
	char *before[N_ROWS(words)];
	struct values v = { 0 };
	const struct opt_target targets[] = { { value_opts, &v, NULL }, { NULL, NULL, NULL } };
	struct err err = { 0 };
	int i, j, n = 0;

	memcpy(before, words, sizeof(words));
	ck_assert_int_eq(opt_parse(targets, N_ROWS(words), words, false, &n, &err), 0);
	ck_assert_int_eq(n, 4);
	for (i = 0; i < N_ROWS(before); i++) {
		for (j = 0; j < N_ROWS(words) && words[j] != before[i]; j++)
			;
		ck_assert_int_lt(j, N_ROWS(words));
	}
}
END_TEST

/* A second line knows nothing of the first, and defaults stay where no option is given. */
START_TEST(keeps_no_state)
{
	char *first[] = { "-qv", "x", "--db", "one" }, *second[] = { "-v" };
	struct values v = { 0 }, w = { .min_size = 7, .db = "default" };
	const struct opt_target targets[] = { { value_opts, &v, NULL }, { NULL, NULL, NULL } };
	const struct opt_target again[] = { { value_opts, &w, NULL }, { NULL, NULL, NULL } };
	struct err err = { 0 };
	int n = 0;

	ck_assert_int_eq(opt_parse(targets, N_ROWS(first), first, false, &n, &err), 0);
	ck_assert_int_eq(opt_parse(again, N_ROWS(second), second, false, &n, &err), 0);
	ck_assert_int_eq(n, 0);
	ck_assert(!w.quiet);
	ck_assert_int_eq(w.verbose, 1);
	ck_assert_int_eq(w.min_size, 7);
	ck_assert_str_eq(w.db, "default");
}
END_TEST

START_TEST(help)
{
	struct buf b = { 0 };

	opt_help(&b, value_opts);
	ck_assert_str_eq(buf_str(&b),
		"  -a, --all             take all\n"
		"  -q, --quiet           say less\n"
		"  -v, --verbose         say more; twice: even more\n"
		"  -j, --threads N       use N threads\n"
		"  -m, --min-size SIZE   ignore files below SIZE, which is a number of bytes\n"
		"                        that may be followed by a unit\n"
		"      --minimum SIZE    the same\n"
		"      --wait TIME       wait up to TIME\n"
		"  -d, --db FILE         use the index FILE\n"
		"  -x, --exclude-everything-below DIRECTORY\n"
		"                        leave out DIRECTORY\n"
		"  -f, --format FORMAT   print as FORMAT\n");
	buf_release(&b);
}
END_TEST

/* 79 columns are full, the 80th is never used. */
START_TEST(help_width)
{
	static const struct opt opts[] = {
		OPT_FLAG_('a', NULL, struct values, all,
		          "456789 123456789 123456789 123456789 123456789 123456789 123456789 12345 end"),
		OPT_FLAG_('b', NULL, struct values, all,
		          "456789 123456789 123456789 123456789 123456789 123456789 123456789 123456 end"),
		OPT_END
	};
	struct buf b = { 0 };

	opt_help(&b, opts);
	ck_assert_str_eq(buf_str(&b),
		"  -a   456789 123456789 123456789 123456789 123456789 123456789 123456789 12345\n"
		"       end\n"
		"  -b   456789 123456789 123456789 123456789 123456789 123456789 123456789\n"
		"       123456 end\n");
	buf_release(&b);
}
END_TEST

Suite *
suite_opt(void)
{
	Suite *s = suite_create("opt");
	TCase *tc = tcase_create("opt");

	tcase_add_loop_test(tc, parses, 0, N_ROWS(parse_rows));
	tcase_add_loop_test(tc, fails, 0, N_ROWS(fail_rows));
	tcase_add_test(tc, loses_no_word);
	tcase_add_test(tc, keeps_no_state);
	tcase_add_test(tc, help);
	tcase_add_test(tc, help_width);
	suite_add_tcase(s, tc);
	return s;
}
