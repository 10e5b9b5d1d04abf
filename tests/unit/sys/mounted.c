/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/fs.h"
#include "sys/mounted.h"
#include "unit.h"

static const struct {
	const char *escaped, *name;
} rows[] = {
	{ "/", "/" },
	{ "/a\\040b", "/a b" },
	{ "/\\011\\012\\134", "/\t\n\\" },
	{ "/\\134040", "/\\040" },
	{ "/\\377", "/\377" },
	{ "/\\04", "/\\04" },
	{ "/\\400", "/\\400" },
	{ "", "" },
};

START_TEST(names)
{
	struct buf b = { 0 };

	mounted_name(&b, rows[_i].escaped);
	ck_assert_str_eq(buf_str(&b), rows[_i].name);
	buf_release(&b);
}
END_TEST

/* What a walk over the mounts saw. */
struct seen {
	int n;
	bool proc, stop;
};

/* mounted_fn: every field is there. */
static bool
look(void *arg, const struct mounted *m)
{
	struct seen *seen = arg;

	ck_assert_int_eq(m->point[0], '/');
	ck_assert_uint_gt(strlen(m->type), 0);
	ck_assert_ptr_nonnull(m->source);
	ck_assert_ptr_nonnull(m->root);
	if (strcmp(m->type, "proc") == 0 && strcmp(m->point, "/proc") == 0) {
		struct fs_stat st;

		ck_assert_int_eq(fs_stat_path("/proc", &st), 0);
		ck_assert(st.dev == m->dev && !m->remote);
		seen->proc = true;
	}
	seen->n++;
	return seen->stop;
}

START_TEST(mounts)
{
	struct seen all = { 0, false, false }, one = { 0, false, true };

	ck_assert(!mounted_each(look, &all));
	if (all.n == 0)
		return;
	ck_assert(all.proc);
	ck_assert(mounted_each(look, &one));
	ck_assert_int_eq(one.n, 1);
}
END_TEST

Suite *
suite_mounted(void)
{
	Suite *s = suite_create("mounted");
	TCase *tc = tcase_create("mounted");

	tcase_add_loop_test(tc, names, 0, N_ROWS(rows));
	tcase_add_test(tc, mounts);
	suite_add_tcase(s, tc);
	return s;
}
