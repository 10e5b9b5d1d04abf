/* SPDX-License-Identifier: MIT */
/*
 * out_csv - comma-separated values by RFC 4180: lines end with CR LF, a
 * header comes first, text is quoted with doubled quotes inside and may hold
 * line breaks, numbers are bare, what is unknown is empty.
 *
 * One row per name.  The first column of a file listing, the second of a
 * report, says what the row's name is: "file", or a kind of member of the
 * file row above it, or of the set by number.  What belongs to the whole set
 * is repeated in each of its rows: do not add it up.  A path whose bytes are
 * not UTF-8 is shown as on a terminal, and path_b64 holds the bytes.
 */
#include "base/base.h"

#include "query/answer.h"
#include "ui/out_format.h"
#include "ui/out_put.h"
#include "ui/quote.h"

static void
add_comma(struct buf *b)
{
	buf_addc(b, ',');
}

static void
add_word(struct buf *b, const char *word)
{
	quote_csv(b, word, strlen(word));
}

static void
add_hash(struct buf *b, const uint8_t *hash)
{
	if (hash == NULL)
		return;
	buf_addc(b, '"');
	buf_add_hex(b, hash, HASH_SIZE);
	buf_addc(b, '"');
}

/* Append a number of bytes, nothing when it is unknown. */
static void
add_size(struct buf *b, int64_t size)
{
	if (size >= 0)
		buf_add_int(b, size);
}

/* Append two columns: a name, and its bytes where it is not UTF-8.  Nothing in them for NULL. */
static void
add_name(struct out *o, const char *name)
{
	const char *text;
	size_t len;

	if (name == NULL) {
		add_comma(&o->text);
		return;
	}
	text = out_put_utf8(o, name, name_show, &len);
	quote_csv(&o->text, text, len);
	add_comma(&o->text);
	if (text == name)
		return;
	buf_addc(&o->text, '"');
	base64_add(&o->text, name, strlen(name));
	buf_addc(&o->text, '"');
}

/* Append the columns path and path_b64. */
static void
add_path(struct out *o, const char *path)
{
	add_name(o, out_put_cut(o, path));
}

static void
add_why(struct out *o, const char *why)
{
	const char *text;
	size_t len;

	if (why == NULL)
		return;
	text = out_put_utf8(o, why, name_show_message, &len);
	quote_csv(&o->text, text, len);
}

/* Append the last column, mark. */
static void
add_mark(struct buf *b, enum mark_decision mark)
{
	add_comma(b);
	if (mark != MARK_NONE)
		add_word(b, mark_name(mark));
}

static void
end_row(struct buf *b)
{
	buf_adds(b, "\r\n");
}

static void
csv_begin(struct out *o)
{
	static const char files[] = "kind,state,size,allocated,mtime_ns,inode,nlink,hash,copies,path,path_b64,why,mark";
	static const char *const headers[] = {
		[OUT_STATES] = files,
		[OUT_PATHS] = files,
		[OUT_SETS] = "set,kind,size,redundant,hash,inode,nlink,mtime_ns,path,path_b64,mark",
		[OUT_DIRS] = "kind,depth,files,bytes,duplicated,share,redundant,path,path_b64",
		[OUT_FOUND] = "type,size,path,path_b64",
		[OUT_SIMILAR] = "pair,kind,contents,bytes,linked,linked_bytes,left,left_b64,left_files,left_bytes,left_shared_files,"
			"left_shared_bytes,left_share,left_unjudged,left_twins,right,right_b64,right_files,right_bytes,right_shared_files,"
			"right_shared_bytes,right_share,right_unjudged,right_twins",
		[OUT_VOLUMES] = "label,label_b64,type,online,capacity,free,seen,files,bytes,only_files,only_bytes,mounted,mounted_b64,elsewhere,path,path_b64",
		[OUT_TREES] = "kind,state,files,bytes,frees,not_judged,path,path_b64",
		[OUT_MARKS] = "mark,state,size,hash,made,path,path_b64,why",
		[OUT_CHANGES] = "class,type,maybe,files,size_before,size_after,before,before_b64,after,after_b64",
		[OUT_PAIRS] = "class,left_size,right_size,left,left_b64,right,right_b64",
	};

	buf_adds(&o->text, headers[o->style.kind]);
	if (o->style.kind == OUT_SETS && o->style.choices)
		buf_adds(&o->text, ",choice");
	if (o->style.kind == OUT_DIRS && o->style.marked)
		buf_adds(&o->text, ",marked");
	if (o->style.joined)
		buf_adds(&o->text, ",index,index_b64");
	end_row(&o->text);
}

static void
add_mtime(struct buf *b, struct fs_time t)
{
	char text[NUM_SHOW_MAX];

	buf_adds(b, num_show_ns(t.sec, t.nsec, text));
}

/* Append the columns mtime_ns, inode and nlink of a file listing; unknown ones stay empty. */
static void
add_identity(struct buf *b, bool known, struct fs_time mtime, int64_t inode, int64_t nlink)
{
	if (known)
		add_mtime(b, mtime);
	add_comma(b);
	if (known)
		buf_add_uint(b, (uint64_t)inode);
	add_comma(b);
	if (known)
		buf_add_int(b, nlink);
	add_comma(b);
}

