/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "shell/words.h"
#include "unit.h"

/* Words are shown as <word><word>, followed by their end and the rest of the line. */
static const struct {
	const char *line, *want;
} splits[] = {
	{ "", " end " },
	{ " \t\r ", " end " },
	{ "ls", "<ls> end " },
	{ "  ls\t-l  a ", "<ls><-l><a> end " },
	{ "'a b'\"c d\"e\\ f", "<a bc de f> end " },
	{ "''", "<> end " },
	{ "a '' \"\" $'' b", "<a><><><><b> end " },
	{ "'a\\nb' '\"' '$x`'", "<a\\nb><\"><$x`> end " },
	{ "\"\\\\ \\\" \\$ \\` \\a '\"", "<\\ \" $ ` \\a '> end " },
	{ "\"a\\\nb\"", "<ab> end " },
	{ "a\\\nb c \\\n d", "<ab><c><d> end " },
	{ "a \\\n", "<a> end " },
	{ "\\a\\'\\\\\\;\\|\\>\\#", "<a'\\;|>#> end " },
	{ "$'\\n\\t\\r\\\\\\'\\\"'", "<\n\t\r\\'\"> end " },
	{ "$'\\a\\b\\e\\f\\v'", "<\a\b\033\f\v> end " },
	{ "$'\\x41\\x4a1\\x4g\\xfF'", "<AJ1\004g\xff> end " },
	{ "$'\\101\\1012\\18\\777'", "<AA2\0018\xff> end " },
	{ "$'\\q\\x\\xg'", "<\\q\\x\\xg> end " },
	{ "$a $ $\"b\" a$'b'", "<$a><$><$b><ab> end " },
	{ "é ü\xff \xfe", "<é><ü\xff><\xfe> end " },
	{ "ls # rest; 'of", "<ls> end " },
	{ "# all", " end " },
	{ "# all\nls", " ; ls" },
	{ "a#b '#' \\#c", "<a#b><#><#c> end " },
	{ "a;b", "<a> ; b" },
	{ ";b", " ; b" },
	{ "a\nb\nc", "<a> ; b\nc" },
	{ "a;;b", "<a> ; ;b" },
	{ "a 'x;|>\n' | wc -l; x", "<a><x;|>\n> |  wc -l; x" },
	{ "a|b", "<a> | b" },
	{ "a||b", "<a> | |b" },
	{ "a>b", "<a> > b" },
	{ "a > 'b c'", "<a> >  'b c'" },
	{ "a >>b", "<a> >> b" },
	{ "a >>> b", "<a> >> > b" },
	{ "a >", "<a> > " },
	{ "a ( )", "<a><(><)> end " },
	{ "a <b", "! '<' is not an operator of this shell: quote it in a name" },
	{ "a '&' \\& \"&\" $'<' \\<", "<a><&><&><&><<><<> end " },
	{ "a 2>&1", "<a><2> > &1" },
	{ "a >!b", "<a> >! b" },
	{ "a >! b", "<a> >!  b" },
	{ "a > !b", "<a> >  !b" },
	{ "a >\\!b", "<a> > \\!b" },
	{ "a & b", "! '&' is not an operator of this shell: quote it in a name" },
	{ "a R&B", "! '&' is not an operator of this shell: quote it in a name" },
	{ "~ ~/a '~'", "<~><~/a><~> end " },
	{ "a\\", "! nothing follows the backslash at the end" },
	{ "a 'b", "! unbalanced ' quote" },
	{ "a \"b\\\"", "! unbalanced \" quote" },
	{ "a \"b\\", "! nothing follows the backslash at the end" },
	{ "$'a\\'", "! unbalanced $' quote" },
	{ "$'a\\", "! unbalanced $' quote" },
	{ "$'a\\x", "! unbalanced $' quote" },
	{ "$'\\x00'", "! a NUL byte can't be in a command" },
	{ "$'a\\0b'", "! a NUL byte can't be in a command" },
};

static void
show_words(struct buf *b, const struct words *w)
{
	for (size_t i = 0; i < w->n; i++) {
		ck_assert_uint_eq(strlen(w->v[i].text), w->v[i].len);
		buf_addf(b, "<%s>", w->v[i].text);
	}
}

/* A command line for sh, and what follows its end. */
static const struct {
	const char *line, *rest;
} foreigns[] = {
	{ "wc -l", "" },
	{ "wc -l; x", " x" },
	{ "wc\nx", "x" },
	{ "sort 2>&1 | uniq & wait; x", " x" },
	{ "grep 'a;b' > \"c;d\"; x", " x" },
	{ "grep 'a; x", "" },
};

