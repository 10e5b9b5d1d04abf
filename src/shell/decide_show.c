/* SPDX-License-Identifier: MIT */
/*
 * All text of the dialogue but questions and help: names of files are made harmless, lines wrap
 * where the terminal wraps them, and nothing moves its cursor.
 */
#include "base/base.h"

#include "shell/decide_show.h"

#include "ui/width.h"

/* A terminal with fewer columns gets short questions, and no times. */
#define DECIDE_NARROW 72

bool
decide_is_narrow(const struct decide *d)
{
	return d->width < DECIDE_NARROW;
}

void
decide_add_path(const struct decide *d, struct buf *b, const char *path)
{
	const char *below = path_below(path, d->base);

	if (below != NULL && *below != '\0')
		path = below;
	name_show(b, path, strlen(path));
}

/* Append a place: a directory ends with a slash. */
static void
decide_add_place(const struct decide *d, struct buf *b, const struct decide_groups_group *g, uint32_t number)
{
	const struct place *p = &d->o.places.v.v[number];
	bool above = false;

	if (strcmp(p->path, d->base) == 0)
		buf_adds(b, "./");
	else {
		decide_add_path(d, b, p->path);
		if (strcmp(p->path, "/") != 0)
			buf_addc(b, '/');
	}
	for (size_t i = 0; g != NULL && i < g->n_places; i++)
		above |= g->places[i] != number && path_is_below(d->o.places.v.v[g->places[i]].path, p->path);
	if (p->own && above)
		buf_adds(b, " itself");
}

void
decide_print(const struct decide *d, struct buf *b)
{
	fwrite(buf_str(b), 1, b->len, d->out);
	buf_cut(b, 0);
}

void
decide_count(const struct decide *d, int64_t *n_decided, int64_t *n_sets)
{
	*n_decided = d->o.n_decided;
	*n_sets = d->o.n_decided + (int64_t)d->o.sets.n;
	for (size_t i = 0; i < d->o.sets.n; i++)
		*n_decided += !d->o.sets.v[i].open && !d->o.sets.v[i].hidden;
}

size_t
decide_group_open(const struct decide *d, const struct decide_groups_group *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		n += d->o.sets.v[g->first + i].open;
	return n;
}

void
decide_say_progress(const struct decide *d)
{
	int64_t n_decided, n_sets;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	decide_count(d, &n_decided, &n_sets);
	fprintf(d->out, "  %s of %s decided\n", num_show_count(n_decided, x), num_show_count(n_sets, y));
}

void
decide_say_must(const struct decide *d, int64_t n)
{
	char x[NUM_SHOW_MAX];

	if (n > 0)
		fprintf(d->out, "  %s\n", num_show_things(n, "other copy must stay", "other copies must stay", x));
}

void
decide_say_group(const struct decide *d, const struct decide_groups_group *g, const struct decide_groups_chosen *chosen,
                 const struct decide_outcome *o, int64_t n_drop)
{
	struct buf b = { 0 };
	char x[NUM_SHOW_MAX];

	if (chosen->place == NULL && !chosen->rules)
		buf_addf(&b, "  kept all of %s\n", num_show_things((int64_t)o->n_kept, "set", "sets", x));
	else {
		buf_addf(&b, "  kept %s %s", num_show_count((int64_t)(o->n_kept + o->n_several), x), chosen->rules ? "by the rules" : "in ");
		if (chosen->place != NULL)
			decide_add_place(d, &b, g, *chosen->place);
		buf_addf(&b, ", %s marked drop\n", num_show_count(n_drop, x));
	}
	if (o->n_several > 0)
		buf_addf(&b, "  %s several copies there: one by one\n", num_show_things((int64_t)o->n_several, "set has", "sets have", x));
	if (o->n_fixed > 0)
		buf_addf(&b, "  %s: dropping would free nothing\n", num_show_things(o->n_fixed, "other copy stays", "other copies stay", x));
	if (o->n_held > 0)
		buf_addf(&b, "  %s: not to be touched\n", num_show_things(o->n_held, "other copy stays", "other copies stay", x));
	if (o->n_nowhere > 0)
		buf_addf(&b, "  %s changed since the scan, and not marked\n", num_show_things((int64_t)o->n_nowhere, "set has", "sets have", x));
	if (o->n_hides > 0)
		buf_addf(&b, "  %s copies that are offline or unreadable, and not marked\n", num_show_things((int64_t)o->n_hides, "set has", "sets have", x));
	decide_print(d, &b);
	decide_say_must(d, o->n_must);
	buf_release(&b);
}

