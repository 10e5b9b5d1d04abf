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
#include <config.h>

#include <string.h>

#include "base/name.h"
#include "query/answer.h"
#include "ui/out_format.h"
#include "ui/out_put.h"
#include "ui/quote.h"

/* The largest integer that a double holds exactly: many readers know only doubles. */
#define EXACT_MAX ((int64_t)1 << 53)

/* Append a key of ours with its colon; all but the first of an object follow a comma. */
static void
add_key(struct buf *b, const char *key)
{
	if (b->len > 0 && b->data[b->len - 1] != '{')
		buf_addc(b, ',');
	buf_addc(b, '"');
	buf_adds(b, key);
	buf_adds(b, "\":");
}

static void
add_word(struct buf *b, const char *key, const char *word)
{
	add_key(b, key);
	buf_addc(b, '"');
	buf_adds(b, word);
	buf_addc(b, '"');
}

static void
add_int(struct buf *b, const char *key, int64_t n)
{
	bool exact = n <= EXACT_MAX && n >= -EXACT_MAX;

	add_key(b, key);
	if (!exact)
		buf_addc(b, '"');
	out_put_int(b, n);
	if (!exact)
		buf_addc(b, '"');
}

static void
add_null(struct buf *b, const char *key)
{
	add_key(b, key);
	buf_adds(b, "null");
}

/* Append a number of bytes, null when it is unknown. */
static void
add_size(struct buf *b, const char *key, int64_t size)
{
	if (size < 0)
		add_null(b, key);
	else
		add_int(b, key, size);
}

static void
add_inode(struct buf *b, int64_t inode)
{
	bool exact = (uint64_t)inode <= (uint64_t)EXACT_MAX;

	add_key(b, "inode");
	if (!exact)
		buf_addc(b, '"');
	out_put_inode(b, inode);
	if (!exact)
		buf_addc(b, '"');
}

static void
add_mtime_ns(struct buf *b, struct fs_time t)
{
	char text[NUM_SHOW_MAX];

	add_key(b, "mtime_ns");
	buf_addc(b, '"');
	buf_adds(b, num_show_ns(t.sec, t.nsec, text));
	buf_addc(b, '"');
}

static void
add_hash(struct buf *b, const uint8_t *hash)
{
	if (hash == NULL) {
		add_null(b, "hash");
		return;
	}
	add_key(b, "hash");
	buf_addc(b, '"');
	buf_add_hex(b, hash, HASH_SIZE);
	buf_addc(b, '"');
}

/*
 * Append a name under key, and its bytes under bytes where it is not UTF-8; null for NULL.
 */
static void
add_name(struct out *o, const char *key, const char *bytes, const char *name)
{
	const char *text;
	size_t len;

	if (name == NULL) {
		add_null(&o->text, key);
		return;
	}
	text = out_put_utf8(o, name, name_show, &len);
	add_key(&o->text, key);
	quote_json(&o->text, text, len);
	if (text == name)
		return;
	add_key(&o->text, bytes);
	buf_addc(&o->text, '"');
	out_put_base64(&o->text, name, strlen(name));
	buf_addc(&o->text, '"');
}

static void
add_path(struct out *o, const char *path)
{
	add_name(o, "path", "path_b64", out_put_cut(o, path));
}

static void
add_why(struct out *o, const char *why)
{
	size_t len;
	const char *text = out_put_utf8(o, why, name_show_message, &len);

	add_key(&o->text, "why");
	quote_json(&o->text, text, len);
}

static void
add_mark(struct buf *b, enum mark_decision mark)
{
	if (mark == MARK_NONE)
		add_null(b, "mark");
	else
		add_word(b, "mark", mark_name(mark));
}

