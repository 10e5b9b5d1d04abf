/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/backups.h"
#include "query/keep.h"
#include "query/keep_rules.h"
#include "unit.h"

/* keep_rules_resolve_fn: "typo" does not exist, the others lie in "/". */
static int
resolve(void *arg, const char *typed, struct buf *path, struct err *err)
{
	(void)arg;
	if (strcmp(typed, "typo") == 0)
		return err_set(err, ERR_NO_PATH, "'%s' does not exist", typed);
	buf_addf(path, "/%s", typed);
	return 0;
}

/* Under a chain of rules, which of two copies stays: 1, 2, or 0: they are equal. */
static const struct {
	const char *rules, *one, *two;
	int64_t times[2], links[2], roots[2];
	int stays;
} pairs[] = {
	{ "first-path", "/a/b", "/a/c", { 0 }, { 0 }, { 0 }, 1 },
	{ "first-path", "/b", "/a/c", { 0 }, { 0 }, { 0 }, 2 },
	{ "first-path", "/a\xff", "/a\xc3\xa9", { 0 }, { 0 }, { 0 }, 2 },
	{ "first-path", "/a\n", "/a ", { 0 }, { 0 }, { 0 }, 1 },
	{ "shortest-path", "/abc", "/a/b/c", { 0 }, { 0 }, { 0 }, 1 },
	{ "shortest-path", "/ab/c", "/a/bc", { 0 }, { 0 }, { 0 }, 0 },
	{ "longest-path", "/abc", "/a/b/c", { 0 }, { 0 }, { 0 }, 2 },
	{ "shallowest", "/a/b/c", "/a/bbbbbbb", { 0 }, { 0 }, { 0 }, 2 },
	{ "shallowest", "/a/x", "/b/yyy", { 0 }, { 0 }, { 0 }, 0 },
	{ "deepest", "/a/b/c", "/a/bbbbbbb", { 0 }, { 0 }, { 0 }, 1 },
	{ "newest", "/a", "/b", { 5, 6 }, { 0 }, { 0 }, 2 },
	{ "newest", "/a", "/b", { 6, 6 }, { 0 }, { 0 }, 0 },
	{ "newest", "/a", "/b", { -1, -2 }, { 0 }, { 0 }, 1 },
	{ "oldest", "/a", "/b", { 5, 6 }, { 0 }, { 0 }, 1 },
	{ "most-links", "/a", "/b", { 0 }, { 1, 3 }, { 0 }, 2 },
	{ "root-order", "/a", "/b", { 0 }, { 0 }, { 4, 2 }, 2 },
	{ "in:d", "/d/x", "/e/x", { 0 }, { 0 }, { 0 }, 1 },
	{ "in:d", "/d2/x", "/d/x", { 0 }, { 0 }, { 0 }, 2 },
	{ "in:d", "/d/x", "/d/y", { 0 }, { 0 }, { 0 }, 0 },
	{ "in:d,e", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "in:d\\,e", "/d,e/x", "/d/x", { 0 }, { 0 }, { 0 }, 1 },
	{ "not-in:d", "/d/x", "/e/x", { 0 }, { 0 }, { 0 }, 2 },
	{ "name:*.jpg", "/jpg/a", "/a/b.jpg", { 0 }, { 0 }, { 0 }, 2 },
	{ "name:*.jpg", "/a.jpg/b", "/b", { 0 }, { 0 }, { 0 }, 0 },
	{ "name:?", "/\xff", "/\xff\xfe", { 0 }, { 0 }, { 0 }, 1 },
	{ "name:[\xfe-\xff]", "/\x80", "/\xff", { 0 }, { 0 }, { 0 }, 2 },
	{ "regex:/[0-9]{4}/", "/x/y/z", "/p/2023/z", { 0 }, { 0 }, { 0 }, 2 },
	{ "regex:/[0-9]{4\\,5}/", "/p/20233/z", "/p/202333/z", { 0 }, { 0 }, { 0 }, 1 },
	{ "regex:^/a.b$", "/a\xff" "b", "/ab", { 0 }, { 0 }, { 0 }, 1 },
	{ "regex:\xc3\xa9", "/\xc3\xa9", "/\xc3\xa8", { 0 }, { 0 }, { 0 }, 1 },
	{ "regex:(copy|\\([0-9]+\\))", "/x (1).jpg", "/x.jpg", { 0 }, { 0 }, { 0 }, 1 },
	{ "newest,shortest-path", "/aa", "/b", { 6, 6 }, { 0 }, { 0 }, 2 },
	{ "newest,shortest-path", "/aa", "/b", { 7, 6 }, { 0 }, { 0 }, 1 },
	{ "in:d,in:e,oldest", "/e/x", "/f/x", { 9, 1 }, { 0 }, { 0 }, 1 },
	{ "in:d,in:e,oldest", "/d/x", "/e/x", { 9, 1 }, { 0 }, { 0 }, 1 },
	{ "in:d,in:e,oldest", "/f/x", "/g/x", { 9, 1 }, { 0 }, { 0 }, 2 },
	{ "most-links,root-order,first-path", "/b", "/a", { 0 }, { 2, 2 }, { 3, 3 }, 2 },
	{ "newest,oldest", "/b", "/a", { 1, 2 }, { 0 }, { 0 }, 2 },
	{ "first-path,newest,deepest,shallowest", "/a", "/a", { 1, 1 }, { 0 }, { 0 }, 0 },
	/* Texts that are refused. */
	{ "", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "newest,", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ ",newest", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "new", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "newest:x", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "Newest", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "in", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "in:", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "in:typo", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "newest,not-in:typo", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "name:", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "regex:", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "regex:(", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
	{ "oldest,regex:[", NULL, NULL, { 0 }, { 0 }, { 0 }, -1 },
};

/* Room for the numbers of a chain. */
enum { MOST_RULES = 8 };

static struct keep_facts
measured(const struct keep_rules *r, struct keep_facts f, int64_t numbers[MOST_RULES])
{
	ck_assert_uint_le(r->n, MOST_RULES);
	keep_rules_measure(r, &f, numbers);
	f.numbers = numbers;
	return f;
}

START_TEST(rules)
{
	const int stays = pairs[_i].stays;
	struct keep_rules r = { 0 };
	struct err err = { 0 };
	const struct keep_facts one = { pairs[_i].one, { pairs[_i].times[0], 0 }, pairs[_i].links[0], pairs[_i].roots[0], NULL };
	const struct keep_facts two = { pairs[_i].two, { pairs[_i].times[1], 0 }, pairs[_i].links[1], pairs[_i].roots[1], NULL };

	ck_assert_int_eq(keep_rules_parse(&r, pairs[_i].rules, resolve, NULL, &err), stays < 0 ? -1 : 0);
	if (stays < 0)
		ck_assert_int_ne(err.code, ERR_NONE);
	else {
		int64_t x[MOST_RULES], y[MOST_RULES];
		const struct keep_facts a = measured(&r, one, x), b = measured(&r, two, y);
		const int cmp = keep_rules_cmp(&r, &a, &b), back = keep_rules_cmp(&r, &b, &a);

		ck_assert_int_eq(cmp < 0 ? 1 : cmp > 0 ? 2 : 0, stays);
		ck_assert_int_eq((cmp > 0) - (cmp < 0), (back < 0) - (back > 0));
	}
	keep_rules_release(&r);
}
END_TEST

/* Rules that have to match, or count, do so once for a copy: comparisons need no path for them. */
START_TEST(once)
{
	struct keep_facts one = { "/d/a b", { 5, 1 }, 1, 1, NULL }, two = { "/e/f/a", { 5, 1 }, 1, 1, NULL };
	static const char *const chains[] = {
		"regex: ", "newest,regex:x,regex: ", "name:* b", "not-in:e", "deepest,regex: ", "longest-path,deepest", "shallowest",
	};
	int64_t x[MOST_RULES], y[MOST_RULES];
	struct keep_rules r = { 0 };
	struct err err = { 0 };

	ck_assert_int_eq(keep_rules_parse(&r, chains[_i], resolve, NULL, &err), 0);
	one = measured(&r, one, x);
	two = measured(&r, two, y);
	one.path = two.path = NULL;
	ck_assert_int_eq(keep_rules_cmp(&r, &one, &two) < 0, strstr(chains[_i], "deepest") == NULL);
	keep_rules_release(&r);
}
END_TEST

/* A time within a second decides as well. */
START_TEST(nanoseconds)
{
	const struct keep_facts one = { "/a", { 5, 1 }, 1, 1, NULL }, two = { "/b", { 5, 2 }, 1, 1, NULL };
	int64_t x[MOST_RULES], y[MOST_RULES];
	struct keep_rules r = { 0 };
	struct err err = { 0 };
	struct keep_facts a, b;

	ck_assert_int_eq(keep_rules_parse(&r, "newest", resolve, NULL, &err), 0);
	a = measured(&r, one, x);
	b = measured(&r, two, y);
	ck_assert_int_gt(keep_rules_cmp(&r, &a, &b), 0);
	keep_rules_release(&r);
}
END_TEST

/* The message of a rule that there is not names all that are. */
START_TEST(unknown)
{
	struct keep_rules r = { 0 };
	struct err err = { 0 };

	ck_assert_int_eq(keep_rules_parse(&r, "oldest,latest", resolve, NULL, &err), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.text, "'latest'"));
	for (size_t i = 0; keep_rules_names[i] != NULL; i++)
		ck_assert_ptr_nonnull(strstr(err.text, keep_rules_names[i]));
	keep_rules_release(&r);
}
END_TEST

