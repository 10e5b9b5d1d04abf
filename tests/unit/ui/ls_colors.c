/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/hyperlink.h"
#include "ui/ls_colors.h"
#include "unit.h"

static const struct {
	const char *text, *name;
	bool dir;
	const char *color;   /* NULL: none */
} rows[] = {
	{ NULL, "a", true, NULL },
	{ "", "a", true, NULL },
	{ "di=01;34", "/some/dir", true, "01;34" },
	{ "di=01;34", "/some/file", false, NULL },
	{ "rs=0:di=01;34:ln=01;36:fi=32", "file", false, "32" },
	{ "*.jpg=35:di=34", "/x/a.jpg", false, "35" },
	{ "*.jpg=35:di=34", "/x/a.jpg", true, "34" },
	{ "*.jpg=35:di=34", "/x/a.JPG", false, NULL },
	{ "*.gz=31:*.tar.gz=32", "a.tar.gz", false, "32" },
	{ "*.tar.gz=32:*.gz=31", "a.tar.gz", false, "31" },
	{ "*README=4", "README", false, "4" },
	{ "*.a=31:*.a=", "x.a", false, "31" },
	/* What is no SGR parameters reaches no terminal. */
	{ "di=\033]0;x\007:fi=31m\033[2J:*.a=3 1:*.b=\\e[31", "x.a", false, NULL },
	{ "fi=1;31:di=01;3a", "d", true, NULL },
	{ "di:=:==:*=1:di=", "d", true, NULL },
};

START_TEST(colors)
{
	struct ls_colors *c = ls_colors_new(rows[_i].text);
	const char *color = ls_colors_of(c, rows[_i].name, rows[_i].dir);

	if (rows[_i].color == NULL)
		ck_assert_ptr_null(color);
	else
		ck_assert_str_eq(color, rows[_i].color);
	ls_colors_free(c);
}
END_TEST

START_TEST(links)
{
	struct buf b = { 0 };

	hyperlink_begin(&b, "h-1.lan \033", "/a-b_c.~1/\033\\ %?#\"\xc3\xa9\n\xff");
	ck_assert_str_eq(buf_str(&b), "\033]8;;file://h-1.lan%20%1B/a-b_c.~1/%1B%5C%20%25%3F%23%22%C3%A9%0A%FF\033\\");
	buf_release(&b);
}
END_TEST

Suite *
suite_ls_colors(void)
{
	Suite *s = suite_create("ls_colors");
	TCase *tc = tcase_create("names");

	tcase_add_loop_test(tc, colors, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(tc, links);
	suite_add_tcase(s, tc);
	return s;
}
