/* SPDX-License-Identifier: MIT */
/*
 * Rows come in the order of their ids, so that a parent is found by bisection.
 * First every row becomes a node in a list of its parent's, tops come next,
 * with what is missing above them; then one walk numbers all.
 *
 * Node 0 holds "/" and what has no place: directories that an unfinished scan
 * moved aside.  Their files exist somewhere, so they count as copies of others,
 * but there is no path to show.
 */
#include "base/base.h"

#include "query/dirtree.h"

#include "db/db.h"
#include "db/stmt.h"
#include "index/fleeting.h"

/* A directory by its number. */
struct dirtree_node {
	int64_t id;              /* 0: not in the index */
	uint32_t parent, end;
	uint32_t name;           /* in names */
	uint8_t fleeting;        /* index/fleeting: why what lies there may go by itself */
};

struct dirtree_id {
	int64_t id;
	uint32_t dir;
};

struct dirtree {
	struct dirtree_node *nodes;
	uint32_t n;
	uint32_t root;           /* "/" */
	struct dirtree_id *ids;  /* in the order of ids */
	size_t n_ids;
	struct buf names;        /* each with a NUL behind */
	VEC(uint32_t) excluded;
};

/* A directory before it has a number; positions are those in dirtree_load.v. */
struct dirtree_raw {
	int64_t id, parent_id;
	uint32_t name;
	uint32_t parent;         /* of its number, once the parent has one */
	uint32_t first, next;    /* in it, and beside it; DIRTREE_NONE */
	uint32_t number;
	uint8_t fleeting;        /* what its row tells */
};

struct dirtree_load {
	VEC(struct dirtree_raw) raws;
	size_t n_rows;           /* the first of raws */
	uint32_t all, root;      /* what holds everything; "/" */
	struct dirtree *t;
	struct db *db;
	struct err *err;
};

/* A node and its name, to be sorted. */
struct dirtree_named {
	const char *name;
	uint32_t raw;
};

static int
dirtree_cmp_named(const void *a, const void *b)
{
	return strcmp(((const struct dirtree_named *)a)->name, ((const struct dirtree_named *)b)->name);
}

static uint32_t
dirtree_add(struct dirtree_load *l, int64_t id, int64_t parent_id, const char *name, size_t len)
{
	vec_push(&l->raws, ((struct dirtree_raw){ .id = id, .parent_id = parent_id, .name = (uint32_t)l->t->names.len,
	                                          .first = DIRTREE_NONE, .next = DIRTREE_NONE, .number = DIRTREE_NONE }));
	buf_add(&l->t->names, name, len);
	buf_addc(&l->t->names, '\0');
	return (uint32_t)(l->raws.n - 1);
}

/* Put a node into its parent's list. */
static void
dirtree_hang(struct dirtree_load *l, uint32_t raw, uint32_t parent)
{
	l->raws.v[raw].next = l->raws.v[parent].first;
	l->raws.v[parent].first = raw;
}

static int
dirtree_read(struct dirtree_load *l)
{
	struct fleeting fleeting = { 0 };
	struct stmt st;
	int ret;

	if (fleeting_load(&fleeting, l->db, l->err) < 0) {
		fleeting_release(&fleeting);
		return -1;
	}
	st = stmt_get(l->db, SQL_DIR_TREE, l->err);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = stmt_col_name(&st, 2, &len);
		const int why = fleeting_of_row(&fleeting, stmt_col_int(&st, 0), stmt_col_int(&st, 4), l->err);

		if (why < 0) {
			ret = -1;
			break;
		}
		dirtree_add(l, stmt_col_int(&st, 0), stmt_col_int(&st, 1), name, len);
		l->raws.v[l->raws.n - 1].fleeting = (uint8_t)why;
	}
	stmt_done(&st);
	fleeting_release(&fleeting);
	l->n_rows = l->raws.n;
	return ret;
}

/* The node within parent that has this name; one that is missing is made. */
static uint32_t
dirtree_step(struct dirtree_load *l, uint32_t parent, const char *name, size_t len)
{
	uint32_t at = l->raws.v[parent].first;

	for (; at != DIRTREE_NONE; at = l->raws.v[at].next) {
		const char *other = l->t->names.data + l->raws.v[at].name;

		if (strncmp(other, name, len) == 0 && other[len] == '\0')
			return at;
	}
	at = dirtree_add(l, 0, 0, name, len);
	dirtree_hang(l, at, parent);
	return at;
}

/* Hang a top on the directory that its path says, and let its name be the last component. */
static void
dirtree_hang_top(struct dirtree_load *l, const struct dirtree_named *top)
{
	char *path = mem_str(top->name);   /* names grow, and so move */
	const char *base = path_base(path), *rest = path, *name;
	uint32_t at = l->root;
	size_t len;

	while (path_next(&rest, &name, &len) && name < base)
		at = dirtree_step(l, at, name, len);
	l->raws.v[top->raw].name += (uint32_t)(base - path);
	dirtree_hang(l, top->raw, at);
	free(path);
}

