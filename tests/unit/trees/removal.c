/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/index.h"
#include "query/dirtree.h"
#include "trees/contents_map.h"
#include "trees/dir_sums.h"
#include "trees/keepers.h"
#include "trees/removal.h"
#include "trees/stat_results.h"
#include "fixture.h"
#include "unit.h"

static struct contents_map map;
static struct stat_results looks;

/* The number of a directory below /t. */
static uint32_t
number(const char *name)
{
	char path[32];
	uint32_t dir;

	snprintf(path, sizeof(path), "/t/%s", name);
	dir = dirtree_find(map.dirs, path);
	ck_assert_msg(dir != DIRTREE_NONE, "%s", path);
	return dir;
}

/* Load a map of files in /t, a, a/c (4) and b, all of which are there, but for those in the directory gone, and wanted. */
static void
load(const char *files, const char *gone)
{
	struct err err = { 0 };

	fixture_dir(4, 3, "c", 1, 104);
	fixture_files(files);
	fixture_ix->pending = INDEX_WHOLE;
	map = (struct contents_map){ .dirs = NULL };
	if (contents_map_load(&map, fixture_ix, NULL, 0, &err) < 0)
		ck_abort_msg("%s", err.text);
	looks = (struct stat_results){ .here = bits_new(map.n_names) };
	for (size_t i = 0; i < map.n_names; i++)
		bits_set(looks.here, i, gone == NULL || map.names[i].dir != number(gone));
	looks.wanted = mem_alloc(map.n + 1);
	memset(looks.wanted, true, map.n + 1);
}

static void
unload(void)
{
	stat_results_release(&looks);
	contents_map_release(&map);
	fixture_index_teardown();
}

/* The next of words with a space between; false at the end. */
static bool
next(const char **words, char word[8])
{
	size_t n = strcspn(*words, " ");

	ck_assert_uint_lt(n, 8);
	memcpy(word, *words, n);
	word[n] = '\0';
	*words += n + ((*words)[n] == ' ');
	return n > 0;
}

#define ONE "(3, 'x', 5, 1, 1, 1, 7, NULL)"
#define COPY "(2, 'y', 5, 1, 2, 1, 7, NULL)"
#define DEEP "(4, 'z', 5, 1, 3, 1, 7, NULL)"
#define LONE "(4, 'u', 6, 1, 4, 1, 8, NULL)"

/* The directories that are tried, one after the other, and whether each goes; then what removal_list() says of a directory. */
static const struct {
	const char *files, *gone, *in, *tried, *want, *listed, *list;
	bool within;
} removals[] = {
	{ ONE, NULL, NULL, "a", "a-", "a", "5: 1/1/1 alone", false },
	{ ONE ", " COPY, NULL, NULL, "a b", "a+ b-", "b", "5: 1/1/1 needed", false },
	{ ONE ", " COPY, NULL, NULL, "b a", "b+ a-", "b", "5: 1/1/0", false },
	{ ONE ", " COPY, NULL, NULL, "", "", "a", "5: 1/1/1", false },
	{ ONE ", " COPY ", " DEEP, NULL, NULL, "a b", "a+ b-", "a", "5: 2/2/0", false },
	{ ONE ", " COPY ", " DEEP, NULL, NULL, "a/c b", "a/c+ b+", "a", "5: 2/2/1 needed", false },
	/* What one content forbids is put back for the others. */
	{ ONE ", " COPY ", " LONE, NULL, NULL, "a a/c b a", "a- a/c- b+ a-", "a", "5: 1/1/1 needed, 6: 1/1/1 alone", false },
	{ ONE ", " LONE ", " COPY, NULL, NULL, "a b", "a- b+", "a/c", "6: 1/1/1 alone", false },
	{ ONE ", " DEEP, NULL, NULL, "a a/c", "a- a/c+", "a", "5: 2/2/1 alone", false },
	/* Every name of an inode keeps it; so do those outside, unless only what is within counts. */
	{ "(3, 'x', 5, 1, 1, 2, 7, NULL), (2, 'y', 5, 1, 1, 2, 7, NULL)", NULL, NULL, "a b", "a+ b-", "b", "5: 1/1/1 needed", false },
	{ "(3, 'x', 5, 1, 1, 3, 7, NULL), (2, 'y', 5, 1, 1, 3, 7, NULL)", NULL, NULL, "a b", "a+ b+", "b", "5: 1/1/0", false },
	{ "(3, 'x', 5, 1, 1, 3, 7, NULL), (2, 'y', 5, 1, 1, 3, 7, NULL)", NULL, NULL, "a b", "a+ b-", "b", "5: 1/1/1 needed", true },
	/* Two names without a link to each other may be one. */
	{ "(3, 'x', 5, 1, 1, 1, 7, NULL), (2, 'y', 5, 1, 1, 1, 7, NULL)", NULL, NULL, "a b", "a- b-", "a", "5: 1/0/0 alone", false },
	/* What is gone keeps nothing, and holds nothing back. */
	{ ONE ", " COPY, "b", NULL, "a b", "a- b+", "b", "", false },
	{ ONE ", " COPY, "a", NULL, "b a", "b- a+", "b", "5: 1/1/1 alone", false },
	/* Names count in some directories alone. */
	{ ONE ", " COPY ", " DEEP, NULL, "/t/b", "a b", "a+ b-", "a", "5: 2/0/0", false },
	{ ONE ", " COPY ", " DEEP, NULL, "/t/a", "b a/c a", "b+ a/c+ a-", "b", "5: 1/0/0", false },
	{ ONE ", " DEEP, NULL, "/t/b", "a/c", "a/c-", "a", "5: 2/0/0 alone", false },
};

