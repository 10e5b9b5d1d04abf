/* SPDX-License-Identifier: MIT */
/* What sets are made of: their order, and the contents that they are found by. */
#include "base/base.h"

#include <sqlite3.h>

#include "db/db.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "query/sets.h"
#include "fixture.h"
#include "unit.h"

/* Directories and names in which one is the begin of another, with bytes around the slash. */
static const char *const dirs[] = { "/", "/a/", "/a/a/", "/a/a.b/", "/a/a!/", "/a/b/", "/a b/", "/a/\377/", "/a/a/" };
static const char *const names[] = { "a", "a.b", "a!", "a0", "b", "\377", " " };

#define N_MEMBERS (N_ROWS(dirs) * N_ROWS(names))

static struct sets_member members[N_MEMBERS];
static struct buf texts;

static void
make_members(void)
{
	texts = (struct buf){ 0 };
	for (int i = 0; i < N_MEMBERS; i++) {
		const char *dir = dirs[i / N_ROWS(names)], *name = names[i % N_ROWS(names)];
		struct dirs_prefix *p = mem_alloc(sizeof(*p) + strlen(dir) + 1);

		p->len = strlen(dir);
		p->trash = 0;
		p->fleeting = 0;
		memcpy(p->text, dir, p->len + 1);
		/* All names of a directory share its prefix; they lie in no order. */
		if (i % N_ROWS(names) != 0) {
			free(p);
			p = (struct dirs_prefix *)(uintptr_t)members[i - 1].dir;
		}
		members[i] = (struct sets_member){ .dir = p, .name = texts.len, .inode = { 1, i } };
		buf_add(&texts, name, strlen(name) + 1);
	}
}

static void
free_members(void)
{
	for (int i = 0; i < N_MEMBERS; i += N_ROWS(names))
		free((void *)(uintptr_t)members[i].dir);
	buf_release(&texts);
}

static int
sign(int n)
{
	return (n > 0) - (n < 0);
}

START_TEST(compares_as_paths)
{
	struct buf a = { 0 }, b = { 0 };

	make_members();
	for (int i = 0; i < N_MEMBERS; i++) {
		for (int j = 0; j < N_MEMBERS; j++) {
			buf_cut(&a, 0);
			buf_cut(&b, 0);
			sets_member_path(&members[i], texts.data, &a);
			sets_member_path(&members[j], texts.data, &b);
			if (sign(sets_member_cmp_path(&members[i], &members[j], texts.data)) != sign(strcmp(a.data, b.data)))
				ck_abort_msg("'%s' and '%s'", a.data, b.data);
		}
	}
	buf_release(&a);
	buf_release(&b);
	free_members();
}
END_TEST

/* n members of some inodes; at a regular distance one is not there. */
static const struct {
	int n, inodes, gone;
} arranged[] = {
	{ 0, 1, 0 }, { 1, 1, 0 }, { 2, 2, 0 }, { 2, 1, 0 }, { 3, 3, 2 }, { 3, 2, 2 }, { 5, 9, 1 }, { 8, 8, 3 },
	{ 8, 3, 3 }, { 9, 9, 4 }, { 9, 4, 4 }, { 40, 40, 0 }, { 40, 7, 5 }, { 40, 1, 5 },
};

/* The place of a member in the order, by the definition: the path of its inode's first name, whether it is a link, its path. */
static void
arranged_key(const struct sets_member *v, int n, int i, char key[256])
{
	struct buf lead = { 0 }, path = { 0 }, other = { 0 };
	const bool lives = sets_member_lives(&v[i]);

	sets_member_path(&v[i], texts.data, &path);
	sets_member_path(&v[i], texts.data, &lead);
	for (int j = 0; lives && j < n; j++) {
		buf_cut(&other, 0);
		sets_member_path(&v[j], texts.data, &other);
		if (sets_member_lives(&v[j]) && inode_same(v[j].inode, v[i].inode) &&
		    strcmp(other.data, lead.data) < 0) {
			buf_cut(&lead, 0);
			buf_adds(&lead, other.data);
			buf_addc(&lead, '\0');
		}
	}
	/* \001 comes before every byte of these paths. */
	snprintf(key, 256, "%d%s\001%d%s", lives ? 0 : 1, lead.data, strcmp(lead.data, path.data) != 0, path.data);
	buf_release(&lead);
	buf_release(&path);
	buf_release(&other);
}

