/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/claims_match.h"

#include "db/stmt.h"
#include "index/digests.h"
#include "index/file.h"
#include "index/index.h"

/* The digests of a file that the index has. */
struct claims_ours {
	bool has[DIGEST_NONE];
	uint8_t digest[DIGEST_NONE][DIGEST_MOST];
};

/* Get our digest of one kind, if it holds. */
static int
claims_get_ours(struct index *ix, const struct file_row *row, enum digest_kind kind, struct claims_ours *ours, struct err *err)
{
	int ret;

	if (kind == DIGEST_TWINDEX) {
		/* A collision says nothing. */
		ours->has[kind] = row->has_hash && row->error == 0;
		memcpy(ours->digest[kind], row->hash, HASH_SIZE);
		return 0;
	}
	ret = digests_get(ix, row, kind, ours->digest[kind], err);

	ours->has[kind] = ret == 1;
	return ret < 0 ? -1 : 0;
}

/* The part of a path behind its last separator, which is a backslash in lists of Everything. */
static const char *
claims_base(const char *path, size_t len, bool windows, size_t *base_len)
{
	size_t at = len;

	while (at > 0 && path[at - 1] != '/' && !(windows && path[at - 1] == '\\'))
		at--;
	*base_len = len - at;
	return path + at;
}

/* Read the present row of claim_by_*. */
static void
claims_read_match(const struct stmt *st, struct claims_match *m)
{
	size_t len;

	m->source = stmt_col_text(st, 0, &len);
	m->kind = stmt_col_text(st, 1, &len);
	m->when = stmt_col_int(st, 2);
	m->name = stmt_col_name(st, 3, &m->name_len);
}

/* A match under way. */
struct claims_matching {
	const struct claims_about *about;
	struct claims_ours ours;
	claims_match_fn *fn;
	void *arg;
	struct claims_matched *matched;
};

/* Begin a statement of claim_by_*. */
static struct stmt
claims_ask(struct index *ix, enum sql_id id, const struct claims_about *about, struct err *err)
{
	struct stmt st = stmt_get(ix->db, id, err);

	stmt_int(&st, ":size", about->size);
	if (about->source != NULL)
		stmt_text(&st, ":source", about->source, strlen(about->source));
	return st;
}

/* Claims with our digest of one kind. */
static int
claims_match_digest(struct index *ix, struct claims_matching *w, enum digest_kind kind, struct err *err)
{
	struct stmt st = claims_ask(ix, SQL_CLAIM_BY_DIGEST, w->about, err);
	struct claims_match m = { .digest = kind };
	int ret;

	stmt_blob(&st, ":digest", w->ours.digest[kind], digest_size(kind));
	stmt_text(&st, ":kind", digest_name(kind), strlen(digest_name(kind)));
	while ((ret = stmt_step(&st)) == 1) {
		claims_read_match(&st, &m);
		w->matched->by_digest++;
		w->fn(w->arg, &m);
	}
	return ret;
}

/* Claims of its size and name whose digest, if they have one, is not known to be another. */
static int
claims_match_size(struct index *ix, struct claims_matching *w, struct err *err)
{
	struct stmt st = claims_ask(ix, SQL_CLAIM_BY_SIZE, w->about, err);
	struct claims_match m = { .digest = DIGEST_NONE };
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const char *base, *text;
		enum digest_kind kind;
		size_t len;

		claims_read_match(&st, &m);
		text = stmt_col_text(&st, 5, &len);
		kind = digest_find(text, len);
		/* An equal one would have been found by it. */
		if (kind != DIGEST_NONE && w->ours.has[kind])
			continue;
		w->matched->no_hash |= kind == DIGEST_TWINDEX;
		base = claims_base(m.name, m.name_len, strcmp(m.kind, "efu") == 0, &len);
		if (len != strlen(w->about->name) || memcmp(base, w->about->name, len) != 0) {
			w->matched->not_compared = true;
			continue;
		}
		w->matched->by_size++;
		w->fn(w->arg, &m);
	}
	return ret;
}

int
claims_match(struct index *ix, const struct claims_about *about, claims_match_fn *fn, void *arg, struct claims_matched *matched,
             struct err *err)
{
	struct claims_matching w = { .about = about, .fn = fn, .arg = arg, .matched = matched };
	int ret;

	*matched = (struct claims_matched){ .no_digest = true };
	if (!ix->claims || about->size <= 0)
		return 0;
	for (int i = 0; about->row != NULL && i < DIGEST_NONE; i++) {
		const enum digest_kind kind = (enum digest_kind)i;

		if (claims_get_ours(ix, about->row, kind, &w.ours, err) < 0)
			return -1;
		if (!w.ours.has[i])
			continue;
		matched->no_digest &= kind == DIGEST_TWINDEX;
		if (claims_match_digest(ix, &w, kind, err) < 0)
			return -1;
	}
	if (matched->by_digest > 0)
		return 0;
	ret = claims_match_size(ix, &w, err);
	for (int i = 0; i <= DIGEST_NONE; i++)
		matched->not_compared |= (about->sizeless & DIGEST_BIT(i)) != 0 && (i == DIGEST_NONE || !w.ours.has[i]);
	return ret;
}

int
claims_sizeless(struct index *ix, const char *source, unsigned *kinds, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_CLAIM_SIZELESS, err);
	int ret;

	*kinds = 0;
	stmt_text(&st, ":source", source, strlen(source));
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *text = stmt_col_text(&st, 0, &len);

		*kinds |= DIGEST_BIT(digest_find(text, len));
	}
	return ret;
}