/* The row of a file's member; size and hash are the file's as far as it is known to share them. */
static void
add_file_member(struct out *o, const struct file_answer *f, const struct member *m)
{
	struct buf *b = &o->text;
	bool same = m->kind == MEMBER_COPY || m->kind == MEMBER_LINK;

	add_word(b, member_kind_name(m->kind));
	buf_adds(b, ",,");
	if (same)
		add_size(b, f->size);
	buf_adds(b, ",,");
	add_identity(b, true, m->mtime, m->inode, m->nlink);
	if (same)
		add_hash(b, f->hash);
	buf_adds(b, ",,");
	add_path(o, m->path);
	add_comma(b);
	add_mark(b, m->mark);
	end_row(b);
}

static void
csv_file(struct out *o, const struct file_answer *f)
{
	struct buf *b = &o->text;
	size_t i;

	buf_adds(b, "\"file\",");
	add_word(b, state_name(f->state));
	add_comma(b);
	add_size(b, f->size);
	add_comma(b);
	add_size(b, f->allocated);
	add_comma(b);
	add_identity(b, f->size >= 0, f->mtime, f->inode, f->nlink);
	add_hash(b, f->hash);
	add_comma(b);
	buf_add_int(b, f->n_copies);
	add_comma(b);
	add_path(o, f->path);
	add_comma(b);
	add_why(o, f->why);
	add_mark(b, f->mark);
	end_row(b);
	for (i = 0; i < f->n_members; i++) {
		add_file_member(o, f, &f->members[i]);
		out_put_flow(o);
	}
}

static void
csv_set(struct out *o, const struct set_answer *s)
{
	struct buf *b = &o->text;
	const struct member *m;
	size_t i;

	for (i = 0; i < s->n_members; i++) {
		m = &s->members[i];
		buf_add_int(b, o->n + 1);
		add_comma(b);
		add_word(b, member_kind_name(m->kind));
		add_comma(b);
		buf_add_int(b, s->size);
		add_comma(b);
		buf_add_int(b, s->redundant);
		add_comma(b);
		add_hash(b, s->hash);
		add_comma(b);
		buf_add_uint(b, (uint64_t)m->inode);
		add_comma(b);
		buf_add_int(b, m->nlink);
		add_comma(b);
		add_mtime(b, m->mtime);
		add_comma(b);
		add_path(o, m->path);
		add_mark(b, m->mark);
		if (o->style.choices) {
			add_comma(b);
			if (m->choice != MEMBER_UNCHOSEN)
				add_word(b, member_choice_name(m->choice));
		}
		if (o->style.joined) {
			add_comma(b);
			add_name(o, m->index);
		}
		end_row(b);
		out_put_flow(o);
	}
}

/* The row of a directory, or of all. */
static void
add_dir(struct out *o, const struct dir_answer *a, const char *kind, bool total)
{
	const int64_t share = out_put_permille(a->duplicated, a->bytes);
	struct buf *b = &o->text;

	add_word(b, kind);
	add_comma(b);
	if (!total)
		buf_add_int(b, a->depth);
	add_comma(b);
	buf_add_int(b, a->files);
	add_comma(b);
	buf_add_int(b, a->bytes);
	add_comma(b);
	buf_add_int(b, a->duplicated);
	add_comma(b);
	if (share >= 0)
		buf_addf(b, "%d.%d", (int)(share / 10), (int)(share % 10));
	add_comma(b);
	buf_add_int(b, a->redundant);
	add_comma(b);
	add_path(o, a->path);
	if (o->style.marked) {
		add_comma(b);
		buf_add_int(b, a->marked);
	}
	end_row(b);
	out_put_flow(o);
}

static void
csv_dirs(struct out *o, const struct dirs_answer *d)
{
	for (size_t i = 0; i < d->n; i++) {
		if (d->v[i].kind != DIR_REST)
			add_dir(o, &d->v[i], d->v[i].kind == DIR_FILES ? "files" : "dir", false);
	}
	add_dir(o, &d->total, "total", true);
}

static void
csv_found(struct out *o, const struct found_answer *f)
{
	buf_adds(&o->text, f->is_dir ? "\"dir\"," : "\"file\",");
	if (!f->is_dir)
		buf_add_int(&o->text, f->size);
	add_comma(&o->text);
	add_path(o, f->path);
	end_row(&o->text);
}

/* Append the columns of one of two directories, each behind a comma. */
static void
add_similar_side(struct out *o, const struct similar_answer_side *side)
{
	const int64_t numbers[] = { side->files, side->bytes, side->shared_files, side->shared_bytes, -1, side->unjudged, side->twins };
	const int64_t share = out_put_permille(side->shared_bytes, side->bytes);
	struct buf *b = &o->text;

	add_comma(b);
	add_path(o, side->path);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		add_comma(b);
		if (numbers[i] >= 0)
			buf_add_int(b, numbers[i]);
		else if (share >= 0)
			buf_addf(b, "%d.%d", (int)(share / 10), (int)(share % 10));
	}
}

