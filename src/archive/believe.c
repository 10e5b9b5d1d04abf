/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "archive/believe.h"

void
believe_release(struct believe *b)
{
	buf_release(&b->within);
	buf_release(&b->joined);
}

bool
believe_sound(const struct record *r)
{
	if (r->magic != RECORD_MAGIC || r->type < RECORD_MEMBER || r->type > RECORD_INNER || r->why >= PACKED_WHYS ||
	    r->has_hash > 1 || r->name_len > RECORD_NAME_MOST || r->size < -1)
		return false;
	if (r->type != RECORD_MEMBER && r->type != RECORD_INNER)
		return !r->has_hash && r->size >= 0;
	if (r->name_len == 0)
		return r->type == RECORD_INNER && r->why != PACKED_GOOD && !r->has_hash && r->size == -1;
	/* It has a hash, is empty, or there is a reason. */
	return r->why != PACKED_GOOD ? !r->has_hash : r->size >= 0 && r->has_hash == (r->size > 0);
}

/* Join the names of a member and of the one in which it is. */
static enum believed
believe_inner(struct believe *b, const struct record *r, const char *name, struct packed *m)
{
	if (!b->is_within)
		return BELIEVED_NOT;
	buf_cut(&b->joined, 0);
	buf_add(&b->joined, b->within.data, b->within.len);
	buf_adds(&b->joined, PACKED_MARK);
	buf_add(&b->joined, name, r->name_len);
	m->name = buf_str(&b->joined);
	m->name_len = b->joined.len;
	m->outer_len = b->within.len;
	m->number = b->number++;
	return BELIEVED_MEMBER;
}

enum believed
believe_next(struct believe *b, const struct record *r, const char *name, struct packed *m)
{
	if (strlen(name) != r->name_len)
		return BELIEVED_NOT;
	*m = (struct packed){ .name = name, .name_len = r->name_len, .size = r->size, .mtime = r->mtime, .why = (enum packed_why)r->why,
	                      .has_hash = r->has_hash != 0 };
	memcpy(m->hash, r->hash, HASH_SIZE);
	switch ((enum record_type)r->type) {
	case RECORD_MEMBER:
		/* What was said to be in a member was said of the one that comes next. */
		if (b->is_within && (r->name_len != b->within.len || memcmp(name, b->within.data, r->name_len) != 0))
			return BELIEVED_NOT;
		m->number = b->is_within ? b->within_number : b->number++;
		b->is_within = false;
		return BELIEVED_MEMBER;
	case RECORD_INNER:
		return believe_inner(b, r, name, m);
	case RECORD_WITHIN:
		/* Keep the name of a member whose own members come, which is that of an archive. */
		if (!b->nested || b->is_within || !packed_is_name(path_base(name), strlen(path_base(name))))
			return BELIEVED_NOT;
		buf_cut(&b->within, 0);
		buf_add(&b->within, name, r->name_len);
		b->is_within = true;
		b->within_number = b->number++;
		break;
	case RECORD_END:
		return b->is_within ? BELIEVED_NOT : BELIEVED_END;
	case RECORD_ALIVE:
		break;
	}
	return BELIEVED_NOTHING;
}
