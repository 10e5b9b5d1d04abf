/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "export/origin.h"

#include <fcntl.h>
#include <unistd.h>

#include "index/index.h"
#include "index/journal.h"
#include "index/meta.h"
#include "sys/content.h"

#define ORIGIN_HOST_MAX 256

static bool
origin_is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Let a host's name be one for files: what is neither letter, digit nor dot becomes "_". */
static int
origin_set_host(struct origin *o, const char *host, struct err *err)
{
	char own[ORIGIN_HOST_MAX] = "";
	struct buf name = { 0 };
	bool plain = false;

	if (host == NULL && gethostname(own, sizeof(own) - 1) < 0)
		return err_sys(err, "cannot find out this machine's name: --host gives one");
	for (const char *p = host != NULL ? host : own; *p != '\0'; p++) {
		plain |= origin_is_plain(*p);
		buf_addc(&name, origin_is_plain(*p) || (*p == '.' && name.len > 0) ? *p : '_');
	}
	if (!plain || name.len >= ORIGIN_HOST_MAX) {
		buf_release(&name);
		return host != NULL ? err_set(err, ERR_USAGE, "'%s' is not a name for a host", host) :
		                      err_set(err, ERR_USAGE, "this machine has no name: --host gives one");
	}
	o->host = buf_take(&name);
	return 0;
}

/* Append what the system is known by, if anything: machine-id(5). */
static void
origin_add_machine(struct buf *b)
{
	const int fd = open("/etc/machine-id", O_RDONLY | O_CLOEXEC | O_NOCTTY);
	char id[64];
	ssize_t len = -1;

	if (fd >= 0) {
		len = read(fd, id, sizeof(id));
		close(fd);
	}
	if (len > 0)
		buf_add(b, id, (size_t)len);
}

/* The low half of a hash with the index's secret, which neither tells the text nor the secret. */
static int64_t
origin_hash(const struct index *ix, const char *text, size_t len)
{
	uint8_t hash[HASH_SIZE];
	uint64_t low = 0;

	content_hash(ix->secret, text, len, hash);
	for (size_t i = HASH_SIZE - 8; i < HASH_SIZE; i++)
		low = low << 8 | hash[i];
	return (int64_t)low;
}

int64_t
origin_hash_id(const struct index *ix)
{
	static const char secret_of[] = "twindex hash_id";

	return origin_hash(ix, secret_of, strlen(secret_of));
}

int
origin_find(struct origin *o, const struct index *ix, const char *host, struct err *err)
{
	struct journal_entry run;
	struct buf text = { 0 };
	int64_t created, id;
	int ret;

	*o = (struct origin){ .host = NULL };
	if (meta_int(ix->db, "created", &created, err) < 0 || meta_int(ix->db, "id", &id, err) < 0)
		return -1;
	ret = journal_recent(ix, 0, &run, err);
	if (ret < 0 || origin_set_host(o, host, err) < 0)
		return -1;
	o->generation = ret == 1 ? run.id : 0;
	o->hash_id = origin_hash_id(ix);
	origin_add_machine(&text);
	/* Older indexes have no id: the time and the place tell most of them apart. */
	buf_addf(&text, "%c%lld%c%lld%c%s", '\0', (long long)id, '\0', (long long)created, '\0', id == 0 ? ix->path : "");
	o->index_id = origin_hash(ix, buf_str(&text), text.len);
	buf_release(&text);
	return 0;
}

void
origin_release(struct origin *o)
{
	free(o->host);
	*o = (struct origin){ .host = NULL };
}
