/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/near.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "sys/resolve.h"

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

/* Whether a shell, or a parser of options, takes a relative path for something else. */
static bool
near_is_special(const char *rest)
{
	return *rest == '\0' || *rest == '~' || *rest == '-';
}

const char *
near_rest(const struct near *n, const char *path, const char **prefix)
{
	const char *rest = n->here != NULL ? path_below(path, n->here) : NULL;

	*prefix = "";
	/* From "/" an absolute path is no longer, and says more. */
	if (rest != NULL && strcmp(n->here, "/") != 0 && !near_is_special(rest))
		return rest;
	rest = n->home != NULL ? path_below(path, n->home) : NULL;
	if (rest == NULL)
		return path;
	*prefix = *rest != '\0' ? "~/" : "~";
	return rest;
}
