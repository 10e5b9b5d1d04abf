/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/sets_choice.h"

#include "index/roots.h"

/* Whether rm would leave a file alone unless it is told otherwise. */
static bool
sets_choice_alone(const struct sets_choice *c, const struct root *root, const char *path)
{
	size_t len = strlen(path), number;
	const char *name;

	if (pathset_above(&c->named, path, &len, &number))
		return path_hidden_dir(path, c->dirs[number], &name, &len);
	return root != NULL && path_hidden_dir(path, root->path, &name, &len);
}

/*
 * Move the inodes of which a name has this choice, the best first, to answers, which has at members
 * so far: names of an inode stand together in v.  Returns how many there are then.
 */
static size_t
sets_choice_move(const struct sets_member *v, struct member *from, const size_t *order, size_t n, enum member_choice choice,
                 struct member *answers, size_t at)
{
	for (size_t i = 0; i < n; i++) {
		size_t j = order[i];

		if (from[j].path == NULL || from[j].choice != choice)
			continue;
		while (v[j].kind == MEMBER_LINK)
			j--;
		do {
			answers[at++] = from[j];
			from[j++].path = NULL;
		} while (j < n && v[j].kind == MEMBER_LINK);
	}
	return at;
}

void
sets_choice_make(const struct sets_choice *c, const struct sets_member *v, struct member *answers, size_t n)
{
	struct keep_name *names = mem_alloc((n + 1) * sizeof(*names)), **best = mem_alloc((n + 1) * sizeof(struct keep_name *));
	struct member *from = mem_alloc((n + 1) * sizeof(*from));
	size_t *order = mem_alloc((n + 1) * sizeof(*order));
	size_t live = 0, at;

	memcpy(from, answers, n * sizeof(*from));
	for (; live < n && sets_member_lives(&v[live]); live++) {
		const char *path = from[live].path;
		const enum mark_decision mark = from[live].mark;
		const struct root *root = roots_of_file(c->roots, path);
		struct keep_name *name = best[live] = &names[live];

		*name = (struct keep_name){
			.facts = { .path = path, .mtime = v[live].mtime, .nlink = v[live].nlink }, .inode = v[live].inode,
			.mark = mark, .wish = mark == MARK_KEEP ? KEEP_PINNED : KEEP_NOT_ASKED, .fleeting = v[live].dir->fleeting,
		};
		keep_place(c->keep, &c->named, root, name);
		if (name->wish != KEEP_PINNED && (c->named.n == 0 || name->inside) && !sets_choice_alone(c, root, path))
			name->wish = KEEP_ASKED;
	}
	keep_choose(c->keep, best, live);
	for (size_t i = 0; i < live; i++) {
		order[i] = (size_t)(best[i] - names);
		from[i].choice = names[i].fate == KEEP_GOES ? MEMBER_GOES : MEMBER_STAYS;
	}
	at = sets_choice_move(v, from, order, live, MEMBER_STAYS, answers, 0);
	at = sets_choice_move(v, from, order, live, MEMBER_GOES, answers, at);
	assert(at == live);
	free(names);
	free(best);
	free(from);
	free(order);
}
