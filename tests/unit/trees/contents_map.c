/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "db/db.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "trees/contents_map.h"
#include "fixture.h"
#include "unit.h"

/* Append a directory of the map by its last name. */
static void
show_dir(struct buf *b, const struct contents_map *m, uint32_t dir)
{
	buf_adds(b, dirtree_name(m->dirs, dir));
}

static int
cmp_size(const void *a, const void *b)
{
	const struct contents_map_content *x = a, *y = b;

	return x->size != y->size ? (x->size < y->size ? -1 : 1) : x->first < y->first ? -1 : 1;
}

/* All of a map on one line: sizes, names as directory and copy, what is said of each. */
static void
show(struct buf *b, struct contents_map *m)
{
	if (m->n > 0)
		qsort(m->v, m->n, sizeof(*m->v), cmp_size);
	for (size_t i = 0; i < m->n; i++) {
		const struct contents_map_content *c = &m->v[i];

		buf_addf(b, "%s%d:", i > 0 ? ", " : "", (int)c->size);
		for (uint32_t n = c->first; n < c->first + c->n; n++) {
			buf_addc(b, ' ');
			show_dir(b, m, m->names[n].dir);
			ck_assert_uint_lt(m->names[n].copy, c->copies);
			buf_addf(b, "%u", m->names[n].copy);
		}
		buf_addf(b, "%s%s%s", c->outside ? " outside" : "", c->unproven ? " unproven" : "",
		         c->alias ? " alias" : c->volume == CONTENTS_MAP_VOLUMES ? " volumes" : "");
	}
	for (uint32_t dir = 0; dir < dirtree_count(m->dirs); dir++) {
		if (m->in[dir].empty + m->in[dir].unread == 0 && !m->in[dir].incomplete)
			continue;
		buf_adds(b, "; ");
		show_dir(b, m, dir);
		buf_addf(b, " %u empty %u unread%s", m->in[dir].empty, m->in[dir].unread, m->in[dir].incomplete ? " incomplete" : "");
	}
}

