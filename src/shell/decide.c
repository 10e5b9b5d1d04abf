/* SPDX-License-Identifier: MIT */
/*
 * Groups are asked about in their order, and within a group, if that is wanted, its sets.  What is
 * asked is what the index said when the dialogue began; before a set is shown or marked its files
 * are looked at, so an answer counts only for what is so now.  The index is open for a look or
 * for a write, never while a question waits: scans and other writers are not kept from working.
 *
 * struct decide         the dialogue at one level: the sets and groups, the answers to be taken
 *                       back; groups of one directory are asked about at a level below
 * struct decide_answer  an answer: its batch of marks, and the sets that it was for
 *
 * What each question returns is what comes next (enum decide_next).
 */
#include "base/base.h"

#include "shell/decide.h"

#include <signal.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "db/db.h"
#include "index/index.h"
#include "index/mark.h"
#include "query/decide_groups.h"
#include "query/decide_groups_choice.h"
#include "query/keep.h"
#include "shell/decide_show.h"
#include "shell/keys.h"
#include "shell/redirect.h"
#include "sys/command.h"
#include "sys/stop.h"
#include "ui/pager.h"
#include "ui/width.h"

/* Sets that one l lists; copies of a set that are shown. */
enum { DECIDE_LISTS = 10, DECIDE_COPIES = 20 };
/* Refusals that are told. */
#define DECIDE_TOLD 3

/* Tell of a failure; one that the dialogue survives, such as a busy index, asks again. */
static enum decide_next
decide_fail(struct decide *d, struct err *err)
{
	if (err->code == ERR_INTERRUPTED) {
		*d->err = *err;
		return DECIDE_FAILED;
	}
	cmd_fail(d->out, NULL, err);
	*err = (struct err){ 0 };
	return DECIDE_AGAIN;
}

/* Files that were refused a mark. */
struct decide_told {
	const struct decide *d;
	int64_t n;
};

/* mark_apply_fn */
static int
decide_refused(void *arg, const char *path, const char *why)
{
	struct decide_told *told = arg;
	struct buf b = { 0 };

	if (told->n++ < DECIDE_TOLD) {
		buf_adds(&b, "  stays: ");
		decide_add_path(told->d, &b, path);
		buf_addf(&b, " (%s)\n", why);
		decide_print(told->d, &b);
	}
	buf_release(&b);
	return 0;
}

/* mark_apply_marked_fn */
static int
decide_marked(void *arg, const struct mark_apply_marked *m)
{
	(void)arg;
	(void)m;
	return 0;
}

/*
 * Write the marks of a choice, which is for the sets of *answer, and remember the answer, whose
 * sets are taken over or freed.  Returns 0 or -1.
 */
static int
decide_write(struct decide *d, const struct decide_groups_choice *choice, struct decide_answer *answer, struct err *err)
{
	struct decide_told told = { .d = d };
	const struct keep one = { .copies = 1 };
	const struct mark_apply_query q = { .keep = d->o.q.keep != NULL ? d->o.q.keep : &one, .refused = decide_refused, .marked = decide_marked, .all = true, .arg = &told };
	struct mark_apply_totals totals = { .n_marked = 0 };
	struct index *ix = NULL;
	int ret = choice->items.n > 0 ? cmd_open(d->c->globals, INDEX_WRITE | INDEX_EXISTING, &ix, err) : 0;

	if (ret == 0 && choice->items.n > 0)
		ret = mark_apply_items(ix, &q, choice->items.v, choice->items.n, &totals, err);
	index_close(ix);
	if (ret < 0) {
		vec_release(&answer->sets);
		return -1;
	}
	if (told.n > DECIDE_TOLD)
		fprintf(d->out, "  and %" PRId64 " more stay\n", told.n - DECIDE_TOLD);
	/*
	 * Where some were refused, the next look at these sets tells what is left to be decided.
	 */
	for (size_t i = 0; i < answer->sets.n && told.n == 0; i++)
		d->o.sets.v[answer->sets.v[i]].open = false;
	answer->batch = totals.n_marked > 0 ? totals.batch : 0;
	answer->n_drop = choice->n_drop - told.n;
	answer->frees = told.n == 0 ? choice->frees : 0;
	d->totals->n_drop += answer->n_drop;
	d->totals->frees += answer->frees;
	/* Something can be taken back. */
	if (answer->batch != 0)
		vec_push(&d->answers, *answer);
	else
		vec_release(&answer->sets);
	return 0;
}

