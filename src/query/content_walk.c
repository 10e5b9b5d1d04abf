/* SPDX-License-Identifier: MIT */
/*
 * Names that were read come in the order of the index on contents: all names of a content
 * together, all names of an inode together.  So none is searched for, and memory holds one content.
 * The index on what was not read leads to each row by a search of its own, which costs more than to
 * pass by all rows and to sort these in memory:
 *
 *  1. content_walk_load    hard links into a table: which have names elsewhere; names without a
 *                          hash into an array
 *  2. content_walk_unread  by inode: each is a content of its own, unless it has links: by another
 *                          of its names it may have been read, so these wait
 *  3. content_walk_rows    names with a hash: the next content begins with another hash; what waits
 *                          for an inode comes with it
 *  4. content_walk_rest    what still waits was not read by any name
 */
#include "base/base.h"

#include "query/content_walk.h"

#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "sys/stop.h"

/* Bits that stay in the processor's nearest cache: most inodes have no link. */
#define CONTENT_WALK_BITS (1 << 17)

struct content_walk_link *
content_walk_links_find(const struct content_walk_links *t, struct inode inode, int64_t size)
{
	if (t->n == 0)
		return NULL;
	TABLE_EACH(i, &t->by_inode, inode_hash(inode)) {
		if (inode_same(t->v[i].inode, inode) && t->v[i].size == size)
			return &t->v[i];
	}
	return NULL;
}

struct content_walk_link *
content_walk_links_add(struct content_walk_links *t, struct inode inode, int64_t size)
{
	struct content_walk_link *known = content_walk_links_find(t, inode, size);

	if (known != NULL)
		return known;
	vec_push(t, ((struct content_walk_link){ .inode = inode, .size = size, .content = CONTENT_WALK_NONE }));
	table_add(&t->by_inode, inode_hash(inode), t->n - 1);
	return &t->v[t->n - 1];
}

void
content_walk_links_release(struct content_walk_links *t)
{
	vec_release(t);
	table_release(&t->by_inode);
}

/* Most rows have the directory of the row before. */
int
content_walk_dir(struct content_walk *w, int64_t id, struct err *err)
{
	if (w->dirs == NULL || (id == w->id && w->dir != DIRTREE_NONE))
		return 0;
	w->id = id;
	w->dir = dirtree_by_id(w->dirs, id);
	if (w->dir == DIRTREE_NONE)
		return db_corrupt(w->ix->db, err, "dir", id, NULL, "is missing");
	w->excluded = dirtree_excluded(w->dirs, w->dir);
	return 0;
}

/* Note the present row in its inode with links. */
static int
content_walk_load_link(struct content_walk *w, const struct stmt *st, struct err *err)
{
	const struct inode inode = { stmt_col_int(st, 3), stmt_col_int(st, 2) };
	struct content_walk_link *i = content_walk_links_add(&w->links, inode, stmt_col_int(st, 0));
	const int64_t ctime = fs_time_key((struct fs_time){ stmt_col_int(st, 7), (int32_t)stmt_col_int(st, 8) });
	const int64_t nlink = stmt_col_int(st, 6);

	i->overtaken = i->overtaken || (i->names > 0 && i->ctime != ctime);
	i->ctime = ctime;
	bits_set(w->linked, inode_hash(inode) % CONTENT_WALK_BITS, true);
	i->names++;
	if (i->nlink < nlink)
		i->nlink = nlink;
	if (content_walk_dir(w, stmt_col_int(st, 4), err) < 0)
		return -1;
	i->excluded = i->excluded || w->excluded;
	return 0;
}

static int
content_walk_load(struct content_walk *w, struct err *err)
{
	struct stmt st = stmt_get(w->ix->db, SQL_FILE_LINKED_UNREAD, err);
	int ret;

	w->linked = bits_new(CONTENT_WALK_BITS);
	stmt_int(&st, ":unread", !w->read_only);
	while ((ret = stmt_step(&st)) == 1) {
		if (stmt_col_int(&st, 6) > 1)
			ret = content_walk_load_link(w, &st, err);
		if (ret >= 0 && !w->read_only && stmt_col_is_null(&st, 1)) {
			struct content_walk_unread *u = vec_add(&w->unread);

			*u = (struct content_walk_unread){ stmt_col_int(&st, 0), { stmt_col_int(&st, 3), stmt_col_int(&st, 2) }, stmt_col_int(&st, 4), NULL, 0 };
			if (w->texts) {
				const char *text = stmt_col_text(&st, 5, &u->len);

				u->text = arena_dup(&w->unread_memory, text, u->len);
			}
		}
		if (ret >= 0)
			ret = stop_check(err);
		if (ret < 0)
			break;
	}
	stmt_done(&st);
	return ret;
}

/* Deliver the content in hand, if there is one. */
static int
content_walk_deliver(struct content_walk *w, struct err *err)
{
	int ret;

	if (w->names.n == 0)
		return 0;
	w->c.n = (uint32_t)w->names.n;
	ret = w->fn(w->arg, &w->c, w->names.v, err);
	w->names.n = 0;
	if (w->texts)
		arena_clear(&w->memory);
	return ret;
}

/* Add names of an inode that wait to the content in hand. */
static void
content_walk_add_unread(struct content_walk *w, struct content_walk_link *link)
{
	for (uint32_t i = 0; i < link->n_waiting; i++) {
		struct content_walk_name *name = &w->waiting.v[link->waiting + i];

		name->copy = w->c.copies - 1;
		vec_push(&w->names, *name);
	}
	link->n_waiting = 0;
}