START_TEST(foreign_end)
{
	const char *line = foreigns[_i].line;
	size_t next, end = words_foreign_end(line, strlen(line), 0, &next);

	ck_assert_str_eq(line + next, foreigns[_i].rest);
	ck_assert_uint_eq(next - end, next < strlen(line) || *foreigns[_i].rest != '\0');
}
END_TEST

START_TEST(split)
{
	static const char *const ends[] = { "end", ";", "|", ">", ">!", ">>" };
	const char *line = splits[_i].line;
	struct words w = { 0 };
	struct buf got = { 0 };
	struct err err = { 0 };

	if (words_split(&w, line, strlen(line), 0, &err) < 0) {
		ck_assert_int_eq(err.code, ERR_USAGE);
		buf_addf(&got, "! %s", err.text);
	} else {
		show_words(&got, &w);
		buf_addf(&got, " %s %s", ends[w.end], line + w.next);
	}
	ck_assert_str_eq(buf_str(&got), splits[_i].want);
	words_release(&w);
	buf_release(&got);
}
END_TEST

START_TEST(split_goes_on)
{
	static const char line[] = "cd 'a b';ls ~/x >> \"out put\" ; # end\n";
	struct words w = { 0 };
	struct err err = { 0 };

	ck_assert_int_eq(words_split(&w, line, strlen(line), 0, &err), 0);
	ck_assert_uint_eq(w.n, 2);
	ck_assert_uint_eq(w.v[1].start, 3);
	ck_assert(w.v[1].quoted && !w.v[0].quoted);
	ck_assert_int_eq(words_split(&w, line, strlen(line), w.next, &err), 0);
	ck_assert_uint_eq(w.n, 2);
	ck_assert_int_eq(line[w.v[1].start], '~');
	ck_assert_int_eq(w.end, WORDS_APPEND);
	ck_assert_int_eq(words_split(&w, line, strlen(line), w.next, &err), 0);
	ck_assert_uint_eq(w.n, 1);
	ck_assert_str_eq(w.v[0].text, "out put");
	ck_assert_int_eq(w.end, WORDS_SEMICOLON);
	ck_assert_int_eq(words_split(&w, line, strlen(line), w.next, &err), 0);
	ck_assert_uint_eq(w.n, 0);
	ck_assert_int_eq(w.end, WORDS_SEMICOLON);
	ck_assert_int_eq(words_split(&w, line, strlen(line), w.next, &err), 0);
	ck_assert_uint_eq(w.n, 0);
	ck_assert_int_eq(w.end, WORDS_END);
	ck_assert_uint_eq(w.next, strlen(line));
	words_release(&w);
}
END_TEST

START_TEST(split_nul)
{
	struct words w = { 0 };
	struct err err = { 0 };

	ck_assert_int_eq(words_split(&w, "ls a\0b", 6, 0, &err), -1);
	ck_assert_str_eq(err.text, "a NUL byte can't be in a command");
	ck_assert_int_eq(words_split(&w, "\\\0 b", 4, 0, &err), -1);
	ck_assert_int_eq(words_split(&w, "$'\\\0'", 5, 0, &err), -1);
	ck_assert_int_eq(words_split(&w, "\"\\\0\"", 4, 0, &err), -1);
	words_release(&w);
}
END_TEST

