/* SPDX-License-Identifier: MIT */
/* export/parquet: when a group of rows ends.  tests/cli/export.sh reads what stands in the files. */
#include "base/base.h"

#include "export/parquet.h"
#include "unit.h"

static const struct table_column columns[] = { { "n", TABLE_INT32, false, true }, { "text", TABLE_TEXT, true, false } };

static off_t
written(FILE *f)
{
	fflush(f);
	return ftello(f);
}

static void
row(struct parquet *p, int64_t n, const char *text, size_t len)
{
	parquet_int(p, 0, n);
	if (text != NULL)
		parquet_bytes(p, 1, text, len);
	else
		parquet_null(p, 1);
	parquet_end_row(p);
}

/* A group that is full is written at once; the rest is, at the end. */
START_TEST(many_rows)
{
	FILE *f = tmpfile();
	struct parquet *p = parquet_begin(f, columns, N_ROWS(columns));
	off_t one;

	for (int i = 0; i < PARQUET_GROUP_ROWS - 1; i++)
		row(p, i % 3, NULL, 0);
	ck_assert_int_eq(written(f), 4);
	row(p, 7, NULL, 0);
	one = written(f);
	ck_assert_int_gt(one, 4);
	row(p, 8, "x", 1);
	ck_assert_int_eq(written(f), one);
	parquet_end(p);
	ck_assert_int_gt(written(f), one);
	parquet_free(p);
	fclose(f);
}
END_TEST

/* So is one with much text, long before it has that many rows: memory stays bounded, and a page below 2 GiB. */
START_TEST(long_texts)
{
	const size_t len = PARQUET_GROUP_BYTES / 4 - 4;
	char *text = mem_zalloc(1, len);
	FILE *f = tmpfile();
	struct parquet *p = parquet_begin(f, columns, N_ROWS(columns));

	for (int i = 0; i < 3; i++)
		row(p, i, text, len);
	ck_assert_int_eq(written(f), 4);
	row(p, 3, text, len);
	ck_assert_int_gt(written(f), 4);
	parquet_end(p);
	parquet_free(p);
	free(text);
	fclose(f);
}
END_TEST

Suite *
suite_parquet(void)
{
	Suite *s = suite_create("parquet");
	TCase *t = tcase_create("parquet");

	tcase_add_test(t, many_rows);
	tcase_add_test(t, long_texts);
	suite_add_tcase(s, t);
	return s;
}
