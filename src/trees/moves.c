/* SPDX-License-Identifier: MIT */
/*
 * Each file of A that B lacks at its path is a node: a rename of a file of B (trees/moves_match),
 * or a copy.
 *
 *  1. moves_look     what has the paths of nodes in B now; a path of which the index knows nothing
 *                    turns a rename into a copy
 *  2. moves_dirs     a directory all of whose files go to one that B lacks is renamed as a whole,
 *                    before anything else
 *  3. moves_need     a node depends on the renames whose files lie at its path, below it, or where
 *                    a directory above it must be; what else lies there is set aside
 *  4. moves_order    nodes whose dependencies are done come next; in a circle one file is parked
 *  5. moves_empty    directories that nothing may be left in
 *
 * Invariants
 *  1. A node's path has no file or directory when its step comes: what was there has been renamed,
 *     parked or set aside by an earlier step.
 *  2. Only files of the index and directories of it are moved, these with all that is in them.
 *  3. No step goes to another file system.
 */
#include "base/base.h"

#include "trees/moves.h"

#include <sys/stat.h>

#include "query/dirtree.h"
#include "sys/fs.h"
#include "sys/stop.h"
#include "trees/moves_match.h"
#include "trees/pairs.h"
#include "trees/tree_files.h"

const char *const moves_kinds[MOVES_KINDS] = { "rename", "park", "aside" };

/* What has a path in B. */
enum moves_place_kind { PLACE_FREE, PLACE_DIR, PLACE_FILE, PLACE_UNKNOWN };

struct moves_place {
	enum moves_place_kind kind;
	uint32_t at;             /* the number of a directory, or the position of a file */
	uint64_t dev, inode;     /* where B is there */
};

/* What the directories above a path are in B. */
struct moves_parent {
	bool needed;             /* a node lies in it */
	bool absent;             /* it is to be made */
	bool unknown;            /* its path, or one above, is of what the index lacks */
	uint32_t file;           /* a file at its path, or one above; or TREE_FILES_NONE */
	uint64_t dev;            /* of the lowest one that is there */
};

struct moves_node {
	const char *to, *from;   /* below B; from: NULL for a copy */
	uint32_t left, right;    /* positions in A, and in B or TREE_FILES_NONE */
	uint32_t aside_dir;      /* a directory of B at its path, or DIRTREE_NONE */
	uint32_t aside_file;     /* a file that is to go aside, or TREE_FILES_NONE */
	uint32_t deps, n_deps;   /* into moves_run.deps */
	uint32_t unmet;          /* dependencies whose file is at its old path */
	uint32_t mark;           /* of a search for circles */
	bool vacated;            /* its file has left its old path */
	bool done;
	bool whole;              /* its file goes with a directory */
	bool park;               /* its file itself has the path, or lies below or above */
};

/* A directory of B that is renamed as a whole. */
struct moves_dir {
	const char *from, *to;
	uint32_t dir;
};

/* Node to is one of those that wait for node from. */
struct moves_edge {
	uint32_t from, to;
};

struct moves_run {
	struct moves *m;
	const struct tree_files *a, *b;
	bool online;                     /* B is there */
	VEC(struct moves_node) nodes;    /* by path in A */
	struct moves_parent *parents;    /* by directory of A */
	uint32_t *mover;                 /* by position in B: the node that renames it */
	bool *aside;                     /* by position in B: it is aside */
	VEC(struct moves_dir) dirs;
	VEC(uint32_t) deps;
	VEC(struct moves_edge) waiting;  /* by from */
	VEC(uint32_t) ready;             /* a queue */
	size_t parked;
	struct buf path, other;
};

/* The part of a file's or directory's absolute path that is below the side. */
static const char *
moves_below(const struct tree_files *s, const struct buf *path)
{
	const size_t len = strlen(s->path);

	return buf_str(path) + len + (len > 1 && path->len > len);
}

static const char *
moves_name_file(struct moves_run *r, const struct tree_files *s, uint32_t at)
{
	buf_cut(&r->path, 0);
	tree_files_absolute(s, &s->files.v[at], &r->path);
	return arena_str(&r->m->names, moves_below(s, &r->path));
}

static const char *
moves_name_dir(struct moves_run *r, const struct tree_files *s, uint32_t dir)
{
	buf_cut(&r->path, 0);
	dirtree_path(s->dirs, dir, &r->path);
	return arena_str(&r->m->names, moves_below(s, &r->path));
}