static void
add_members(struct out *o, const struct member *m, size_t n)
{
	size_t i;

	add_key(&o->text, "members");
	buf_addc(&o->text, '[');
	for (i = 0; i < n; i++) {
		buf_adds(&o->text, i > 0 ? ",{" : "{");
		add_path(o, m[i].path);
		add_word(&o->text, "kind", member_kind_name(m[i].kind));
		if (m[i].kind == MEMBER_UNREADABLE)
			add_why(o, strerror(m[i].error));
		add_inode(&o->text, m[i].inode);
		add_int(&o->text, "nlink", m[i].nlink);
		add_mtime_ns(&o->text, m[i].mtime);
		add_mark(&o->text, m[i].mark);
		if (m[i].index != NULL) {
			add_name(o, "index", "index_b64", m[i].index);
			if (m[i].seen > 0)
				add_int(&o->text, "seen", m[i].seen);
		}
		if (o->style.choices && m[i].choice == MEMBER_UNCHOSEN)
			add_null(&o->text, "choice");
		else if (o->style.choices)
			add_word(&o->text, "choice", member_choice_name(m[i].choice));
		buf_addc(&o->text, '}');
		out_put_flow(o);
	}
	buf_addc(&o->text, ']');
}

/* Append the fields of a file to an object that is open. */
static void
add_file(struct out *o, const struct file_answer *f)
{
	struct buf *b = &o->text;
	char time[NUM_SHOW_MAX];

	add_path(o, f->path);
	add_word(b, "state", state_name(f->state));
	if (f->why != NULL)
		add_why(o, f->why);
	add_size(b, "size", f->size);
	add_size(b, "allocated", f->allocated);
	if (f->size < 0) {
		/* The file could not be looked at: zeros would be taken for facts. */
		add_null(b, "mtime_ns");
		add_null(b, "mtime");
		add_null(b, "inode");
		add_null(b, "nlink");
	} else {
		add_mtime_ns(b, f->mtime);
		add_word(b, "mtime", num_show_time(f->mtime.sec, f->mtime.nsec, time));
		add_inode(b, f->inode);
		add_int(b, "nlink", f->nlink);
	}
	add_hash(b, f->hash);
	add_int(b, "copies", f->n_copies);
	add_mark(b, f->mark);
	if (f->n_members > 0)
		add_members(o, f->members, f->n_members);
}

static void
add_set(struct out *o, const struct set_answer *s)
{
	struct buf *b = &o->text;

	add_int(b, "size", s->size);
	add_hash(b, s->hash);
	add_int(b, "copies", s->n_copies);
	add_int(b, "redundant", s->redundant);
	add_size(b, "redundant_disk", s->redundant_disk);
	add_members(o, s->members, s->n_members);
}

static void
add_totals(struct out *o, const struct set_totals *t)
{
	struct buf *b = &o->text;

	add_int(b, "sets", t->n_sets);
	add_int(b, "files", t->n_files);
	add_int(b, "redundant", t->redundant);
	add_size(b, "redundant_disk", t->redundant_disk);
	add_int(b, "stale", t->n_stale);
	add_int(b, "offline", t->n_offline);
	add_int(b, "unreadable", t->n_unreadable);
}

/* Append the fields of a directory to an object that is open; the total has no kind and depth. */
static void
add_dir(struct out *o, const struct dir_answer *d, bool marks, bool total)
{
	struct buf *b = &o->text;
	const int64_t share = out_put_permille(d->duplicated, d->bytes);

	add_path(o, d->path);
	if (!total) {
		add_word(b, "kind", d->kind == DIR_FILES ? "files" : "dir");
		add_int(b, "depth", d->depth);
	}
	if (marks)
		add_int(b, "marked", d->marked);
	add_int(b, "files", d->files);
	add_int(b, "bytes", d->bytes);
	add_int(b, "duplicated", d->duplicated);
	add_key(b, "share");
	if (share < 0)
		buf_adds(b, "null");
	else
		buf_addf(b, "%d.%d", (int)(share / 10), (int)(share % 10));
	add_int(b, "redundant", d->redundant);
}