/*
 * Make the tree's upper end and hang all tops on it, outer ones before the inner ones they hold.
 */
static void
dirtree_hang_tops(struct dirtree_load *l)
{
	VEC(struct dirtree_named) tops = { 0 };

	for (size_t i = 0; i < l->n_rows && l->root == DIRTREE_NONE; i++) {
		if (l->raws.v[i].parent_id == 0 && strcmp(l->t->names.data + l->raws.v[i].name, "/") == 0)
			l->root = (uint32_t)i;
	}
	if (l->root == DIRTREE_NONE)
		l->root = dirtree_add(l, 0, 0, "", 0);
	else
		l->raws.v[l->root].name++;     /* without the slash */
	dirtree_hang(l, l->root, l->all);
	for (size_t i = 0; i < l->n_rows; i++) {
		if (l->raws.v[i].parent_id == 0 && i != l->root)
			vec_push(&tops, ((struct dirtree_named){ l->t->names.data + l->raws.v[i].name, (uint32_t)i }));
	}
	if (tops.n > 0)
		qsort(tops.v, tops.n, sizeof(*tops.v), dirtree_cmp_named);
	for (size_t i = 0; i < tops.n; i++) {
		/* Names may have moved meanwhile. */
		tops.v[i].name = l->t->names.data + l->raws.v[tops.v[i].raw].name;
		dirtree_hang_top(l, &tops.v[i]);
	}
	vec_release(&tops);
}

static int
dirtree_hang_all(struct dirtree_load *l)
{
	for (size_t i = 0; i < l->n_rows; i++) {
		const int64_t parent_id = l->raws.v[i].parent_id;
		size_t parent = l->all;

		if (parent_id == 0)
			continue;
		if (parent_id > 0)
			ORDER_FIRST(parent, l->n_rows, l->raws.v[parent].id < parent_id);
		if (parent_id > 0 && (parent == l->n_rows || l->raws.v[parent].id != parent_id))
			return db_corrupt(l->db, l->err, "dir", l->raws.v[i].id, NULL, "has parent %lld, which is missing", (long long)parent_id);
		dirtree_hang(l, (uint32_t)i, (uint32_t)parent);
	}
	dirtree_hang_tops(l);
	return 0;
}

/* Number all nodes. */
static int
dirtree_walk(struct dirtree_load *l)
{
	struct dirtree *t = l->t;
	VEC(struct dirtree_named) inside = { 0 };
	VEC(uint32_t) stack = { 0 };

	t->nodes = mem_alloc((l->raws.n + 1) * sizeof(*t->nodes));
	l->raws.v[l->all].parent = 0;
	vec_push(&stack, l->all);
	while (stack.n > 0) {
		struct dirtree_raw *r = &l->raws.v[stack.v[--stack.n]];

		r->number = t->n++;
		t->nodes[r->number] = (struct dirtree_node){ r->id, r->parent, r->number + 1, r->name, r->fleeting };
		inside.n = 0;
		for (uint32_t at = r->first; at != DIRTREE_NONE; at = l->raws.v[at].next) {
			l->raws.v[at].parent = r->number;
			vec_push(&inside, ((struct dirtree_named){ t->names.data + l->raws.v[at].name, at }));
		}
		if (inside.n > 1)
			qsort(inside.v, inside.n, sizeof(*inside.v), dirtree_cmp_named);
		while (inside.n > 0)
			vec_push(&stack, inside.v[--inside.n].raw);
	}
	vec_release(&inside);
	vec_release(&stack);
	for (size_t i = 0; t->n < l->raws.n; i++) {
		if (l->raws.v[i].number == DIRTREE_NONE)
			return db_corrupt(l->db, l->err, "dir", l->raws.v[i].id, NULL, "lies in itself");
	}
	for (uint32_t i = t->n; i-- > 1;) {
		struct dirtree_node *parent = &t->nodes[t->nodes[i].parent];

		if (parent->end < t->nodes[i].end)
			parent->end = t->nodes[i].end;
	}
	return 0;
}

/*
 * Add the reasons (index/fleeting) that follow from the names of directories and of those above.
 */
