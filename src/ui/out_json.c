/* SPDX-License-Identifier: MIT */
/*
 * out_json - JSON as one document, NDJSON as one object per line.
 *
 * Both are valid UTF-8 whatever the names are, and harmless on a terminal:
 * what is not ASCII and could steer one is written as \uHHHH, which a parser
 * gives back as it was.  A path whose bytes are not UTF-8 is shown as on a
 * terminal, and "path_b64" holds the bytes.  Integers that a double cannot
 * hold exactly are strings; times in nanoseconds always are, so that their
 * type does not depend on the year.
 */
#include "base/base.h"

#include "index/fleeting.h"
#include "query/answer.h"
#include "ui/out_format.h"
#include "ui/out_json_put.h"
#include "ui/out_put.h"
#include "ui/quote.h"

/* Begin a record of either format; type is that of NDJSON, NULL: its fields tell it. */
static void
begin_record(struct out *o, const char *type)
{
	if (o->style.format != OUT_NDJSON) {
		buf_adds(&o->text, o->n > 0 ? ",\n{" : "\n{");
		return;
	}
	buf_addc(&o->text, '{');
	if (type != NULL)
		out_json_word(&o->text, "type", type);
}

/* End the array of records, and begin the sums, of that key or type, of either format. */
static void
begin_totals(struct out *o, const char *key)
{
	if (o->style.format == OUT_NDJSON)
		begin_record(o, key);
	else
		buf_addf(&o->text, "%s],\"%s\":{", o->n > 0 ? "\n" : "", key);
}

static void
end_record(struct out *o)
{
	buf_adds(&o->text, o->style.format == OUT_NDJSON ? "}\n" : "}");
}

static void
add_mark(struct buf *b, enum mark_decision mark)
{
	if (mark == MARK_NONE)
		out_json_null(b, "mark");
	else
		out_json_word(b, "mark", mark_name(mark));
}

static void
add_members(struct out *o, const struct member *m, size_t n)
{
	size_t i;

	out_json_key(&o->text, "members");
	buf_addc(&o->text, '[');
	for (i = 0; i < n; i++) {
		buf_adds(&o->text, i > 0 ? ",{" : "{");
		out_json_path(o, m[i].path);
		out_json_word(&o->text, "kind", member_kind_name(m[i].kind));
		if (m[i].fleeting != 0)
			out_json_why(o, fleeting_where(m[i].fleeting));
		if (m[i].kind == MEMBER_UNREADABLE)
			out_json_why(o, strerror(m[i].error));
		out_json_inode(&o->text, m[i].inode);
		out_json_int(&o->text, "nlink", m[i].nlink);
		out_json_mtime_ns(&o->text, m[i].mtime);
		add_mark(&o->text, m[i].mark);
		if (m[i].index != NULL) {
			out_json_name(o, "index", "index_b64", m[i].index);
			if (m[i].seen > 0)
				out_json_int(&o->text, "seen", m[i].seen);
		}
		if (o->style.choices && m[i].choice == MEMBER_UNCHOSEN)
			out_json_null(&o->text, "choice");
		else if (o->style.choices)
			out_json_word(&o->text, "choice", member_choice_name(m[i].choice));
		buf_addc(&o->text, '}');
		out_put_flow(o);
	}
	buf_addc(&o->text, ']');
}

static void
json_file(struct out *o, const struct file_answer *f)
{
	struct buf *b = &o->text;
	char time[NUM_SHOW_MAX];

	begin_record(o, "file");
	out_json_path(o, f->path);
	out_json_word(b, "state", state_name(f->state));
	if (f->why != NULL)
		out_json_why(o, f->why);
	out_json_size(b, "size", f->size);
	out_json_size(b, "allocated", f->allocated);
	if (f->size < 0) {
		/* The file could not be looked at: zeros would be taken for facts. */
		out_json_null(b, "mtime_ns");
		out_json_null(b, "mtime");
		out_json_null(b, "inode");
		out_json_null(b, "nlink");
	} else {
		out_json_mtime_ns(b, f->mtime);
		out_json_word(b, "mtime", num_show_time(f->mtime.sec, f->mtime.nsec, time));
		out_json_inode(b, f->inode);
		out_json_int(b, "nlink", f->nlink);
	}
	out_json_hash(b, f->hash);
	out_json_int(b, "copies", f->n_copies);
	add_mark(b, f->mark);
	if (f->n_members > 0)
		add_members(o, f->members, f->n_members);
	if (f->told_with != NULL)
		out_json_name(o, "members_of", "members_of_b64", out_put_cut(o, f->told_with));
	end_record(o);
}

