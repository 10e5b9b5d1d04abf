/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "db/db.h"
#include "db/stmt.h"
#include "fixture.h"
#include "scan/dirmap.h"
#include "index/index.h"
#include "scan/listing.h"
#include "bulk/bulk.h"
#include "scan/merge.h"
#include "scan/hash_plan.h"
#include "index/roots.h"
#include "scan/stats.h"
#include "index/volumes.h"
#include "unit.h"

static struct stats counts;
static struct roots roots;
static struct hash_plan plan;
static struct merge m;
static struct err err;

static void
setup(void)
{
	fixture_index_setup();
	fixture_dir(1, 0, "/top", 1, 1);
	/* New ones come after it. */
	fixture_dir(9, 1, "other", 1, 9);
	memset(&counts, 0, sizeof(counts));
	m = (struct merge){ .ix = fixture_ix, .roots = &roots, .counts = &counts, .plan = &plan };
	plan = (struct hash_plan){ .ix = fixture_ix, .counts = &counts };
	ck_assert_int_eq(volumes_load(&m.volumes, fixture_ix->db, &err), 0);
	ck_assert_int_eq(dirmap_load(&m.map, fixture_ix->db, &err), 0);
	m.first_new = dirmap_next_id(m.map);
	plan.map = m.map;
	ck_assert_int_eq(db_begin(fixture_ix->db, &err), 0);
}

static void
teardown(void)
{
	ck_assert_int_eq(db_end(fixture_ix->db, 0, &err), 0);
	merge_release(&m);
	hash_plan_release(&plan);
	dirmap_free(m.map);
	volumes_free(m.volumes);
	fixture_index_teardown();
}

/* A directory that the index does not have, with one file. */
static struct listing *
listing(int64_t dir, int64_t parent, const char *name)
{
	struct listing *l = mem_zalloc(1, sizeof(*l));

	l->dir = dir;
	l->parent = parent;
	l->inode.volume = 1;
	l->inode.number = dir;
	l->name_len = strlen(name);
	l->name = mem_dup(name, l->name_len);
	l->is_new = l->place_changed = true;
	l->names = mem_dup("file", 4);
	l->files = mem_zalloc(1, sizeof(*l->files));
	l->files[0].name_len = 4;
	l->files[0].volume = 1;
	l->n_files = 1;
	return l;
}

/* A name for a directory. */
static const char *
numbered(int64_t dir)
{
	static char name[24];

	snprintf(name, sizeof(name), "%lld", (long long)dir);
	return name;
}

/* How many directories of the index, and how many files in them. */
static void
has(int64_t dirs, int64_t files)
{
	struct dirmap *map;
	int64_t found = 0;

	ck_assert_int_eq(dirmap_load(&map, fixture_ix->db, &err), 0);
	ck_assert_uint_eq(dirmap_count(map), (size_t)dirs);
	for (size_t i = 0; i < dirmap_count(map); i++) {
		const struct dirmap_dir *d = dirmap_at(map, i);
		struct stmt st = stmt_get(fixture_ix->db, SQL_FILE_COUNT_DIR, &err);

		if (d->parent != 0 && dirmap_by_id(map, d->parent) == NULL)
			ck_abort_msg("directory %lld has no parent", (long long)d->id);
		stmt_int(&st, ":dir", d->id);
		if (stmt_step(&st) != 1)
			ck_abort_msg("directory %lld has no files", (long long)d->id);
		found += stmt_col_int(&st, 0);
		stmt_done(&st);
	}
	ck_assert_int_eq(found, files);
	dirmap_free(map);
}

/* Threads deliver a child before its parent at times; a commit in between must not write the one without the other. */
START_TEST(parents_first)
{
	const int64_t a = dirmap_new_id(m.map), b = dirmap_new_id(m.map), c = dirmap_new_id(m.map);

	ck_assert_int_eq(merge_listing(&m, listing(c, b, "c"), &err), 0);
	ck_assert_int_eq(merge_flush(&m, &err), 0);
	has(2, 0);
	ck_assert_int_eq(merge_listing(&m, listing(b, a, "b"), &err), 0);
	ck_assert_int_eq(merge_flush(&m, &err), 0);
	has(2, 0);
	ck_assert_int_eq(merge_listing(&m, listing(a, 1, "a"), &err), 0);
	ck_assert_int_eq(merge_flush(&m, &err), 0);
	has(5, 3);
	ck_assert_int_eq(merge_finish(&m, &err), 0);
	has(5, 3);
}
END_TEST