/* before, text, start, quote ('-': bare, '!': not ours). */
static const struct {
	const char *line, *before, *text;
	int start;
	const char *quote;
} cursors[] = {
	{ "", "", "", 0, "-" },
	{ "ls", "", "ls", 0, "-" },
	{ "ls ", "<ls>", "", 3, "-" },
	{ "ls a\\ b", "<ls>", "a b", 3, "-" },
	{ "ls a\\", "<ls>", "a", 3, "-" },
	{ "ls 'a b", "<ls>", "a b", 3, "'" },
	{ "ls 'a b'", "<ls>", "a b", 3, "'" },
	{ "ls 'a b'/c", "<ls>", "a b/c", 3, "'" },
	{ "ls \"a b", "<ls>", "a b", 3, "\"" },
	{ "ls \"a\\", "<ls>", "a", 3, "\"" },
	{ "ls a\"b c", "<ls>", "ab c", 3, "\"" },
	{ "ls $'a\\tb", "<ls>", "a\tb", 3, "$" },
	{ "ls $'a\\x4", "<ls>", "a\004", 3, "$" },
	{ "ls $'a\\x", "<ls>", "a", 3, "$" },
	{ "ls $'", "<ls>", "", 3, "$" },
	{ "ls $", "<ls>", "$", 3, "-" },
	{ "cd a; ls b c", "<ls><b>", "c", 11, "-" },
	{ "cd a;", "", "", 5, "-" },
	{ "cd a\nls ", "<ls>", "", 8, "-" },
	{ "ls # a", "<ls>", "", 6, "!" },
	{ "ls # a\n", "", "", 7, "-" },
	{ "ls a#b", "<ls>", "a#b", 3, "-" },
	{ "ls | wc", "", "wc", 5, "!" },
	{ "ls | wc; ls ", "<ls>", "", 12, "-" },
	{ "ls | wc > out; ls ", "<ls>", "", 18, "-" },
	{ "!", "", "", 1, "!" },
	{ "!wc a", "<wc>", "a", 4, "!" },
	{ "ls;  ! 'wc' a", "<wc>", "a", 12, "!" },
	{ "!wc a; b", "", "b", 7, "!" },
	{ "!wc a > b; c | d", "", "d", 15, "!" },
	{ "!wc a; b\nls ", "<ls>", "", 12, "-" },
	{ "ls !wc", "<ls>", "!wc", 3, "-" },
	{ "'!wc' a", "<!wc>", "a", 6, "-" },
	{ "ls | wc\nls ", "<ls>", "", 11, "-" },
	{ "ls >", "", "", 4, "!" },
	{ "ls >> out", "", "out", 6, "!" },
	{ "ls > out; du x", "<du>", "x", 13, "-" },
	{ "ls ~/a", "<ls>", "~/a", 3, "-" },
};

START_TEST(cursor)
{
	static const char *const quotes[] = { "-", "'", "\"", "$" };
	const char *line = cursors[_i].line;
	struct words_cursor at = { .start = 0 };
	struct buf got = { 0 };

	words_at_cursor(&at, line, strlen(line));
	show_words(&got, &at.before);
	ck_assert_str_eq(buf_str(&got), cursors[_i].before);
	ck_assert_str_eq(buf_str(&at.text), cursors[_i].text);
	ck_assert_uint_eq(at.start, cursors[_i].start);
	ck_assert_str_eq(at.place == WORDS_OURS ? quotes[at.quote] : "!", cursors[_i].quote);
	words_cursor_release(&at);
	buf_release(&got);
}
END_TEST

static const struct {
	const char *text;
	enum word_quote style;
	bool final;
	const char *want;
} quotes[] = {
	{ "", WORD_BARE, true, "''" },
	{ "", WORD_BARE, false, "" },
	{ "", WORD_SINGLE, false, "'" },
	{ "", WORD_SINGLE, true, "''" },
	{ "plain-1.0_x+y%z@w:,=^/é", WORD_BARE, true, "plain-1.0_x+y%z@w:,=^/é" },
	{ "a b", WORD_BARE, true, "a\\ b" },
	{ "zz (1).jpg", WORD_BARE, true, "zz\\ \\(1\\).jpg" },
	{ "$HOME", WORD_BARE, true, "\\$HOME" },
	{ "#a#", WORD_BARE, true, "\\#a#" },
	{ "~a~", WORD_BARE, true, "\\~a~" },
	{ "it's", WORD_BARE, true, "it\\'s" },
	{ "it's", WORD_SINGLE, true, "'it'\\''s'" },
	{ "it's", WORD_SINGLE, false, "'it'\\''s" },
	{ "a \"b\" $c \\d `e`", WORD_DOUBLE, true, "\"a \\\"b\\\" \\$c \\\\d \\`e\\`\"" },
	{ "a b", WORD_DOLLAR, true, "$'a b'" },
	{ "a\303\251'\001", WORD_DOLLAR, true, "$'a\303\251\\'\\x01'" },
	{ "a\303\251'\001", WORD_ASCII, true, "$'a\\xc3\\xa9\\'\\x01'" },
	{ "new\nline", WORD_BARE, true, "$'new\\nline'" },
	{ "tab\tcr\resc\033", WORD_SINGLE, true, "$'tab\\tcr\\resc\\x1b'" },
	{ "bad\xff", WORD_DOUBLE, true, "$'bad\\xff'" },
	{ "bad\xff", WORD_DOUBLE, false, "$'bad\\xff" },
	{ "\xc3\xa9\xc3", WORD_BARE, true, "$'é\\xc3'" },
	{ "\xc3\xa9'\\\xff" "a", WORD_BARE, true, "$'é\\'\\\\\\xffa'" },
	{ "\xe2\x80\xae", WORD_BARE, true, "$'\\xe2\\x80\\xae'" },
};

