/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "archive/packed_read.h"

#include <unistd.h>

#include "archive/believe.h"
#include "archive/libarchive.h"
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
	struct believe believe;
};

/* jail_fn */
static void
packed_read_child(void *arg, int in, int out)
{
	const struct packed_reading *p = arg;

	unpack_run(p->ask, in, out);
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
	if (!believe_sound(r))
		return JAIL_CLOSED;
	buf_cut(&p->name, 0);
	buf_reserve(&p->name, r->name_len);
	ret = r->name_len == 0 ? JAIL_READ : jail_read(&p->jail, p->name.data, r->name_len, PACKED_READ_PATIENCE, err);
	if (ret != JAIL_READ)
		return ret;
	p->name.len = r->name_len;
	p->name.data[r->name_len] = '\0';
	return JAIL_READ;
}

/* Read all records.  Returns JAIL_READ at a good end, else as jail_read. */
static int
packed_read_all(struct packed_reading *p, struct err *err)
{
	struct record r;
	struct packed m;

	for (;;) {
		int ret = packed_read_record(p, &r, err);

		if (ret != JAIL_READ)
			return ret;
		switch (believe_next(&p->believe, &r, buf_str(&p->name), &m)) {
		case BELIEVED_NOT:
			return JAIL_CLOSED;
		case BELIEVED_NOTHING:
			break;
		case BELIEVED_MEMBER:
			if (p->result->members >= PACKED_READ_MEMBERS) {
				p->result->why = PACKED_MANY;
				return JAIL_READ;
			}
			p->result->members++;
			if (p->fn(p->arg, &m, err) < 0)
				return -1;
			break;
		case BELIEVED_END:
			p->result->why = (enum packed_why)r.why;
			p->result->others = r.size;
			packed_read_format(p);
			return JAIL_READ;
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
	if (!libarchive_can()) {
		free(p);
		return libarchive_fail(err);
	}
	p->ask = ask;
	p->believe.nested = ask->nested;
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
	believe_release(&p->believe);
	free(p);
	return ret < 0 ? -1 : 0;
}
