/* SPDX-License-Identifier: MIT */
/* validate_verdict - what it means that a file was read, with these bytes or others. */
#ifndef SCAN_VALIDATE_VERDICT_H
#define SCAN_VALIDATE_VERDICT_H

struct file_row;
struct hash_plan_result;
struct presence_view;

/** What was found of a file. */
enum validate_verdict {
	VALIDATE_UNREAD,       /* its turn has not come */
	VALIDATE_FINE,         /* its bytes have the hash of its row */
	VALIDATE_CHANGED,      /* its signature is another one, or may be soon */
	VALIDATE_GONE,
	VALIDATE_OFFLINE,      /* its volume is not there */
	VALIDATE_UNREADABLE,
	VALIDATE_CORRUPT,      /* other bytes under the same signature */
	VALIDATE_VERDICTS
};

/** The word for a verdict. */
const char *validate_verdict_name(enum validate_verdict verdict);

/** A file and what was found.  Borrowed for the call. */
struct validate_told {
	enum validate_verdict verdict;
	const char *path;          /* absolute */
	const char *why;           /* or NULL */
	const char *const *good;   /* of a corrupt file: copies that have its old bytes, sorted */
	size_t n_good;
	int64_t n_unread;          /* ... and names that were not read: it was stopped */
};

/**
 * Judge what was read of the file of a row, by whose path told has it; sets verdict and why of
 * told, and whether the bytes are those that the row knows.  Returns 0 or -1.
 */
int validate_verdict_of(struct presence_view *view, const struct file_row *row, const struct hash_plan_result *res, bool *same_bytes,
                        struct validate_told *told, struct err *err);
/** Whether a verdict is of the inode, and not of the one name by which it was looked for. */
bool validate_verdict_is_of_inode(enum validate_verdict verdict, const struct file_row *row, const struct hash_plan_result *res);
/**
 * The error that the table validated keeps of the file that was judged last: 0 where the bytes were
 * found to be the same.
 */
int validate_verdict_error(const struct presence_view *view, enum validate_verdict verdict, bool same_bytes);

#endif