static void
json_set(struct out *o, const struct set_answer *s)
{
	struct buf *b = &o->text;

	begin_record(o, "set");
	out_json_int(b, "size", s->size);
	out_json_hash(b, s->hash);
	out_json_int(b, "copies", s->n_copies);
	out_json_int(b, "redundant", s->redundant);
	out_json_size(b, "redundant_disk", s->redundant_disk);
	add_members(o, s->members, s->n_members);
	end_record(o);
}

static void
json_totals(struct out *o, const struct set_totals *t)
{
	struct buf *b = &o->text;

	begin_totals(o, "totals");
	out_json_int(b, "sets", t->n_sets);
	out_json_int(b, "files", t->n_files);
	out_json_int(b, "redundant", t->redundant);
	out_json_size(b, "redundant_disk", t->redundant_disk);
	out_json_int(b, "stale", t->n_stale);
	out_json_int(b, "offline", t->n_offline);
	out_json_int(b, "unreadable", t->n_unreadable);
	out_json_int(b, "views", t->n_views);
	out_json_int(b, "trash", t->n_trash);
	end_record(o);
}

/* Append a share in percent; null of nothing. */
static void
add_share(struct buf *b, int64_t part, int64_t of)
{
	const int64_t share = out_put_permille(part, of);

	if (share < 0)
		out_json_null(b, "share");
	else {
		out_json_key(b, "share");
		buf_addf(b, "%d.%d", (int)(share / 10), (int)(share % 10));
	}
}

/* Append the fields of a directory to an object that is open; the total has no kind and depth. */
static void
add_dir(struct out *o, const struct dir_answer *d, bool marks, bool total)
{
	struct buf *b = &o->text;

	out_json_path(o, d->path);
	if (!total) {
		out_json_word(b, "kind", d->kind == DIR_FILES ? "files" : "dir");
		out_json_int(b, "depth", d->depth);
	}
	if (marks)
		out_json_int(b, "marked", d->marked);
	out_json_int(b, "files", d->files);
	out_json_int(b, "bytes", d->bytes);
	out_json_int(b, "duplicated", d->duplicated);
	add_share(b, d->duplicated, d->bytes);
	out_json_int(b, "redundant", d->redundant);
}

static void
json_found(struct out *o, const struct found_answer *f)
{
	begin_record(o, NULL);
	out_json_word(&o->text, "type", f->is_dir ? "dir" : "file");
	out_json_path(o, f->path);
	if (!f->is_dir)
		out_json_int(&o->text, "size", f->size);
	end_record(o);
}

static void
json_mark(struct out *o, const struct mark_answer *m)
{
	struct buf *b = &o->text;

	begin_record(o, "mark");
	out_json_path(o, m->path);
	add_mark(b, m->decision);
	out_json_word(b, "state", mark_state_name(m->state));
	if (m->why != NULL)
		out_json_why(o, m->why);
	out_json_size(b, "size", m->size);
	out_json_hash(b, m->hash);
	out_json_int(b, "made", m->made);
	end_record(o);
}

static void
json_mark_totals(struct out *o, const struct mark_totals *t)
{
	struct buf *b = &o->text;

	begin_totals(o, "totals");
	out_json_int(b, "drop", t->n_drop);
	out_json_int(b, "keep", t->n_keep);
	out_json_int(b, "stale", t->n_stale);
	out_json_int(b, "offline", t->n_offline);
	out_json_int(b, "last", t->n_last);
	out_json_int(b, "frees", t->frees);
	out_json_size(b, "frees_disk", t->frees_disk);
	end_record(o);
}

static void
json_volume(struct out *o, const struct volume_answer *v)
{
	struct buf *b = &o->text;

	begin_record(o, "volume");
	out_json_name(o, "label", "label_b64", v->label);
	out_json_word(b, "fs", v->type);
	out_json_bool(b, "online", v->online);
	out_json_bool(b, "memory", v->memory);
	out_json_size(b, "capacity", v->capacity);
	out_json_size(b, "free", v->available);
	out_json_size(b, "seen", v->seen);
	out_json_int(b, "files", v->files);
	out_json_int(b, "bytes", v->bytes);
	out_json_int(b, "only_files", v->only_files);
	out_json_int(b, "only_bytes", v->only_bytes);
	out_json_name(o, "mounted", "mounted_b64", v->point);
	out_json_bool(b, "elsewhere", v->elsewhere);
	out_json_name(o, "path", "path_b64", v->path != NULL ? out_put_cut(o, v->path) : NULL);
	out_json_bool(b, "own_ctime", !v->timeless);
	end_record(o);
}

