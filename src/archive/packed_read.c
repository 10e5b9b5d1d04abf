/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "archive/packed_read.h"

#include <unistd.h>

#include "archive/record.h"
#include "sys/jail.h"

/* Memory that a decoder may have: xz -9 needs 65 MiB, 7z and zstd up to a GiB. */
#define PACKED_READ_MEMORY (INT64_C(1536) << 20)
/* Seconds of a processor for any archive, and bytes of it for which there is one more. */
#define PACKED_READ_CPU 60
#define PACKED_READ_CPU_BYTES (256 * 1024)
/* It says something at least that often; disks may be slow. */
#define PACKED_READ_PATIENCE (INT64_C(300) * 1000000000)
/*
 * The parent's own bound of the members, should the child have none: it takes 2 million on each
 * level, and each of the outer ones may have a rest.
 */
#define PACKED_READ_MEMBERS 8000000

/* An archive on its way. */
struct packed_reading {
	struct jail jail;
	const struct unpack_ask *ask;
	packed_fn *fn;
	void *arg;
	struct packed_result *result;
	struct buf name;
	/* The member whose own members come, if any does. */
	bool is_within;
	int64_t within_number;
	struct buf within;       /* its name */
	struct buf joined;       /* the same and a mark, and the name of a member */
	int64_t number;          /* of the next member */
};

/* jail_fn */
static void
packed_read_child(void *arg, int in, int out)
{
	const struct packed_reading *p = arg;

	unpack_run(p->ask, in, out);
}

/* Whether a record is one that unpack can write. */
static bool
packed_read_is_sound(const struct record *r)
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

/* Keep the format's name, as far as it can be shown. */
static void
packed_read_format(struct packed_reading *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->name.len && n + 1 < sizeof(p->result->format); i++) {
		if (p->name.data[i] >= ' ' && p->name.data[i] <= '~')
			p->result->format[n++] = p->name.data[i];
	}
	p->result->format[n] = '\0';
}

/* Read a record.  Returns as jail_read; one that is not sound closes the pipe. */
static int
packed_read_record(struct packed_reading *p, struct record *r, struct err *err)
{
	int ret = jail_read(&p->jail, r, sizeof(*r), PACKED_READ_PATIENCE, err);

	if (ret != JAIL_READ)
		return ret;
	if (!packed_read_is_sound(r))
		return JAIL_CLOSED;
	buf_cut(&p->name, 0);
	buf_reserve(&p->name, r->name_len);
	ret = r->name_len == 0 ? JAIL_READ : jail_read(&p->jail, p->name.data, r->name_len, PACKED_READ_PATIENCE, err);
	if (ret != JAIL_READ)
		return ret;
	p->name.len = r->name_len;
	p->name.data[r->name_len] = '\0';
	return strlen(p->name.data) == r->name_len ? JAIL_READ : JAIL_CLOSED;
}

/* Keep the name of a member whose own members come.  Whether it can be one. */
static bool
packed_read_within(struct packed_reading *p)
{
	const char *name = path_base(buf_str(&p->name));

	if (!p->ask->nested || p->is_within || !packed_is_name(name, strlen(name)))
		return false;
	buf_cut(&p->within, 0);
	buf_add(&p->within, p->name.data, p->name.len);
	p->is_within = true;
	p->within_number = p->number++;
	return true;
}

/* Make a member of a record; its name lasts until the next one.  Whether it can stand here. */
static bool
packed_read_member(struct packed_reading *p, const struct record *r, struct packed *m)
{
	*m = (struct packed){ .name = buf_str(&p->name), .name_len = r->name_len, .size = r->size, .mtime = r->mtime,
	                      .why = (enum packed_why)r->why, .has_hash = r->has_hash != 0 };
	memcpy(m->hash, r->hash, HASH_SIZE);
	if (r->type == RECORD_INNER) {
		buf_cut(&p->joined, 0);
		buf_add(&p->joined, p->within.data, p->within.len);
		buf_adds(&p->joined, PACKED_MARK);
		buf_add(&p->joined, p->name.data, p->name.len);
		m->name = buf_str(&p->joined);
		m->name_len = p->joined.len;
		m->outer_len = p->within.len;
		m->number = p->number++;
		p->result->within++;
		return p->is_within;
	}
	m->number = p->is_within ? p->within_number : p->number++;
	/* What was said to be in a member was said of this one. */
	if (p->is_within && (p->name.len != p->within.len || memcmp(p->name.data, p->within.data, p->name.len) != 0))
		return false;
	p->is_within = false;
	return true;
}

/* Keep how it ended.  Whether it may end here. */
static bool
packed_read_end(struct packed_reading *p, const struct record *r)
{
	p->result->why = (enum packed_why)r->why;
	p->result->others = r->size;
	packed_read_format(p);
	return !p->is_within;
}

/* Read all records.  Returns JAIL_READ at a good end, else as jail_read. */
static int
packed_read_all(struct packed_reading *p, struct err *err)
{
	struct record r;
	struct packed m;

	for (;;) {
		const int ret = packed_read_record(p, &r, err);

		if (ret != JAIL_READ)
			return ret;
		switch ((enum record_type)r.type) {
		case RECORD_END:
			return packed_read_end(p, &r) ? JAIL_READ : JAIL_CLOSED;
		case RECORD_WITHIN:
			if (!packed_read_within(p))
				return JAIL_CLOSED;
			break;
		case RECORD_MEMBER:
		case RECORD_INNER:
			if (p->result->members >= PACKED_READ_MEMBERS) {
				p->result->why = PACKED_MANY;
				return JAIL_READ;
			}
			if (!packed_read_member(p, &r, &m))
				return JAIL_CLOSED;
			p->result->members++;
			if (p->fn(p->arg, &m, err) < 0)
				return -1;
			break;
		case RECORD_ALIVE:
			break;
		}
	}
}

int
packed_read(int fd, const struct unpack_ask *ask, packed_fn *fn, void *arg, struct packed_result *result, struct err *err)
{
	const struct jail_limits limits = { PACKED_READ_MEMORY, PACKED_READ_CPU + ask->packed / PACKED_READ_CPU_BYTES };
	struct packed_reading *p = mem_zalloc(1, sizeof(*p));
	enum jail_end end;
	int ret;

	memset(result, 0, sizeof(*result));
	if (!unpack_can()) {
		free(p);
		return unpack_fail(err);
	}
	p->ask = ask;
	p->fn = fn;
	p->arg = arg;
	p->result = result;
	ret = lseek(fd, 0, SEEK_SET) < 0 ? err_sys(err, "cannot read an archive from its beginning") :
	      jail_start(&p->jail, fd, &limits, unpack_ready, packed_read_child, p, err);
	if (ret == 0) {
		ret = packed_read_all(p, err);
		end = jail_end(&p->jail);
		if (ret == JAIL_SILENT || (ret == JAIL_CLOSED && end == JAIL_END_TIME))
			result->why = PACKED_TIME;
		else if (ret == JAIL_CLOSED)
			result->why = PACKED_DIED;
	}
	buf_release(&p->name);
	buf_release(&p->within);
	buf_release(&p->joined);
	free(p);
	return ret < 0 ? -1 : 0;
}