static int
cmp_content(const void *a, const void *b)
{
	const struct removal_content *x = a, *y = b;

	return (map.v[x->content].size > map.v[y->content].size) - (map.v[x->content].size < map.v[y->content].size);
}

START_TEST(goes)
{
	const char *tried = removals[_i].tried;
	struct keepers keepers = { 0 };
	struct removal r = { .m = &map, .l = &looks, .keepers = &keepers, .within = removals[_i].within };
	struct removal_contents list = { 0 };
	struct buf b = { 0 };
	char dir[8];

	load(removals[_i].files, removals[_i].gone);
	keepers_load(&keepers, &map, &removals[_i].in, removals[_i].in != NULL);
	removal_open(&r);
	while (next(&tried, dir)) {
		const bool going = removal_try(&r, number(dir)) == REMOVAL_GOES;

		ck_assert(r.going[number(dir)] || !going);
		buf_addf(&b, "%s%s%c", b.len > 0 ? " " : "", dir, going ? '+' : '-');
	}
	ck_assert_str_eq(buf_str(&b), removals[_i].want);
	/* Twice: a list leaves nothing behind. */
	for (int n = 0; n < 2; n++) {
		buf_cut(&b, 0);
		list.n = 0;
		removal_list(&r, number(removals[_i].listed), &list);
		if (list.n > 0)
			qsort(list.v, list.n, sizeof(*list.v), cmp_content);
		for (size_t i = 0; i < list.n; i++) {
			const struct removal_content *c = &list.v[i];

			buf_addf(&b, "%s%d: %u/%u/%u%s%s", i > 0 ? ", " : "", (int)map.v[c->content].size, c->files, c->keeping, c->staying,
			         c->alone ? " alone" : "", c->needed ? " needed" : "");
		}
		ck_assert_str_eq(buf_str(&b), removals[_i].list);
	}
	vec_release(&list);
	buf_release(&b);
	removal_release(&r);
	keepers_release(&keepers);
}
END_TEST