/* The order in which copies are shown: those that can stay by time, then the others. */
static int
decide_cmp_name(const void *a, const void *b, void *look)
{
	const struct decide_groups_look *l = look;
	const struct decide_groups_name *x = &l->names.v[*(const size_t *)a], *y = &l->names.v[*(const size_t *)b];
	const bool stays = decide_groups_can_stay(x);
	int cmp;

	if (stays != decide_groups_can_stay(y))
		return stays ? -1 : 1;
	cmp = stays ? fs_time_cmp(x->as.facts.mtime, y->as.facts.mtime) : 0;
	return cmp != 0 ? cmp : strcmp(decide_groups_path(l, x), decide_groups_path(l, y));
}

void
decide_list_choices(struct decide_groups_look *l, struct decide_choices *choices)
{
	choices->v.n = choices->n = choices->n_dropped = 0;
	decide_groups_propose(l);
	for (size_t i = 0; i < l->names.n; i++) {
		const struct decide_groups_name *name = &l->names.v[i];
		bool first = true;

		for (size_t j = name->inode; j < i && decide_groups_can_stay(name); j++)
			first &= !decide_groups_can_stay(&l->names.v[j]);
		/* What is decided would push the question off a small screen. */
		if (name->role == DECIDE_GROUPS_DROPPED)
			choices->n_dropped++;
		else if (name->kind != MEMBER_GONE && (first || !decide_groups_can_stay(name)))
			vec_push(&choices->v, i);
	}
	if (choices->v.n > 1)
		order_sort_by(choices->v.v, choices->v.n, sizeof(*choices->v.v), decide_cmp_name, l);
	while (choices->n < choices->v.n && decide_groups_can_stay(&l->names.v[choices->v.v[choices->n]]))
		choices->n++;
}

/* Append a name of a set on a line of its own; number 0: it cannot be chosen. */
static void
decide_add_name(const struct decide *d, struct buf *b, const struct decide_groups_look *l, const struct decide_groups_name *name, size_t number,
                bool proposed)
{
	char x[NUM_SHOW_MAX];

	if (number > 0)
		buf_addf(b, "%c%2zu  ", proposed ? '>' : ' ', number);
	else
		buf_adds(b, "     ");
	if (!decide_is_narrow(d))
		buf_addf(b, "%s  ", num_show_local(name->as.facts.mtime.sec, x));
	decide_add_path(d, b, decide_groups_path(l, name));
	if (name->role == DECIDE_GROUPS_ABSENT)
		buf_addf(b, " (%s)", member_kind_name(name->kind));
	else if (name->role == DECIDE_GROUPS_HIDDEN)
		buf_adds(b, " (hidden: stays)");
	else if (name->held != DECIDE_GROUPS_FREE)
		buf_adds(b, name->held == DECIDE_GROUPS_PROTECTED ? " (protected: stays)" :
		            name->held == DECIDE_GROUPS_PART ? " (a part of a whole: stays)" : " (not below --only: stays)");
	else if (name->trash)
		buf_adds(b, " (in a trash)");
	else if (name->kind == MEMBER_LINK)
		buf_adds(b, " (link)");
	else if (name->role == DECIDE_GROUPS_FIXED && decide_groups_is_held(l, (size_t)(name - l->names.v)))
		buf_adds(b, " (has a link that stays)");
	else if (name->role == DECIDE_GROUPS_FIXED)
		buf_adds(b, " (has links elsewhere: stays)");
	if (name->as.mark != MARK_NONE)
		buf_addf(b, " [%s]", mark_name(name->as.mark));
	buf_addc(b, '\n');
}

