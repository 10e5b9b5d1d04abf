/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <sqlite3.h>
#include <unistd.h>

#include "db/db.h"
#include "fixture.h"
#include "index/contents.h"
#include "index/file.h"
#include "index/index.h"
#include "index/rows.h"
#include "unit.h"

static char dir[64];
static struct index *ix;

static void
open_index(void)
{
	struct err err = { 0 };
	char path[96];

	snprintf(path, sizeof(path), "%s/index.db", dir);
	if (index_open(&ix, path, INDEX_WRITE, NULL, &err) < 0)
		ck_abort_msg("%s", err.text);
}

static void
sql(const char *text)
{
	if (sqlite3_exec(ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(ix->db->handle));
}

/* Made once; each test has it in a transaction that is rolled back. */
static void
make_index(void)
{
	fixture_temp_dir(dir, sizeof(dir));
	open_index();
	index_close(ix);
}

static void
remove_index(void)
{
	fixture_remove_tree(dir);
}

static void
setup(void)
{
	open_index();
	sql("BEGIN");
}

static void
teardown(void)
{
	index_close(ix);
}

static void
put(const struct file_row *row)
{
	struct err err = { 0 };

	if (file_put(ix->db, row, &err) < 0)
		ck_abort_msg("%s", err.text);
}

/* Whether two rows are equal in everything. */
static bool
equal(const struct file_row *a, const struct file_row *b)
{
	return a->dir == b->dir && a->name_len == b->name_len && memcmp(a->name, b->name, a->name_len + 1) == 0 &&
	       a->size == b->size && a->blocks == b->blocks && inode_same(a->inode, b->inode) &&
	       a->nlink == b->nlink && fs_time_cmp(a->mtime, b->mtime) == 0 && fs_time_cmp(a->ctime, b->ctime) == 0 &&
	       a->has_head == b->has_head && a->has_hash == b->has_hash && a->racy == b->racy &&
	       (!a->has_head || a->head == b->head) && (!a->has_hash || memcmp(a->hash, b->hash, HASH_SIZE) == 0) &&
	       a->verified == b->verified && a->error == b->error;
}

/* Whether the only row stores its blocks, and no mtime. */
static void
stored(const char *blocks)
{
	sqlite3_stmt *st;

	ck_assert_int_eq(sqlite3_prepare_v2(ix->db->handle, "SELECT own_blocks IS NOT NULL FROM file WHERE own_mtime IS NULL AND own_mtime_nsec IS NULL",
	                                    -1, &st, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
	ck_assert_str_eq((const char *)sqlite3_column_text(st, 0), blocks);
	sqlite3_finalize(st);
}

/* All of them different, as stored forms too. */
static const char *const names[] = {
	"a", "A", " ", "-rf", "..a", "...", ". ", ".hidden", "new\nline", "tab\t", "\033[31m", "\001", "\177", "qu'ote", "dquo\"te", "\\", "\\xff",
	"\\377", "xff", "%s%n", "*", "?", ";", "NULL", "''", "1", "1e5", "x'00'", "\303\251", "e\314\201", "\302\205", "\342\200\256",
	"\357\273\277", "\360\237\230\200", "\364\217\277\277", "\357\277\277",
	/* Not UTF-8. */
	"\377", "\376", "\377\377", "a\377", "\377a", "\303", "\303(", "\355\240\200", "\300\257", "\300\200", "\364\220\200\200",
	"\360\237\230", "\370\210\200\200\200", "new\n\377", "\\xff\377", "ff\377", "\200", "caf\351",
	"\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377",
};

static struct file_row
named(int64_t in, const char *name)
{
	return (struct file_row){ .dir = in, .name = name, .name_len = strlen(name), .nlink = 1 };
}

/* Every name comes back as its bytes, alone and among all the others. */
START_TEST(hostile_names)
{
	struct rows rows = { 0 };
	struct file_row got, row;
	struct err err = { 0 };

	for (int i = 0; i < N_ROWS(names); i++) {
		row = named(1, names[i]);
		row.size = 1000 + i;
		put(&row);
	}
	for (int i = 0; i < N_ROWS(names); i++) {
		row = named(1, names[i]);
		row.size = 1000 + i;
		if (file_get(ix->db, 1, names[i], strlen(names[i]), &got, &err) != 1 || !equal(&row, &got))
			ck_abort_msg("name %d", i);
		ck_assert_ptr_eq(got.name, names[i]);
		ck_assert_int_eq(file_get(ix->db, 2, names[i], strlen(names[i]), &got, &err), 0);
	}
	ck_assert_int_eq(rows_load(&rows, ix->db, 1, &err), 0);
	ck_assert_uint_eq(rows.n, N_ROWS(names));
	for (size_t i = 0; i < rows.n; i++) {
		int found = 0;

		if (i > 0)
			ck_assert_int_lt(strcmp(rows.v[i - 1].name, rows.v[i].name), 0);
		for (int j = 0; j < N_ROWS(names); j++)
			found += strcmp(names[j], rows.v[i].name) == 0 && rows.v[i].size == 1000 + j;
		ck_assert_int_eq(found, 1);
		ck_assert_uint_eq(rows.v[i].name_len, strlen(rows.v[i].name));
	}
	rows_release(&rows);
	/* Each goes alone. */
	for (int i = 0; i < N_ROWS(names); i++) {
		ck_assert_int_eq(file_delete(ix->db, 2, names[i], strlen(names[i]), &err), 0);
		ck_assert_int_eq(file_delete(ix->db, 1, names[i], strlen(names[i]), &err), 0);
		ck_assert_int_eq(rows_load(&rows, ix->db, 1, &err), 0);
		ck_assert_uint_eq(rows.n, (size_t)(N_ROWS(names) - 1 - i));
		rows_release(&rows);
	}
}
END_TEST

/* The longest names, of bytes that are four times as long when stored. */
START_TEST(long_names)
{
	struct file_row row, got;
	struct err err = { 0 };
	char name[4097];

	for (int len = 1; len <= 4096; len = len < 255 ? 255 : len * 4 + 4) {
		memset(name, _i == 0 ? 'x' : '\377', (size_t)len);
		name[len] = '\0';
		row = named(7, name);
		put(&row);
		ck_assert_int_eq(file_get(ix->db, 7, name, (size_t)len, &got, &err), 1);
		ck_assert(equal(&row, &got));
	}
}
END_TEST

/* Numbers at their ends. */
static const struct file_row numbers[] = {
	{ .size = 0 },
	{ .size = INT64_MAX, .blocks = INT64_MAX, .inode = { INT64_MAX, INT64_MAX }, .nlink = INT64_MAX },
	{ .size = 1, .blocks = 0, .inode = { 1, INT64_MIN }, .nlink = 4294967295 },
	{ .inode.number = -1 }, { .inode.number = -2 },
	{ .mtime = { INT64_MIN, 0 }, .ctime = { INT64_MIN, 999999999 } },
	{ .mtime = { INT64_MAX, 999999999 }, .ctime = { INT64_MAX, 0 } },
	{ .mtime = { -2147483648, 1 }, .ctime = { 15032385535, 999999998 } },
	{ .mtime = { -1, 999999999 }, .ctime = { 0, 1 } },
	{ .has_head = true, .head = 0 }, { .has_head = true, .head = INT64_MIN }, { .has_head = true, .head = INT64_MAX },
	{ .has_head = true, .head = -1 },
	{ .has_hash = true }, { .has_hash = true, .hash = { 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0 } },
	{ .has_head = true, .has_hash = true, .racy = true, .head = 5, .hash = { 1 } },
	{ .racy = true }, { .verified = 1 }, { .verified = INT64_MAX }, { .verified = -1 },
	{ .error = 13 }, { .error = 1 }, { .error = FILE_CHANGING }, { .error = FILE_COLLISION }, { .error = INT32_MAX },
	{ .dir = INT64_MAX }, { .dir = -1 }, { .dir = 0 },
};

START_TEST(extreme_numbers)
{
	struct file_row row = numbers[_i], got, wrong;
	struct err err = { 0 };

	row.name = "bad\377";
	row.name_len = 4;
	memset(&got, 0x5a, sizeof(got));
	put(&row);
	ck_assert_int_eq(file_get(ix->db, row.dir, row.name, row.name_len, &got, &err), 1);
	ck_assert(equal(&row, &got));
	/* Written over one that has everything set, nothing of that one stays. */
	wrong = (struct file_row){
		.dir = row.dir, .name = row.name, .name_len = row.name_len, .size = 99, .blocks = 98, .inode = { 97, 96 }, .nlink = 95,
		.mtime = { 94, 93 }, .ctime = { 92, 91 }, .has_head = true, .has_hash = true, .racy = true, .head = 90, .hash = { 89 },
		.verified = 88, .error = 87,
	};
	put(&wrong);
	ck_assert_int_eq(file_get(ix->db, row.dir, row.name, row.name_len, &got, &err), 1);
	ck_assert(equal(&wrong, &got));
	put(&row);
	ck_assert_int_eq(file_get(ix->db, row.dir, row.name, row.name_len, &got, &err), 1);
	ck_assert(equal(&row, &got));
}
END_TEST

/* Many at once, in no order, some of them there already. */
static const size_t many[] = { 0, 1, 2, 100, 5000 };

START_TEST(put_many)
{
	const size_t n = many[_i];
	struct file_row *rows = mem_zalloc(n + 1, sizeof(*rows));
	struct rows loaded = { 0 };
	struct err err = { 0 };

	for (size_t i = 0; i < n; i++) {
		char name[32];
		const int len = snprintf(name, sizeof(name), i % 3 == 0 ? "%05d\377" : "%05d", (int)(i * 7919 % n));

		rows[i] = (struct file_row){
			.dir = 5 + (int64_t)(i % 2), .name = mem_dup(name, (size_t)len), .name_len = (size_t)len, .size = (int64_t)i,
			.inode.number = -(int64_t)i, .nlink = 1, .has_hash = i % 2 == 0, .has_head = i % 5 == 0, .head = (int64_t)i * 1234567,
		};
	}
	/* Of every tenth there is an older row. */
	for (size_t i = 0; i < n; i += 10) {
		struct file_row old = rows[i];

		old.size = 77, old.error = 5, old.racy = true;
		put(&old);
	}
	ck_assert_int_eq(file_put_many(ix->db, rows, n, &err), 0);
	for (size_t i = 0; i < n; i++) {
		struct file_row got;

		if (file_get(ix->db, rows[i].dir, rows[i].name, rows[i].name_len, &got, &err) != 1 || !equal(&got, &rows[i]))
			ck_abort_msg("row %zu", i);
	}
	for (int64_t d = 5; d <= 6; d++) {
		ck_assert_int_eq(rows_load(&loaded, ix->db, d, &err), 0);
		ck_assert_uint_eq(loaded.n, d == 5 ? (n + 1) / 2 : n / 2);
		for (size_t i = 1; i < loaded.n; i++) {
			if (strcmp(loaded.v[i - 1].name, loaded.v[i].name) >= 0)
				ck_abort_msg("row %zu is not in order", i);
		}
		rows_release(&loaded);
	}
	for (size_t i = 0; i < n; i++)
		free((char *)(uintptr_t)rows[i].name);
	free(rows);
}
END_TEST

/* What a transaction wrote goes with it. */
/* A row has another number of links and ctime; the mtime, which may follow from the ctime, stays. */
START_TEST(links_set)
{
	static const struct fs_time times[] = { { 5, 7 }, { 5, 8 }, { 6, 7 }, { 6, 8 } };
	struct file_row row = named(7, "a"), got;
	struct err err = { 0 };

	row.size = 9;
	row.inode = (struct inode){ 3, 4 };
	row.has_hash = true;
	row.mtime = times[0];
	for (int i = 0; i < N_ROWS(times) * N_ROWS(times); i++) {
		row.ctime = times[i / N_ROWS(times)];
		row.nlink = 1;
		put(&row);
		row.ctime = times[i % N_ROWS(times)];
		row.nlink = 2;
		ck_assert_int_eq(file_set_links(ix->db, &row, 1, &err), 0);
		ck_assert_int_eq(file_get(ix->db, 7, "a", 1, &got, &err), 1);
		if (!equal(&row, &got))
			ck_abort_msg("case %d", i);
	}
}
END_TEST

/* What most rows have takes no bytes: times that are equal, and as many blocks as hold the size. */
START_TEST(derived_not_stored)
{
	static const struct { int64_t size, blocks; const char *stored; } cases[] = {
		{ 0, 0, "0" }, { 1, 8, "0" }, { 4096, 8, "0" }, { 4097, 16, "0" }, { INT64_MAX, INT64_MAX / 4096 * 8 + 8, "0" },
		{ 0, 8, "1" }, { 1, 0, "1" }, { 4096, 16, "1" }, { 4097, 8, "1" },
	};

	for (int i = 0; i < N_ROWS(cases); i++) {
		struct file_row row = named(7, "a"), got;
		struct err err = { 0 };

		row.size = cases[i].size;
		row.blocks = cases[i].blocks;
		row.mtime = row.ctime = (struct fs_time){ 5, 7 };
		put(&row);
		ck_assert_int_eq(file_get(ix->db, 7, "a", 1, &got, &err), 1);
		ck_assert(equal(&row, &got));
		ck_assert_str_eq(file_usual_blocks(row.size) == row.blocks ? "0" : "1", cases[i].stored);
		stored(cases[i].stored);
	}
}
END_TEST

START_TEST(rolled_back)
{
	struct file_row row = named(1, "a"), got;
	struct err err = { 0 };

	sql("ROLLBACK");
	ck_assert_int_eq(db_begin(ix->db, &err), 0);
	put(&row);
	ck_assert_int_eq(db_end(ix->db, -1, &err), -1);
	ck_assert_int_eq(file_get(ix->db, 1, "a", 1, &got, &err), 0);
}
END_TEST

/* A row that holds what it must not is damage, not a file. */
static const struct {
	const char *sql, *told;
} damages[] = {
	{ "UPDATE file SET name = ''", "row (1, '') of file has an invalid name" },
	{ "UPDATE file SET name = 'a/b'", "row (1, 'a/b') of file has an invalid name" },
	{ "UPDATE file SET name = '/'", "row (1, '/') of file has an invalid name" },
	{ "UPDATE file SET name = '.'", "row (1, '.') of file has an invalid name" },
	{ "UPDATE file SET name = '..'", "row (1, '..') of file has an invalid name" },
	{ "UPDATE file SET name = CAST(x'610062' AS TEXT)", "row (1, 'a') of file has an invalid name" },
	{ "UPDATE file SET name_raw = x'612f'", "row (1, 'a/') of file has an invalid name" },
	{ "UPDATE file SET name_raw = x'ff00ff'", "row (1, '\xff') of file has an invalid name" },
	{ "UPDATE file SET size = -1", "row (1, 'a') of file has an invalid size" },
	{ "UPDATE file SET size = -9223372036854775808", "row (1, 'a') of file has an invalid size" },
	{ "UPDATE file SET hash = x'00'", "row (1, 'a') of file has an invalid hash" },
	{ "UPDATE file SET hash = zeroblob(17)", "row (1, 'a') of file has an invalid hash" },
	{ "UPDATE file SET hash = zeroblob(1000000)", "row (1, 'a') of file has an invalid hash" },
	{ "UPDATE file SET hash = 'text'", "row (1, 'a') of file has an invalid hash" },
};

START_TEST(damage)
{
	struct file_row row = named(1, "a");
	struct rows rows = { 0 };
	struct err err = { 0 };

	put(&row);
	sql("PRAGMA ignore_check_constraints = 1");
	sql(damages[_i].sql);
	ck_assert_int_eq(rows_load(&rows, ix->db, 1, &err), -1);
	ck_assert_int_eq(err.code, ERR_BAD_INDEX);
	ck_assert_ptr_nonnull(strstr(err.text, "index.db' is damaged: "));
	ck_assert_msg(strstr(err.text, damages[_i].told) != NULL, "%s", err.text);
	rows_release(&rows);
}
END_TEST

/* The row is named as well where only its size and hash are read. */
START_TEST(damaged_hash)
{
	struct file_row row = named(1, "a"), good = named(1, "good");
	struct err err = { 0 };
	int64_t sets, redundant;

	row.size = good.size = 5;
	put(&good);
	put(&row);
	sql("PRAGMA ignore_check_constraints = 1");
	sql("UPDATE file SET hash = zeroblob(16) WHERE name = 'good'");
	ck_assert_int_eq(contents_count(ix->db, NULL, &sets, &redundant, &err), 0);
	sql("UPDATE file SET hash = zeroblob(17) WHERE name = 'a'");
	ck_assert_int_eq(contents_count(ix->db, NULL, &sets, &redundant, &err), -1);
	ck_assert_int_eq(err.code, ERR_BAD_INDEX);
	ck_assert_msg(strstr(err.text, "row (1, 'a') of file has an invalid hash") != NULL, "%s", err.text);
}
END_TEST

/* A row is known by its number, by its name, by both, or not at all; the index as a whole has none. */
START_TEST(damage_told)
{
	struct err err = { 0 };

	ck_assert_int_eq(db_corrupt(ix->db, &err, "dir", -7, NULL, "has parent %d", 3), -1);
	ck_assert_int_eq(err.code, ERR_BAD_INDEX);
	ck_assert_ptr_nonnull(strstr(err.text, "is damaged: row -7 of dir has parent 3"));
	ck_assert_int_eq(db_corrupt(ix->db, &err, "meta", 0, "secret", "is missing"), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is damaged: row 'secret' of meta is missing"));
	ck_assert_int_eq(db_corrupt(ix->db, &err, "file", 0, NULL, "has an invalid hash"), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is damaged: a row of file has an invalid hash"));
	ck_assert_int_eq(db_damaged(ix->db, &err, "it has version %d", -1), -1);
	ck_assert_int_eq(err.code, ERR_BAD_INDEX);
	ck_assert_ptr_nonnull(strstr(err.text, "is damaged: it has version -1"));
}
END_TEST

/* Which differences from a stat make another file of it. */
static const struct {
	int64_t size, inode, mtime, ctime;
	int32_t mtime_nsec, ctime_nsec;
	bool same, same_trusting;
} stats[] = {
	{ 10, -5, 100, 200, 1, 2, true, true },
	{ 11, -5, 100, 200, 1, 2, false, false },
	{ 10, -6, 100, 200, 1, 2, false, false },
	{ 10, 5, 100, 200, 1, 2, false, false },
	{ 10, -5, 101, 200, 1, 2, false, false },
	{ 10, -5, 100, 200, 0, 2, false, false },
	{ 10, -5, 100, 201, 1, 2, false, true },
	{ 10, -5, 100, 200, 1, 3, false, true },
	{ 10, -5, 100, INT64_MIN, 1, 2, false, true },
};

START_TEST(same)
{
	struct file_row row = named(1, "a");
	const struct fs_stat st = {
		.dev = 99, .inode = (uint64_t)stats[_i].inode, .size = stats[_i].size, .blocks = 77, .nlink = 66,
		.mtime = { stats[_i].mtime, stats[_i].mtime_nsec }, .ctime = { stats[_i].ctime, stats[_i].ctime_nsec },
	};

	row.size = 10, row.inode.number = -5, row.mtime = (struct fs_time){ 100, 1 }, row.ctime = (struct fs_time){ 200, 2 };
	ck_assert_int_eq(file_same(&row, &st, false), stats[_i].same);
	ck_assert_int_eq(file_same(&row, &st, true), stats[_i].same_trusting);
	/* A row made from the stat is the same as it. */
	row.racy = row.has_hash = row.has_head = true, row.verified = 5, row.error = 5;
	file_from_stat(&row, &st, 3);
	ck_assert(file_same(&row, &st, false));
	ck_assert(!row.racy && !row.has_hash && !row.has_head && row.verified == 0 && row.error == 0);
	ck_assert_int_eq(row.inode.volume, 3);
	ck_assert_int_eq(row.blocks, 77);
	ck_assert_int_eq(row.nlink, 66);
	ck_assert_int_eq(row.dir, 1);
	ck_assert_str_eq(row.name, "a");
}
END_TEST

static const struct {
	struct file_row other;
	bool linked;
} links[] = {
	{ { .inode = { 1, 2 }, .nlink = 2, .size = 3, .mtime = { 4, 5 }, .ctime = { 6, 7 } }, true },
	/* A link more: a later ctime, and a count that old rows do not have yet. */
	{ { .inode = { 1, 2 }, .nlink = 3, .size = 3, .mtime = { 4, 5 }, .ctime = { 9, 9 } }, true },
	{ { .inode = { 2, 2 }, .nlink = 2, .size = 3, .mtime = { 4, 5 }, .ctime = { 6, 7 } }, false },
	{ { .inode = { 1, 3 }, .nlink = 2, .size = 3, .mtime = { 4, 5 }, .ctime = { 6, 7 } }, false },
	/* A row from before there was a link, or another mount of the file: one inode all the same. */
	{ { .inode = { 1, 2 }, .nlink = 1, .size = 3, .mtime = { 4, 5 }, .ctime = { 6, 7 } }, true },
	{ { .inode = { 1, 2 }, .nlink = 2, .size = 4, .mtime = { 4, 5 }, .ctime = { 6, 7 } }, false },
	{ { .inode = { 1, 2 }, .nlink = 2, .size = 3, .mtime = { 4, 6 }, .ctime = { 6, 7 } }, false },
};

START_TEST(linked)
{
	const struct file_row row = { .inode = { 1, 2 }, .nlink = 2, .size = 3, .mtime = { 4, 5 }, .ctime = { 6, 7 } };

	ck_assert_int_eq(file_linked(&row, &links[_i].other), links[_i].linked);
	ck_assert_int_eq(file_linked(&links[_i].other, &row), links[_i].linked);
}
END_TEST

START_TEST(error_texts)
{
	ck_assert_str_eq(file_error_text(EACCES), "Permission denied");
	ck_assert_ptr_nonnull(strstr(file_error_text(FILE_CHANGING), "changed"));
	ck_assert_ptr_nonnull(strstr(file_error_text(FILE_COLLISION), "hash"));
	ck_assert_ptr_nonnull(file_error_text(-99));
}
END_TEST

Suite *
suite_file(void)
{
	Suite *s = suite_create("file");
	TCase *tc = tcase_create("file");

	tcase_add_unchecked_fixture(tc, make_index, remove_index);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, damaged_hash);
	tcase_add_test(tc, hostile_names);
	tcase_add_loop_test(tc, long_names, 0, 2);
	tcase_add_loop_test(tc, extreme_numbers, 0, N_ROWS(numbers));
	tcase_add_loop_test(tc, put_many, 0, N_ROWS(many));
	tcase_add_test(tc, links_set);
	tcase_add_test(tc, derived_not_stored);
	tcase_add_test(tc, rolled_back);
	tcase_add_loop_test(tc, damage, 0, N_ROWS(damages));
	tcase_add_test(tc, damage_told);
	suite_add_tcase(s, tc);
	tc = tcase_create("compare");
	tcase_add_loop_test(tc, same, 0, N_ROWS(stats));
	tcase_add_loop_test(tc, linked, 0, N_ROWS(links));
	tcase_add_test(tc, error_texts);
	suite_add_tcase(s, tc);
	return s;
}