START_TEST(arranges)
{
	const int n = arranged[_i].n;
	struct sets_member *v = mem_zalloc((size_t)n + 1, sizeof(*v));
	char last[256], key[256];

	make_members();
	for (int i = 0; i < n; i++) {
		/* Some member of the first eight directories; 37 and 56 have no common factor. */
		v[i] = members[i * 37 % (N_MEMBERS - N_ROWS(names))];
		v[i].inode.number = i * 5 % arranged[_i].inodes;
		if (arranged[_i].gone > 0 && i % arranged[_i].gone == 0)
			v[i].kind = i % 2 == 0 ? MEMBER_GONE : MEMBER_EXCLUDED;
	}
	sets_member_arrange(v, (size_t)n, texts.data);
	last[0] = '\0';
	for (int i = 0; i < n; i++) {
		arranged_key(v, n, i, key);
		ck_assert_msg(strcmp(last, key) < 0, "'%s' before '%s'", last, key);
		memcpy(last, key, sizeof(last));
		if (sets_member_lives(&v[i]))
			ck_assert_int_eq(v[i].kind == MEMBER_LINK, strstr(key, "\0011") != NULL);
	}
	free(v);
	free_members();
}
END_TEST

/* Members as inode, names that the inode has anywhere, blocks, reasons; what can be freed. */
static const struct {
	struct { int inode, nlink, blocks; enum member_kind kind; unsigned fleeting; } v[5];
	int copies, blocks;
} freed[] = {
	/* One stays, and it is the one that takes most. */
	{ { { 1, 1, 8, MEMBER_COPY, 0 }, { 2, 1, 16, MEMBER_COPY, 0 } }, 1, 8 },
	{ { { 1, 1, 8, MEMBER_COPY, 0 } }, 0, 0 },
	/* All names of an inode are here, or some are elsewhere: then it stays. */
	{ { { 1, 2, 8, MEMBER_COPY, 0 }, { 1, 2, 8, MEMBER_COPY, 0 }, { 2, 1, 16, MEMBER_COPY, 0 } }, 1, 8 },
	{ { { 1, 3, 8, MEMBER_COPY, 0 }, { 1, 3, 8, MEMBER_COPY, 0 }, { 2, 1, 16, MEMBER_COPY, 0 } }, 1, 16 },
	{ { { 1, 2, 8, MEMBER_COPY, 0 }, { 2, 2, 16, MEMBER_COPY, 0 } }, 0, 0 },
	/* What is gone or taken not to exist holds nothing, what is offline, changed or in a trash may. */
	{ { { 1, 2, 8, MEMBER_COPY, 0 }, { 2, 2, 16, MEMBER_COPY, 0 }, { 1, 2, 8, MEMBER_GONE, 0 }, { 2, 2, 8, MEMBER_EXCLUDED, 0 } }, 1, 8 },
	{ { { 1, 2, 8, MEMBER_COPY, 0 }, { 2, 1, 16, MEMBER_COPY, 0 }, { 1, 2, 8, MEMBER_OFFLINE, 0 } }, 1, 16 },
	{ { { 1, 2, 8, MEMBER_COPY, 0 }, { 2, 1, 16, MEMBER_COPY, 0 }, { 1, 2, 8, MEMBER_CHANGED, 0 } }, 1, 16 },
	{ { { 1, 2, 8, MEMBER_COPY, 0 }, { 2, 2, 16, MEMBER_COPY, 0 }, { 1, 2, 8, MEMBER_TRASH, 0 }, { 2, 2, 16, MEMBER_TRASH, 0 } }, 0, 0 },
	/* A copy that lasts longer lets all in a cache go, however large; it does not go for them. */
	{ { { 1, 1, 8, MEMBER_COPY, 0 }, { 2, 1, 16, MEMBER_COPY, FLEETING_CACHE }, { 3, 1, 16, MEMBER_COPY, FLEETING_CACHE } }, 2, 32 },
	{ { { 1, 1, 8, MEMBER_COPY, 0 }, { 2, 1, 16, MEMBER_COPY, 0 }, { 3, 1, 32, MEMBER_COPY, FLEETING_CACHE } }, 2, 40 },
	/* In one cache copies count; a cache and memory are none for each other. */
	{ { { 1, 1, 8, MEMBER_COPY, FLEETING_CACHE }, { 2, 1, 16, MEMBER_COPY, FLEETING_CACHE } }, 1, 8 },
	{ { { 1, 1, 8, MEMBER_COPY, FLEETING_CACHE }, { 2, 1, 16, MEMBER_COPY, FLEETING_MEMORY } }, 0, 0 },
	{ { { 1, 1, 8, MEMBER_COPY, FLEETING_CACHE }, { 2, 1, 16, MEMBER_COPY, FLEETING_CACHE | FLEETING_MEMORY } }, 1, 16 },
	/* What lies in a trash that was meant can go, and never stays. */
	{ { { 1, 1, 8, MEMBER_COPY, 0 }, { 2, 1, 16, MEMBER_COPY, FLEETING_TRASH } }, 1, 16 },
	{ { { 1, 1, 8, MEMBER_COPY, FLEETING_TRASH }, { 2, 1, 16, MEMBER_COPY, FLEETING_TRASH } }, 0, 0 },
	/* An inode lasts as long as the name of it that lasts longest. */
	{ { { 1, 2, 8, MEMBER_COPY, FLEETING_CACHE }, { 1, 2, 8, MEMBER_COPY, 0 }, { 2, 1, 16, MEMBER_COPY, 0 } }, 1, 8 },
	/* A link outside of the index holds its content, but not for what lasts longer. */
	{ { { 1, 1, 8, MEMBER_COPY, 0 }, { 2, 2, 16, MEMBER_COPY, FLEETING_CACHE } }, 0, 0 },
	{ { { 1, 2, 8, MEMBER_COPY, FLEETING_CACHE }, { 2, 1, 16, MEMBER_COPY, FLEETING_CACHE } }, 1, 16 },
};