static void
csv_similar(struct out *o, const struct similar_answer *s)
{
	struct buf *b = &o->text;

	buf_add_int(b, o->n + 1);
	add_comma(b);
	add_word(b, similar_kind_name(s->kind));
	for (size_t i = 0; i < 4; i++) {
		add_comma(b);
		buf_add_int(b, i == 0 ? s->contents : i == 1 ? s->bytes : i == 2 ? s->linked : s->linked_bytes);
	}
	add_similar_side(o, &s->left);
	add_similar_side(o, &s->right);
	if (o->style.joined) {
		add_comma(b);
		add_name(o, s->right.index);
	}
	end_row(b);
	for (size_t i = 0; i < s->n_twins; i++) {
		buf_add_int(b, o->n + 1);
		add_comma(b);
		add_word(b, similar_kind_name(s->kind));
		buf_adds(b, ",,,,,");
		add_path(o, s->left.path);
		buf_adds(b, ",,,,,,,,");
		add_path(o, s->twins[i].path);
		buf_adds(b, o->style.joined ? ",,,,,,,,," : ",,,,,,,");
		end_row(b);
		out_put_flow(o);
	}
}

static void
csv_mark(struct out *o, const struct mark_answer *m)
{
	struct buf *b = &o->text;

	add_word(b, mark_name(m->decision));
	add_comma(b);
	add_word(b, mark_state_name(m->state));
	add_comma(b);
	buf_add_int(b, m->size);
	add_comma(b);
	add_hash(b, m->hash);
	add_comma(b);
	buf_add_int(b, m->made);
	add_comma(b);
	add_path(o, m->path);
	add_comma(b);
	add_why(o, m->why);
	end_row(b);
}

static void
csv_volume(struct out *o, const struct volume_answer *v)
{
	const int64_t numbers[] = { v->capacity, v->available, v->seen, v->files, v->bytes, v->only_files, v->only_bytes };
	struct buf *b = &o->text;

	add_name(o, v->label);
	add_comma(b);
	add_word(b, v->type);
	buf_adds(b, v->online ? ",1," : ",0,");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		add_size(b, numbers[i]);
		add_comma(b);
	}
	add_name(o, v->point);
	buf_adds(b, v->elsewhere ? ",1," : ",0,");
	add_name(o, v->path != NULL ? out_put_cut(o, v->path) : NULL);
	end_row(b);
}

static void
csv_pair(struct out *o, const struct pair_answer *p)
{
	struct buf *b = &o->text;

	add_word(b, pair_class_name(p->class));
	add_comma(b);
	add_size(b, p->left_size);
	add_comma(b);
	add_size(b, p->right_size);
	add_comma(b);
	add_name(o, p->left != NULL ? out_put_cut(o, p->left) : NULL);
	add_comma(b);
	add_name(o, p->right != NULL ? out_put_cut(o, p->right) : NULL);
	end_row(b);
}

/* Rows of directories that belong to the row of the tree above them. */
static void
csv_places(struct out *o, const char *kind, const struct tree_place *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		add_word(&o->text, v[i].direct ? "files" : kind);
		buf_adds(&o->text, ",,");
		buf_add_int(&o->text, v[i].files);
		buf_adds(&o->text, ",,,,");
		add_path(o, v[i].path);
		end_row(&o->text);
	}
}

static void
csv_tree(struct out *o, const struct tree_answer *t)
{
	const int64_t numbers[] = { t->files, t->bytes, t->frees, out_put_gaps(&t->gaps) };
	struct buf *b = &o->text;

	buf_adds(b, "\"tree\",");
	add_word(b, tree_state_name(t->state));
	add_comma(b);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		add_size(b, numbers[i]);
		add_comma(b);
	}
	add_path(o, t->path);
	end_row(b);
	csv_places(o, "dir", t->places, t->n_places);
	csv_places(o, "leaning", t->leaning, t->n_leaning);
}

static void
csv_change(struct out *o, const struct change_answer *a)
{
	struct buf *b = &o->text;

	add_word(b, change_class_name(a->class));
	buf_adds(b, a->dir ? ",directory," : ",file,");
	buf_adds(b, a->maybe ? "1," : "0,");
	add_size(b, a->files);
	add_comma(b);
	add_size(b, a->size_before);
	add_comma(b);
	add_size(b, a->size_after);
	add_comma(b);
	add_name(o, a->before != NULL ? out_put_cut(o, a->before) : NULL);
	add_comma(b);
	add_name(o, a->after != NULL ? out_put_cut(o, a->after) : NULL);
	end_row(b);
}

const struct out_format_ops out_csv_ops = {
	.begin = csv_begin,
	.file = csv_file,
	.set = csv_set,
	.dirs = csv_dirs,
	.found = csv_found,
	.similar = csv_similar,
	.mark = csv_mark,
	.pair = csv_pair,
	.change = csv_change,
	.volume = csv_volume,
	.tree = csv_tree,
};