/* Each row: dir, name, size, volume, inode, nlink, hash, error; what the map says without exclude. */
static const struct {
	const char *rows, *exclude, *want;
} maps[] = {
	{ "(1, 'x', 0, 1, 1, 1, 0, NULL)", NULL, "; t 1 empty 0 unread" },
	{ "(1, 'x', 5, 1, 1, 1, 0, NULL)", NULL, "5: t0" },
	/* Names come in the order of the tree: a (3) before b (2). */
	{ "(2, 'x', 5, 1, 1, 1, 7, NULL), (3, 'y', 5, 1, 2, 1, 7, NULL), (3, 'z', 5, 1, 3, 1, 8, NULL)", NULL, "5: a1 b0, 5: a0" },
	{ "(2, 'x', 5, 1, 1, 1, 7, NULL), (3, 'y', 5, 2, 1, 1, 7, NULL)", NULL, "5: a1 b0 volumes" },
	{ "(2, 'x', 5, 1, 1, 2, 7, NULL), (3, 'y', 5, 1, 1, 2, 7, NULL)", NULL, "5: a0 b0" },
	{ "(2, 'x', 5, 1, 1, 3, 7, NULL), (3, 'y', 5, 1, 1, 3, 7, NULL)", NULL, "5: a0 b0 outside" },
	{ "(2, 'x', 5, 1, 1, 2, 0, NULL), (3, 'y', 5, 1, 1, 2, 0, NULL), (3, 'z', 6, 1, 2, 2, 0, NULL)", NULL, "5: a0 b0, 6: a0 outside" },
	/* Links of which one was read, and others behind them. */
	{ "(1, 'x', 4, 1, 4, 1, 9, NULL), (2, 'x', 5, 1, 1, 3, 7, NULL), (3, 'y', 5, 1, 1, 3, 0, NULL), (1, 'z', 5, 1, 1, 3, 0, NULL),"
	  "(1, 'u', 6, 1, 5, 1, 0, NULL), (2, 'v', 5, 1, 9, 1, 7, NULL)", NULL, "4: t0, 5: t0 a0 b1 b0, 6: t0" },
	/* One inode by two names that have no link to each other. */
	{ "(2, 'x', 5, 1, 1, 1, 7, NULL), (3, 'y', 5, 1, 1, 1, 7, NULL), (3, 'z', 6, 1, 2, 1, 0, NULL)", NULL, "5: a0 b0 alias, 6: a0" },
	{ "(1, 'x', 5, 1, 1, 2, 7, NULL), (2, 'y', 5, 1, 1, 2, 7, NULL), (3, 'z', 5, 1, 1, 2, 7, NULL)", NULL, "5: t0 a0 b0 alias" },
	/* What is excluded has no names, but its links are known. */
	{ "(2, 'x', 5, 1, 1, 3, 7, NULL), (3, 'y', 5, 1, 1, 3, 7, NULL), (3, 'z', 5, 1, 2, 1, 7, NULL), (3, 'e', 0, 1, 3, 1, 0, NULL)", "/t/a", "5: b0 outside" },
	{ "(2, 'x', 5, 1, 1, 2, 7, NULL), (3, 'y', 5, 1, 1, 2, 7, NULL), (3, 'z', 5, 1, 2, 1, 7, NULL)", "/t/a", "5: b0" },
	/* What could not be read has a content by its other names at most, and leaves its size unproven. */
	{ "(1, 'e', 5, 1, 1, 2, 0, 13), (2, 'f', 5, 1, 1, 2, 7, NULL), (3, 'x', 5, 1, 2, 1, 7, NULL), (3, 'y', 6, 1, 3, 1, 0, NULL)", NULL,
	  "5: a1 b0 unproven, 6: a0; t 0 empty 1 unread" },
	{ "(1, 'e', 5, 1, 1, 2, 0, 13), (2, 'f', 5, 1, 1, 2, 0, NULL), (3, 'x', 5, 1, 2, 1, 7, NULL)", NULL,
	  "5: a0 unproven; t 0 empty 1 unread; b 0 empty 1 unread" },
	{ "(1, 'e', 5, 1, 1, 1, 0, 13), (3, 'x', 5, 1, 2, 1, 7, NULL), (2, 'y', 7, 1, 3, 1, 0, -1)", "/t/b",
	  "5: a0 unproven; t 0 empty 1 unread" },
};

START_TEST(a_map)
{
	const char *const exclude[] = { maps[_i].exclude };
	struct contents_map m = { .dirs = NULL };
	struct err err = { 0 };
	struct buf b = { 0 };

	fixture_files(maps[_i].rows);
	fixture_ix->pending = INDEX_WHOLE;
	if (contents_map_load(&m, fixture_ix, exclude, maps[_i].exclude != NULL, &err) < 0)
		ck_abort_msg("%s", err.text);
	show(&b, &m);
	ck_assert_str_eq(buf_str(&b), maps[_i].want);
	buf_release(&b);
	contents_map_release(&m);
}
END_TEST

START_TEST(directories_that_could_not_be_read)
{
	struct contents_map m = { .dirs = NULL };
	struct err err = { 0 };
	struct buf b = { 0 };

	fixture_files("(1, 'x', 5, 1, 1, 1, 0, NULL)");
	fixture_ask("UPDATE dir SET error = 13 WHERE id = 2 RETURNING id");
	fixture_ix->pending = INDEX_UNREAD;
	ck_assert_int_eq(contents_map_load(&m, fixture_ix, NULL, 0, &err), 0);
	show(&b, &m);
	ck_assert_str_eq(buf_str(&b), "5: t0 unproven; b 0 empty 0 unread incomplete");
	buf_release(&b);
	contents_map_release(&m);
}
END_TEST

Suite *
suite_contents_map(void)
{
	Suite *s = suite_create("contents_map");
	TCase *tc = tcase_create("load");

	tcase_add_checked_fixture(tc, fixture_index_setup, fixture_index_teardown);
	tcase_add_loop_test(tc, a_map, 0, N_ROWS(maps));
	tcase_add_test(tc, directories_that_could_not_be_read);
	suite_add_tcase(s, tc);
	return s;
}
