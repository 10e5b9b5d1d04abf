/* SPDX-License-Identifier: MIT */
/*
 * staging - a directory that is filled under another name, beside its place, and gets its own name
 * when all of it is on the disk: no reader finds a part of it.
 */
#ifndef EXPORT_STAGING_H
#define EXPORT_STAGING_H

/** Zero it, staging_open() it, staging_close() it. */
struct staging {
	char *dir;         /* where it is filled: absolute */
	/* private */
	char *out, *name, *place, *around;
	bool replace;
};

/**
 * Begin to fill the directory name, "HOST-GENERATION", of the directory out, absolute, which is
 * made if it is missing.  What killed calls on this machine have left there under that name is
 * removed, and after a day what they left of other generations.  Returns 0, or -1: ERR_USAGE when
 * the directory is there already, unless it is to be replaced; ERR_SYS.
 */
int staging_open(struct staging *s, const char *out, const char *name, bool replace, struct err *err);
/** Make a directory in it, and those above that.  Returns 0, or -1 with *err. */
int staging_mkdir(const struct staging *s, const char *path, struct err *err);
/** Write all of it to the disk, and give it its name.  Returns 0, or -1 with *err. */
int staging_publish(struct staging *s, struct err *err);
/** Remove it, unless it was published, or else what it has replaced, and free what s owns. */
void staging_close(struct staging *s);

#endif
