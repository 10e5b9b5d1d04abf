/* SPDX-License-Identifier: MIT */
/*
 * A listing may have hundreds of thousands of lines.  All paths lie in one
 * buffer, each ended by a NUL; names are their offsets, in the order in which
 * they came; an item is the position of its first name, and ends where the
 * next item begins.  In a listing of files the first name is the file's own.
 */
#include "base/base.h"

#include "ui/numbers.h"

#include "query/answer.h"

struct numbers {
	struct buf paths;
	VEC(size_t) names;
	VEC(size_t) items;
	VEC(bool) is_dir;        /* by item */
	bool sets, dirs;
};

struct numbers *
numbers_new(void)
{
	return mem_zalloc(1, sizeof(struct numbers));
}

void
numbers_clear(struct numbers *r, bool sets, bool dirs)
{
	/* The memory of a long listing is given back: most are short. */
	buf_release(&r->paths);
	vec_release(&r->names);
	vec_release(&r->items);
	vec_release(&r->is_dir);
	r->sets = sets;
	r->dirs = dirs;
}

void
numbers_free(struct numbers *r)
{
	if (r != NULL)
		numbers_clear(r, false, false);
	free(r);
}

static void
numbers_add_name(struct numbers *r, const char *path)
{
	vec_push(&r->names, r->paths.len);
	buf_add(&r->paths, path, strlen(path) + 1);
}

void
numbers_add(struct numbers *r, const char *path, const struct member *members, size_t n)
{
	assert((path == NULL) == r->sets);
	vec_push(&r->items, r->names.n);
	vec_push(&r->is_dir, r->dirs);
	if (!r->sets)
		numbers_add_name(r, path);
	for (size_t i = 0; i < n; i++)
		numbers_add_name(r, members[i].path);
}

void
numbers_add_dir(struct numbers *r, const char *path)
{
	numbers_add(r, path, NULL, 0);
	r->is_dir.v[r->is_dir.n - 1] = true;
}

bool
numbers_are_sets(const struct numbers *r)
{
	return r->sets;
}

bool
numbers_are_dirs(const struct numbers *r)
{
	return r->dirs;
}

bool
numbers_is_dir(const struct numbers *r, size_t i)
{
	return i > 0 && i <= r->is_dir.n && r->is_dir.v[i - 1];
}

size_t
numbers_count(const struct numbers *r)
{
	return r->items.n;
}

size_t
numbers_members(const struct numbers *r, size_t i)
{
	size_t end;

	if (i < 1 || i > r->items.n)
		return 0;
	end = i < r->items.n ? r->items.v[i] : r->names.n;
	return end - r->items.v[i - 1] - !r->sets;
}

const char *
numbers_path(const struct numbers *r, size_t i, size_t member)
{
	if (i < 1 || i > r->items.n || member > numbers_members(r, i) || (member == 0 && r->sets))
		return NULL;
	return r->paths.data + r->names.v[r->items.v[i - 1] + member - r->sets];
}

bool
numbers_find(const struct numbers *r, size_t i, const char *path, size_t *member)
{
	const size_t n = numbers_members(r, i) + 1;

	for (size_t k = 1; k <= n; k++) {
		const size_t at = (*member + k) % n;
		const char *known = numbers_path(r, i, at);

		if (known != NULL && strcmp(known, path) == 0) {
			*member = at;
			return true;
		}
	}
	return false;
}

/* Read a number of 1 or more at *s and go beyond it. */
static bool
numbers_parse_number(const char **s, size_t *n)
{
	size_t value = 0;

	if (**s < '1' || **s > '9')
		return false;
	for (; **s >= '0' && **s <= '9'; (*s)++) {
		const size_t digit = (size_t)(**s - '0');

		if (value > (SIZE_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*n = value;
	return true;
}

bool
numbers_parse_range(const char *text, struct numbers_range *range)
{
	struct numbers_range r = { .member = 0 };
	size_t *last;

	if (!numbers_parse_number(&text, &r.item))
		return false;
	r.last_item = r.item;
	last = &r.last_item;
	if (*text == '.') {
		text++;
		if (!numbers_parse_number(&text, &r.member))
			return false;
		r.last_member = r.member;
		last = &r.last_member;
	}
	if (*text == '-') {
		text++;
		*last = SIZE_MAX;
		if (*text != '\0' && !numbers_parse_number(&text, last))
			return false;
	}
	if (*text != '\0' || r.last_item < r.item || r.last_member < r.member)
		return false;
	*range = r;
	return true;
}

bool
numbers_parse(const char *text, size_t *item, size_t *member)
{
	struct numbers_range r;

	if (strchr(text, '-') != NULL || !numbers_parse_range(text, &r))
		return false;
	*item = r.item;
	*member = r.member;
	return true;
}
