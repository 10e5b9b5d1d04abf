/* SPDX-License-Identifier: MIT */
/*
 * Members are judged as a file outside the index would be whose content is known (query/state):
 * copies are looked at now.  A member stands for a file only in a question that names its archive.
 */
#include "base/base.h"

#include "query/inside.h"

#include "index/index.h"
#include "index/presence.h"
#include "sys/stop.h"

int
inside_find(struct index *ix, const char *path, struct inside *in, struct err *err)
{
	struct presence_view view = { .ix = NULL };
	enum presence presence = PRESENCE_GONE;
	int ret;

	memset(in, 0, sizeof(*in));
	if (!ix->archives)
		return 0;
	ret = dirs_find_file(ix->db, path, &in->row, err);
	if (ret == 1)
		ret = archives_find(ix, &in->row, &in->a, err);
	/* What only has the name of an archive has no members. */
	if (ret != 1 || in->a.why == PACKED_NONE)
		return ret < 0 ? -1 : 0;
	ret = presence_open(&view, ix, err) < 0 || presence_row(&view, &in->row, &presence, NULL, err) < 0 ? -1 : presence == PRESENCE_HERE;
	presence_release(&view);
	if (ret == 1) {
		in->path = mem_str(path);
		in->row.name = in->path + (strlen(path) - in->row.name_len);
	}
	return ret;
}

void
inside_release(struct inside *in)
{
	free(in->path);
	in->path = NULL;
}

/* Members on their way. */
struct inside_work {
	const struct inside *in;
	struct state state;
	unsigned fleeting;
	list_gap_fn *gap;
	void *gap_arg;
	list_fn *fn;
	void *arg;
	struct gaps *gaps;
	bool all;
	struct buf path;
	struct buf within;       /* the path of the member before that is in no other one */
	bool has_copy;           /* that one */
};

static void
inside_gap(const struct inside_work *w, const char *path, const char *why)
{
	gaps_count(w->gaps, GAP_UNPROVEN, false);
	if (w->gap != NULL)
		w->gap(w->gap_arg, path, GAP_UNPROVEN, false, why);
}

/* archives_member_fn */
static int
inside_member(void *arg, const struct packed *p, struct err *err)
{
	struct inside_work *w = arg;
	struct file_answer a;

	if (stop_check(err) < 0)
		return -1;
	if (p->outer_len > 0 && w->has_copy && !w->all)
		return 0;
	buf_cut(&w->path, 0);
	buf_addf(&w->path, "%s" PACKED_MARK, w->in->path);
	buf_add(&w->path, p->name, p->name_len);
	if (state_of_member(&w->state, p, w->fleeting, buf_str(&w->path), &a, err) < 0)
		return -1;
	a.archive = w->in->path;
	a.hash = p->has_hash ? p->hash : NULL;
	if (p->outer_len > 0)
		a.within = buf_str(&w->within);
	else {
		buf_cut(&w->within, 0);
		buf_add(&w->within, w->path.data, w->path.len);
		w->has_copy = a.state == STATE_DUP;
	}
	if (a.state == STATE_UNKNOWN)
		inside_gap(w, a.path, a.why != NULL ? a.why : state_name(a.state));
	return w->fn(w->arg, &a);
}

int
inside_each(struct index *ix, const struct inside *in, const struct state_query *q, bool all, list_gap_fn *gap, void *gap_arg,
            list_fn *fn, void *arg, struct gaps *gaps, struct err *err)
{
	struct presence_view view = { .ix = NULL };
	struct inside_work w = { .in = in, .state = { .check = &view, .q = q }, .gap = gap, .gap_arg = gap_arg, .fn = fn, .arg = arg, .gaps = gaps, .all = all };
	const struct dirs_prefix *prefix;
	int ret = presence_open(&view, ix, err);

	prefix = ret == 0 ? dirs_prefix(&view.dirs, in->row.dir, err) : NULL;
	if (prefix == NULL)
		ret = -1;
	else {
		w.fleeting = prefix->fleeting;
		ret = archives_members(ix, in->a.id, true, inside_member, &w, err);
	}
	if (ret == 0 && in->a.why != PACKED_GOOD)
		inside_gap(&w, in->path, packed_why_text(in->a.why));
	state_release(&w.state);
	presence_release(&view);
	buf_release(&w.path);
	buf_release(&w.within);
	return ret;
}

bool
inside_is_rest(const struct file_answer *f)
{
	return f->within != NULL && strlen(f->path) == strlen(f->within) + PACKED_MARK_LEN;
}

int
inside_has(struct index *ix, const struct inside *in, int64_t size, const uint8_t *hash, enum inside_has *has, const char **why, struct err *err)
{
	int found = hash != NULL ? archives_has(ix, in->a.id, size, hash, err) : 0;

	*has = INSIDE_HAS;
	if (found != 0)
		return found < 0 ? -1 : 0;
	*has = INSIDE_UNSURE;
	*why = "a member that may have its content is not judged";
	found = archives_may_have(ix, in->a.id, size, err);
	if (found != 0)
		return found < 0 ? -1 : 0;
	*why = "not all members of the archive are known";
	if (in->a.why != PACKED_GOOD)
		return 0;
	*why = "it was not read whole: scan it";
	found = hash == NULL ? archives_has_size(ix, in->a.id, size, err) : 0;
	if (found == 0)
		*has = INSIDE_LACKS;
	return found < 0 ? -1 : 0;
}

/* archives_like_fn */
static int
inside_like_add(void *arg, const struct file_row *row, const char *member, size_t len, struct err *err)
{
	struct inside_like *l = arg;
	enum presence presence;
	const char *path;
	struct buf b = { 0 };

	if (presence_row(&l->view, row, &presence, &path, err) < 0)
		return -1;
	if (presence != PRESENCE_HERE)
		return 0;
	buf_addf(&b, "%s" PACKED_MARK, path);
	buf_add(&b, member, len);
	vec_push(&l->places, ((struct archive_place){ arena_str(&l->paths, buf_str(&b)) }));
	buf_release(&b);
	return 0;
}

int
inside_like(struct inside_like *l, struct file_answer *a, struct err *err)
{
	if (!l->ix->archives || a->hash == NULL || a->size <= 0 || a->state == STATE_GONE || a->state == STATE_CHANGED)
		return 0;
	if (!l->open && presence_open(&l->view, l->ix, err) < 0)
		return -1;
	l->open = true;
	arena_clear(&l->paths);
	l->places.n = 0;
	if (archives_like(l->ix, a->size, a->hash, inside_like_add, l, err) < 0)
		return -1;
	a->places = l->places.v;
	a->n_places = l->places.n;
	return 0;
}

void
inside_like_release(struct inside_like *l)
{
	if (l->open)
		presence_release(&l->view);
	arena_release(&l->paths);
	vec_release(&l->places);
}