/* Say what has a path below B. */
static struct moves_place
moves_place(struct moves_run *r, const char *below)
{
	struct moves_place place = { .kind = PLACE_FREE };
	struct buf *path = &r->other;
	struct fs_stat st;
	uint32_t dir, file;

	buf_cut(path, 0);
	buf_adds(path, r->b->path);
	path_append(path, below, strlen(below));
	dir = dirtree_find(r->b->dirs, buf_str(path));
	file = tree_files_find_path(r->b, buf_str(path));
	if (dir != DIRTREE_NONE && dirtree_id(r->b->dirs, dir) == 0)
		dir = DIRTREE_NONE;
	if (!r->online) {
		place.kind = file != TREE_FILES_NONE ? PLACE_FILE : dir != DIRTREE_NONE ? PLACE_DIR : PLACE_FREE;
		place.at = place.kind == PLACE_FILE ? file : dir;
		return place;
	}
	if (fs_stat_path(buf_str(path), &st) < 0) {
		place.kind = fs_is_absent(errno) ? PLACE_FREE : PLACE_UNKNOWN;
		return place;
	}
	place.dev = st.dev;
	place.inode = st.inode;
	place.kind = PLACE_UNKNOWN;
	if (S_ISDIR(st.mode)) {
		place.kind = dir != DIRTREE_NONE && !dirtree_excluded(r->b->dirs, dir) ? PLACE_DIR : PLACE_UNKNOWN;
		place.at = dir;
	} else if (S_ISREG(st.mode) && file != TREE_FILES_NONE) {
		place.kind = PLACE_FILE;
		place.at = file;
	}
	return place;
}

/* Note for all directories above nodes what has their paths in B. */
static int
moves_look_parents(struct moves_run *r, struct err *err)
{
	const struct tree_files *a = r->a;
	const uint32_t n = a->end - a->top;
	struct fs_stat st;

	r->online = fs_stat_path(r->b->path, &st) == 0 && S_ISDIR(st.mode);
	r->parents = mem_zalloc(n, sizeof(*r->parents));
	for (size_t i = 0; i < r->nodes.n; i++) {
		for (uint32_t d = a->files.v[r->nodes.v[i].left].dir; !r->parents[d - a->top].needed && d != a->top; d = dirtree_parent(a->dirs, d))
			r->parents[d - a->top].needed = true;
	}
	r->parents[0] = (struct moves_parent){ .file = TREE_FILES_NONE, .dev = r->online ? st.dev : 0 };
	for (uint32_t i = 1; i < n; i++) {
		struct moves_parent *p = &r->parents[i];
		struct moves_place place;

		if (!p->needed)
			continue;
		*p = r->parents[dirtree_parent(a->dirs, a->top + i) - a->top];
		if (p->absent || p->unknown)
			continue;
		place = moves_place(r, moves_name_dir(r, a, a->top + i));
		p->absent = place.kind == PLACE_FREE || place.kind == PLACE_FILE;
		p->unknown = place.kind == PLACE_UNKNOWN;
		p->file = place.kind == PLACE_FILE ? place.at : TREE_FILES_NONE;
		if (place.kind == PLACE_DIR)
			p->dev = place.dev;
		if (stop_check(err) < 0)
			return -1;
	}
	return 0;
}

/* Whether a rename can be done: all that has its path is known, and on one file system. */
static bool
moves_can(struct moves_run *r, struct moves_node *n, const struct moves_parent *up, const struct moves_place *place)
{
	struct fs_stat st = { .dev = up->dev };
	const char *x = n->from, *y = n->to;

	while (*x != '\0' && tolower((unsigned char)*x) == tolower((unsigned char)*y)) {
		x++;
		y++;
	}
	/* The paths differ at most in the case of ASCII letters. */
	n->park = *x == *y;
	if (up->unknown)
		return false;
	if (!r->online)
		return true;
	buf_cut(&r->path, 0);
	tree_files_absolute(r->b, &r->b->files.v[n->right], &r->path);
	if (fs_stat_path(buf_str(&r->path), &st) < 0 || !S_ISREG(st.mode) || st.dev != up->dev)
		return false;
	if (place->kind != PLACE_UNKNOWN)
		return true;
	/* The file system may take both for one name. */
	n->park = place->dev == st.dev && place->inode == st.inode;
	return n->park;
}