/* Take the last answer back. */
static enum decide_next
decide_undo(struct decide *d)
{
	struct err err = { 0 };
	struct index *ix = NULL;
	struct decide_answer *a;
	int64_t last;
	int ret;

	if (d->answers.n == 0) {
		fputs("  there is no answer to take back; 'mark undo' takes back earlier marks\n", d->out);
		return DECIDE_AGAIN;
	}
	a = &d->answers.v[d->answers.n - 1];
	ret = cmd_open(d->c->globals, INDEX_WRITE | INDEX_EXISTING, &ix, &err);
	if (ret == 0)
		ret = db_begin(ix->db, &err);
	if (ret == 0) {
		ret = mark_last(ix, &last, &err);
		if (ret == 0 && last < a->batch)
			ret = err_set(&err, ERR_USAGE, "this answer is too old to be taken back, or was taken back already");
		else if (ret == 0 && last > a->batch)
			ret = err_set(&err, ERR_USAGE, "another command has marked since: 'mark undo' takes that back");
		if (ret == 0)
			ret = mark_step(ix, true, NULL, NULL, &err) < 0 ? -1 : 0;
		ret = db_end(ix->db, ret, &err);
	}
	index_close(ix);
	if (ret < 0)
		return decide_fail(d, &err);
	for (size_t i = 0; !a->deeper && i < a->sets.n; i++)
		d->o.sets.v[a->sets.v[i]].open = true;
	d->totals->n_drop -= a->n_drop;
	d->totals->frees -= a->frees;
	d->back_group = a->group;
	d->back_set = a->set;
	d->back_deeper = a->deeper;
	d->repeats = false;
	fprintf(d->out, "  taken back: %zu set%s\n", a->sets.n, a->sets.n == 1 ? "" : "s");
	vec_release(&a->sets);
	d->answers.n--;
	return DECIDE_BACK;
}

/* Begin to look at sets.  Returns 0 with an open *ix, or -1. */
static int
decide_look(struct decide *d, struct decide_groups_look *l, struct index **ix, struct err *err)
{
	*ix = NULL;
	*l = (struct decide_groups_look){ .n_open = 0 };
	if (cmd_open(d->c->globals, 0, ix, err) < 0)
		return -1;
	return decide_groups_look_begin(l, &d->o, *ix, err);
}

static void
decide_look_end(struct decide_groups_look *l, struct index *ix)
{
	if (ix != NULL)
		decide_groups_look_end(l);
	index_close(ix);
}

/* Look at a set of a group, and add what keeping the chosen copies comes to. */
static int
decide_choose(struct decide *d, struct decide_groups_look *l, size_t number, const struct decide_groups_chosen *chosen, struct decide_groups_choice *choice,
              struct decide_answer *answer, struct decide_outcome *o, struct err *err)
{
	struct decide_groups_set *set = &d->o.sets.v[number];
	enum decide_groups_outcome outcome;

	if (decide_groups_look_at(l, set, err) < 0 || stop_check(err) < 0)
		return -1;
	outcome = set->open ? decide_groups_keep(l, set, chosen, choice) : DECIDE_GROUPS_NOWHERE;
	o->n_kept += outcome == DECIDE_GROUPS_DECIDES;
	o->n_several += outcome == DECIDE_GROUPS_SEVERAL;
	if (outcome == DECIDE_GROUPS_NOWHERE) {
		o->n_nowhere += !decide_groups_hides_some(l);
		o->n_hides += decide_groups_hides_some(l);
		return 0;
	}
	for (size_t i = 0; (chosen->place != NULL || chosen->rules) && i < l->names.n; i++) {
		const struct decide_groups_name *name = &l->names.v[i];

		if (name->inode != i || name->role != DECIDE_GROUPS_FIXED || name->picked)
			continue;
		o->n_fixed += !decide_groups_is_held(l, i);
		o->n_held += decide_groups_is_held(l, i);
	}
	vec_push(&answer->sets, number);
	return 0;
}