/* Append an array of directories with files in them. */
static void
add_places(struct out *o, const char *key, const struct tree_place *v, size_t n)
{
	out_json_key(&o->text, key);
	buf_addc(&o->text, '[');
	for (size_t i = 0; i < n; i++) {
		buf_adds(&o->text, i > 0 ? ",{" : "{");
		out_json_path(o, v[i].path);
		out_json_int(&o->text, "files", v[i].files);
		if (v[i].direct)
			buf_adds(&o->text, ",\"direct\":true");
		buf_addc(&o->text, '}');
	}
	buf_addc(&o->text, ']');
}

/* Append the fields of a directory that could go as a whole, or not. */
static void
add_redundant(struct out *o, const struct tree_answer *t)
{
	struct buf *b = &o->text;

	out_json_int(b, "frees", t->frees);
	add_places(o, "also_in", t->places, t->n_places);
	out_json_int(b, "elsewhere", t->elsewhere);
	out_json_int(b, "outside", t->outside);
	out_json_int(b, "unseen", t->unseen);
	add_places(o, "leaning", t->leaning, t->n_leaning);
	out_json_name(o, "pair", "pair_b64", t->pair != NULL ? out_put_cut(o, t->pair) : NULL);
	out_json_int(b, "mounts", t->mounts);
	out_json_int(b, "not_judged", out_put_gaps(&t->gaps));
	out_json_int(b, "links", out_put_links(&t->gaps));
}

static void
json_tree(struct out *o, const struct tree_answer *t)
{
	struct buf *b = &o->text;

	begin_record(o, "tree");
	out_json_path(o, t->path);
	out_json_word(b, "state", tree_state_name(t->state));
	out_json_int(b, "files", t->files);
	out_json_int(b, "bytes", t->bytes);
	if (t->state == TREE_AT_RISK || t->state == TREE_FILES_AT_RISK)
		out_json_int(b, "of", t->of);
	else
		add_redundant(o, t);
	end_record(o);
}

static void
json_tree_totals(struct out *o, const struct tree_totals *t)
{
	struct buf *b = &o->text;

	begin_totals(o, "totals");
	out_json_int(b, "dirs", t->dirs);
	out_json_int(b, "files", t->files);
	out_json_int(b, "bytes", t->bytes);
	if (o->style.risks) {
		out_json_int(b, "offline", t->offline);
		out_json_int(b, "inside", t->inside);
	} else {
		out_json_int(b, "frees", t->frees);
		out_json_int(b, "leaned_on", t->leaned_on);
		out_json_int(b, "unproven", t->unproven);
	}
	end_record(o);
}

/* Append one of two directories. */
static void
add_similar_side(struct out *o, const char *key, const struct similar_answer_side *side)
{
	struct buf *b = &o->text;

	out_json_key(b, key);
	buf_addc(b, '{');
	out_json_path(o, side->path);
	out_json_int(b, "files", side->files);
	out_json_int(b, "bytes", side->bytes);
	out_json_int(b, "shared_files", side->shared_files);
	out_json_int(b, "shared_bytes", side->shared_bytes);
	add_share(b, side->shared_bytes, side->bytes);
	out_json_int(b, "unjudged", side->unjudged);
	out_json_int(b, "twins", side->twins);
	if (side->fleeting != 0)
		out_json_why(o, fleeting_where(side->fleeting));
	if (side->partly != 0)
		out_json_word(b, "partly", fleeting_where(side->partly));
	if (side->index != NULL)
		out_json_name(o, "index", "index_b64", side->index);
	buf_addc(b, '}');
}

static void
add_twins(struct out *o, const struct similar_answer *s)
{
	struct buf *b = &o->text;

	out_json_key(b, "twins");
	buf_addc(b, '[');
	for (size_t i = 0; i < s->n_twins; i++) {
		buf_adds(b, i > 0 ? ",{" : "{");
		out_json_path(o, s->twins[i].path);
		if (s->twins[i].fleeting != 0)
			out_json_why(o, fleeting_where(s->twins[i].fleeting));
		buf_addc(b, '}');
		out_put_flow(o);
	}
	buf_addc(b, ']');
}

static void
json_similar(struct out *o, const struct similar_answer *s)
{
	struct buf *b = &o->text;

	begin_record(o, "similar");
	out_json_word(b, "kind", similar_kind_name(s->kind));
	out_json_int(b, "contents", s->contents);
	out_json_int(b, "bytes", s->bytes);
	out_json_int(b, "linked", s->linked);
	out_json_int(b, "linked_bytes", s->linked_bytes);
	add_similar_side(o, "left", &s->left);
	add_similar_side(o, "right", &s->right);
	if (s->n_twins > 0)
		add_twins(o, s);
	end_record(o);
}

static void
json_pair(struct out *o, const struct pair_answer *p)
{
	struct buf *b = &o->text;

	begin_record(o, "pair");
	out_json_word(b, "class", pair_class_name(p->class));
	out_json_name(o, "left", "left_b64", p->left != NULL ? out_put_cut(o, p->left) : NULL);
	out_json_name(o, "right", "right_b64", p->right != NULL ? out_put_cut(o, p->right) : NULL);
	out_json_size(b, "left_size", p->left_size);
	out_json_size(b, "right_size", p->right_size);
	end_record(o);
}