/* Note what has the path of each node. */
static int
moves_look(struct moves_run *r, struct moves_place *places, struct err *err)
{
	for (size_t i = 0; i < r->nodes.n; i++) {
		struct moves_node *n = &r->nodes.v[i];
		const struct moves_parent *up = &r->parents[r->a->files.v[n->left].dir - r->a->top];

		places[i] = (struct moves_place){ .kind = PLACE_FREE };
		if (!up->absent && !up->unknown)
			places[i] = moves_place(r, n->to);
		if (n->from != NULL && !moves_can(r, n, up, &places[i])) {
			n->from = NULL;
			n->right = TREE_FILES_NONE;
			n->park = false;
			r->m->blocked++;
		}
		if (n->right != TREE_FILES_NONE)
			r->mover[n->right] = (uint32_t)i;
		if (stop_check(err) < 0)
			return -1;
	}
	return 0;
}

/* The number of the directory of a side that has a path below it, or DIRTREE_NONE. */
static uint32_t
moves_dir_at(struct moves_run *r, const struct tree_files *s, const char *below, size_t len)
{
	buf_cut(&r->path, 0);
	buf_adds(&r->path, s->path);
	path_append(&r->path, below, len);
	return dirtree_find(s->dirs, buf_str(&r->path));
}

/*
 * Whether all files of a directory of B are renamed to files of another directory, with the same
 * path below both: its path, borrowed, is the first *len bytes of *to.
 */
static bool
moves_dir_goes(const struct moves_run *r, uint32_t dir, size_t from_len, const char **to, size_t *len)
{
	const struct tree_files *b = r->b;
	const uint32_t first = b->first[dir - b->top], end = b->first[dirtree_end(b->dirs, dir) - b->top];

	*to = NULL;
	for (uint32_t at = first; at < end; at++) {
		const struct moves_node *n = r->mover[at] != TREE_FILES_NONE ? &r->nodes.v[r->mover[at]] : NULL;
		const char *rest = n != NULL ? n->from + from_len : NULL;
		const size_t to_len = n != NULL ? strlen(n->to) : 0, rest_len = n != NULL ? strlen(rest) : 0;

		if (n == NULL || n->park || to_len <= rest_len || strcmp(n->to + to_len - rest_len, rest) != 0)
			return false;
		if (*to == NULL) {
			*to = n->to;
			*len = to_len - rest_len;
		} else if (to_len - rest_len != *len || memcmp(n->to, *to, *len) != 0)
			return false;
	}
	return first < end;
}

/* Whether A has every directory of one of B where that is to be, so that nothing is in the way. */
static bool
moves_dir_fits(struct moves_run *r, uint32_t dir, size_t from_len, const char *to)
{
	struct buf path = { 0 };
	bool fits = true;

	for (uint32_t d = dir; fits && d < dirtree_end(r->b->dirs, dir); d++) {
		buf_cut(&r->path, 0);
		dirtree_path(r->b->dirs, d, &r->path);
		buf_cut(&path, 0);
		buf_adds(&path, to);
		buf_adds(&path, moves_below(r->b, &r->path) + from_len);
		fits = moves_dir_at(r, r->a, buf_str(&path), path.len) != DIRTREE_NONE;
	}
	buf_release(&path);
	return fits;
}

/* Whether a directory can get a path: nothing has that, and it is of the same file system. */
static bool
moves_dir_can(struct moves_run *r, uint32_t dir, const char *from, const char *to)
{
	const uint32_t a_dir = moves_dir_at(r, r->a, to, strlen(to));
	const struct moves_parent *up = &r->parents[dirtree_parent(r->a->dirs, a_dir) - r->a->top];
	struct fs_stat st;

	if (up->unknown || up->file != TREE_FILES_NONE || (!up->absent && moves_place(r, to).kind != PLACE_FREE))
		return false;
	if (path_is_below(to, from))
		return false;
	/* Directories go one after the other: none into one that goes later, or has gone. */
	for (size_t i = 0; i < r->dirs.n; i++) {
		if (path_is_below(to, r->dirs.v[i].from) || path_is_below(r->dirs.v[i].to, from) || path_is_below(to, r->dirs.v[i].to))
			return false;
	}
	buf_cut(&r->path, 0);
	dirtree_path(r->b->dirs, dir, &r->path);
	return !r->online || (fs_stat_path(buf_str(&r->path), &st) == 0 && S_ISDIR(st.mode) && st.dev == up->dev);
}