static enum decide_next decide_sets(struct decide *d, size_t group);

/* Keep what was chosen in each set of a group. */
static enum decide_next
decide_keep_group(struct decide *d, size_t group, const struct decide_groups_chosen *chosen)
{
	const struct decide_groups_group *g = &d->o.groups.v[group];
	struct decide_answer answer = { .group = group, .set = SIZE_MAX };
	struct decide_outcome outcome = { .n_kept = 0 };
	struct decide_groups_choice choice = { .items = { 0 } };
	VEC(size_t) several = { 0 };
	struct decide_groups_look l;
	struct err err = { 0 };
	struct index *ix;
	int ret = decide_look(d, &l, &ix, &err);

	for (size_t i = g->first; ret == 0 && i < g->first + g->n; i++) {
		const size_t before = outcome.n_several;

		if (d->o.sets.v[i].open)
			ret = decide_choose(d, &l, i, chosen, &choice, &answer, &outcome, &err);
		if (outcome.n_several > before)
			vec_push(&several, i);
	}
	outcome.n_must = choice.n_must;
	decide_look_end(&l, ix);
	if (ret == 0)
		ret = decide_write(d, &choice, &answer, &err);
	else
		vec_release(&answer.sets);
	if (ret == 0) {
		for (size_t i = 0; i < several.n; i++)
			d->o.sets.v[several.v[i]].open = true;
		decide_say_group(d, g, chosen, &outcome, answer.n_drop);
	}
	decide_groups_choice_release(&choice);
	vec_release(&several);
	if (ret < 0)
		return decide_fail(d, &err);
	return outcome.n_several > 0 ? decide_sets(d, group) : DECIDE_NEXT;
}

/* Open a file as people do: with $TWINDEX_OPEN, the desktop's program, or the pager. */
static enum decide_next
decide_open(struct decide *d, const char *path)
{
	const char *open = getenv("TWINDEX_OPEN");
	struct buf command = { 0 };
	struct err err = { 0 };

	/* The name is passed in the environment: sh interprets no byte of it. */
	setenv("TWINDEX_FILE", path, 1);
	if (open != NULL && *open != '\0')
		buf_addf(&command, "%s \"$TWINDEX_FILE\"", open);
	else {
		buf_adds(&command, "if test -n \"${DISPLAY-}${WAYLAND_DISPLAY-}\" && command -v xdg-open >/dev/null; then\n"
		                   "exec xdg-open \"$TWINDEX_FILE\"; fi\n");
		pager_command(&command);
		buf_adds(&command, " \"$TWINDEX_FILE\"");
	}
	if (command_run(buf_str(&command), -1, &err) < 0)
		cmd_fail(d->out, NULL, &err);
	unsetenv("TWINDEX_FILE");
	buf_release(&command);
	/* Ctrl-C was for the program. */
	if (stop_signal() == SIGINT)
		stop_clear();
	return DECIDE_AGAIN;
}

/* Write what was chosen in one set.  Returns what comes next. */
static enum decide_next
decide_keep_set(struct decide *d, struct decide_groups_look *l, size_t number, const struct decide_groups_chosen *chosen)
{
	struct decide_groups_set *set = &d->o.sets.v[number];
	struct decide_answer answer = { .group = set->group, .set = number };
	struct decide_groups_choice choice = { .items = { 0 } };
	struct err err = { 0 };
	struct buf b = { 0 };
	int ret;

	decide_groups_keep(l, set, chosen, &choice);
	vec_push(&answer.sets, number);
	ret = decide_write(d, &choice, &answer, &err);
	for (size_t i = 0; ret == 0 && i < choice.items.n; i++) {
		/* Two fit on a line, mostly. */
		buf_addf(&b, "%s%s ", i == 0 ? "  " : decide_is_narrow(d) || choice.items.n > 2 ? "\n  " : "   ",
		         mark_name(choice.items.v[i].decision));
		decide_add_path(d, &b, choice.items.v[i].path);
	}
	if (ret == 0 && choice.items.n > 0)
		buf_addc(&b, '\n');
	decide_print(d, &b);
	if (ret == 0)
		decide_say_must(d, choice.n_must);
	decide_groups_choice_release(&choice);
	buf_release(&b);
	return ret < 0 ? decide_fail(d, &err) : DECIDE_NEXT;
}