static struct dirs_prefix places[5];

START_TEST(frees)
{
	struct sets_member v[5] = { { 0 } };
	struct sets_freed f;
	size_t n = 0;

	make_members();
	for (; n < 5 && freed[_i].v[n].inode != 0; n++) {
		v[n] = members[n];
		v[n].inode.number = freed[_i].v[n].inode;
		v[n].nlink = freed[_i].v[n].nlink;
		v[n].blocks = freed[_i].v[n].blocks;
		v[n].kind = freed[_i].v[n].kind;
		places[n].fleeting = freed[_i].v[n].fleeting;
		places[n].trash = (freed[_i].v[n].fleeting & FLEETING_TRASH) != 0;
		v[n].dir = &places[n];
	}
	sets_member_arrange(v, n, texts.data);
	f = sets_member_freed(v, n);
	ck_assert_int_eq(f.copies, freed[_i].copies);
	ck_assert_int_eq(f.blocks, freed[_i].blocks);
	free_members();
}
END_TEST

/* Reasons of three copies; whether one has another to rely on. */
static const struct {
	unsigned fleeting[3];
	bool any;
} goes[] = {
	{ { 0, 0, 0 }, true },
	{ { FLEETING_CACHE, FLEETING_MEMORY, FLEETING_SNAPSHOT }, false },
	{ { FLEETING_CACHE, FLEETING_MEMORY, 0 }, true },
	{ { FLEETING_CACHE, FLEETING_CACHE, FLEETING_MEMORY }, true },
	{ { FLEETING_TRASH, FLEETING_TRASH, FLEETING_TRASH | FLEETING_CACHE }, false },
	{ { FLEETING_TRASH, FLEETING_TRASH, FLEETING_CACHE }, false },
	{ { FLEETING_TRASH | FLEETING_CACHE, FLEETING_MEMORY, FLEETING_CACHE }, true },
};

