/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/ls_colors.h"

/* The strings lie in text. */
struct ls_colors_suffix {
	const char *suffix, *color;
	size_t len;
};

struct ls_colors {
	char *text;          /* owned */
	const char *dir, *file;
	VEC(struct ls_colors_suffix) suffixes;
};

struct ls_colors *
ls_colors_new(const char *text)
{
	struct ls_colors *c;
	char *rest = NULL;

	if (text == NULL)
		return NULL;
	c = mem_zalloc(1, sizeof(*c));
	c->text = mem_str(text);
	for (char *key = strtok_r(c->text, ":", &rest); key != NULL; key = strtok_r(NULL, ":", &rest)) {
		char *color = strchr(key, '=');

		if (color == NULL)
			continue;
		*color++ = '\0';
		/* Nothing but SGR parameters reaches a terminal. */
		if (*color == '\0' || color[strspn(color, "0123456789;")] != '\0')
			continue;
		if (strcmp(key, "di") == 0)
			c->dir = color;
		else if (strcmp(key, "fi") == 0)
			c->file = color;
		else if (*key == '*' && key[1] != '\0')
			vec_push(&c->suffixes, ((struct ls_colors_suffix){ key + 1, color, strlen(key + 1) }));
	}
	if (c->dir != NULL || c->file != NULL || c->suffixes.n > 0)
		return c;
	ls_colors_free(c);
	return NULL;
}

void
ls_colors_free(struct ls_colors *c)
{
	if (c == NULL)
		return;
	free(c->text);
	vec_release(&c->suffixes);
	free(c);
}

const char *
ls_colors_of(const struct ls_colors *c, const char *name, bool dir)
{
	const size_t len = strlen(name);

	if (c == NULL || dir)
		return c != NULL ? c->dir : NULL;
	for (size_t i = c->suffixes.n; i-- > 0;) {
		const struct ls_colors_suffix *s = &c->suffixes.v[i];

		if (s->len <= len && memcmp(name + len - s->len, s->suffix, s->len) == 0)
			return s->color;
	}
	return c->file;
}