static void
add_found(struct out *o, const struct found_answer *f)
{
	add_word(&o->text, "type", f->is_dir ? "dir" : "file");
	add_path(o, f->path);
	if (!f->is_dir)
		add_int(&o->text, "size", f->size);
}

/* Append the fields of a decision. */
static void
add_decision(struct out *o, const struct mark_answer *m)
{
	struct buf *b = &o->text;

	add_path(o, m->path);
	add_mark(b, m->decision);
	add_word(b, "state", mark_state_name(m->state));
	if (m->why != NULL)
		add_why(o, m->why);
	add_size(b, "size", m->size);
	add_hash(b, m->hash);
	add_int(b, "made", m->made);
}

static void
add_mark_totals(struct out *o, const struct mark_totals *t)
{
	struct buf *b = &o->text;

	add_int(b, "drop", t->n_drop);
	add_int(b, "keep", t->n_keep);
	add_int(b, "stale", t->n_stale);
	add_int(b, "offline", t->n_offline);
	add_int(b, "last", t->n_last);
	add_int(b, "frees", t->frees);
	add_size(b, "frees_disk", t->frees_disk);
}

static void
add_volume(struct out *o, const struct volume_answer *v)
{
	struct buf *b = &o->text;

	add_name(o, "label", "label_b64", v->label);
	add_word(b, "fs", v->type);
	add_key(b, "online");
	buf_adds(b, v->online ? "true" : "false");
	add_size(b, "capacity", v->capacity);
	add_size(b, "free", v->available);
	add_size(b, "seen", v->seen);
	add_int(b, "files", v->files);
	add_int(b, "bytes", v->bytes);
	add_int(b, "only_files", v->only_files);
	add_int(b, "only_bytes", v->only_bytes);
	add_name(o, "mounted", "mounted_b64", v->point);
	add_key(b, "elsewhere");
	buf_adds(b, v->elsewhere ? "true" : "false");
	add_name(o, "path", "path_b64", v->path != NULL ? out_put_cut(o, v->path) : NULL);
}

/* Append an array of directories with files in them. */
static void
add_places(struct out *o, const char *key, const struct tree_place *v, size_t n)
{
	add_key(&o->text, key);
	buf_addc(&o->text, '[');
	for (size_t i = 0; i < n; i++) {
		buf_adds(&o->text, i > 0 ? ",{" : "{");
		add_path(o, v[i].path);
		add_int(&o->text, "files", v[i].files);
		if (v[i].direct)
			buf_adds(&o->text, ",\"direct\":true");
		buf_addc(&o->text, '}');
	}
	buf_addc(&o->text, ']');
}

static void
add_tree(struct out *o, const struct tree_answer *t)
{
	struct buf *b = &o->text;

	add_path(o, t->path);
	add_word(b, "state", tree_state_name(t->state));
	add_int(b, "files", t->files);
	add_int(b, "bytes", t->bytes);
	if (t->state == TREE_AT_RISK || t->state == TREE_FILES_AT_RISK) {
		add_int(b, "of", t->of);
		return;
	}
	add_int(b, "frees", t->frees);
	add_places(o, "also_in", t->places, t->n_places);
	add_int(b, "elsewhere", t->elsewhere);
	add_int(b, "outside", t->outside);
	add_int(b, "unseen", t->unseen);
	add_places(o, "leaning", t->leaning, t->n_leaning);
	add_name(o, "pair", "pair_b64", t->pair != NULL ? out_put_cut(o, t->pair) : NULL);
	add_int(b, "not_judged", out_put_gaps(&t->gaps));
	add_int(b, "links", out_put_links(&t->gaps));
}

static void
add_tree_totals(struct out *o, const struct tree_totals *t)
{
	struct buf *b = &o->text;

	add_int(b, "dirs", t->dirs);
	add_int(b, "files", t->files);
	add_int(b, "bytes", t->bytes);
	if (o->style.risks) {
		add_int(b, "offline", t->offline);
		return;
	}
	add_int(b, "frees", t->frees);
	add_int(b, "leaned_on", t->leaned_on);
	add_int(b, "unproven", t->unproven);
}