START_TEST(any_goes)
{
	struct sets_member v[3];

	make_members();
	for (int i = 0; i < 3; i++) {
		v[i] = members[i];
		v[i].inode.number = i;
		places[i].fleeting = goes[_i].fleeting[i];
		v[i].dir = &places[i];
	}
	ck_assert(sets_member_any_goes(v, 3, false) == goes[_i].any);
	ck_assert(!sets_member_any_goes(v, 1, false));
	/* Two names of one inode are one copy, unless links count. */
	v[1].inode.number = 0;
	v[1].kind = MEMBER_LINK;
	ck_assert(!sets_member_any_goes(v, 2, false));
	places[1].fleeting = places[0].fleeting;
	ck_assert(sets_member_any_goes(v, 2, true) == ((places[0].fleeting & FLEETING_TRASH) == 0));
	free_members();
}
END_TEST

/* What another index has frees nothing, and stays: a copy, or a link to one of this. */
START_TEST(frees_here_alone)
{
	struct sets_member v[3];
	struct sets_freed f;

	make_members();
	for (int i = 0; i < 3; i++) {
		v[i] = members[i];
		v[i].inode.number = i;
		v[i].nlink = 1;
		v[i].blocks = 8;
		v[i].of = _i == i;
	}
	sets_member_arrange(v, 3, texts.data);
	f = sets_member_freed(v, 3);
	ck_assert_int_eq(f.copies, 2);
	ck_assert_int_eq(f.blocks, 16);
	/* Now the first two are one inode: whichever name another index has, one can go. */
	for (int i = 0; i < 3; i++) {
		v[i].inode.number = v[i].name == members[2].name;
		v[i].nlink = v[i].inode.number == 1 ? 1 : 2;
	}
	sets_member_arrange(v, 3, texts.data);
	f = sets_member_freed(v, 3);
	ck_assert_int_eq(f.copies, 1);
	free_members();
}
END_TEST