static void
json_change(struct out *o, const struct change_answer *a)
{
	struct buf *b = &o->text;

	begin_record(o, "change");
	out_json_word(b, "class", change_class_name(a->class));
	out_json_bool(b, "directory", a->dir);
	out_json_bool(b, "maybe", a->maybe);
	out_json_name(o, "before", "before_b64", a->before != NULL ? out_put_cut(o, a->before) : NULL);
	out_json_name(o, "after", "after_b64", a->after != NULL ? out_put_cut(o, a->after) : NULL);
	out_json_int(b, "files", a->files);
	out_json_size(b, "size_before", a->size_before);
	out_json_size(b, "size_after", a->size_after);
	end_record(o);
}

static void
add_pairs_sum(struct buf *b, const char *key, struct pairs_sum sum)
{
	out_json_key(b, key);
	buf_addc(b, '{');
	out_json_int(b, "files", sum.n);
	out_json_int(b, "bytes", sum.bytes);
	buf_addc(b, '}');
}

/* Append what each side has of each class. */
static void
json_pairs_totals(struct out *o, const struct pairs_totals *t)
{
	struct buf *b = &o->text;

	begin_totals(o, "totals");
	for (int side = 0; side < 2; side++) {
		out_json_key(b, side == 0 ? "left" : "right");
		buf_addc(b, '{');
		for (int class = 0; class < PAIR_CLASSES; class++)
			add_pairs_sum(b, pair_class_name((enum pair_class)class), side == 0 ? t->left[class] : t->right[class]);
		add_pairs_sum(b, "missing", side == 0 ? t->left_missing : t->right_missing);
		out_json_int(b, "empty", side == 0 ? t->left_empty : t->right_empty);
		buf_addc(b, '}');
	}
	end_record(o);
}

/* Append what changed. */
static void
json_changes_totals(struct out *o, const struct changes_totals *t)
{
	struct buf *b = &o->text;

	begin_totals(o, "totals");
	for (int class = 0; class < CHANGE_CLASSES; class++)
		add_pairs_sum(b, change_class_name((enum change_class)class), t->sums[class]);
	add_pairs_sum(b, "maybe", t->maybe);
	add_pairs_sum(b, "uncompared", t->uncompared);
	out_json_int(b, "left_out", t->left_out);
	end_record(o);
}

/* The document around the records, which NDJSON does without. */
static void
json_begin(struct out *o)
{
	static const char *const keys[] = {
		[OUT_STATES] = "files", [OUT_PATHS] = "files", [OUT_SETS] = "sets", [OUT_DIRS] = "dirs", [OUT_FOUND] = "found",
		[OUT_MARKS] = "marks", [OUT_PAIRS] = "pairs", [OUT_VOLUMES] = "volumes", [OUT_TREES] = "trees", [OUT_CHANGES] = "changes",
		[OUT_SIMILAR] = "similar",
	};

	if (o->style.format != OUT_NDJSON)
		buf_addf(&o->text, "{\"schema_version\":1,\"%s\":[", keys[o->style.kind]);
}

static void
json_dirs(struct out *o, const struct dirs_answer *d)
{
	for (size_t i = 0; i < d->n; i++) {
		if (d->v[i].kind == DIR_REST)
			continue;
		begin_record(o, "dir");
		add_dir(o, &d->v[i], d->marks, false);
		end_record(o);
		o->n++;
		out_put_flow(o);
	}
	begin_totals(o, "total");
	add_dir(o, &d->total, d->marks, true);
	end_record(o);
}

static void
json_end(struct out *o)
{
	if (o->style.open != NULL)
		*o->style.open = true;
	if (o->style.format == OUT_NDJSON)
		return;
	if (!o->totals)
		buf_adds(&o->text, o->n > 0 ? "\n]" : "]");
	if (o->style.open == NULL)
		buf_adds(&o->text, "}\n");
}

/* Of both formats: begin_record, begin_totals and end_record know which. */
const struct out_format_ops out_json_ops = {
	.begin = json_begin,
	.file = json_file,
	.set = json_set,
	.dirs = json_dirs,
	.found = json_found,
	.totals = json_totals,
	.mark = json_mark,
	.mark_totals = json_mark_totals,
	.pair = json_pair,
	.pairs_totals = json_pairs_totals,
	.change = json_change,
	.changes_totals = json_changes_totals,
	.volume = json_volume,
	.similar = json_similar,
	.tree = json_tree,
	.tree_totals = json_tree_totals,
	.end = json_end,
};
