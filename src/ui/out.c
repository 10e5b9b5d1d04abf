/* SPDX-License-Identifier: MIT */
/*
 * out - the common half of all formats.
 *
 * A record is put together in memory, where nothing can fail, and given to
 * the stream in one piece.  The first failure of the stream is remembered
 * with its errno, because by the time of out_close errno is anybody's.
 */
#include "base/base.h"

#include "ui/out.h"

#include "ui/numbers.h"
#include "ui/out_format.h"
#include "ui/out_put.h"

const char *const out_format_names[] = { "text", "fdupes", "json", "ndjson", "csv", "null", NULL };

static const struct out_format_ops *const out_formats[] = {
	[OUT_TEXT] = &out_text_ops,
	[OUT_FDUPES] = &out_fdupes_ops,
	[OUT_JSON] = &out_json_ops,
	[OUT_NDJSON] = &out_json_ops,
	[OUT_CSV] = &out_csv_ops,
	[OUT_NULL] = &out_fdupes_ops,
};

/* Print what comes before the first record. */
static void
begin(struct out *o)
{
	if (o->begun)
		return;
	o->begun = true;
	if (o->style.begun != NULL)
		*o->style.begun = true;
	if (o->ops->begin != NULL)
		o->ops->begin(o);
}

/* Deliver a record that was printed. */
static int
done(struct out *o)
{
	out_put_deliver(o);
	return o->failed ? -1 : 0;
}

struct out *
out_open(FILE *stream, const struct out_style *style)
{
	struct out *o = mem_zalloc(1, sizeof(*o));

	o->stream = stream;
	o->style = *style;
	o->ops = style->format == OUT_TEXT && style->layout == OUT_COLUMNS ? &out_columns_ops : out_formats[style->format];
	o->cut_len = style->cut != NULL ? strlen(style->cut) : 0;
	if (style->hyperlinks)
		hyperlink_host(o->host);
	return o;
}

/* The first record replaces the last listing; an empty listing leaves that alone. */
static void
note_first(struct out *o)
{
	if (o->n == 0)
		numbers_clear(o->style.results, o->style.kind == OUT_SETS || o->style.kind == OUT_SIMILAR,
		              o->style.kind == OUT_VOLUMES || o->style.kind == OUT_TREES || o->style.kind == OUT_SIMILAR);
}

/* Note what was printed. */
static void
note(struct out *o, const char *path, const struct member *members, size_t n)
{
	if (o->style.results != NULL) {
		note_first(o);
		numbers_add(o->style.results, path, members, n);
	}
	o->n++;
}

/* The same of a directory, in a listing that has files, too. */
static void
note_dir(struct out *o, const char *path)
{
	if (o->style.results != NULL) {
		note_first(o);
		numbers_add_dir(o->style.results, path);
	}
	o->n++;
}

int
out_file(struct out *o, const struct file_answer *f)
{
	assert(o->style.kind == OUT_STATES || o->style.kind == OUT_PATHS);
	if (o->failed)
		return -1;
	begin(o);
	o->ops->file(o, f);
	note(o, f->path, f->members, f->n_members);
	return done(o);
}

int
out_dir(struct out *o, const struct subdir_answer *d)
{
	assert(o->style.kind != OUT_SETS);
	if (o->failed)
		return -1;
	if (o->ops->dir == NULL)
		return 0;
	begin(o);
	o->ops->dir(o, d);
	/* In columns only files have numbers. */
	if (o->style.layout != OUT_COLUMNS)
		note_dir(o, d->path);
	return done(o);
}

int
out_set(struct out *o, const struct set_answer *s)
{
	assert(o->style.kind == OUT_SETS && !o->totals);
	if (o->failed)
		return -1;
	begin(o);
	o->ops->set(o, s);
	note(o, NULL, s->members, s->n_members);
	return done(o);
}

int
out_dirs(struct out *o, const struct dirs_answer *d)
{
	assert(o->style.kind == OUT_DIRS && !o->totals);
	if (o->failed)
		return -1;
	begin(o);
	o->ops->dirs(o, d);
	for (size_t i = 0; o->style.results != NULL && i < d->n; i++) {
		if (d->v[i].kind == DIR_WHOLE)
			note_dir(o, d->v[i].path);
	}
	o->totals = true;
	return done(o);
}

int
out_found(struct out *o, const struct found_answer *f)
{
	assert(o->style.kind == OUT_FOUND);
	if (o->failed)
		return -1;
	begin(o);
	o->ops->found(o, f);
	if (f->is_dir)
		note_dir(o, f->path);
	else
		note(o, f->path, NULL, 0);
	return done(o);
}

int
out_mark(struct out *o, const struct mark_answer *m)
{
	assert(o->style.kind == OUT_MARKS && !o->totals);
	if (o->failed)
		return -1;
	begin(o);
	o->ops->mark(o, m);
	note(o, m->path, NULL, 0);
	return done(o);
}