static void
sql(const char *text)
{
	if (sqlite3_exec(fixture_ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(fixture_ix->db->handle));
}

/* Files 1 to 6000 with the contents 0 to 4000: those from 1 to 1999 have two names; every seventh is empty. */
static const char fill[] =
	"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)"
	"INSERT INTO file " FILE_COLUMNS " SELECT 1, 'f' || i, NULL, i % 4001 % 7, 8, 1, i, 1, 0, 0, 0, 0, NULL,"
	"  CASE WHEN i % 4001 % 7 > 0 THEN cast(printf('%08deight by', i % 4001 * 7919) AS BLOB) END, 0, NULL, NULL FROM n";

START_TEST(groups)
{
	struct sets_groups g = { 0 };
	struct err err = { 0 };
	uint8_t hash[32] = { 0 };
	size_t n = 0;

	sql(fill);
	if (sets_groups_load(&g, fixture_ix->db, 2, &err) < 0)
		ck_abort_msg("%s", err.text);
	sets_groups_index(&g);
	for (int i = 0; i < 4001; i++) {
		const struct sets_group *found;
		const int64_t size = i % 7;

		snprintf((char *)hash, sizeof(hash), "%08deight by", i * 7919);
		found = sets_groups_find(&g, size, hash);
		if ((found != NULL) != (size >= 2 && i >= 1 && i <= 1999))
			ck_abort_msg("content %d", i);
		if (found != NULL && (found->size != size || found->n != 2 || memcmp(found->hash, hash, HASH_SIZE) != 0))
			ck_abort_msg("content %d", i);
		n += found != NULL;
		/* The same hash with another size is another content. */
		ck_assert_ptr_null(sets_groups_find(&g, size + 7, hash));
	}
	ck_assert_uint_eq(n, g.n);
	sets_groups_release(&g);
}
END_TEST

/*
 * Contents by letters, those of each index in order, and those that were read of the second one just now; which groups
 * there are, with their names, and which of them are in two indexes.
 */
static const struct {
	const char *ours, *theirs, *read, *want, *across;
} joined[] = {
	{ "", "", "", "", "" },
	{ "ab", "cd", "", "", "" },
	{ "aab", "", "", "a2", "" },
	/* A set is one of this index, whatever others have. */
	{ "", "aab", "", "", "" },
	{ "a", "aab", "", "a3", "a3" },
	{ "abbc", "ace", "", "a2 b2 c2", "a2 c2" },
	{ "aabbcc", "bb", "", "a2 b4 c2", "b4" },
	{ "z", "yz", "", "z2", "z2" },
	/* What was read comes between. */
	{ "ac", "b", "a", "a2", "a2" },
	{ "ac", "c", "bcc", "c4", "c4" },
	{ "b", "a", "a", "", "" },
};

/* Insert a file for each letter, with that as its content. */
static void
fill_letters(struct index *ix, const char *letters)
{
	char text[450];

	for (int i = 0; letters[i] != '\0'; i++) {
		snprintf(text, sizeof(text), "INSERT INTO file " FILE_COLUMNS " VALUES (1, 'f%d', NULL, 9, 8, 1, %d, 1, 0, 0, 0, 0, NULL,"
		         " cast('sixteen bytes: %c' AS BLOB), 0, NULL, NULL)", i, i, letters[i]);
		if (sqlite3_exec(ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
			ck_abort_msg("%s: %s", text, sqlite3_errmsg(ix->db->handle));
	}
}

START_TEST(groups_joined)
{
	struct sets_unread read = { .n_read = 0 };
	struct index *theirs;
	struct err err = { 0 };

	ck_assert_int_eq(index_open_memory(&theirs, fixture_ix, &err), 0);
	fill_letters(fixture_ix, joined[_i].ours);
	fill_letters(theirs, joined[_i].theirs);
	for (const char *p = joined[_i].read; *p != '\0'; p++) {
		struct sets_unread_file *f = vec_add(&read.files);

		*f = (struct sets_unread_file){ .of = 1, .row.size = 9 };
		memcpy(f->row.hash, "sixteen bytes: ", HASH_SIZE - 1);
		f->row.hash[HASH_SIZE - 1] = (uint8_t)*p;
		read.n_read++;
	}
	for (int across = 0; across < 2; across++) {
		struct db *const dbs[] = { fixture_ix->db, theirs->db };
		const struct sets_groups_of of = { .dbs = dbs, .n = 2, .read = &read, .across = across };
		struct sets_groups g = { 0 };
		struct buf got = { 0 };

		if (sets_groups_load_joined(&g, &of, 1, &err) < 0)
			ck_abort_msg("%s", err.text);
		for (size_t i = 0; i < g.n; i++)
			buf_addf(&got, "%s%c%u", i > 0 ? " " : "", g.v[i].hash[HASH_SIZE - 1], (unsigned)g.v[i].n);
		ck_assert_str_eq(got.len > 0 ? buf_str(&got) : "", across ? joined[_i].across : joined[_i].want);
		sets_groups_release(&g);
		buf_release(&got);
	}
	sets_unread_release(&read);
	index_close(theirs);
}
END_TEST

START_TEST(no_groups)
{
	struct sets_groups g = { 0 };
	struct err err = { 0 };
	const uint8_t hash[HASH_SIZE] = { 0 };

	ck_assert_int_eq(sets_groups_load(&g, fixture_ix->db, 1, &err), 0);
	ck_assert_uint_eq(g.n, 0);
	sets_groups_index(&g);
	ck_assert_ptr_null(sets_groups_find(&g, 0, hash));
	sets_groups_release(&g);
}
END_TEST

Suite *
suite_sets(void)
{
	Suite *s = suite_create("sets");
	TCase *members_case = tcase_create("members"), *groups_case = tcase_create("groups");

	tcase_add_test(members_case, compares_as_paths);
	tcase_add_loop_test(members_case, arranges, 0, N_ROWS(arranged));
	tcase_add_loop_test(members_case, frees, 0, N_ROWS(freed));
	tcase_add_loop_test(members_case, any_goes, 0, N_ROWS(goes));
	tcase_add_loop_test(members_case, frees_here_alone, 0, 3);
	suite_add_tcase(s, members_case);
	tcase_add_checked_fixture(groups_case, fixture_index_setup, fixture_index_teardown);
	tcase_add_test(groups_case, groups);
	tcase_add_test(groups_case, no_groups);
	tcase_add_loop_test(groups_case, groups_joined, 0, N_ROWS(joined));
	suite_add_tcase(s, groups_case);
	return s;
}
