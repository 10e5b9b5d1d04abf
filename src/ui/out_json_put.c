/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/out_json_put.h"

#include "ui/out_format.h"
#include "ui/out_put.h"
#include "ui/quote.h"

/* The largest integer that a double holds exactly: many readers know only doubles. */
#define EXACT_MAX ((int64_t)1 << 53)

void
out_json_key(struct buf *b, const char *key)
{
	if (b->len > 0 && b->data[b->len - 1] != '{')
		buf_addc(b, ',');
	buf_addc(b, '"');
	buf_adds(b, key);
	buf_adds(b, "\":");
}

void
out_json_word(struct buf *b, const char *key, const char *word)
{
	out_json_key(b, key);
	buf_addc(b, '"');
	buf_adds(b, word);
	buf_addc(b, '"');
}

void
out_json_int(struct buf *b, const char *key, int64_t n)
{
	bool exact = n <= EXACT_MAX && n >= -EXACT_MAX;

	out_json_key(b, key);
	if (!exact)
		buf_addc(b, '"');
	buf_add_int(b, n);
	if (!exact)
		buf_addc(b, '"');
}

void
out_json_null(struct buf *b, const char *key)
{
	out_json_key(b, key);
	buf_adds(b, "null");
}

void
out_json_bool(struct buf *b, const char *key, bool value)
{
	out_json_key(b, key);
	buf_adds(b, value ? "true" : "false");
}

void
out_json_size(struct buf *b, const char *key, int64_t size)
{
	if (size < 0)
		out_json_null(b, key);
	else
		out_json_int(b, key, size);
}

void
out_json_inode(struct buf *b, int64_t inode)
{
	bool exact = (uint64_t)inode <= (uint64_t)EXACT_MAX;

	out_json_key(b, "inode");
	if (!exact)
		buf_addc(b, '"');
	buf_add_uint(b, (uint64_t)inode);
	if (!exact)
		buf_addc(b, '"');
}

void
out_json_time(struct buf *b, const char *key, struct fs_time t)
{
	char text[NUM_SHOW_MAX];

	out_json_key(b, key);
	buf_addc(b, '"');
	buf_adds(b, num_show_ns(t.sec, t.nsec, text));
	buf_addc(b, '"');
}

void
out_json_mtime_ns(struct buf *b, struct fs_time t)
{
	out_json_time(b, "mtime_ns", t);
}

void
out_json_hash(struct buf *b, const uint8_t *hash)
{
	if (hash == NULL) {
		out_json_null(b, "hash");
		return;
	}
	out_json_key(b, "hash");
	buf_addc(b, '"');
	buf_add_hex(b, hash, HASH_SIZE);
	buf_addc(b, '"');
}

void
out_json_name(struct out *o, const char *key, const char *bytes, const char *name)
{
	const char *text;
	size_t len;

	if (name == NULL) {
		out_json_null(&o->text, key);
		return;
	}
	text = out_put_utf8(o, name, name_show, &len);
	out_json_key(&o->text, key);
	quote_json(&o->text, text, len);
	if (text == name)
		return;
	out_json_key(&o->text, bytes);
	buf_addc(&o->text, '"');
	base64_add(&o->text, name, strlen(name));
	buf_addc(&o->text, '"');
}

void
out_json_path(struct out *o, const char *path)
{
	out_json_name(o, "path", "path_b64", out_put_cut(o, path));
}

void
out_json_why(struct out *o, const char *why)
{
	size_t len;
	const char *text = out_put_utf8(o, why, name_show_message, &len);

	out_json_key(&o->text, "why");
	quote_json(&o->text, text, len);
}