/* Find the copy where the last answer's was: the only one in its directory, else in its place. */
static bool
decide_find_last(const struct decide *d, const struct decide_groups_look *l, const struct decide_choices *choices, size_t *name)
{
	for (int place = 0; place < 2; place++) {
		size_t n = 0;

		for (size_t i = 0; i < choices->n; i++) {
			const struct decide_groups_name *one = &l->names.v[choices->v.v[i]];
			const char *path = decide_groups_path(l, one);
			const size_t len = path_parent_len(path);

			if (place == 0 ? len != d->last.dir.len || memcmp(path, d->last.dir.data, len) != 0 : one->place != d->last.place)
				continue;
			*name = choices->v.v[i];
			n++;
		}
		if (n == 1)
			return true;
	}
	return false;
}

/*
 * Repeat the last answer for a set.  Returns DECIDE_AGAIN, with a message, where that does not
 * tell which copy stays.
 */
static enum decide_next
decide_repeat(struct decide *d, struct decide_groups_look *l, size_t number, const struct decide_choices *choices)
{
	size_t name;

	if (d->last.all || d->last.rules)
		return decide_keep_set(d, l, number, &(struct decide_groups_chosen){ .rules = d->last.rules });
	if (decide_find_last(d, l, choices, &name))
		return decide_keep_set(d, l, number, &(struct decide_groups_chosen){ .name = &name });
	fputs("  the last answer does not say which copy of this set stays\n", d->out);
	return DECIDE_AGAIN;
}

/* Keep the copy with this number, and remember where it lies. */
static enum decide_next
decide_keep_number(struct decide *d, struct decide_groups_look *l, size_t number, const struct decide_choices *choices, size_t answer)
{
	const size_t name = choices->v.v[answer - 1];
	const char *path = decide_groups_path(l, &l->names.v[name]);

	d->last = (struct decide_last){ .known = true, .place = l->names.v[name].place, .dir = d->last.dir };
	buf_cut(&d->last.dir, 0);
	buf_add(&d->last.dir, path, path_parent_len(path));
	return decide_keep_set(d, l, number, &(struct decide_groups_chosen){ .name = &name });
}

/* Append the numbers that answer a question. */
static void
decide_add_numbers(const struct decide *d, struct buf *b, size_t n)
{
	buf_addc(b, '1');
	if (n > 1)
		buf_addf(b, "-%zu", n);
	buf_adds(b, decide_is_narrow(d) ? " " : ", ");
}

