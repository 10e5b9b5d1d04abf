/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/answer.h"
#include "shell/program.h"
#include "shell/session.h"
#include "ui/numbers.h"
#include "unit.h"

/* What becomes of a line where 1 is /a b, 2 is /it's, 3 is /c; NULL: it is refused. */
static const struct { const char *text, *want; } lines[] = {
	{ "ls -l", "ls -l" },
	{ "", "" },
	{ "%3", "'/c'" },
	{ "cat %1", "cat '/a b'" },
	{ " cat %2 %3 ", " cat '/it'\\''s' '/c' " },
	{ "cat <%3 >%3;cat %3|cat %3&&cat %3&", "cat <'/c' >'/c';cat '/c'|cat '/c'&&cat '/c'&" },
	{ "cat %1-2", "cat '/a b' '/it'\\''s'" },
	{ "cat %2-", "cat '/it'\\''s' '/c'" },
	{ "cat %1.1", "cat '/d/x'" },
	{ "cat %1.1-", "cat '/d/x' '/d/\"$(y)'" },
	/* Anything more or less is another word. */
	{ "date +%3", "date +%3" },
	{ "date +%3 %3", "date +%3 '/c'" },
	{ "printf %3d %s %% %", "printf %3d %s %% %" },
	{ "a=%3 b%3 -f%3 --x=%3 %3.bak %3/x %03 %0 %3.0 %-3", "a=%3 b%3 -f%3 --x=%3 %3.bak %3/x %03 %0 %3.0 %-3" },
	{ "${x%3}", "${x%3}" },
	/* Quoted words stay, and so does what is in other words than their own. */
	{ "echo \\%3 '%3' \"%3\" ' %3 ' \" %3 \"", "echo \\%3 '%3' \"%3\" ' %3 ' \" %3 \"" },
	{ "echo \\ %3 a' '%3 a\" \"%3 ''%3 %3''", "echo \\ %3 a' '%3 a\" \"%3 ''%3 %3''" },
	{ "echo \" \\\" %3 \" %3", "echo \" \\\" %3 \" '/c'" },
	{ "echo %3'x %3", "echo %3'x %3" },
	{ "echo 'it'\\''s' %3", "echo 'it'\\''s' '/c'" },
	/* Where only sh can tell words, all is sh's. */
	{ "cat %3 $(cat %3 ) %3", "cat '/c' $(cat %3 ) %3" },
	{ "echo \"$(cat \" %3 \")\" %3", "echo \"$(cat \" %3 \")\" %3" },
	{ "echo $((10 %3 ))", "echo $((10 %3 ))" },
	{ "echo `cat %3 ` ; (cat %3 )", "echo `cat %3 ` ; (cat %3 )" },
	{ "echo \"`cat \" %3 \"`\"", "echo \"`cat \" %3 \"`\"" },
	{ "echo $'\\' %3 ' %3", "echo $'\\' %3 ' %3" },
	{ "echo ${x:- %3 }", "echo ${x:- %3 }" },
	{ "cat <<x %3\n %3 \nx", "cat <<x %3\n %3 \nx" },
	{ "echo %3 # %3", "echo '/c' # %3" },
	{ "echo a# %3", "echo a# '/c'" },
	{ "echo '$(' %3", "echo '$(' '/c'" },
	{ "echo \\( %3", "echo \\( '/c'" },
	/* A number that does not exist. */
	{ "cat %4", NULL },
	{ "cat %3.1", NULL },
	{ "cat %1-4", NULL },
	{ "cat %1.3", NULL },
	{ "cat '%4' \\%4 \"%4\"", "cat '%4' \\%4 \"%4\"" },
};

static struct session
session_of(struct numbers *r)
{
	static const struct member members[] = { { .path = "/d/x", .kind = MEMBER_COPY }, { .path = "/d/\"$(y)", .kind = MEMBER_COPY } };

	if (r != NULL) {
		numbers_add(r, "/a b", members, 2);
		numbers_add(r, "/it's", NULL, 0);
		numbers_add(r, "/c", NULL, 0);
	}
	/* Whether it is NULL says whether a person types. */
	return (struct session){ .results = r, .line = (struct line *)members };
}

START_TEST(replaces)
{
	struct numbers *r = numbers_new();
	struct session s = session_of(r);
	struct buf b = { 0 };
	struct err err = { 0 };
	const int ret = program_text(&s, lines[_i].text, strlen(lines[_i].text), &b, &err);

	if (lines[_i].want == NULL) {
		ck_assert_int_eq(ret, -1);
		ck_assert_int_eq(err.code, ERR_USAGE);
	} else {
		ck_assert_int_eq(ret, 0);
		ck_assert_str_eq(buf_str(&b), lines[_i].want);
	}
	numbers_free(r);
	buf_release(&b);
}
END_TEST

START_TEST(leaves_scripts)
{
	struct numbers *r = numbers_new();
	struct session s = session_of(r);
	struct buf b = { 0 };
	struct err err = { 0 };

	s.line = NULL;
	ck_assert_int_eq(program_text(&s, "cat %3 %4", strlen("cat %3 %4"), &b, &err), 0);
	ck_assert_str_eq(buf_str(&b), "cat %3 %4");
	ck_assert_int_eq(program_text(&s, "cat\0x", 5, &b, &err), -1);
	numbers_free(r);
	buf_release(&b);
}
END_TEST

Suite *
suite_program(void)
{
	Suite *s = suite_create("program");
	TCase *tc = tcase_create("program");

	tcase_add_loop_test(tc, replaces, 0, (int)(sizeof(lines) / sizeof(lines[0])));
	tcase_add_test(tc, leaves_scripts);
	suite_add_tcase(s, tc);
	return s;
}