void
decide_show_copies(const struct decide *d, const struct decide_groups_look *l, const struct decide_choices *choices, size_t most)
{
	struct buf b = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < choices->v.n && n < most; i++, n++) {
		const size_t at = choices->v.v[i];

		decide_add_name(d, &b, l, &l->names.v[at], i < choices->n ? i + 1 : 0, l->names.v[at].picked);
		/* The other names of the inode belong to the same number. */
		for (size_t j = l->names.v[at].inode; i < choices->n && j < l->names.n && l->names.v[j].inode == l->names.v[at].inode; j++) {
			if (j != at && decide_groups_can_stay(&l->names.v[j]))
				decide_add_name(d, &b, l, &l->names.v[j], 0, false);
		}
	}
	if (n < choices->v.n)
		buf_addf(&b, "     and %zu more: l lists all\n", choices->v.n - n);
	if (choices->n_dropped > 0)
		buf_addf(&b, "     and %zu marked drop\n", choices->n_dropped);
	decide_print(d, &b);
	buf_release(&b);
}

void
decide_show_group(const struct decide *d, size_t group)
{
	const struct decide_groups_group *g = &d->o.groups.v[group];
	struct buf b = { 0 }, line = { 0 };
	char x[NUM_SHOW_MAX];
	int64_t redundant = 0;
	bool fits;

	/* On one line if that fits, else each place on its own. */
	for (size_t i = 0; i < g->n; i++)
		redundant = num_add(redundant, d->o.sets.v[g->first + i].open ? d->o.sets.v[g->first + i].redundant : 0);
	buf_addf(&line, "group %zu of %zu: %s, ", group + 1, d->o.groups.n,
	         num_show_things((int64_t)decide_group_open(d, g), "set", "sets", x));
	buf_addf(&line, "%s in", num_show_size(redundant, NUM_IEC, x));
	for (int all = 0; all < 2; all++) {
		bool elsewhere = false;

		buf_cut(&b, 0);
		for (size_t i = 0; i < g->n_places; i++) {
			if (!d->o.places.v.v[g->places[i]].asked && !elsewhere && d->o.q.sets.n_dirs > 0) {
				buf_adds(&b, all == 0 ? "   elsewhere" : "  elsewhere\n");
				elsewhere = true;
			}
			buf_addf(&b, all == 0 ? "   %zu " : "%3zu  ", i + 1);
			decide_add_place(d, &b, g, g->places[i]);
			if (all != 0)
				buf_addc(&b, '\n');
		}
		fits = all == 0 && width_of(buf_str(&line)) + width_of(buf_str(&b)) <= d->width;
		if (fits)
			break;
	}
	fprintf(d->out, "%s%s%s%s", buf_str(&line), fits ? "" : "\n", buf_str(&b), fits ? "\n" : "");
	buf_release(&line);
	buf_release(&b);
}

/* Say how many sets lie in git work trees and the like alone. */
static void
decide_say_wholes(const struct decide *d)
{
	struct buf where = { 0 };
	char x[NUM_SHOW_MAX];

	if (d->o.n_parts > 0) {
		wholes_show(&where, d->o.wholes);
		fprintf(d->out, "%s in %s not asked about: --inside asks\n", num_show_things(d->o.n_parts, "set is", "sets are", x), buf_str(&where));
	}
	buf_release(&where);
}

void
decide_hello(const struct decide *d)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	if (d->o.sets.n == 0) {
		fputs(d->o.n_decided > 0 ? "all is decided\n" : "nothing is to be decided\n", d->out);
		decide_say_wholes(d);
		return;
	}
	fprintf(d->out, "%s, %s, ", num_show_things((int64_t)d->o.sets.n, "set", "sets", x), num_show_size(d->o.redundant, NUM_IEC, y));
	fprintf(d->out, "in %s", num_show_things((int64_t)d->o.groups.n, "group", "groups", x));
	if (d->o.n_decided > 0)
		fprintf(d->out, "; %s decided before", num_show_count(d->o.n_decided, x));
	fputs(decide_is_narrow(d) ? "\n? help  q leave (go on later)\n" : "   ? help  q leave (go on later)\n", d->out);
	if (d->o.n_hidden > 0)
		fprintf(d->out, "%s in hidden directories not asked about: --include-hidden asks\n",
		        num_show_things(d->o.n_hidden, "set is", "sets are", x));
	decide_say_wholes(d);
}
