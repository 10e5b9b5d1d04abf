/* SPDX-License-Identifier: MIT */
/*
 * Both levels match in the same way: components against ** and bytes against
 * *.  A wildcard is first tried with nothing; when what follows it fails, the
 * last wildcard takes one more element and what follows is tried again.  An
 * earlier wildcard need never be reconsidered, because the last one can make
 * up for any choice it made.  So each element of the pattern meets each
 * element of the text at most once, at both levels, and the time is bounded
 * by the product of the lengths.
 */
#include "base/base.h"

/* Some bytes of a pattern or a path; both components and whole names end without a NUL. */
struct span {
	const char *at;
	const char *end;
};

static unsigned char
glob_byte_at(const char *s)
{
	return (unsigned char)*s;
}

/* The end of the bracket expression at open, behind its ], or NULL when none closes it. */
static const char *
glob_bracket_end(const char *open, const char *end)
{
	const char *p = open + 1;

	if (p < end && (*p == '!' || *p == '^'))
		p++;
	/* The first member may be a ]. */
	for (const char *first = p; p < end; p++) {
		if (*p == ']' && p > first)
			return p + 1;
		if (*p == '\\' && p + 1 < end)
			p++;
	}
	return NULL;
}

/* Take one member of a bracket expression that ends at its ]. */
static unsigned char
glob_bracket_member(const char **p, const char *end)
{
	if (**p == '\\' && *p + 1 < end)
		(*p)++;
	return glob_byte_at((*p)++);
}

/* Whether the bracket expression between open and close (behind its ]) has byte c. */
static bool
glob_bracket_has(const char *open, const char *close, unsigned char c)
{
	const char *p = open + 1, *end = close - 1;
	bool negated = *p == '!' || *p == '^', found = false;

	p += negated;
	while (p < end) {
		unsigned char low = glob_bracket_member(&p, end), high = low;

		if (end - p >= 2 && *p == '-') {
			p++;
			high = glob_bracket_member(&p, end);
		}
		found |= c >= low && c <= high;
	}
	return found != negated;
}

/*
 * Match byte c with the one element at *p, which is no *, and move *p behind
 * it.  A [ without its ] and a \ at the end match nothing; were they taken
 * for themselves, each [ of "[[[[" would search the rest for its ], again for
 * every byte of the name.
 */
static bool
glob_element_matches(const char **p, const char *end, unsigned char c)
{
	const char *element = *p, *close;

	switch (*element) {
	case '?':
		(*p)++;
		return true;
	case '[':
		close = glob_bracket_end(element, end);
		if (!close)
			return false;
		*p = close;
		return glob_bracket_has(element, close, c);
	case '\\':
		element++;
		if (element == end)
			return false;
		break;
	default:
		break;
	}
	*p = element + 1;
	return glob_byte_at(element) == c;
}

static bool
glob_component_matches(struct span pattern, struct span name)
{
	struct span retry_pattern = { NULL, NULL }, retry_name = { NULL, NULL };

	while (name.at < name.end) {
		if (pattern.at < pattern.end && *pattern.at == '*') {
			pattern.at++;
			retry_pattern = pattern;
			retry_name = name;
		} else if (pattern.at < pattern.end &&
			   glob_element_matches(&pattern.at, pattern.end, glob_byte_at(name.at))) {
			name.at++;
		} else if (retry_pattern.at) {
			retry_name.at++;
			name = retry_name;
			pattern = retry_pattern;
		} else {
			return false;
		}
	}
	while (pattern.at < pattern.end && *pattern.at == '*')
		pattern.at++;
	return pattern.at == pattern.end;
}

bool
glob_match(const char *pattern, const char *name)
{
	return glob_component_matches((struct span){ pattern, pattern + strlen(pattern) },
				      (struct span){ name, name + strlen(name) });
}

/* Take the next component of a path, or of a pattern, that ends at rest->end. */
static struct span
glob_take_component(struct span *rest)
{
	struct span component;

	while (rest->at < rest->end && *rest->at == '/')
		rest->at++;
	component.at = rest->at;
	while (rest->at < rest->end && *rest->at != '/')
		rest->at++;
	component.end = rest->at;
	while (rest->at < rest->end && *rest->at == '/')
		rest->at++;
	return component;
}

/* Whether a pattern without slashes at its ends matches the whole path. */
static bool
glob_path_matches(struct span pattern, struct span path)
{
	struct span retry_pattern = { NULL, NULL }, retry_path = { NULL, NULL };

	while (path.at < path.end) {
		struct span element = glob_take_component(&pattern), rest;

		if (element.end - element.at == 2 && memcmp(element.at, "**", 2) == 0) {
			/* At the end it needs a component: it spares the directory itself. */
			if (pattern.at == pattern.end)
				return true;
			retry_pattern = pattern;
			retry_path = path;
			continue;
		}
		rest = path;
		if (element.at < element.end && glob_component_matches(element, glob_take_component(&rest))) {
			path = rest;
		} else if (retry_pattern.at) {
			glob_take_component(&retry_path);
			path = retry_path;
			pattern = retry_pattern;
		} else {
			return false;
		}
	}
	return pattern.at == pattern.end;
}

bool
glob_excludes(const char *pattern, const char *path, bool is_dir)
{
	struct span whole = { pattern, pattern + strlen(pattern) };
	bool anchored;

	if (whole.at < whole.end && whole.end[-1] == '/') {
		if (!is_dir)
			return false;
		while (whole.at < whole.end && whole.end[-1] == '/')
			whole.end--;
	}
	if (whole.at == whole.end)
		return false;
	anchored = memchr(whole.at, '/', (size_t)(whole.end - whole.at)) != NULL;
	if (!anchored)
		path = path_base(path);
	return glob_path_matches(whole, (struct span){ path, path + strlen(path) });
}

bool
glob_is_pattern(const char *typed)
{
	return strpbrk(typed, "*?[") != NULL;
}

bool
glob_is_one_of(const char *const *names, size_t n, const char *name)
{
	size_t i = 0;

	while (i < n && strcmp(names[i], name) != 0 && !(glob_is_pattern(names[i]) && glob_match(names[i], name)))
		i++;
	return i < n || n == 0;
}
