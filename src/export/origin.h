/* SPDX-License-Identifier: MIT */
/* origin - whose rows are exported: what tells indexes, hosts and secrets apart. */
#ifndef EXPORT_ORIGIN_H
#define EXPORT_ORIGIN_H

struct index;

struct origin {
	char *host;           /* owned; letters, digits, dots and underscores */
	int64_t index_id;     /* of this index on this machine */
	int64_t hash_id;      /* of the index's secret: hashes can be compared where it is equal */
	int64_t generation;   /* the number of the index's last run; 0: it was never scanned */
};

/**
 * Find out whose an index is; host NULL: as the system is called.  Returns 0, or -1: ERR_USAGE, a
 * host that has no letter or digit; ERR_DB, ERR_BAD_INDEX.
 */
int origin_find(struct origin *o, const struct index *ix, const char *host, struct err *err);
/** The same of an index's secret alone: origin.hash_id. */
int64_t origin_hash_id(const struct index *ix);
/** Free what it owns. */
void origin_release(struct origin *o);

#endif