START_TEST(quote)
{
	struct buf got = { 0 };

	words_quote(&got, quotes[_i].text, strlen(quotes[_i].text), quotes[_i].style, quotes[_i].final);
	ck_assert_str_eq(buf_str(&got), quotes[_i].want);
	buf_release(&got);
}
END_TEST

/* Bytes 1 to 255, at times only those that mean something. */
static size_t
random_text(char *text, size_t max)
{
	static const char meaningful[] = "'\"\\$`;|> \t\n\r#~xn0aé";
	const size_t len = (size_t)random() % (max + 1);
	const bool all = random() % 2 == 0;

	for (size_t i = 0; i < len; i++)
		text[i] = (char)(all ? 1 + random() % 255 : meaningful[(size_t)random() % (sizeof(meaningful) - 1)]);
	text[len] = '\0';
	return len;
}

/* What is quoted is split into itself, whatever stands around it; left open, it is completed as itself. */
START_TEST(round_trip)
{
	struct words_cursor at = { .start = 0 };
	struct words w = { 0 };
	struct buf line = { 0 };
	struct err err = { 0 };
	char word[3][40];
	size_t len[3];

	srandom(17);
	for (int round = 0; round < 10000; round++) {
		enum word_quote style = (enum word_quote)(round % 4);

		buf_cut(&line, 0);
		for (int i = 0; i < 3; i++) {
			len[i] = random_text(word[i], sizeof(word[i]) - 1);
			words_quote(&line, word[i], len[i], style, true);
			buf_addc(&line, ' ');
		}
		if (words_split(&w, line.data, line.len, 0, &err) < 0 || w.n != 3 || w.end != WORDS_END)
			ck_abort_msg("round %d: '%s': %s", round, line.data, err.text);
		for (int i = 0; i < 3; i++) {
			if (w.v[i].len != len[i] || memcmp(w.v[i].text, word[i], len[i]) != 0)
				ck_abort_msg("round %d: '%s': word %d is '%s'", round, line.data, i, w.v[i].text);
		}
		words_quote(&line, word[0], len[0], style, false);
		words_at_cursor(&at, line.data, line.len);
		if (at.place != WORDS_OURS || at.before.n != 3 || at.text.len != len[0] || memcmp(buf_str(&at.text), word[0], len[0]) != 0)
			ck_abort_msg("round %d: '%s': '%s' is at the cursor", round, line.data, buf_str(&at.text));
	}
	words_release(&w);
	words_cursor_release(&at);
	buf_release(&line);
}
END_TEST

/* Any bytes: no crash, and split agrees with the cursor about whole words. */
START_TEST(any_bytes)
{
	struct words_cursor at = { .start = 0 };
	struct words w = { 0 };

	srandom(18);
	for (int round = 0; round < 10000; round++) {
		struct err err = { 0 };
		char line[64];
		size_t len = random_text(line, sizeof(line) - 2);
		int ret = words_split(&w, line, len, 0, &err);

		if (ret < 0 && err.code != ERR_USAGE)
			ck_abort_msg("round %d: '%s': code %d", round, line, err.code);
		line[len] = ' ';
		words_at_cursor(&at, line, len + 1);
		if (at.start > len + 1)
			ck_abort_msg("round %d: '%s': start %zu", round, line, at.start);
		if (ret == 0 && w.end == WORDS_END && memchr(line, '\n', len) == NULL && line[strspn(line, " \t")] != '!' && at.before.n != w.n)
			ck_abort_msg("round %d: '%s': %zu words, %zu before the cursor", round, line, w.n, at.before.n);
	}
	words_release(&w);
	words_cursor_release(&at);
}
END_TEST

Suite *
suite_words(void)
{
	Suite *s = suite_create("words");
	TCase *tc = tcase_create("words");

	tcase_add_loop_test(tc, foreign_end, 0, N_ROWS(foreigns));
	tcase_add_loop_test(tc, split, 0, N_ROWS(splits));
	tcase_add_test(tc, split_goes_on);
	tcase_add_test(tc, split_nul);
	tcase_add_loop_test(tc, cursor, 0, N_ROWS(cursors));
	tcase_add_loop_test(tc, quote, 0, N_ROWS(quotes));
	tcase_add_test(tc, round_trip);
	tcase_add_test(tc, any_bytes);
	suite_add_tcase(s, tc);
	return s;
}
