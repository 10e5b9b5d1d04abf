/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "archive/packed.h"

static const char *const packed_whys[PACKED_WHYS] = {
	[PACKED_GOOD] = "it was read",
	[PACKED_NOT_READ] = "no file had its size when the archive was read",
	[PACKED_LINK] = "a hard link to a member that is not known",
	[PACKED_ENCRYPTED] = "encrypted",
	[PACKED_DAMAGED] = "damaged",
	[PACKED_UNSUPPORTED] = "compressed in a way that is not known here",
	[PACKED_BOMB] = "it expands too much",
	[PACKED_MANY] = "it has too many members",
	[PACKED_MEMORY] = "reading it needs too much memory",
	[PACKED_TIME] = "reading it takes too long",
	[PACKED_DIED] = "the process that read it died",
	[PACKED_NONE] = "it is no archive that is known here",
	[PACKED_CHANGED] = "it changed while it was read",
	[PACKED_DIR] = "it is called a directory, and has content",
};

/* Names of archives: behind a dot, in lower case. */
static const char *const packed_suffixes[] = {
	"zip", "jar", "war", "ear", "apk", "whl", "egg", "xpi", "nupkg", "cbz", "7z", "cb7",
	"tar", "tgz", "tbz", "tbz2", "txz", "tlz", "tzst", "taz", "cbt", "crate", "gem", "cpio",
	"ar", "a", "deb", "udeb", "ipk", "iso", "cab"
};
/* What may stand behind .tar and .cpio. */
static const char *const packed_filters[] = { "gz", "bz2", "xz", "zst", "lzma", "lz", "z" };

/* The longest suffix, and a dot before it. */
enum { PACKED_SUFFIX_MAX = 6 };

const char *
packed_why_text(enum packed_why why)
{
	assert(why < PACKED_WHYS);
	return packed_whys[why];
}

bool
packed_is_rest(const struct packed *p)
{
	return p->outer_len > 0 && p->name_len == p->outer_len + PACKED_MARK_LEN;
}

/* Take the suffix off a name, and put it, in lower case, into text.  Returns false without one. */
static bool
packed_cut(const char *name, size_t *len, char text[PACKED_SUFFIX_MAX + 1])
{
	size_t n = 0;

	while (n < *len && n <= PACKED_SUFFIX_MAX && name[*len - 1 - n] != '.')
		n++;
	/* A name that is all suffix is a hidden file. */
	if (n == 0 || n > PACKED_SUFFIX_MAX || n + 1 >= *len)
		return false;
	for (size_t i = 0; i < n; i++) {
		const char c = name[*len - n + i];

		text[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	text[n] = '\0';
	*len -= n + 1;
	return true;
}

static bool
packed_is_one_of(const char *text, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(text, words[i]) == 0)
			return true;
	}
	return false;
}

bool
packed_is_name(const char *name, size_t len)
{
	char suffix[PACKED_SUFFIX_MAX + 1];

	if (!packed_cut(name, &len, suffix))
		return false;
	if (packed_is_one_of(suffix, packed_suffixes, sizeof(packed_suffixes) / sizeof(packed_suffixes[0])))
		return true;
	return packed_is_one_of(suffix, packed_filters, sizeof(packed_filters) / sizeof(packed_filters[0])) &&
	       packed_cut(name, &len, suffix) && (strcmp(suffix, "tar") == 0 || strcmp(suffix, "cpio") == 0);
}

const char *
packed_hint(const char *path)
{
	const char *name = path_base(path);

	return packed_is_name(name, strlen(name)) ? ": scan --archives opens it" : "";
}