static void
add_pair(struct out *o, const struct pair_answer *p)
{
	struct buf *b = &o->text;

	add_word(b, "class", pair_class_name(p->class));
	add_name(o, "left", "left_b64", p->left != NULL ? out_put_cut(o, p->left) : NULL);
	add_name(o, "right", "right_b64", p->right != NULL ? out_put_cut(o, p->right) : NULL);
	add_size(b, "left_size", p->left_size);
	add_size(b, "right_size", p->right_size);
}

static void
add_change(struct out *o, const struct change_answer *a)
{
	struct buf *b = &o->text;

	add_word(b, "class", change_class_name(a->class));
	add_key(b, "directory");
	buf_adds(b, a->dir ? "true" : "false");
	add_key(b, "maybe");
	buf_adds(b, a->maybe ? "true" : "false");
	add_name(o, "before", "before_b64", a->before != NULL ? out_put_cut(o, a->before) : NULL);
	add_name(o, "after", "after_b64", a->after != NULL ? out_put_cut(o, a->after) : NULL);
	add_int(b, "files", a->files);
	add_size(b, "size_before", a->size_before);
	add_size(b, "size_after", a->size_after);
}

static void
add_pairs_sum(struct buf *b, const char *key, struct pairs_sum sum)
{
	add_key(b, key);
	buf_addc(b, '{');
	add_int(b, "files", sum.n);
	add_int(b, "bytes", sum.bytes);
	buf_addc(b, '}');
}

/* Append what each side has of each class. */
static void
add_pairs_totals(struct out *o, const struct pairs_totals *t)
{
	struct buf *b = &o->text;

	for (int side = 0; side < 2; side++) {
		add_key(b, side == 0 ? "left" : "right");
		buf_addc(b, '{');
		for (int class = 0; class < PAIR_CLASSES; class++)
			add_pairs_sum(b, pair_class_name((enum pair_class)class), side == 0 ? t->left[class] : t->right[class]);
		add_pairs_sum(b, "missing", side == 0 ? t->left_missing : t->right_missing);
		add_int(b, "empty", side == 0 ? t->left_empty : t->right_empty);
		buf_addc(b, '}');
	}
}

/* Append what changed. */
static void
add_changes_totals(struct out *o, const struct changes_totals *t)
{
	struct buf *b = &o->text;

	for (int class = 0; class < CHANGE_CLASSES; class++)
		add_pairs_sum(b, change_class_name((enum change_class)class), t->sums[class]);
	add_pairs_sum(b, "maybe", t->maybe);
	add_int(b, "left_out", t->left_out);
}

static void
json_begin(struct out *o)
{
	static const char *const keys[] = {
		[OUT_STATES] = "files", [OUT_PATHS] = "files", [OUT_SETS] = "sets", [OUT_DIRS] = "dirs", [OUT_FOUND] = "found",
		[OUT_MARKS] = "marks", [OUT_PAIRS] = "pairs", [OUT_VOLUMES] = "volumes", [OUT_TREES] = "trees", [OUT_CHANGES] = "changes",
	};

	buf_addf(&o->text, "{\"schema_version\":1,\"%s\":[", keys[o->style.kind]);
}

static void
json_dirs(struct out *o, const struct dirs_answer *d)
{
	for (size_t i = 0; i < d->n; i++) {
		if (d->v[i].kind == DIR_REST)
			continue;
		buf_adds(&o->text, o->n++ > 0 ? ",\n{" : "\n{");
		add_dir(o, &d->v[i], d->marks, false);
		buf_addc(&o->text, '}');
		out_put_flow(o);
	}
	buf_adds(&o->text, o->n > 0 ? "\n],\"total\":{" : "],\"total\":{");
	add_dir(o, &d->total, d->marks, true);
	buf_addc(&o->text, '}');
}

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
		add_word(&o->text, "type", type);
}