/* Files, bytes and what is freed of /t, a, a/c and b; then what those that go free together. */
static const struct {
	const char *files, *gone, *want, *going;
	uint64_t frees;
} sums[] = {
	{ ONE, NULL, "1/5/5 1/5/5 0/0/0 0/0/0", "a", 5 },
	{ ONE, NULL, "1/5/5 1/5/5 0/0/0 0/0/0", "b a/c", 0 },
	{ ONE, "a", "0/0/0 0/0/0 0/0/0 0/0/0", "a", 0 },
	{ ONE ", " COPY ", " LONE, NULL, "3/16/16 2/11/11 1/6/6 1/5/5", "a/c b", 11 },
	/* The bytes of an inode count once; they are freed where all of its names lie. */
	{ "(3, 'x', 5, 1, 1, 2, 7, NULL), (2, 'y', 5, 1, 1, 2, 7, NULL)", NULL, "2/5/5 1/5/0 0/0/0 1/5/0", "a", 0 },
	{ "(3, 'x', 5, 1, 1, 2, 7, NULL), (2, 'y', 5, 1, 1, 2, 7, NULL)", NULL, "2/5/5 1/5/0 0/0/0 1/5/0", "a b", 5 },
	{ "(3, 'x', 5, 1, 1, 2, 7, NULL), (4, 'y', 5, 1, 1, 2, 7, NULL)", NULL, "2/5/5 2/5/5 1/5/0 0/0/0", "a", 5 },
	{ "(4, 'x', 5, 1, 1, 2, 7, NULL), (4, 'y', 5, 1, 1, 2, 7, NULL)", NULL, "2/5/5 2/5/5 2/5/5 0/0/0", "a/c", 5 },
	{ "(3, 'x', 5, 1, 1, 3, 7, NULL), (4, 'y', 5, 1, 1, 3, 7, NULL), (2, 'z', 5, 1, 1, 3, 7, NULL)", NULL,
	  "3/5/5 2/5/0 1/5/0 1/5/0", "a b", 5 },
	/* What is held from outside is never freed; nor is what may have one name less than it seems. */
	{ "(3, 'x', 5, 1, 1, 3, 7, NULL), (2, 'y', 5, 1, 1, 3, 7, NULL)", NULL, "2/5/0 1/5/0 0/0/0 1/5/0", "a b", 0 },
	{ "(3, 'x', 5, 1, 1, 2, 7, NULL), (4, 'y', 5, 1, 1, 2, 7, NULL), (2, 'z', 5, 1, 1, 2, 7, NULL)", NULL,
	  "3/5/0 2/5/0 1/5/0 1/5/0", "a b", 0 },
	/* A name that is gone is none, but holds its inode, as far as is known. */
	{ "(3, 'x', 5, 1, 1, 2, 7, NULL), (2, 'y', 5, 1, 1, 2, 7, NULL)", "b", "1/5/5 1/5/0 0/0/0 0/0/0", "a", 0 },
	{ "(3, 'x', 5, 1, 1, 2, 7, NULL), (2, 'y', 5, 1, 1, 2, 7, NULL)", "b", "1/5/5 1/5/0 0/0/0 0/0/0", "a b", 5 },
};

START_TEST(sums_up)
{
	static const char *const shown[] = { "", "a", "a/c", "b" };
	const char *words = sums[_i].going;
	struct buf b = { 0 };
	struct dir_sum *v;
	bool *going;
	char dir[8];

	load(sums[_i].files, sums[_i].gone);
	v = dir_sums_make(&map, &looks);
	for (int i = 0; i < N_ROWS(shown); i++) {
		const struct dir_sum *s = &v[i == 0 ? dirtree_parent(map.dirs, number("a")) : number(shown[i])];

		buf_addf(&b, "%s%d/%d/%d", i > 0 ? " " : "", (int)s->files, (int)s->bytes, (int)s->frees);
	}
	ck_assert_str_eq(buf_str(&b), sums[_i].want);
	free(v);
	buf_release(&b);
	going = mem_zalloc(dirtree_count(map.dirs), sizeof(*going));
	while (next(&words, dir))
		memset(going + number(dir), true, dirtree_end(map.dirs, number(dir)) - number(dir));
	ck_assert_uint_eq(dir_sums_frees(&map, &looks, going), sums[_i].frees);
	/* What is not wanted is not counted. */
	memset(looks.wanted, false, map.n + 1);
	ck_assert_uint_eq(dir_sums_frees(&map, &looks, going), 0);
	free(going);
}
END_TEST

Suite *
suite_removal(void)
{
	Suite *s = suite_create("removal");
	TCase *tc = tcase_create("removal");

	tcase_add_checked_fixture(tc, fixture_index_setup, unload);
	tcase_add_loop_test(tc, goes, 0, N_ROWS(removals));
	tcase_add_loop_test(tc, sums_up, 0, N_ROWS(sums));
	suite_add_tcase(s, tc);
	return s;
}