/*
 * Names of a content as words: a path, then what holds of it: a number: its inode, vN its volume, tN its
 * time, a: asked to go, d, k: marked drop, keep.  Named: "/n".  Root: "/".  Protected: "/p".  What goes
 * is listed behind.
 */
static const struct {
	const char *rules;
	int copies;
	bool per_volume, in;
	const char *names, *goes;
} choices[] = {
	/* What the user did not name stays before the rest, the first of these in the order of paths. */
	{ NULL, 0, false, false, "/n/1:1a /o:2", "/n/1" },
	{ NULL, 0, false, false, "/n/1:1a /n/2:2a /n/3:3a", "/n/2 /n/3" },
	{ NULL, 0, false, false, "/n/1:1a", "" },
	{ NULL, 0, false, false, "/n/1:1a /n/2:2", "/n/1" },
	/* Visible before hidden: what is named and visible stays for a hidden one beside it, not for one elsewhere. */
	{ NULL, 0, false, false, "/n/1:1a /n/.config/1:2", "" },
	{ NULL, 0, false, false, "/n/1:1a /n/.config/1:2a", "/n/.config/1" },
	{ NULL, 0, false, false, "/n/1:1a /o/.config/1:2", "/n/1" },
	{ NULL, 0, false, false, "/n/a:1a /n/.b:2a", "/n/.b" },
	/* Live before backups, and the less deep. */
	{ NULL, 0, false, false, "/n/Mail/cur/1:1a /n/old-laptop/1:2a", "/n/old-laptop/1" },
	{ NULL, 0, false, false, "/n/backup/1:1a /n/.mail/x/1:2a", "/n/backup/1" },
	{ NULL, 0, false, false, "/n/a/b/1:1a /n/c/1:2a", "/n/a/b/1" },
	{ "deepest", 0, false, false, "/n/Mail/1:1a /n/old/a/1:2a", "/n/Mail/1" },
	/* Marks. */
	{ NULL, 0, false, false, "/n/1:1ak /n/2:2a", "/n/2" },
	{ NULL, 0, false, false, "/n/1:1a /n/2:2ad", "/n/2" },
	{ NULL, 0, false, false, "/n/1:1ad /n/.h:2", "/n/1" },
	{ NULL, 0, false, false, "/n/1:1a /o:2d", "/n/1" },
	/* Inodes stay whole; one of which no name goes comes first. */
	{ NULL, 0, false, false, "/n/1:1a /n/2:1a", "" },
	{ NULL, 0, false, false, "/n/1:1a /n/2:2a /n/3:2a", "/n/2 /n/3" },
	{ NULL, 0, false, false, "/n/1:1a /n/9:1a /n/2:2a", "/n/2" },
	{ NULL, 0, false, false, "/n/1:1a /o/1:1 /o/2:2", "/n/1" },
	{ NULL, 0, false, false, "/n/1:1a /o/1:1 /n/2:2a", "/n/2" },
	/* Rules come before what the user named, and chosen copies count once. */
	{ "newest", 0, false, false, "/n/1:1at5 /o:2t4", "" },
	{ "newest", 0, false, false, "/n/1:1at5 /o:2t5", "/n/1" },
	{ "oldest", 0, false, false, "/n/1:1at5 /n/2:2at4 /n/3:3at4", "/n/1 /n/3" },
	{ "first-path", 0, false, false, "/n/1:1a /n/2:2a /n/3:3a", "/n/2 /n/3" },
	{ "first-path", 0, false, false, "/n/1:2a /n/2:1a /n/3:2a", "/n/2" },
	/* What is protected does not go, and is the copy that stays. */
	{ "newest", 0, false, false, "/n/1:1at5 /p/x:2at4", "/n/1" },
	{ NULL, 0, false, false, "/p/1:1a /p/2:2a", "" },
	{ NULL, 2, false, false, "/p/1:1a /n/2:2a /n/3:3a", "/n/3" },
	/* At least so many. */
	{ NULL, 1, false, false, "/n/1:1a /n/2:2a /n/3:3a", "/n/2 /n/3" },
	{ NULL, 2, false, false, "/n/1:1a /n/2:2a /n/3:3a", "/n/3" },
	{ NULL, 3, false, false, "/n/1:1a /n/2:2a /n/3:3a", "" },
	{ NULL, 4, false, false, "/n/1:1a /n/2:2a /n/3:3a", "" },
	{ NULL, 2, false, false, "/n/1:1a /n/2:2a /n/3:2a", "" },
	{ NULL, 2, false, false, "/n/1:1a /n/2:2a /o:3", "/n/2" },
	/* One on each volume; 7 is a number of both. */
	{ NULL, 0, true, false, "/n/1:7av1 /n/2:7av2", "" },
	{ NULL, 0, true, false, "/n/1:1av1 /n/2:7av2 /n/3:8av2", "/n/3" },
	{ "first-path", 2, true, false, "/n/1:1av1 /n/2:2av1 /n/3:3av1 /n/4:4av2 /n/5:5av2", "/n/3 /n/5" },
	{ NULL, 0, true, false, "/n/1:1av1 /o/2:7v2 /n/3:8av2", "/n/3" },
	/* A trash holds no copies. */
	{ NULL, 0, false, false, "/n/1:1a /.Trash-7/files/1:2", "" },
	{ NULL, 0, false, false, "/n/1:1a /.Trash/1/files/1:2a", "/.Trash/1/files/1" },
	{ NULL, 0, false, false, "/n/Trash/files/1:1a /n/Trash/files/2:2a", "" },
	{ NULL, 2, false, false, "/n/1:1a /n/2:2a /n/Trash/files/2:3a", "/n/Trash/files/2" },
	/* Nor does a cache, of what goes elsewhere. */
	{ NULL, 0, false, false, "/n/1:1a /o/.cache/x/1:2", "" },
	{ NULL, 0, false, false, "/n/1:1a /o/.cache/x/1:2a", "/o/.cache/x/1" },
	{ NULL, 0, false, false, "/n/1:1a /o/1:2 /o/.cache/x/1:3", "/n/1" },
	{ NULL, 2, false, false, "/n/1:1a /o/1:2 /o/.cache/x/1:3", "" },
	{ NULL, 0, false, false, "/n/.cache/1:1a /n/.cache/2:2a", "/n/.cache/2" },
	{ NULL, 0, false, false, "/n/.cache/1:1a /o/.cache/2:2", "/n/.cache/1" },
	{ NULL, 0, false, false, "/n/1:1 /n/.cache/2:2a", "/n/.cache/2" },
	/* Copies count only below "/in". */
	{ NULL, 0, false, true, "/n/1:1a /o/1:2", "" },
	{ NULL, 0, false, true, "/n/1:1a /n/2:2a /in/1:3", "/n/1 /n/2" },
	{ NULL, 0, false, true, "/n/1:1a /in/1:2a /in/2:3a", "/in/2 /n/1" },
	{ NULL, 0, false, true, "/n/1:1a /in/1:1", "" },
	{ NULL, 2, false, true, "/n/1:1a /o/2:3a /in/1:2", "/n/1 /o/2" },
};