int
out_volume(struct out *o, const struct volume_answer *v)
{
	assert(o->style.kind == OUT_VOLUMES);
	if (o->failed)
		return -1;
	begin(o);
	o->ops->volume(o, v);
	note(o, v->path != NULL ? v->path : "/", NULL, 0);
	return done(o);
}

int
out_pair(struct out *o, const struct pair_answer *p)
{
	const struct member right = { .path = p->right };
	struct pair_answer shown = *p;

	assert(o->style.kind == OUT_PAIRS && !o->totals);
	if (o->failed)
		return -1;
	if (o->style.relative && p->left != NULL)
		shown.left += p->left_below;
	if (o->style.relative && p->right != NULL)
		shown.right += p->right_below;
	begin(o);
	o->ops->pair(o, &shown);
	note(o, p->left != NULL ? p->left : p->right, &right, p->left != NULL && p->right != NULL ? 1 : 0);
	return done(o);
}

int
out_pairs_totals(struct out *o, const struct pairs_totals *t)
{
	assert(o->style.kind == OUT_PAIRS && !o->totals);
	if (o->failed)
		return -1;
	begin(o);
	if (o->ops->pairs_totals != NULL)
		o->ops->pairs_totals(o, t);
	o->totals = true;
	return done(o);
}

int
out_tree(struct out *o, const struct tree_answer *t)
{
	assert(o->style.kind == OUT_TREES && !o->totals);
	if (o->failed)
		return -1;
	begin(o);
	o->ops->tree(o, t);
	if (o->style.format != OUT_TEXT || !t->told)
		note(o, t->path, NULL, 0);
	return done(o);
}

int
out_change(struct out *o, const struct change_answer *a)
{
	assert(o->style.kind == OUT_CHANGES && !o->totals);
	if (o->failed)
		return -1;
	begin(o);
	o->ops->change(o, a);
	note(o, a->after != NULL ? a->after : a->before, NULL, 0);
	return done(o);
}

int
out_changes_totals(struct out *o, const struct changes_totals *t)
{
	assert(o->style.kind == OUT_CHANGES && !o->totals);
	if (o->failed)
		return -1;
	begin(o);
	if (o->ops->changes_totals != NULL)
		o->ops->changes_totals(o, t);
	o->totals = true;
	return done(o);
}

int
out_similar(struct out *o, const struct similar_answer *s)
{
	assert(o->style.kind == OUT_SIMILAR);
	if (o->failed)
		return -1;
	begin(o);
	o->ops->similar(o, s);
	if (o->style.results == NULL)
		o->n++;
	else {
		struct member *members = mem_zalloc(s->n_twins + 2, sizeof(*members));

		members[0].path = s->left.path;
		members[1].path = s->right.path;
		for (size_t i = 0; i < s->n_twins; i++)
			members[i + 2].path = s->twins[i].path;
		note(o, NULL, members, s->n_twins + 2);
		free(members);
	}
	return done(o);
}

int
out_totals(struct out *o, const struct set_totals *t)
{
	assert(o->style.kind == OUT_SETS && !o->totals);
	if (o->failed)
		return -1;
	begin(o);
	if (o->ops->totals != NULL)
		o->ops->totals(o, t);
	o->totals = true;
	return done(o);
}

int
out_mark_totals(struct out *o, const struct mark_totals *t)
{
	assert(o->style.kind == OUT_MARKS && !o->totals);
	if (o->failed)
		return -1;
	begin(o);
	if (o->ops->mark_totals != NULL)
		o->ops->mark_totals(o, t);
	o->totals = true;
	return done(o);
}

int
out_tree_totals(struct out *o, const struct tree_totals *t)
{
	assert(o->style.kind == OUT_TREES && !o->totals);
	if (o->failed)
		return -1;
	begin(o);
	if (o->ops->tree_totals != NULL)
		o->ops->tree_totals(o, t);
	o->totals = true;
	return done(o);
}

int
out_close(struct out *o, int ret, struct err *err)
{
	/*
	 * A listing that broke off is not finished, so that no program takes
	 * the part for the whole: its JSON does not parse.
	 */
	if (ret >= 0) {
		begin(o);
		if (o->ops->end != NULL)
			o->ops->end(o);
	}
	out_put_deliver(o);
	if (!o->failed) {
		errno = EIO;  /* for an older failure, of which only the flag is left */
		if (fflush(o->stream) != 0 || ferror(o->stream))
			out_put_fail(o);
	}

	/* A query that stopped because out_file returned -1 has left err empty. */
	if (o->failed && (ret >= 0 || err->code == ERR_NONE)) {
		errno = o->sys;
		ret = err_sys(err, "write results");
		err->code = ERR_OUTPUT;
	}
	if (o->ops->release != NULL)
		o->ops->release(o);
	buf_release(&o->text);
	buf_release(&o->scratch);
	free(o);
	return ret;
}
