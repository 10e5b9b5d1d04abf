/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "export/thrift.h"

#include "base/varint.h"

/* Types of fields that elements of lists do not have. */
enum { THRIFT_I64 = 6, THRIFT_LIST = 9 };

/* Begin a field: its type, and how far its id is from that of the field before. */
static void
thrift_field(struct thrift *t, int id, int type)
{
	const int step = id - t->last[t->depth];

	assert(step > 0 && step < 16);
	buf_addc(t->out, (char)(step << 4 | type));
	t->last[t->depth] = id;
}

/* A signed number: small ones are short, whatever their sign. */
static void
thrift_number(struct thrift *t, int64_t v)
{
	varint_add(t->out, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void
thrift_i32(struct thrift *t, int id, int64_t v)
{
	thrift_field(t, id, THRIFT_I32);
	thrift_number(t, v);
}

void
thrift_i64(struct thrift *t, int id, int64_t v)
{
	thrift_field(t, id, THRIFT_I64);
	thrift_number(t, v);
}

void
thrift_bytes(struct thrift *t, int id, const void *data, size_t len)
{
	thrift_field(t, id, THRIFT_TEXT);
	varint_add(t->out, len);
	if (len > 0)
		buf_add(t->out, data, len);
}

void
thrift_list(struct thrift *t, int id, enum thrift_type of, size_t n)
{
	thrift_field(t, id, THRIFT_LIST);
	buf_addc(t->out, (char)((n < 15 ? n : 15) << 4 | of));
	if (n >= 15)
		varint_add(t->out, n);
}

void
thrift_begin(struct thrift *t, int id)
{
	thrift_field(t, id, THRIFT_STRUCT);
	thrift_begin_item(t);
}

void
thrift_begin_item(struct thrift *t)
{
	assert(t->depth + 1 < THRIFT_DEPTH);
	t->last[++t->depth] = 0;
}

void
thrift_end(struct thrift *t)
{
	assert(t->depth > 0);
	buf_addc(t->out, '\0');
	t->depth--;
}

void
thrift_item_i32(struct thrift *t, int64_t v)
{
	thrift_number(t, v);
}

void
thrift_item_text(struct thrift *t, const char *text)
{
	const size_t len = strlen(text);

	varint_add(t->out, len);
	buf_add(t->out, text, len);
}

void
thrift_finish(struct thrift *t)
{
	assert(t->depth == 0);
	buf_addc(t->out, '\0');
}