/* Rename a directory of B as a whole, if that does what its files need. */
static bool
moves_dir(struct moves_run *r, uint32_t dir, const bool *wanted)
{
	const struct tree_files *b = r->b;
	const char *from = moves_name_dir(r, b, dir), *to;
	const size_t from_len = strlen(from);
	size_t len;

	if (dirtree_id(b->dirs, dir) == 0 || dirtree_excluded(b->dirs, dir) || !moves_dir_goes(r, dir, from_len, &to, &len))
		return false;
	for (uint32_t d = dir; d < dirtree_end(b->dirs, dir); d++) {
		if (wanted[d - b->top])
			return false;
	}
	to = arena_dup(&r->m->names, to, len);
	if (!moves_dir_fits(r, dir, from_len, to) || !moves_dir_can(r, dir, from, to))
		return false;
	vec_push(&r->dirs, ((struct moves_dir){ from, to, dir }));
	vec_push(&r->m->steps, ((struct moves_step){ .kind = MOVES_RENAME, .from = from, .to = to, .size = -1 }));
	for (uint32_t at = b->first[dir - b->top]; at < b->first[dirtree_end(b->dirs, dir) - b->top]; at++) {
		struct moves_node *n = &r->nodes.v[r->mover[at]];

		n->done = n->vacated = n->whole = true;
		r->m->renamed++;
		r->m->renamed_bytes = num_add(r->m->renamed_bytes, b->files.v[at].size);
	}
	return true;
}

/* Rename directories as wholes, outer ones rather than inner ones. */
static int
moves_dirs(struct moves_run *r, const struct moves_place *places, struct err *err)
{
	const struct tree_files *b = r->b;
	bool *wanted = mem_zalloc(b->end - b->top, sizeof(*wanted));
	int ret = 0;

	/* Directories that have the path of a file of A are to be set aside. */
	for (size_t i = 0; i < r->nodes.n; i++) {
		if (places[i].kind == PLACE_DIR)
			wanted[places[i].at - b->top] = true;
	}
	for (uint32_t d = b->top + 1; ret == 0 && d < b->end;) {
		d = moves_dir(r, d, wanted) ? dirtree_end(b->dirs, d) : d + 1;
		ret = stop_check(err);
	}
	free(wanted);
	return ret;
}

/* A file of B must have left its path before a node's turn. */
static void
moves_need_file(struct moves_run *r, struct moves_node *n, uint32_t at)
{
	const uint32_t mover = r->mover[at];

	if (mover == TREE_FILES_NONE)
		n->aside_file = at;
	else if (&r->nodes.v[mover] == n)
		n->park = true;
	else if (!r->nodes.v[mover].vacated) {
		vec_push(&r->deps, mover);
		n->n_deps++;
	}
}

/* Note what each node depends on. */
static void
moves_need(struct moves_run *r, const struct moves_place *places)
{
	const struct tree_files *b = r->b;

	for (size_t i = 0; i < r->nodes.n; i++) {
		struct moves_node *n = &r->nodes.v[i];
		const struct moves_parent *up = &r->parents[r->a->files.v[n->left].dir - r->a->top];

		n->deps = (uint32_t)r->deps.n;
		if (n->whole)
			continue;
		if (up->file != TREE_FILES_NONE)
			moves_need_file(r, n, up->file);
		/* A copy replaces a file of its path. */
		if (places[i].kind == PLACE_FILE && n->from != NULL)
			moves_need_file(r, n, places[i].at);
		/* A directory of B must have gone, with what the renames leave in it. */
		else if (places[i].kind == PLACE_DIR) {
			const uint32_t dir = places[i].at;

			n->aside_dir = dir;
			for (uint32_t at = b->first[dir - b->top]; at < b->first[dirtree_end(b->dirs, dir) - b->top]; at++) {
				if (r->mover[at] != TREE_FILES_NONE)
					moves_need_file(r, n, at);
			}
		}
		n->unmet = n->n_deps;
		for (uint32_t k = 0; k < n->n_deps; k++)
			vec_push(&r->waiting, ((struct moves_edge){ r->deps.v[n->deps + k], (uint32_t)i }));
	}
}

static int
moves_cmp_edge(const void *x, const void *y)
{
	const struct moves_edge *a = x, *b = y;

	ORDER_CMP(a->from, b->from);
	ORDER_CMP(a->to, b->to);
	return 0;
}

static void
moves_step(struct moves_run *r, enum moves_kind kind, const char *from, const char *to, int64_t size)
{
	vec_push(&r->m->steps, ((struct moves_step){ .kind = kind, .from = from, .to = to, .size = size }));
}