/* Ask about the set that was looked at. */
static enum decide_next
decide_ask_set(struct decide *d, struct decide_groups_look *l, size_t number, struct decide_choices *choices)
{
	struct buf b = { 0 }, rest = { 0 }, letters = { 0 };
	/* Enter is an answer only where the user has said by which rules. */
	const bool rules = decide_groups_has_rules(&d->o);
	struct keys_answer answer;
	int ret;

	buf_adds(&b, "  keep? [");
	decide_add_numbers(d, &b, choices->n);
	if (decide_is_narrow(d))
		buf_addf(&b, "k a v n u %sg q ?] ", d->last.known ? ". " : "");
	else {
		buf_addf(&b, "k%s as marked >, all, v look,", rules ? " or Enter" : "");
		buf_addf(&rest, "n later, u undo, %sg groups, q] ", d->last.known ? ". as the last answer to the end, " : "");
		/* On two lines where it does not fit on one. */
		buf_addf(&b, width_of(buf_str(&b)) + 1 + width_of(buf_str(&rest)) < d->width ? " %s" : "\n         %s", buf_str(&rest));
	}
	buf_addf(&letters, "kavlnugq?%s%s", d->last.known ? "." : "", rules ? "\n" : "");
	ret = keys_ask(d->keys, buf_str(&b), buf_str(&letters), choices->n, &answer);
	buf_release(&b);
	buf_release(&rest);
	buf_release(&letters);
	if (ret <= 0)
		return ret == 0 ? DECIDE_LEAVE : decide_fail(d, (stop_check(d->err), d->err));
	switch (answer.letter) {
	case 0:
		return decide_keep_number(d, l, number, choices, answer.number);
	case 'k':
	case '\n':
	case 'a':
		d->last.known = true;
		d->last.all = answer.letter == 'a';
		d->last.rules = !d->last.all;
		return decide_keep_set(d, l, number, &(struct decide_groups_chosen){ .rules = d->last.rules });
	case '.':
		d->repeats = true;
		return decide_repeat(d, l, number, choices);
	case 'v':
		return decide_open(d, decide_groups_path(l, &l->names.v[choices->v.v[0]]));
	case 'l':
		decide_show_copies(d, l, choices, SIZE_MAX);
		return DECIDE_AGAIN;
	case 'u':
		return decide_undo(d);
	case 'n':
		return DECIDE_NEXT;
	case 'g':
		return DECIDE_GROUPS;
	case 'q':
		return DECIDE_LEAVE;
	default:
		fputs("  a number: that copy stays, the others are marked drop; a: all stay\n"
		      "  v opens the file; l lists all copies; n asks later; u takes the last answer back\n"
		      "  . keeps in all sets that follow the copy that lies where the last one did\n"
		      "  k keeps what is marked >: what rm lets stay; with --keep and the like Enter, too\n"
		      "  g goes on with the groups; q leaves: what is marked stays marked, nothing is touched\n", d->out);
		return DECIDE_AGAIN;
	}
}

/* Show a set, the nth of its group, and ask about it until that is answered. */
static enum decide_next
decide_set(struct decide *d, size_t number, size_t nth, size_t of)
{
	struct decide_groups_set *set = &d->o.sets.v[number];
	struct decide_choices choices = { .n = 0 };
	enum decide_next next = DECIDE_NEXT;
	struct decide_groups_look l;
	struct err err = { 0 };
	struct index *ix;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	if (decide_look(d, &l, &ix, &err) < 0 || decide_groups_look_at(&l, set, &err) < 0) {
		decide_look_end(&l, ix);
		next = decide_fail(d, &err);
		return next == DECIDE_AGAIN ? DECIDE_NEXT : next;
	}
	/* Nothing is held while the question waits. */
	decide_groups_look_rest(&l);
	index_close(ix);
	decide_list_choices(&l, &choices);
	next = set->open && d->repeats ? decide_repeat(d, &l, number, &choices) : DECIDE_AGAIN;
	if (set->open && next == DECIDE_AGAIN) {
		fprintf(d->out, "set %zu of %zu   %s of %s\n", nth, of, num_show_things((int64_t)choices.n, "copy", "copies", y),
		        num_show_size(set->size, NUM_IEC, x));
		decide_show_copies(d, &l, &choices, DECIDE_COPIES);
		while (next == DECIDE_AGAIN)
			next = decide_ask_set(d, &l, number, &choices);
	} else if (!set->open && next == DECIDE_AGAIN) {
		next = DECIDE_NEXT;
		fprintf(d->out, "set %zu of %zu   %s: nothing is to be decided\n", nth, of,
		        decide_groups_hides_some(&l) ? "has copies that are offline or unreadable" : "has changed since the scan");
	}
	decide_groups_look_end(&l);
	vec_release(&choices.v);
	return next;
}

/* Ask about the sets of a group that are to be decided, one by one. */
static enum decide_next
decide_sets(struct decide *d, size_t group)
{
	const struct decide_groups_group *g = &d->o.groups.v[group];
	enum decide_next next = DECIDE_NEXT;
	VEC(size_t) sets = { 0 };
	size_t i = 0;

	for (size_t set = g->first; set < g->first + g->n; set++) {
		if (d->o.sets.v[set].open)
			vec_push(&sets, set);
	}
	d->last.known = d->last.all = d->last.rules = d->repeats = false;
	while (next == DECIDE_NEXT && i < sets.n) {
		if (d->o.sets.v[sets.v[i]].open)
			next = decide_set(d, sets.v[i], i + 1, sets.n);
		i++;
		if (next != DECIDE_BACK)
			continue;
		/* The answer may have been to a set before these, or to the group. */
		for (size_t j = 0; j < sets.n; j++) {
			if (d->back_set == sets.v[j]) {
				i = j;
				next = DECIDE_NEXT;
			}
		}
	}
	vec_release(&sets);
	return next == DECIDE_GROUPS ? DECIDE_NEXT : next;
}