/* End the array of records, and begin the totals of either format. */
static void
begin_totals(struct out *o)
{
	if (o->style.format == OUT_NDJSON)
		begin_record(o, "totals");
	else
		buf_adds(&o->text, o->n > 0 ? "\n],\"totals\":{" : "],\"totals\":{");
}

static void
end_record(struct out *o)
{
	buf_adds(&o->text, o->style.format == OUT_NDJSON ? "}\n" : "}");
}

static void
json_found(struct out *o, const struct found_answer *f)
{
	begin_record(o, NULL);
	add_found(o, f);
	end_record(o);
}

static void
json_file(struct out *o, const struct file_answer *f)
{
	begin_record(o, "file");
	add_file(o, f);
	end_record(o);
}

static void
json_set(struct out *o, const struct set_answer *s)
{
	begin_record(o, "set");
	add_set(o, s);
	end_record(o);
}

static void
json_mark(struct out *o, const struct mark_answer *m)
{
	begin_record(o, "mark");
	add_decision(o, m);
	end_record(o);
}

static void
json_volume(struct out *o, const struct volume_answer *v)
{
	begin_record(o, "volume");
	add_volume(o, v);
	end_record(o);
}

static void
json_pair(struct out *o, const struct pair_answer *p)
{
	begin_record(o, "pair");
	add_pair(o, p);
	end_record(o);
}

static void
json_tree(struct out *o, const struct tree_answer *t)
{
	begin_record(o, "tree");
	add_tree(o, t);
	end_record(o);
}

static void
json_change(struct out *o, const struct change_answer *a)
{
	begin_record(o, "change");
	add_change(o, a);
	end_record(o);
}

static void
json_totals(struct out *o, const struct set_totals *t)
{
	begin_totals(o);
	add_totals(o, t);
	end_record(o);
}

static void
json_mark_totals(struct out *o, const struct mark_totals *t)
{
	begin_totals(o);
	add_mark_totals(o, t);
	end_record(o);
}

static void
json_pairs_totals(struct out *o, const struct pairs_totals *t)
{
	begin_totals(o);
	add_pairs_totals(o, t);
	end_record(o);
}

static void
json_tree_totals(struct out *o, const struct tree_totals *t)
{
	begin_totals(o);
	add_tree_totals(o, t);
	end_record(o);
}

static void
json_changes_totals(struct out *o, const struct changes_totals *t)
{
	begin_totals(o);
	add_changes_totals(o, t);
	end_record(o);
}

static void
json_end(struct out *o)
{
	if (!o->totals)
		buf_adds(&o->text, o->n > 0 ? "\n]" : "]");
	buf_adds(&o->text, "}\n");
}

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
	.tree = json_tree,
	.tree_totals = json_tree_totals,
	.end = json_end,
};

static void
ndjson_dirs(struct out *o, const struct dirs_answer *d)
{
	for (size_t i = 0; i < d->n; i++) {
		if (d->v[i].kind == DIR_REST)
			continue;
		buf_adds(&o->text, "{\"type\":\"dir\"");
		add_dir(o, &d->v[i], d->marks, false);
		buf_adds(&o->text, "}\n");
		out_put_flow(o);
	}
	buf_adds(&o->text, "{\"type\":\"total\"");
	add_dir(o, &d->total, d->marks, true);
	buf_adds(&o->text, "}\n");
}

const struct out_format_ops out_ndjson_ops = {
	.file = json_file,
	.set = json_set,
	.dirs = ndjson_dirs,
	.found = json_found,
	.totals = json_totals,
	.mark = json_mark,
	.mark_totals = json_mark_totals,
	.pair = json_pair,
	.pairs_totals = json_pairs_totals,
	.change = json_change,
	.changes_totals = json_changes_totals,
	.volume = json_volume,
	.tree = json_tree,
	.tree_totals = json_tree_totals,
};
