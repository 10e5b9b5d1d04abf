/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/digests.h"

#include <time.h>

#include "db/bulk_insert.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"

/* Files whose digests are written at once. */
#define DIGESTS_BATCH 4096

int
digests_make(struct index *ix, struct err *err)
{
	if (ix->digests)
		return 0;
	if (db_exec(ix->db, SQL_SCHEMA_DIGEST, err) < 0)
		return -1;
	ix->digests = true;
	return 0;
}

int
digests_drop_orphans(struct index *ix, struct err *err)
{
	struct stmt st;

	if (!ix->digests)
		return 0;
	st = stmt_get(ix->db, SQL_DIGEST_DROP_ORPHANS, err);
	return stmt_run(&st);
}

int
digests_add(struct digests *d, struct index *ix, struct inode inode, const struct fs_stat *st, bool racy, const uint8_t *bytes,
            struct err *err)
{
	const int64_t safe = num_add(st->mtime.sec > st->ctime.sec ? st->mtime.sec : st->ctime.sec, d->window);
	int64_t read = (int64_t)time(NULL);

	/* No change since can have kept the times: the end of the window has the same bytes. */
	if (!racy && read < safe)
		read = safe;
	vec_push(&d->v, ((struct digests_entry){ inode, st->size, st->mtime, st->ctime, read }));
	buf_add(&d->bytes, bytes, digest_sizes(d->kinds));
	return d->v.n < DIGESTS_BATCH ? 0 : digests_write(d, ix, err);
}

/* What is written is a row for each kind of each entry. */
struct digests_feed {
	const struct digests *digests;
	size_t n_kinds, sizes;
	enum digest_kind kinds[DIGEST_KINDS];
	size_t at[DIGEST_KINDS];   /* of a kind, in the bytes of an entry */
};

/* bulk_insert_fn; columns in the order of digest_put. */
static void
digests_column(void *arg, size_t row, int column, struct bulk_insert_value *v)
{
	const struct digests_feed *f = arg;
	const size_t entry = row / f->n_kinds, i = row % f->n_kinds;
	const struct digests_entry *e = &f->digests->v.v[entry];
	const enum digest_kind kind = f->kinds[i];

	switch (column - COL_FEED_C1) {
	case 0: bulk_insert_int(v, e->inode.volume); break;
	case 1: bulk_insert_int(v, e->inode.number); break;
	case 2: bulk_insert_text(v, digest_name(kind), strlen(digest_name(kind))); break;
	case 3: bulk_insert_blob(v, f->digests->bytes.data + entry * f->sizes + f->at[i], digest_size(kind)); break;
	case 4: bulk_insert_int(v, e->size); break;
	case 5: bulk_insert_int(v, e->mtime.sec); break;
	case 6: bulk_insert_int(v, e->mtime.nsec); break;
	case 7: bulk_insert_int(v, e->ctime.sec); break;
	case 8: bulk_insert_int(v, e->ctime.nsec); break;
	case 9: bulk_insert_int(v, e->read); break;
	}
}

int
digests_write(struct digests *d, struct index *ix, struct err *err)
{
	struct digests_feed f = { .digests = d };
	int ret;

	if (d->v.n == 0)
		return 0;
	for (int i = 0; i < DIGEST_KINDS; i++) {
		if ((d->kinds & DIGEST_BIT(i)) == 0)
			continue;
		f.kinds[f.n_kinds] = (enum digest_kind)i;
		f.at[f.n_kinds++] = f.sizes;
		f.sizes += digest_size((enum digest_kind)i);
	}
	ret = digests_make(ix, err);
	if (ret == 0)
		ret = bulk_insert_run(ix->db, SQL_DIGEST_PUT, d->v.n * f.n_kinds, digests_column, &f, err);
	d->v.n = 0;
	buf_cut(&d->bytes, 0);
	return ret;
}

void
digests_release(struct digests *d)
{
	vec_release(&d->v);
	buf_release(&d->bytes);
}

int
digests_get(struct index *ix, const struct file_row *row, enum digest_kind kind, uint8_t *bytes, struct err *err)
{
	struct stmt st;
	int ret;

	if (!ix->digests)
		return 0;
	st = stmt_get(ix->db, SQL_DIGEST_GET, err);
	file_bind_signature(&st, row);
	stmt_text(&st, ":kind", digest_name(kind), strlen(digest_name(kind)));
	ret = stmt_step(&st);
	if (ret == 1) {
		size_t len;
		const void *digest = stmt_col_blob(&st, 0, &len);

		if (digest == NULL || len != digest_size(kind))
			ret = db_damaged(ix->db, err, "it has a digest %s of %zu bytes", digest_name(kind), len);
		else
			memcpy(bytes, digest, len);
	}
	stmt_done(&st);
	return ret;
}

int
digests_count(struct index *ix, int64_t counts[DIGEST_KINDS], struct err *err)
{
	struct stmt st;
	int ret;

	memset(counts, 0, DIGEST_KINDS * sizeof(*counts));
	if (!ix->digests)
		return 0;
	st = stmt_get(ix->db, SQL_DIGEST_COUNTS, err);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = stmt_col_text(&st, 0, &len);
		const enum digest_kind kind = digest_find(name, len);

		/* A newer program may know more. */
		if (kind < DIGEST_KINDS)
			counts[kind] = stmt_col_int(&st, 1);
	}
	return ret;
}
