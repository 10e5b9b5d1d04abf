/* SPDX-License-Identifier: MIT */
/* err - what went wrong: a code for the caller, one line for the person. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

/** What kind of failure; callers decide by it, never by the text. */
enum err_code {
	ERR_NONE = 0,
	ERR_USAGE,       /* wrong arguments */
	ERR_NO_PATH,     /* a path does not exist, or is of the wrong kind */
	ERR_SYS,         /* a system call failed */
	ERR_DB,          /* SQLite failed: disk full, I/O, memory */
	ERR_BUSY,        /* another process writes to the index */
	ERR_NO_INDEX,    /* there is no index yet */
	ERR_BAD_INDEX,   /* the file is not an index, or is damaged */
	ERR_TOO_NEW,     /* the index was written by a newer version */
	ERR_OUTPUT,      /* results could not be written */
	ERR_INTERRUPTED  /* a signal asked us to stop */
};

/**
 * The first failure of a call chain.  Fixed size, on the caller's stack, so
 * that reporting cannot fail itself.  Zero it (= {0}) before use; functions
 * write to it only when they fail.
 */
struct err {
	enum err_code code;
	int sys;          /* errno, where a system call was the cause, else 0 */
	char text[1024];  /* no final period or newline; a too long text is cut */
};

/** Fill err with code and a formatted text.  Returns -1, so that failing is one line. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * Like err_set with ERR_SYS, appending ": " and the meaning of errno, which it
 * keeps in err->sys.  Returns -1.
 */
int err_sys(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Put a formatted context and ": " before the text.  Returns -1. */
int err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