/* Add the next name, whose file was read, to its content; the one before may be complete. */
static int
content_walk_add(struct content_walk *w, int64_t size, const void *hash, struct content_walk_name name, struct err *err)
{
	const struct content_walk_name *last = w->names.n > 0 ? &w->names.v[w->names.n - 1] : NULL;
	const bool same_inode = last != NULL && inode_same(name.inode, last->inode);

	if (last == NULL || w->c.size != size || (hash != NULL ? memcmp(w->c.hash, hash, HASH_SIZE) != 0 : !same_inode)) {
		if (content_walk_deliver(w, err) < 0)
			return -1;
		last = NULL;
		w->c = (struct content_walk_content){ .size = size, .has_hash = hash != NULL };
		if (hash != NULL)
			memcpy(w->c.hash, hash, HASH_SIZE);
	}
	if (last == NULL || !same_inode) {
		w->c.copies++;
		if (name.link != NULL)
			content_walk_add_unread(w, name.link);
	}
	if (name.text != NULL)
		name.text = arena_dup(&w->memory, name.text, name.len);
	name.copy = w->c.copies - 1;
	vec_push(&w->names, name);
	return 0;
}

/* Note that the walk meets a row of an inode that may have links.  Returns the link, or NULL. */
static struct content_walk_link *
content_walk_meet(struct content_walk *w, struct inode inode, int64_t size)
{
	struct content_walk_link *found = NULL;

	if (!bits_has(w->linked, inode_hash(inode) % CONTENT_WALK_BITS))
		return NULL;
	/* A row of an earlier scan may know another size, and be a name nonetheless. */
	TABLE_EACH(i, &w->links.by_inode, inode_hash(inode)) {
		struct content_walk_link *link = &w->links.v[i];

		if (!inode_same(link->inode, inode))
			continue;
		link->known++;
		if (link->size == size) {
			link->met++;
			found = link;
		}
	}
	return found;
}

/* Take the next row, in the order of inodes: hash is NULL if it was not read. */
static int
content_walk_take(struct content_walk *w, int64_t size, const void *hash, struct content_walk_name *name, struct err *err)
{
	if (content_walk_dir(w, name->id, err) < 0)
		return -1;
	name->read = hash != NULL;
	name->link = content_walk_meet(w, name->inode, size);
	if (w->excluded)
		return 0;
	name->dir = w->dir;
	if (hash != NULL || name->link == NULL)
		return content_walk_add(w, size, hash, *name, err);
	/* It waits for the content of its inode. */
	if (name->link->n_waiting++ == 0)
		name->link->waiting = (uint32_t)w->waiting.n;
	vec_push(&w->waiting, *name);
	return 0;
}

static int
content_walk_cmp_unread(const void *a, const void *b)
{
	const struct content_walk_unread *x = a, *y = b;

	ORDER_CMP(x->inode.number, y->inode.number);
	ORDER_CMP(x->inode.volume, y->inode.volume);
	ORDER_CMP(x->size, y->size);
	return 0;
}

/* Take the names that were not read. */
static int
content_walk_unread(struct content_walk *w, struct err *err)
{
	int ret = 0;

	if (w->unread.n > 1)
		qsort(w->unread.v, w->unread.n, sizeof(*w->unread.v), content_walk_cmp_unread);
	for (size_t i = 0; ret == 0 && i < w->unread.n; i++) {
		const struct content_walk_unread *u = &w->unread.v[i];
		struct content_walk_name name = { .inode = u->inode, .id = u->dir, .text = u->text, .len = u->len };

		ret = content_walk_take(w, u->size, NULL, &name, err);
	}
	vec_release(&w->unread);
	return ret != 0 ? ret : content_walk_deliver(w, err);
}

/* Take the names that were read. */
static int
content_walk_rows(struct content_walk *w, struct err *err)
{
	struct stmt st = stmt_get(w->ix->db, w->texts ? SQL_FILE_CONTENT_NAMES : SQL_FILE_CONTENTS, err);
	struct content_walk_name name = { .read = true };
	int ret;

	stmt_int(&st, ":min_size", w->min_size);
	while ((ret = stmt_step(&st)) == 1) {
		uint8_t hash[HASH_SIZE];

		name.inode = (struct inode){ stmt_col_int(&st, 3), stmt_col_int(&st, 2) };
		name.id = stmt_col_int(&st, 4);
		if (w->texts)
			name.text = stmt_col_text(&st, 5, &name.len);
		ret = file_read_hash(&st, 1, hash, err);
		if (ret == 0)
			ret = content_walk_take(w, stmt_col_int(&st, 0), hash, &name, err);
		if (ret == 0)
			ret = stop_check(err);
		if (ret != 0)
			break;
	}
	stmt_done(&st);
	return ret != 0 ? ret : content_walk_deliver(w, err);
}

/* Deliver the inodes with links of which no name was read. */
static int
content_walk_rest(struct content_walk *w, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < w->links.n; i++) {
		w->c = (struct content_walk_content){ .size = w->links.v[i].size, .copies = 1 };
		content_walk_add_unread(w, &w->links.v[i]);
		ret = content_walk_deliver(w, err);
	}
	return ret;
}

int
content_walk(struct content_walk *w, struct err *err)
{
	int ret;

	w->dir = DIRTREE_NONE;
	ret = content_walk_load(w, err);
	if (ret == 0)
		ret = content_walk_unread(w, err);
	if (ret == 0)
		ret = content_walk_rows(w, err);
	return ret != 0 ? ret : content_walk_rest(w, err);
}

void
content_walk_release(struct content_walk *w)
{
	content_walk_links_release(&w->links);
	free(w->linked);
	vec_release(&w->names);
	vec_release(&w->unread);
	vec_release(&w->waiting);
	arena_release(&w->memory);
	arena_release(&w->unread_memory);
}
