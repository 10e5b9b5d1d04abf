/* SPDX-License-Identifier: MIT */
/*
 * Pieces append to o->text, where nothing can fail; out_put_deliver gives that to the stream.
 * struct out keeps the errno of the stream's first failure, and after it nothing is written.
 */
#include "base/base.h"

#include "ui/out_put.h"

#include "index/gaps.h"
#include "ui/bar.h"
#include "ui/hyperlink.h"
#include "ui/ls_colors.h"
#include "ui/out_format.h"
#include "ui/width.h"

/* A record is given to the stream in pieces of about this size. */
enum { OUT_PUT_PIECE = 64 * 1024 };

const char *const out_put_state_colors[STATE_COUNT] = {
	[STATE_DUP] = OUT_PUT_NOTICE,
	[STATE_UNIQUE] = OUT_PUT_STRONG,
	[STATE_SKIPPED] = OUT_PUT_DIM,
	[STATE_UNREADABLE] = OUT_PUT_BAD,
	[STATE_CHANGED] = OUT_PUT_BAD,
	[STATE_GONE] = OUT_PUT_BAD,
	[STATE_UNKNOWN] = OUT_PUT_DIM,
};

const enum file_state out_put_dir_looks[DIR_STATES] = {
	[DIR_GONE] = STATE_GONE,
	[DIR_SKIPPED] = STATE_SKIPPED,
	[DIR_UNKNOWN] = STATE_UNKNOWN,
	[DIR_UNREADABLE] = STATE_UNREADABLE,
};

const char *const out_put_mark_colors[MARK_DECISIONS] = {
	[MARK_DROP] = OUT_PUT_BAD,
	[MARK_KEEP] = OUT_PUT_STRONG,
};

void
out_put_fail(struct out *o)
{
	if (o->failed)
		return;
	o->failed = true;
	o->sys = errno;
}

void
out_put_deliver(struct out *o)
{
	if (o->text.len == 0)
		return;
	if (!o->failed && fwrite(o->text.data, 1, o->text.len, o->stream) < o->text.len)
		out_put_fail(o);
	buf_cut(&o->text, 0);
}

void
out_put_flow(struct out *o)
{
	if (o->text.len >= OUT_PUT_PIECE)
		out_put_deliver(o);
}

const char *
out_put_cut(const struct out *o, const char *path)
{
	/* A path that is the prefix stays: an empty one would look like the end of a set. */
	if (o->cut_len > 0 && strncmp(path, o->style.cut, o->cut_len) == 0 && path[o->cut_len] != '\0')
		return path + o->cut_len;
	return path;
}

int64_t
out_put_links(const struct gaps *g)
{
	return g->files[SKIP_LINK] + g->files[SKIP_SPECIAL];
}

int64_t
out_put_gaps(const struct gaps *g)
{
	int64_t n = 0;

	for (int i = 0; i < GAP_COUNT; i++)
		n += g->files[i] + g->dirs[i];
	return n - out_put_links(g);
}

int64_t
out_put_permille(int64_t part, int64_t whole)
{
	if (whole <= 0)
		return -1;
	/* Near INT64_MAX the product would overflow; the division's remainder is negligible. */
	return whole > INT64_MAX / 1000 ? part / (whole / 1000) : part * 1000 / whole;
}

void
out_put_word(struct out *o, const char *word, const char *color)
{
	if (!o->style.color || color == NULL) {
		buf_adds(&o->text, word);
		return;
	}
	buf_adds(&o->text, "\033[");
	buf_adds(&o->text, color);
	buf_addc(&o->text, 'm');
	buf_adds(&o->text, word);
	buf_adds(&o->text, "\033[0m");
}

void
out_put_bar(struct out *o, int64_t n, int64_t most, size_t columns)
{
	bar_add(&o->text, o->style.utf8, n, most, columns);
	out_put_blanks(o, 2);
}

void
out_put_mark(struct out *o, enum mark_decision mark)
{
	if (mark == MARK_NONE)
		return;
	buf_adds(&o->text, " [");
	out_put_word(o, mark_name(mark), out_put_mark_colors[mark]);
	buf_addc(&o->text, ']');
}

void
out_put_folded(struct out *o, size_t from, int used)
{
	char *prose;

	if (!o->style.escape || o->style.width == 0)
		return;
	prose = mem_dup(o->text.data + from, o->text.len - from);
	buf_cut(&o->text, from);
	width_fold(&o->text, prose, used + WIDTH_MORE, o->style.width);
	free(prose);
}

void
out_put_blanks(struct out *o, size_t n)
{
	while (n-- > 0)
		buf_addc(&o->text, ' ');
}

void
out_put_shown(const struct out *o, struct buf *b, const char *path)
{
	if (o->style.escape)
		name_show(b, path, strlen(path));
	else
		buf_adds(b, path);
}

/* path as it is shown: cut, or behind the prefix from where people are. */
static const char *
out_put_near(const struct out *o, const char *path, const char **prefix)
{
	const char *rest = out_put_cut(o, path);

	*prefix = "";
	return rest == path ? near_rest(&o->style.near, path, prefix) : rest;
}

void
out_put_path(const struct out *o, struct buf *b, const char *path)
{
	const char *prefix, *rest = out_put_near(o, path, &prefix);

	buf_adds(b, prefix);
	out_put_shown(o, b, rest);
}

/* Links need absolute paths; those of pairs may be relative. */
static bool
out_put_is_link(const struct out *o, const char *path)
{
	return o->style.hyperlinks && *path == '/';
}

void
out_put_name_begin(struct out *o, const char *path, bool dir)
{
	const char *color = ls_colors_of(o->style.names, path, dir);

	if (out_put_is_link(o, path))
		hyperlink_begin(&o->text, o->host, path);
	if (color != NULL)
		buf_addf(&o->text, "\033[%sm", color);
}

void
out_put_name_end(struct out *o, const char *path, bool dir)
{
	if (ls_colors_of(o->style.names, path, dir) != NULL)
		buf_adds(&o->text, "\033[0m");
	if (out_put_is_link(o, path))
		hyperlink_end(&o->text);
}

void
out_put_name(struct out *o, const char *path, bool dir)
{
	out_put_name_begin(o, path, dir);
	out_put_path(o, &o->text, path);
	out_put_name_end(o, path, dir);
}

void
out_put_raw(const struct out *o, struct buf *b, const char *path)
{
	const char *prefix, *rest = out_put_near(o, path, &prefix);

	buf_adds(b, prefix);
	buf_adds(b, rest);
}

const char *
out_put_utf8(struct out *o, const char *text, out_put_show_fn *show, size_t *len)
{
	*len = strlen(text);
	if (name_is_utf8(text, *len))
		return text;
	buf_cut(&o->scratch, 0);
	show(&o->scratch, text, *len);
	*len = o->scratch.len;
	return buf_str(&o->scratch);
}