/* List sets of a group, from the *at-th on; *at moves behind them. */
static enum decide_next
decide_list(struct decide *d, size_t group, size_t *at)
{
	const struct decide_groups_group *g = &d->o.groups.v[group];
	struct decide_choices choices = { .n = 0 };
	struct decide_groups_look l;
	struct err err = { 0 };
	struct index *ix;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int ret = decide_look(d, &l, &ix, &err);
	size_t n = 0;

	if (*at >= g->n)
		*at = 0;
	for (; ret == 0 && *at < g->n && n < DECIDE_LISTS; ++*at) {
		struct decide_groups_set *set = &d->o.sets.v[g->first + *at];

		ret = decide_groups_look_at(&l, set, &err);
		if (ret < 0 || !set->open)
			continue;
		decide_list_choices(&l, &choices);
		fprintf(d->out, "  %zu of %zu   %s of %s\n", *at + 1, g->n, num_show_things((int64_t)choices.n, "copy", "copies", y),
		        num_show_size(set->size, NUM_IEC, x));
		decide_show_copies(d, &l, &choices, DECIDE_COPIES);
		n++;
	}
	decide_look_end(&l, ix);
	vec_release(&choices.v);
	if (ret == 0 && *at < g->n)
		fputs("  l lists more\n", d->out);
	return ret < 0 ? decide_fail(d, &err) : DECIDE_AGAIN;
}

static enum decide_next decide_level(struct decide *d, const struct decide_groups_query *q);

/* Look at the sets of a group again, for marks on these were made at another level. */
static enum decide_next
decide_look_again(struct decide *d, size_t group)
{
	const struct decide_groups_group *g = &d->o.groups.v[group];
	struct decide_groups_look l;
	struct err err = { 0 };
	struct index *ix;
	int ret = decide_look(d, &l, &ix, &err);

	for (size_t i = g->first; ret == 0 && i < g->first + g->n; i++)
		ret = decide_groups_look_at(&l, &d->o.sets.v[i], &err);
	decide_look_end(&l, ix);
	return ret < 0 && decide_fail(d, &err) == DECIDE_FAILED ? DECIDE_FAILED : DECIDE_NEXT;
}

/* Ask about the sets of a group that lies in one directory by the directories below that. */
static enum decide_next
decide_deeper(struct decide *d, size_t group)
{
	const struct decide_groups_group *g = &d->o.groups.v[group];
	const char *dirs[] = { d->o.places.v.v[g->places[0]].path };
	struct decide_groups_query q = d->o.q;
	struct decide below = { .c = d->c, .keys = d->keys, .base = d->base, .out = d->out, .width = d->width, .totals = d->totals,
	                        .err = d->err };
	enum decide_next next;

	q.sets.dirs = dirs;
	q.sets.n_dirs = 1;
	q.within = true;
	next = decide_level(&below, &q);
	/* Decisions of that level count here, too, and can be taken back here. */
	for (size_t i = 0; i < below.answers.n; i++) {
		struct decide_answer *answer = vec_add(&d->answers);

		*answer = below.answers.v[i];
		answer->group = group;
		answer->set = SIZE_MAX;
		answer->deeper = true;
	}
	vec_release(&below.answers);
	return next == DECIDE_LEAVE || next == DECIDE_FAILED ? next : decide_look_again(d, group);
}