/* The file of a node has left its path: nodes that wait for that may be ready. */
static void
moves_vacate(struct moves_run *r, uint32_t at)
{
	size_t i = 0;

	r->nodes.v[at].vacated = true;
	ORDER_FIRST(i, r->waiting.n, r->waiting.v[i].from < at);
	for (; i < r->waiting.n && r->waiting.v[i].from == at; i++) {
		const uint32_t to = r->waiting.v[i].to;

		if (--r->nodes.v[to].unmet == 0)
			vec_push(&r->ready, to);
	}
}

/* Give a file a name for a while. */
static void
moves_park(struct moves_run *r, struct moves_node *n)
{
	struct buf *to = &r->other;

	buf_cut(to, 0);
	buf_addf(to, "%s/%zu", r->m->scratch, ++r->parked);
	moves_step(r, MOVES_PARK, n->from, arena_str(&r->m->names, buf_str(to)), r->b->files.v[n->right].size);
	r->m->steps.v[r->m->steps.n - 1].inode = (uint64_t)r->b->files.v[n->right].inode.number;
	n->from = r->m->steps.v[r->m->steps.n - 1].to;
}

static void
moves_aside(struct moves_run *r, const char *from, int64_t size)
{
	struct buf *to = &r->other;

	buf_cut(to, 0);
	buf_addf(to, "%s/aside/%s", r->m->scratch, from);
	moves_step(r, MOVES_ASIDE, from, arena_str(&r->m->names, buf_str(to)), size);
	r->m->aside++;
}

/* Add the steps of a node whose dependencies are done. */
static void
moves_do(struct moves_run *r, uint32_t at)
{
	struct moves_node *n = &r->nodes.v[at];

	n->done = true;
	if (n->park && !n->vacated)
		moves_park(r, n);
	if (n->aside_file != TREE_FILES_NONE && !r->aside[n->aside_file]) {
		r->aside[n->aside_file] = true;
		moves_aside(r, moves_name_file(r, r->b, n->aside_file), r->b->files.v[n->aside_file].size);
	}
	if (n->aside_dir != DIRTREE_NONE)
		moves_aside(r, moves_name_dir(r, r->b, n->aside_dir), -1);
	if (n->from == NULL)
		return;
	moves_step(r, MOVES_RENAME, n->from, n->to, r->b->files.v[n->right].size);
	r->m->renamed++;
	r->m->renamed_bytes = num_add(r->m->renamed_bytes, r->b->files.v[n->right].size);
	if (!n->vacated)
		moves_vacate(r, at);
}

/* Find a node in the circle that a node which cannot be done waits for. */
static uint32_t
moves_in_circle(struct moves_run *r, uint32_t at, uint32_t mark)
{
	while (r->nodes.v[at].mark != mark) {
		struct moves_node *n = &r->nodes.v[at];

		n->mark = mark;
		/* Files do not come back: what is met once stays so. */
		while (r->nodes.v[r->deps.v[n->deps]].vacated) {
			assert(n->n_deps > 1);
			n->deps++;
			n->n_deps--;
		}
		at = r->deps.v[n->deps];
	}
	return at;
}

/* Add the steps of all nodes. */
static int
moves_order(struct moves_run *r, struct err *err)
{
	size_t next = 0;
	uint32_t mark = 0;

	for (size_t i = 0; i < r->nodes.n; i++) {
		if (r->nodes.v[i].unmet == 0 && !r->nodes.v[i].done)
			vec_push(&r->ready, (uint32_t)i);
	}
	for (size_t i = 0; i < r->nodes.n;) {
		uint32_t at;

		while (next < r->ready.n)
			moves_do(r, r->ready.v[next++]);
		if (r->nodes.v[i].done) {
			i++;
			continue;
		}
		at = moves_in_circle(r, (uint32_t)i, ++mark);
		assert(r->nodes.v[at].from != NULL && !r->nodes.v[at].vacated);
		moves_park(r, &r->nodes.v[at]);
		moves_vacate(r, at);
		if (stop_check(err) < 0)
			return -1;
	}
	return 0;
}