/* The backup: "/n/b". */
static struct backups backups;

static void
setup_backups(void)
{
	vec_push(&backups, mem_str("/n/b"));
	pathset_add(&backups.paths, backups.v[0], 0);
	pathset_sort(&backups.paths);
}

static void
teardown_backups(void)
{
	backups_release(&backups);
	backups = (struct backups){ .n = 0 };
}

/* What lies in a backup never goes, and counts only where that is said; the rest as in choices. */
static const struct {
	bool count, from, in;
	const char *names, *goes;
} backed[] = {
	{ false, false, false, "/n/1:1a /n/b/1:2a", "" },
	{ false, false, false, "/n/1:1a /n/b/1:2", "" },
	{ false, false, false, "/n/1:1a /n/2:2a /n/b/1:3a", "/n/2" },
	{ false, false, false, "/n/b/1:1a /n/b/2:2a", "" },
	{ false, false, false, "/n/old/1:1a /n/b/1:2a", "" },
	{ false, false, false, "/n/1:1a /n/b/1:2k", "" },
	/* An inode with a name there is a copy by its other names. */
	{ false, false, false, "/n/1:1a /n/b/1:1a /n/2:2a", "/n/2" },
	{ false, false, false, "/n/1:1a /n/b/1:1 /n/b/2:2", "" },
	/* They count: what was not named stays there, and what is live stays before it. */
	{ true, false, false, "/n/1:1a /n/b/1:2a", "" },
	{ true, false, false, "/n/1:1a /n/2:2a /n/b/1:3a", "/n/2" },
	{ true, false, false, "/n/Downloads/1:1a /n/b/1:3a", "" },
	/* What was named to go from a backup goes for a live copy, and for one there if these count. */
	{ false, true, false, "/n/1:1 /n/b/1:2a", "/n/b/1" },
	{ false, true, false, "/n/b/1:1a /n/b/2:2a", "" },
	{ true, true, false, "/n/b/1:1a /n/b/2:2a", "/n/b/2" },
	{ true, true, false, "/n/1:1a /n/b/1:2a", "/n/b/1" },
	/* Copies that count in it alone do. */
	{ false, false, true, "/n/1:1a /n/b/1:2a", "/n/1" },
	{ false, false, true, "/n/1:1a /n/2:2a", "" },
};

