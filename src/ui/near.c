/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/near.h"

#include "sys/resolve.h"
#include "ui/numbers.h"

void
near_find(struct near *n, const char *base)
{
	const char *home = getenv("HOME");
	struct err ignored = { 0 };
	struct buf path = { 0 };

	*n = (struct near){ NULL, NULL };
	if (resolve_path(&path, ".", base, &ignored) == 0)
		n->here = buf_take(&path);
	buf_cut(&path, 0);
	if (home != NULL && *home == '/' && resolve_path(&path, home, NULL, &ignored) == 0 && strcmp(buf_str(&path), "/") != 0)
		n->home = buf_take(&path);
	buf_release(&path);
}

void
near_release(struct near *n)
{
	free(n->here);
	free(n->home);
	*n = (struct near){ NULL, NULL };
}

/*
 * Whether a relative path may be typed as it is shown: it begins with what no shell, and no parser
 * of options, takes for something else, or hides as a blank, and is no number of a listing.
 */
static bool
near_is_plain(const char *rest)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._";
	struct numbers_range range;

	return *rest != '\0' && (strchr(letters, *rest) != NULL || (unsigned char)*rest >= 0x80) && !numbers_parse_range(rest, &range);
}

const char *
near_rest(const struct near *n, const char *path, const char **prefix)
{
	const char *rest = n->here != NULL ? path_below(path, n->here) : NULL;

	*prefix = "";
	/* From "/" an absolute path is no longer, and says more. */
	if (rest != NULL && strcmp(n->here, "/") != 0 && near_is_plain(rest))
		return rest;
	rest = n->home != NULL ? path_below(path, n->home) : NULL;
	if (rest == NULL)
		return path;
	*prefix = *rest != '\0' ? "~/" : "~";
	return rest;
}