static void
dirtree_judge(struct dirtree *t)
{
	const char *tmp;

	for (uint32_t dir = 1; dir < t->n; dir++) {
		struct dirtree_node *n = &t->nodes[dir];
		const char *name = dirtree_name(t, dir), *parent = dirtree_name(t, n->parent);

		n->fleeting |= (uint8_t)(fleeting_of_name(name, strlen(name), parent, strlen(parent)) | (t->nodes[n->parent].fleeting & FLEETING_INHERITED));
	}
	for (size_t i = 0; (tmp = fleeting_temporary(i)) != NULL; i++) {
		const uint32_t dir = dirtree_find(t, tmp);

		for (uint32_t at = dir; dir != DIRTREE_NONE && at < t->nodes[dir].end; at++)
			t->nodes[at].fleeting |= FLEETING_TEMPORARY;
	}
}

int
dirtree_load(struct dirtree **result, struct db *db, struct err *err)
{
	struct dirtree *t = mem_zalloc(1, sizeof(*t));
	struct dirtree_load l = { .t = t, .db = db, .err = err, .root = DIRTREE_NONE };
	int ret = dirtree_read(&l);

	if (ret == 0) {
		l.all = dirtree_add(&l, 0, 0, "", 0);
		ret = dirtree_hang_all(&l);
	}
	if (ret == 0)
		ret = dirtree_walk(&l);
	if (ret == 0) {
		t->root = l.raws.v[l.root].number;
		t->n_ids = l.n_rows;
		t->ids = mem_alloc((l.n_rows + 1) * sizeof(*t->ids));
		for (size_t i = 0; i < l.n_rows; i++)
			t->ids[i] = (struct dirtree_id){ l.raws.v[i].id, l.raws.v[i].number };
		dirtree_judge(t);
		*result = t;
		t = NULL;
	}
	vec_release(&l.raws);
	dirtree_free(t);
	return ret;
}

void
dirtree_free(struct dirtree *t)
{
	if (t == NULL)
		return;
	free(t->nodes);
	free(t->ids);
	buf_release(&t->names);
	vec_release(&t->excluded);
	free(t);
}

uint32_t
dirtree_count(const struct dirtree *t)
{
	return t->n;
}

/* The directory of that name in another one, or DIRTREE_NONE. */
static uint32_t
dirtree_find_in(const struct dirtree *t, uint32_t dir, const char *name, size_t len)
{
	for (uint32_t in = dirtree_first(t, dir); in != DIRTREE_NONE; in = dirtree_next(t, in)) {
		const char *other = dirtree_name(t, in);

		if (strncmp(other, name, len) == 0 && other[len] == '\0')
			return in;
	}
	return DIRTREE_NONE;
}

uint32_t
dirtree_find(const struct dirtree *t, const char *path)
{
	uint32_t at = t->root;
	const char *name;
	size_t len;

	while (at != DIRTREE_NONE && path_next(&path, &name, &len))
		at = dirtree_find_in(t, at, name, len);
	return at;
}

uint32_t
dirtree_nearest(const struct dirtree *t, const char *path)
{
	uint32_t nearest = 0;
	const char *name;
	size_t len;

	for (uint32_t at = t->root; at != DIRTREE_NONE; at = dirtree_find_in(t, at, name, len)) {
		nearest = at;
		if (!path_next(&path, &name, &len))
			break;
	}
	return nearest;
}

uint32_t
dirtree_by_id(const struct dirtree *t, int64_t id)
{
	const uint64_t guess = t->n_ids > 0 ? (uint64_t)id - (uint64_t)t->ids[0].id : 0;
	size_t at;

	/* Ids have few gaps: none, if nothing was ever removed. */
	if (guess < t->n_ids && t->ids[guess].id == id)
		return t->ids[guess].dir;
	ORDER_FIRST(at, t->n_ids, t->ids[at].id < id);
	return at < t->n_ids && t->ids[at].id == id ? t->ids[at].dir : DIRTREE_NONE;
}

uint32_t
dirtree_first(const struct dirtree *t, uint32_t dir)
{
	assert(dir < t->n);
	return dir + 1 < t->nodes[dir].end ? dir + 1 : DIRTREE_NONE;
}

uint32_t
dirtree_next(const struct dirtree *t, uint32_t dir)
{
	const uint32_t end = t->nodes[dir].end;

	return dir != 0 && end < t->nodes[t->nodes[dir].parent].end ? end : DIRTREE_NONE;
}

uint32_t
dirtree_end(const struct dirtree *t, uint32_t dir)
{
	assert(dir < t->n);
	return t->nodes[dir].end;
}

uint32_t
dirtree_parent(const struct dirtree *t, uint32_t dir)
{
	assert(dir < t->n);
	return t->nodes[dir].parent;
}

void
dirtree_add_up(const struct dirtree *t, uint64_t *sums, size_t n, size_t stride)
{
	/* Those below a directory have greater numbers. */
	for (uint32_t dir = dirtree_count(t); dir-- > 1;) {
		uint64_t *up = &sums[dirtree_parent(t, dir) * stride];

		for (size_t i = 0; i < n; i++)
			up[i] += sums[dir * stride + i];
	}
}