/* Ask about a group until that is answered. */
static enum decide_next
decide_group(struct decide *d, size_t group)
{
	const struct decide_groups_group *g = &d->o.groups.v[group];
	/* Its copies lie in one directory, below which they can be told apart. */
	const bool deeper = g->n_places == 1 && !d->o.places.v.v[g->places[0]].own;
	const size_t n = g->n_places > 1 || g->trash ? g->n_places : 0;
	enum decide_next next = DECIDE_AGAIN;
	struct keys_answer answer;
	struct buf letters = { 0 }, b = { 0 };
	size_t listed = 0;

	decide_show_group(d, group);
	buf_addf(&letters, "kaslnuq?%s", deeper ? "d" : "");
	buf_adds(&b, "  keep where? [");
	if (n > 0)
		decide_add_numbers(d, &b, n);
	if (decide_is_narrow(d))
		buf_addf(&b, "k a s %sl n u q ?] ", deeper ? "d " : "");
	else
		buf_addf(&b, "k by rule, all, s each set, %sl list, n later, u undo, q] ", deeper ? "d by directories below, " : "");
	while (next == DECIDE_AGAIN) {
		const int ret = keys_ask(d->keys, buf_str(&b), buf_str(&letters), n, &answer);

		if (ret <= 0)
			next = ret == 0 ? DECIDE_LEAVE : decide_fail(d, (stop_check(d->err), d->err));
		else if (answer.letter == 0)
			next = decide_keep_group(d, group, &(struct decide_groups_chosen){ .place = &g->places[answer.number - 1] });
		else if (answer.letter == 'a' || answer.letter == 'k')
			next = decide_keep_group(d, group, &(struct decide_groups_chosen){ .rules = answer.letter == 'k' });
		else if (answer.letter == 's')
			next = decide_sets(d, group);
		else if (answer.letter == 'd')
			next = decide_deeper(d, group);
		else if (answer.letter == 'l')
			next = decide_list(d, group, &listed);
		else if (answer.letter == 'u')
			next = decide_undo(d);
		else if (answer.letter == 'n')
			next = DECIDE_NEXT;
		else if (answer.letter == 'q')
			next = DECIDE_LEAVE;
		else
			fputs("  a number: in all sets of the group the copies in that directory stay, the others\n"
			      "  are marked drop; a: all stay; k: what l marks >, which rm lets stay.  s asks\n"
			      "  about each set, l lists some, n asks later\n"
			      "  u takes the last answer back; q leaves: what is marked stays marked.  Nothing is\n"
			      "  touched but marks: 'rm --marked' acts\n", d->out);
	}
	buf_release(&letters);
	buf_release(&b);
	return next;
}

/* Ask about all groups of a query. */
static enum decide_next
decide_level(struct decide *d, const struct decide_groups_query *q)
{
	enum decide_next next = DECIDE_NEXT;
	struct index *ix = NULL;
	size_t group = 0;
	int ret = cmd_open(d->c->globals, 0, &ix, d->err);

	if (ret == 0)
		ret = decide_groups_load(&d->o, ix, q, d->err);
	index_close(ix);
	if (ret < 0)
		next = DECIDE_FAILED;
	else
		decide_hello(d);
	while (next != DECIDE_FAILED && next != DECIDE_LEAVE && group < d->o.groups.n) {
		if (decide_group_open(d, &d->o.groups.v[group]) == 0) {
			group++;
			continue;
		}
		next = decide_group(d, group);
		if (next == DECIDE_BACK) {
			group = d->back_group;
			next = d->back_deeper ? decide_look_again(d, group) : DECIDE_NEXT;
		} else if (next != DECIDE_LEAVE && next != DECIDE_FAILED) {
			decide_say_progress(d);
			group++;
		}
	}
	if (ret == 0)
		decide_count(d, &d->totals->n_decided, &d->totals->n_sets);
	buf_release(&d->last.dir);
	decide_groups_release(&d->o);
	return next;
}

int
decide_run(const struct cmd_call *c, const struct decide_groups_query *q, const char *base, struct keys *keys, struct decide_totals *totals,
           struct err *err)
{
	struct decide d = { .c = c, .keys = keys, .base = base, .out = c->msg, .width = c->env->width > 0 ? c->env->width : 80,
	                    .totals = totals, .err = err };
	int ret = 0;

	*totals = (struct decide_totals){ 0 };
	if (decide_level(&d, q) == DECIDE_FAILED)
		ret = -1;
	for (size_t i = 0; i < d.answers.n; i++)
		vec_release(&d.answers.v[i].sets);
	vec_release(&d.answers);
	return ret;
}