/* Parse a word of choices. */
static void
read_name(const char *word, const struct keep *k, const struct pathset *named, char *path, struct keep_name *n)
{
	const char *at = strrchr(word, ':') + 1;

	memset(n, 0, sizeof(*n));
	memcpy(path, word, (size_t)(at - 1 - word));
	path[at - 1 - word] = '\0';
	n->facts.path = path;
	n->inode.number = strtol(at, (char **)(uintptr_t)&at, 10);
	while (*at != '\0') {
		const char what = *at++;

		if (what == 'a')
			n->wish = KEEP_ASKED;
		else if (what == 'd' || what == 'k')
			n->mark = what == 'd' ? MARK_DROP : MARK_KEEP;
		else if (what == 'v')
			n->inode.volume = strtol(at, (char **)(uintptr_t)&at, 10);
		else if (what == 't')
			n->facts.mtime.sec = strtol(at, (char **)(uintptr_t)&at, 10);
	}
	keep_place(k, named, &backups, NULL, n);
}

static int
cmp_path(const void *a, const void *b)
{
	return strcmp((*(struct keep_name *const *)a)->facts.path, (*(struct keep_name *const *)b)->facts.path);
}

/* Choose among names, and compare what goes. */
static void
check_choice(const struct keep *k, const char *list, const char *want)
{
	struct pathset named = { 0 };
	char text[400], paths[8][64], *rest, *word;
	struct keep_name names[8], *order[8];
	struct buf goes = { 0 };
	size_t n = 0;

	pathset_add(&named, "/n", 0);
	pathset_sort(&named);
	snprintf(text, sizeof(text), "%s", list);
	for (; (word = strtok_r(n == 0 ? text : NULL, " ", &rest)) != NULL; n++) {
		read_name(word, k, &named, paths[n], &names[n]);
		order[n] = &names[n];
	}
	keep_choose(k, order, n);
	qsort(order, n, sizeof(order[0]), cmp_path);
	for (size_t i = 0; i < n; i++) {
		if (order[i]->fate == KEEP_GOES)
			buf_addf(&goes, "%s%s", goes.len > 0 ? " " : "", order[i]->facts.path);
		/* What stays although it was to go, and was not pinned, has a reason. */
		ck_assert_int_eq(keep_why(k, order[i], 1) != NULL, !keep_may_ask(order[i]) || order[i]->mark == MARK_KEEP ||
		                 (order[i]->wish == KEEP_ASKED && order[i]->fate != KEEP_GOES));
	}
	ck_assert_str_eq(buf_str(&goes), want);
	buf_release(&goes);
	pathset_release(&named);
}