/* A directory that the index has, with a smaller number, moved into one that is new. */
START_TEST(moved_into_new)
{
	const int64_t a = dirmap_new_id(m.map);
	struct listing *moved = listing(2, a, "moved");

	fixture_dir(2, 1, "was", 1, 2);
	moved->is_new = false;
	ck_assert_int_eq(merge_listing(&m, moved, &err), 0);
	ck_assert_int_eq(merge_flush(&m, &err), 0);
	has(3, 1);
	ck_assert_int_eq(merge_listing(&m, listing(a, 1, "a"), &err), 0);
	ck_assert_int_eq(merge_finish(&m, &err), 0);
	has(4, 2);
	ck_assert_int_eq(dirmap_by_id(m.map, 2)->parent, a);
}
END_TEST

/* What never gets a parent is freed, and never written. */
START_TEST(parent_never_comes)
{
	const int64_t a = dirmap_new_id(m.map), b = dirmap_new_id(m.map);

	ck_assert_int_eq(merge_listing(&m, listing(b, a, "b"), &err), 0);
	ck_assert_int_eq(merge_flush(&m, &err), 0);
	ck_assert_int_eq(merge_flush(&m, &err), 0);
	has(2, 0);
}
END_TEST

/* One of many: each ck_assert of a loop would be a message to the parent process. */
static void
deliver(int64_t dir)
{
	if (merge_listing(&m, listing(dir, 1, numbered(dir)), &err) != 0)
		ck_abort_msg("directory %lld: %s", (long long)dir, err.text);
}

/* How many directories wait before those that come too late. */
static const int too_early[] = { 0, 33000, 33000 };
/* How many come too late: some are kept aside, many end the loading. */
static const int too_late[] = { 0, 1, 20000 };

/* A new index's rows are loaded in order, whatever order threads deliver them in; none is lost. */
START_TEST(loads)
{
	const int n = 3000, early = too_early[_i], late = too_late[_i];
	struct bulk *bulk = bulk_new(0);
	struct listing *l;
	int64_t dir = 0;

	/* A build without bulk has nothing to load rows with. */
	if (bulk == NULL)
		return;
	ck_assert_int_eq(db_renew_exclusive(fixture_ix->db, &err), 0);
	ck_assert_int_eq(bulk_begin_rows(bulk, fixture_ix->db, &err), 1);
	m.load = bulk;
	for (int i = 0; i < n + early + late; i++)
		dir = dirmap_new_id(m.map);
	dir -= n + early + late - 1;
	/* In blocks of eight from behind. */
	for (int i = 0; i < n; i++)
		deliver(dir + (i ^ 7));
	has(2 + n / 1024 * 1024, 0);
	for (int i = 0; i < early; i++)
		deliver(dir + n + late + i);
	for (int i = 0; i < late; i++)
		deliver(dir + n + i);
	ck_assert(late > 16384 ? m.load == NULL : m.load != NULL);
	ck_assert_int_eq(merge_flush(&m, &err), 0);
	ck_assert_ptr_null(m.load);
	has(2 + n + early + late, n + early + late);
	/* As any other index from now on. */
	l = listing(dirmap_new_id(m.map), 1, "last");
	l->names[0] = '\xff';
	ck_assert_int_eq(merge_listing(&m, l, &err), 0);
	ck_assert_int_eq(merge_finish(&m, &err), 0);
	has(3 + n + early + late, 1 + n + early + late);
	bulk_free(bulk);
}
END_TEST

/* Where writing has failed once nothing is kept: directories would be there without their files. */
START_TEST(fails_for_good)
{
	struct err ignored = { 0 };

	ck_assert_int_eq(merge_listing(&m, listing(dirmap_new_id(m.map), 1, "a"), &err), 0);
	ck_assert_int_eq(db_pragma(fixture_ix->db, "query_only", 1, &err), 0);
	ck_assert_int_eq(merge_flush(&m, &ignored), -1);
	ck_assert_int_eq(db_pragma(fixture_ix->db, "query_only", 0, &err), 0);
	ck_assert_int_eq(merge_flush(&m, &ignored), -1);
	ck_assert_int_eq(ignored.code, ERR_DB);
}
END_TEST

Suite *
suite_merge(void)
{
	Suite *s = suite_create("merge");
	TCase *tc = tcase_create("merge");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, parents_first);
	tcase_add_test(tc, moved_into_new);
	tcase_add_test(tc, parent_never_comes);
	tcase_add_loop_test(tc, loads, 0, N_ROWS(too_late));
	tcase_add_test(tc, fails_for_good);
	suite_add_tcase(s, tc);
	return s;
}
