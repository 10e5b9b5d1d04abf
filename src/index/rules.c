/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/rules.h"

const char *
skip_name(enum skip skip)
{
	static const char *const names[SKIP_COUNT] = {
		[SKIP_NO] = "not skipped",
		[SKIP_HIDDEN] = "hidden",
		[SKIP_EXCLUDED] = "excluded by a pattern",
		[SKIP_SMALL] = "below --min-size",
		[SKIP_LARGE] = "above --max-size",
		[SKIP_OTHER_FS] = "on another file system",
		[SKIP_NETWORK] = "on a network or FUSE mount that was not named",
		[SKIP_PSEUDO] = "on a pseudo file system",
		[SKIP_LINK] = "symbolic link",
		[SKIP_SPECIAL] = "special file",
		[SKIP_OWN] = "the index itself",
		[SKIP_TWICE] = "reached by another path",
	};

	return names[skip];
}

const char *
skip_counted(enum skip skip, int64_t n)
{
	switch (skip) {
	case SKIP_LINK: return n == 1 ? "symbolic link" : "symbolic links";
	case SKIP_SPECIAL: return n == 1 ? "special file" : "special files";
	case SKIP_OWN: return n == 1 ? "file of the index itself" : "files of the index itself";
	case SKIP_NETWORK: return n == 1 ? "network or FUSE mount" : "network or FUSE mounts";
	case SKIP_PSEUDO: return n == 1 ? "pseudo file system" : "pseudo file systems";
	default: return skip_name(skip);
	}
}

void
rules_init(struct rules *r)
{
	memset(r, 0, sizeof(*r));
	r->hidden = true;
	r->max_size = INT64_MAX;
}

void
rules_release(struct rules *r)
{
	for (size_t i = 0; i < r->n_patterns; i++)
		free(r->patterns[i]);
	free(r->patterns);
	rules_init(r);
}

void
rules_exclude(struct rules *r, const char *pattern)
{
	r->patterns = mem_resize(r->patterns, r->n_patterns + 1, sizeof(*r->patterns));
	r->patterns[r->n_patterns++] = mem_str(pattern);
}

void
rules_copy(struct rules *to, const struct rules *from)
{
	*to = *from;
	to->patterns = NULL;
	to->n_patterns = 0;
	for (size_t i = 0; i < from->n_patterns; i++)
		rules_exclude(to, from->patterns[i]);
}

bool
rules_leave_out(const struct rules *r)
{
	return !r->hidden || r->one_fs || r->min_size > 0 || r->max_size < INT64_MAX || r->n_patterns > 0;
}

void
rules_show(struct buf *b, const struct rules *r)
{
	const size_t start = b->len;

	if (!r->hidden)
		buf_adds(b, " --no-hidden");
	if (r->one_fs)
		buf_adds(b, " --one-file-system");
	if (r->network)
		buf_adds(b, " --network");
	if (r->trust_mtime)
		buf_adds(b, " --trust-mtime");
	if (r->hash_all)
		buf_adds(b, " --hash-all");
	if (r->archives)
		buf_adds(b, r->nested ? " --nested-archives" : " --archives");
	if (r->min_size > 0)
		buf_addf(b, " --min-size %lld", (long long)r->min_size);
	if (r->max_size < INT64_MAX)
		buf_addf(b, " --max-size %lld", (long long)r->max_size);
	for (size_t i = 0; i < r->n_patterns; i++)
		buf_addf(b, " --exclude %s", r->patterns[i]);
	/* Without the first blank. */
	if (b->len > start) {
		memmove(b->data + start, b->data + start + 1, b->len - start - 1);
		buf_cut(b, b->len - 1);
	}
}

enum skip
rules_check_name(const struct rules *r, const char *name, const char *path, bool is_dir)
{
	if (!r->hidden && name[0] == '.')
		return SKIP_HIDDEN;
	/* The last pattern that matches decides. */
	for (size_t i = r->n_patterns; i-- > 0;) {
		const bool takes_back = r->patterns[i][0] == '!';

		if (glob_excludes(r->patterns[i] + takes_back, path, is_dir))
			return takes_back ? SKIP_NO : SKIP_EXCLUDED;
	}
	return SKIP_NO;
}

enum skip
rules_check_size(const struct rules *r, int64_t size)
{
	if (size < r->min_size)
		return SKIP_SMALL;
	return size > r->max_size ? SKIP_LARGE : SKIP_NO;
}

enum skip
rules_check_path(const struct rules *r, const char *path, bool is_dir)
{
	const char *rest = path, *name;
	enum skip skip = SKIP_NO;
	size_t len;

	while (skip == SKIP_NO && path_next(&rest, &name, &len)) {
		char *part = mem_dup(path, (size_t)(name - path) + len);

		skip = rules_check_name(r, part + (name - path), part, *rest != '\0' || is_dir);
		free(part);
	}
	return skip;
}