uint32_t
dirtree_common(const struct dirtree *t, uint32_t a, uint32_t b)
{
	assert(a < t->n && b < t->n);
	while (b < a || b >= t->nodes[a].end)
		a = t->nodes[a].parent;
	return a;
}

int64_t
dirtree_id(const struct dirtree *t, uint32_t dir)
{
	assert(dir < t->n);
	return t->nodes[dir].id;
}

const char *
dirtree_name(const struct dirtree *t, uint32_t dir)
{
	assert(dir < t->n);
	return t->names.data + t->nodes[dir].name;
}

void
dirtree_path(const struct dirtree *t, uint32_t dir, struct buf *path)
{
	VEC(uint32_t) chain = { 0 };

	for (; dir != t->root && dir != 0; dir = t->nodes[dir].parent)
		vec_push(&chain, dir);
	buf_addc(path, '/');
	while (chain.n > 0) {
		const char *name = dirtree_name(t, chain.v[--chain.n]);

		path_append(path, name, strlen(name));
	}
	vec_release(&chain);
}

void
dirtree_exclude(struct dirtree *t, const char *path)
{
	const uint32_t dir = dirtree_find(t, path);

	if (dir != DIRTREE_NONE)
		vec_push(&t->excluded, dir);
}

/* Whether a directory is a trash, or holds what is in one. */
static bool
dirtree_is_trash(const struct dirtree *t, uint32_t dir)
{
	const char *name = dirtree_name(t, dir), *parent = dirtree_name(t, dirtree_parent(t, dir));

	return path_is_trash(name, strlen(name), parent, strlen(parent));
}

/* Whether a path is the trash at dir, or lies in it; "files" is that of the Trash it is in. */
static bool
dirtree_trash_has(const struct dirtree *t, uint32_t dir, const char *path)
{
	const uint32_t at = dirtree_find(t, path), top = *dirtree_name(t, dir) == '.' ? dir : dirtree_parent(t, dir);

	return at != DIRTREE_NONE && dirtree_common(t, at, top) == top;
}

bool *
dirtree_trash(const struct dirtree *t, const char *const *but, size_t n)
{
	bool *v = NULL;

	for (uint32_t dir = 1; dir < t->n; dir++) {
		if (!dirtree_is_trash(t, dir))
			continue;
		if (v == NULL)
			v = mem_zalloc(t->n, sizeof(*v));
		memset(v + dir, true, dirtree_end(t, dir) - dir);
		for (size_t i = 0; i < n; i++) {
			uint32_t at = dirtree_find(t, but[i]);

			if (!dirtree_trash_has(t, dir, but[i]))
				continue;
			at = at < dir ? dir : at;
			memset(v + at, false, dirtree_end(t, at) - at);
		}
		dir = dirtree_end(t, dir) - 1;
	}
	return v;
}

size_t
dirtree_exclude_trash(struct dirtree *t, const char *const *but, size_t n)
{
	size_t excluded = 0;

	for (uint32_t dir = 1; dir < t->n; dir++) {
		size_t i = 0;

		if (!dirtree_is_trash(t, dir))
			continue;
		while (i < n && !dirtree_trash_has(t, dir, but[i]))
			i++;
		if (i == n) {
			vec_push(&t->excluded, dir);
			excluded++;
		}
		dir = dirtree_end(t, dir) - 1;
	}
	return excluded;
}

unsigned
dirtree_fleeting(const struct dirtree *t, uint32_t dir)
{
	return t->nodes[dir].fleeting;
}

uint8_t *
dirtree_reasons(const struct dirtree *t, const char *const *but, size_t n)
{
	uint8_t *v = mem_alloc(t->n);

	for (uint32_t dir = 0; dir < t->n; dir++)
		v[dir] = t->nodes[dir].fleeting;
	for (size_t i = 0; i < n; i++) {
		const uint32_t at = dirtree_find(t, but[i]);
		unsigned meant = at != DIRTREE_NONE ? t->nodes[at].fleeting & FLEETING_NAMED : 0;

		/* The directory Trash contains the trash and the records about it. */
		if (at != DIRTREE_NONE && strcmp(dirtree_name(t, at), "Trash") == 0)
			meant |= FLEETING_TRASH;
		for (uint32_t dir = at; meant != 0 && dir < t->nodes[at].end; dir++)
			v[dir] &= (uint8_t)~meant;
	}
	return v;
}

bool
dirtree_excluded(const struct dirtree *t, uint32_t dir)
{
	for (size_t i = 0; i < t->excluded.n; i++) {
		if (dir >= t->excluded.v[i] && dir < t->nodes[t->excluded.v[i]].end)
			return true;
	}
	return false;
}