/* List the directories that files have left, and that A lacks, inner ones first. */
static void
moves_empty(struct moves_run *r)
{
	const struct tree_files *b = r->b;
	bool *left = mem_zalloc(b->end - b->top, sizeof(*left));

	for (size_t i = 0; i < r->nodes.n + r->dirs.n; i++) {
		const struct moves_node *n = i < r->nodes.n ? &r->nodes.v[i] : NULL;

		if (n != NULL && (n->right == TREE_FILES_NONE || n->whole))
			continue;
		for (uint32_t d = n != NULL ? b->files.v[n->right].dir : dirtree_parent(b->dirs, r->dirs.v[i - r->nodes.n].dir);
		     d != b->top && !left[d - b->top]; d = dirtree_parent(b->dirs, d))
			left[d - b->top] = true;
	}
	for (uint32_t d = b->end; d-- > b->top + 1;) {
		const char *below;

		if (!left[d - b->top])
			continue;
		below = moves_name_dir(r, b, d);
		buf_cut(&r->path, 0);
		buf_adds(&r->path, r->a->path);
		path_append(&r->path, below, strlen(below));
		if (dirtree_find(r->a->dirs, buf_str(&r->path)) == DIRTREE_NONE)
			vec_push(&r->m->emptied, below);
	}
	free(left);
}

/* Make a node for each file that B lacks at its path, and name the plan after all of them. */
static void
moves_begin(struct moves_run *r)
{
	uint32_t *of = moves_match(r->a, r->b);
	uint64_t name = 0;
	struct buf scratch = { 0 };

	r->mover = mem_alloc((r->b->files.n + 1) * sizeof(*r->mover));
	for (size_t i = 0; i < r->b->files.n; i++)
		r->mover[i] = TREE_FILES_NONE;
	r->aside = mem_zalloc(r->b->files.n + 1, sizeof(*r->aside));
	for (size_t i = 0; i < r->a->files.n; i++) {
		const struct tree_files_file *f = &r->a->files.v[i];
		struct moves_node *n;

		if (f->class == PAIR_SAME || f->presence == PRESENCE_GONE || f->presence == PRESENCE_EXCLUDED)
			continue;
		n = vec_add(&r->nodes);
		*n = (struct moves_node){ .left = (uint32_t)i, .right = of[i], .aside_dir = DIRTREE_NONE, .aside_file = TREE_FILES_NONE };
		n->to = moves_name_file(r, r->a, n->left);
		n->from = n->right != TREE_FILES_NONE ? moves_name_file(r, r->b, n->right) : NULL;
		name = table_hash(name, table_hash_text(n->to) ^ (n->from != NULL ? table_hash_text(n->from) : 0));
	}
	free(of);
	buf_addf(&scratch, ".twindex-moves-%016" PRIx64, name);
	r->m->scratch = arena_str(&r->m->names, buf_str(&scratch));
	buf_release(&scratch);
}

/* List what is to be copied. */
static void
moves_list_copies(struct moves_run *r)
{
	for (size_t i = 0; i < r->nodes.n; i++) {
		const struct moves_node *n = &r->nodes.v[i];
		const int64_t size = r->a->files.v[n->left].size;

		if (n->right != TREE_FILES_NONE)
			continue;
		vec_push(&r->m->copies, ((struct moves_copy){ n->to, size }));
		r->m->copied_bytes = num_add(r->m->copied_bytes, size);
	}
}

int
moves_plan(struct moves *m, const struct pairs *p, struct err *err)
{
	struct moves_run r = { .m = m, .a = pairs_side(p, false), .b = pairs_side(p, true) };
	struct moves_place *places;
	int ret;

	moves_begin(&r);
	places = mem_alloc((r.nodes.n + 1) * sizeof(*places));
	ret = moves_look_parents(&r, err);
	if (ret == 0)
		ret = moves_look(&r, places, err);
	if (ret == 0)
		ret = moves_dirs(&r, places, err);
	if (ret == 0) {
		moves_need(&r, places);
		if (r.waiting.n > 0)
			qsort(r.waiting.v, r.waiting.n, sizeof(*r.waiting.v), moves_cmp_edge);
		ret = moves_order(&r, err);
	}
	if (ret == 0) {
		moves_empty(&r);
		moves_list_copies(&r);
	}
	free(places);
	free(r.parents);
	free(r.mover);
	free(r.aside);
	vec_release(&r.nodes);
	vec_release(&r.dirs);
	vec_release(&r.deps);
	vec_release(&r.waiting);
	vec_release(&r.ready);
	buf_release(&r.path);
	buf_release(&r.other);
	return ret;
}

void
moves_release(struct moves *m)
{
	vec_release(&m->steps);
	vec_release(&m->emptied);
	vec_release(&m->copies);
	arena_release(&m->names);
}
