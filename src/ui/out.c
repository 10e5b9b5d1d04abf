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
	const enum out_kind kind = o->style.kind;

	if (o->n == 0)
		numbers_clear(o->style.results, kind == OUT_SETS || kind == OUT_SIMILAR,
		              kind == OUT_VOLUMES || kind == OUT_TREES || kind == OUT_RISKS || kind == OUT_SIMILAR);
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

/* Print a record, or another part of a listing.  Returns 0, or -1: no more can be printed. */
static int
print(struct out *o, out_print_fn *fn, const void *record)
{
	/* Text may go on with what its totals announce. */
	assert(!o->totals || o->style.format == OUT_TEXT);
	if (o->failed)
		return -1;
	begin(o);
	if (fn != NULL)
		fn(o, record);
	out_put_deliver(o);
	return o->failed ? -1 : 0;
}

/* Print a record, and note the path and members that it has. */
static int
print_record(struct out *o, const void *record, const char *path, const struct member *members, size_t n)
{
	const int ret = print(o, o->ops->record, record);

	if (ret != 0)
		return ret;
	if (o->style.results != NULL) {
		note_first(o);
		numbers_add(o->style.results, path, members, n);
	}
	o->n++;
	return 0;
}

static int
print_totals(struct out *o, const void *totals)
{
	const int ret = print(o, o->ops->totals, totals);

	o->totals = true;
	return ret;
}

int
out_file(struct out *o, const struct file_answer *f)
{
	assert(o->style.kind == OUT_STATES || o->style.kind == OUT_PATHS);
	return print_record(o, f, f->path, f->members, f->n_members);
}

int
out_dir(struct out *o, const struct subdir_answer *d)
{
	int ret;

	assert(o->style.kind != OUT_SETS);
	if (o->ops->dir == NULL)
		return o->failed ? -1 : 0;
	ret = print(o, o->ops->dir, d);
	/* In columns only files have numbers. */
	if (ret == 0 && o->style.layout != OUT_COLUMNS)
		note_dir(o, d->path);
	return ret;
}

int
out_set(struct out *o, const struct set_answer *s)
{
	assert(o->style.kind == OUT_SETS);
	return print_record(o, s, NULL, s->members, s->n_members);
}

int
out_dirs(struct out *o, const struct dirs_answer *d)
{
	const bool text = o->style.format == OUT_TEXT;
	int ret = text ? print(o, o->ops->record, d) : 0;

	assert(o->style.kind == OUT_DIRS);
	for (size_t i = 0; ret == 0 && i < d->n; i++) {
		if (!text && d->v[i].kind != DIR_REST)
			ret = print(o, o->ops->record, &d->v[i]);
		if (d->v[i].kind == DIR_WHOLE)
			note_dir(o, d->v[i].path);
		else if (d->v[i].kind == DIR_FILES)
			o->n++;
	}
	return ret == 0 ? print_totals(o, &d->total) : ret;
}

int
out_found(struct out *o, const struct found_answer *f)
{
	int ret;

	assert(o->style.kind == OUT_FOUND);
	if (!f->is_dir)
		return print_record(o, f, f->path, NULL, 0);
	ret = print(o, o->ops->record, f);
	if (ret == 0)
		note_dir(o, f->path);
	return ret;
}

int
out_mark(struct out *o, const struct mark_answer *m)
{
	assert(o->style.kind == OUT_MARKS);
	return print_record(o, m, m->path, NULL, 0);
}

int
out_volume(struct out *o, const struct volume_answer *v)
{
	assert(o->style.kind == OUT_VOLUMES);
	return print_record(o, v, v->path != NULL ? v->path : "/", NULL, 0);
}

int
out_pair(struct out *o, const struct pair_answer *p)
{
	const struct member right = { .path = p->right };
	struct pair_answer shown = *p;

	assert(o->style.kind == OUT_PAIRS);
	if (o->style.relative && p->left != NULL)
		shown.left += p->left_below;
	if (o->style.relative && p->right != NULL)
		shown.right += p->right_below;
	return print_record(o, &shown, p->left != NULL ? p->left : p->right, &right, p->left != NULL && p->right != NULL ? 1 : 0);
}

int
out_tree(struct out *o, const struct tree_answer *t)
{
	assert(o->style.kind == OUT_TREES || o->style.kind == OUT_RISKS);
	if (o->style.format == OUT_TEXT && t->told)
		return print(o, o->ops->record, t);
	return print_record(o, t, t->path, NULL, 0);
}

int
out_change(struct out *o, const struct change_answer *a)
{
	assert(o->style.kind == OUT_CHANGES);
	return print_record(o, a, a->after != NULL ? a->after : a->before, NULL, 0);
}

int
out_similar(struct out *o, const struct similar_answer *s)
{
	struct member *members = mem_zalloc(s->n_twins + 2, sizeof(*members));
	int ret;

	assert(o->style.kind == OUT_SIMILAR);
	members[0].path = s->left.path;
	members[1].path = s->right.path;
	for (size_t i = 0; i < s->n_twins; i++)
		members[i + 2].path = s->twins[i].path;
	ret = print_record(o, s, NULL, members, s->n_twins + 2);
	free(members);
	return ret;
}

int
out_totals(struct out *o, const struct set_totals *t)
{
	assert(o->style.kind == OUT_SETS);
	return print_totals(o, t);
}

int
out_mark_totals(struct out *o, const struct mark_totals *t)
{
	assert(o->style.kind == OUT_MARKS);
	return print_totals(o, t);
}

int
out_pairs_totals(struct out *o, const struct pairs_totals *t)
{
	assert(o->style.kind == OUT_PAIRS);
	return print_totals(o, t);
}

int
out_tree_totals(struct out *o, const struct tree_totals *t)
{
	assert(o->style.kind == OUT_TREES || o->style.kind == OUT_RISKS);
	return print_totals(o, t);
}

int
out_changes_totals(struct out *o, const struct changes_totals *t)
{
	assert(o->style.kind == OUT_CHANGES);
	return print_totals(o, t);
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
