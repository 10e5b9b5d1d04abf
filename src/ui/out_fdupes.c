/* SPDX-License-Identifier: MIT */
/*
 * out_fdupes - the formats of paths for pipes.
 *
 * fdupes: one path per line, an empty line after each set, as fdupes and
 * jdupes print by default; one name per inode, so that keeping the first
 * line of a set and removing the others frees what the report said.
 * null: the same with NUL in place of newline, as jdupes -0.
 */
#include "base/base.h"

#include "query/answer.h"
#include "ui/out_format.h"
#include "ui/out_put.h"

/* Append one raw path with its end; none is written into a set by itself. */
static void
add_line(struct out *o, const char *path)
{
	path = out_put_cut(o, path);
	buf_add(&o->text, path, strlen(path) + 1);
	if (o->style.format != OUT_NULL)
		o->text.data[o->text.len - 1] = '\n';
}

static void
end_group(struct out *o)
{
	buf_addc(&o->text, o->style.format == OUT_NULL ? '\0' : '\n');
	o->open_group = false;
}

static void
add_copies(struct out *o, const struct member *m, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (m[i].kind != MEMBER_COPY && (m[i].kind != MEMBER_LINK || !o->style.links))
			continue;
		add_line(o, m[i].path);
		out_put_flow(o);
	}
}

static void
fdupes_file(struct out *o, const void *record)
{
	const struct file_answer *f = record;
	/*
	 * The group of told_with has this file, unless it may be a hard link: a group names an
	 * inode once.
	 */
	if (f->told_with != NULL && f->nlink == 1)
		return;
	/* Single paths that came before must not look like copies of this one. */
	if (f->n_members > 0 && o->open_group)
		end_group(o);
	add_line(o, f->path);
	if (f->n_members > 0) {
		add_copies(o, f->members, f->n_members);
		end_group(o);
	} else {
		o->open_group = true;
	}
}

static void
fdupes_set(struct out *o, const void *record)
{
	const struct set_answer *s = record;
	add_copies(o, s->members, s->n_members);
	end_group(o);
}

/* Only paths of directories: the files directly in one have no path of their own. */
static void
fdupes_dir(struct out *o, const void *record)
{
	const struct dir_answer *d = record;

	if (d->kind == DIR_WHOLE)
		add_line(o, d->path);
}

/* One path, of a directory with a slash, which goes before the end of the line. */
static void
add_entry(struct out *o, const char *path, bool dir)
{
	char end;

	add_line(o, path);
	if (!dir || strcmp(path, "/") == 0)
		return;
	end = o->text.data[o->text.len - 1];
	o->text.data[o->text.len - 1] = '/';
	buf_addc(&o->text, end);
}

static void
fdupes_found(struct out *o, const void *record)
{
	const struct found_answer *f = record;
	add_entry(o, f->path, f->is_dir);
}

/* Programs delete by this list: print only decisions that are in effect. */
static void
fdupes_mark(struct out *o, const void *record)
{
	const struct mark_answer *m = record;
	if (m->state == MARK_EFFECTIVE)
		add_line(o, m->path);
}

/* Only what the index has of each. */
static void
fdupes_volume(struct out *o, const void *record)
{
	const struct volume_answer *v = record;
	if (v->path != NULL)
		add_line(o, v->path);
}

static void
fdupes_pair(struct out *o, const void *record)
{
	const struct pair_answer *p = record;
	const char *left = p->left != NULL ? p->left : p->right, *right = p->right != NULL ? p->right : left;

	add_line(o, left);
	if (strcmp(left, right) != 0)
		add_line(o, right);
}

/* Programs delete by this list: print only what can go together with all the others here. */
static void
fdupes_tree(struct out *o, const void *record)
{
	const struct tree_answer *t = record;
	if (t->state == TREE_REDUNDANT)
		add_line(o, t->path);
}

static void
fdupes_change(struct out *o, const void *record)
{
	const struct change_answer *a = record;
	if (a->class == CHANGE_MOVED || a->after == NULL)
		add_entry(o, a->before, a->dir);
	if (a->after != NULL)
		add_entry(o, a->after, a->dir);
}

/* Pairs of paths; of more than two twins the first with each other one. */
static void
fdupes_similar(struct out *o, const void *record)
{
	const struct similar_answer *s = record;
	add_line(o, s->left.path);
	add_line(o, s->right.path);
	for (size_t i = 0; i < s->n_twins; i++) {
		if (o->style.format == OUT_NULL)
			add_line(o, s->left.path);
		add_line(o, s->twins[i].path);
		out_put_flow(o);
	}
	if (o->style.format != OUT_NULL)
		end_group(o);
}

static void
fdupes_record(struct out *o, const void *record)
{
	static out_print_fn *const print[OUT_KINDS] = {
		[OUT_STATES] = fdupes_file, [OUT_PATHS] = fdupes_file, [OUT_SETS] = fdupes_set, [OUT_DIRS] = fdupes_dir, [OUT_FOUND] = fdupes_found,
		[OUT_MARKS] = fdupes_mark, [OUT_VOLUMES] = fdupes_volume, [OUT_PAIRS] = fdupes_pair, [OUT_TREES] = fdupes_tree,
		[OUT_RISKS] = fdupes_tree, [OUT_CHANGES] = fdupes_change, [OUT_SIMILAR] = fdupes_similar,
	};

	print[o->style.kind](o, record);
}

const struct out_format_ops out_fdupes_ops = {
	.record = fdupes_record,
};