START_TEST(choose)
{
	static const char *const protect[] = { "/p" }, *const in[] = { "/in" };
	struct keep k = { .protect = protect, .n_protect = 1, .in = in, .n_in = choices[_i].in, .copies = choices[_i].copies,
	                  .per_volume = choices[_i].per_volume };
	struct err err = { 0 };

	if (choices[_i].rules != NULL)
		ck_assert_int_eq(keep_rules_parse(&k.rules, choices[_i].rules, resolve, NULL, &err), 0);
	check_choice(&k, choices[_i].names, choices[_i].goes);
	keep_rules_release(&k.rules);
}
END_TEST

START_TEST(choose_backed)
{
	static const char *const dirs[] = { "/n/b" };
	const struct keep k = { .backups_count = backed[_i].count, .from_backup = dirs, .n_from_backup = backed[_i].from,
	                        .in = dirs, .n_in = backed[_i].in };

	check_choice(&k, backed[_i].names, backed[_i].goes);
}
END_TEST

/* Whatever names there are and whatever is asked: who stays does not depend on their order, and a copy stays. */
START_TEST(random_names)
{
	static const char *const chains[] = { "newest", "oldest,first-path", "in:n", "not-in:n,deepest", "most-links", "name:*1",
	                                     "regex:[13]$", "longest-path,deepest", "shallowest" };
	static const char *const dirs[] = { "/n", "/n/.h", "/n/b", "/o", "/p", "/in", "/in/Trash/files" };
	static const char *const protect[] = { "/p" }, *const in[] = { "/in" };
	struct keep_name names[12], *order[12];
	char paths[12][64];
	struct pathset named = { 0 };
	unsigned seed = (unsigned)_i + 1;

	pathset_add(&named, "/n", 0);
	pathset_sort(&named);
	for (int round = 0; round < 500; round++) {
		static const char *const from[] = { "/n/b" };
		struct keep k = { .protect = protect, .in = in, .from_backup = from };
		enum keep_fate fates[12];
		struct err err = { 0 };
		const size_t n = 1 + (size_t)rand_r(&seed) % 12;
		int64_t stay;
		bool goes = false, counts = false;

		k.n_protect = rand_r(&seed) % 3 == 0;
		k.n_in = rand_r(&seed) % 3 == 0;
		k.copies = rand_r(&seed) % 4;
		k.n_from_backup = rand_r(&seed) % 3 == 0;
		k.backups_count = rand_r(&seed) % 3 == 0;
		k.per_volume = rand_r(&seed) % 4 == 0;
		if (rand_r(&seed) % 3 > 0)
			ck_assert_int_eq(keep_rules_parse(&k.rules, chains[(size_t)rand_r(&seed) % (sizeof(chains) / sizeof(chains[0]))],
			                                  resolve, NULL, &err), 0);
		for (size_t i = 0; i < n; i++) {
			snprintf(paths[i], sizeof(paths[i]), "%s/%zu", dirs[(size_t)rand_r(&seed) % N_ROWS(dirs)], i);
			names[i] = (struct keep_name){
				.facts = { paths[i], { rand_r(&seed) % 3, 0 }, rand_r(&seed) % 3, 0, NULL },
				.inode = { rand_r(&seed) % 2, rand_r(&seed) % 6 }, .wish = rand_r(&seed) % 4 > 0 ? KEEP_ASKED : KEEP_NOT_ASKED,
				.mark = rand_r(&seed) % 5 == 0 ? MARK_DROP : MARK_NONE,
				.standing = rand_r(&seed) % 8 == 0 ? KEEP_IGNORED : KEEP_COUNTS,
			};
			keep_place(&k, &named, &backups, NULL, &names[i]);
			order[i] = &names[i];
		}
		keep_choose(&k, order, n);
		stay = keep_count(order, n);
		for (size_t i = 0; i < n; i++) {
			fates[i] = names[i].fate;
			goes |= names[i].fate == KEEP_GOES;
			counts |= names[i].standing == KEEP_COUNTS;
			if (names[i].fate == KEEP_GOES && (names[i].wish != KEEP_ASKED || names[i].chosen))
				ck_abort_msg("a name goes that must not");
			if (names[i].fate == KEEP_GOES && backups_has(&backups, paths[i]) && k.n_from_backup == 0)
				ck_abort_msg("a name goes from a backup");
			if (names[i].standing == KEEP_COUNTS && backups_has(&backups, paths[i]) && !k.backups_count)
				ck_abort_msg("a copy in a backup counts");
			if (path_is_below_any(paths[i], k.protect, k.n_protect) && names[i].wish != KEEP_PINNED)
				ck_abort_msg("what is protected is not pinned");
		}
		if (goes && (stay < 1 || !counts))
			ck_abort_msg("the last copy goes");
		for (size_t i = 0; i < n; i++)
			order[i] = &names[(i * 7 + 3) % n];
		if (n % 7 != 0) {
			keep_choose(&k, order, n);
			for (size_t i = 0; i < n; i++) {
				if (names[i].fate != fates[i])
					ck_abort_msg("another order gives another choice");
			}
		}
		/* Those that count and do not go are as many as asked for, or nothing of them goes. */
		for (size_t i = 0; i < n; i++) {
			if (stay < k.copies && names[i].fate == KEEP_GOES && names[i].standing == KEEP_COUNTS)
				ck_abort_msg("fewer copies stay than must");
		}
		keep_rules_release(&k.rules);
	}
	pathset_release(&named);
}
END_TEST

Suite *
suite_keep(void)
{
	Suite *s = suite_create("keep");
	TCase *t = tcase_create("keep");

	tcase_add_checked_fixture(t, setup_backups, teardown_backups);
	tcase_add_loop_test(t, rules, 0, sizeof(pairs) / sizeof(pairs[0]));
	tcase_add_loop_test(t, once, 0, 7);
	tcase_add_test(t, nanoseconds);
	tcase_add_test(t, unknown);
	tcase_add_loop_test(t, choose, 0, sizeof(choices) / sizeof(choices[0]));
	tcase_add_loop_test(t, random_names, 0, 8);
	tcase_add_loop_test(t, choose_backed, 0, N_ROWS(backed));
	suite_add_tcase(s, t);
	return s;
}
