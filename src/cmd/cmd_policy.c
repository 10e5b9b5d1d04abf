/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_policy.h"

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "index/index.h"
#include "query/list.h"
#include "sys/fs.h"
#include "sys/resolve.h"

/* The tree of a section, as an absolute path. */
static int
cmd_policy_tree(const struct settings *s, const struct settings_line *l, struct arena *memory, const char **tree, struct err *err)
{
	const char *typed = settings_policy(l->section);
	struct buf word = { 0 }, path = { 0 };
	int ret = 0;

	if (!resolve_home(&word, typed))
		buf_adds(&word, typed);
	if (buf_str(&word)[0] != '/')
		ret = settings_fail(s, l, err, "[policy DIR]: '%s' is not an absolute path, nor begins with ~/", typed);
	else
		ret = resolve_path(&path, buf_str(&word), NULL, err);
	if (ret == 0)
		*tree = arena_str(memory, buf_str(&path));
	buf_release(&word);
	buf_release(&path);
	return ret;
}

/* Read a line. */
static int
cmd_policy_line(const struct settings *s, const struct settings_line *l, struct policy *p, struct arena *memory, struct err *err)
{
	struct policy_line line = { .number = l->number };
	int rule = 0;

	while (rule < POLICY_RULES && strcmp(policy_rules[rule], l->key) != 0)
		rule++;
	if (rule == POLICY_RULES)
		return settings_fail(s, l, err, "a policy has no '%s', only copies, volumes and offline", l->key);
	line.rule = (enum policy_rule)rule;
	if (l->value == NULL || num_parse_int(l->value, 0, POLICY_MOST, &line.least) < 0)
		return settings_fail(s, l, err, "'%s' of a policy is a number from 0 to %d", l->key, POLICY_MOST);
	if (cmd_policy_tree(s, l, memory, &line.tree, err) < 0)
		return -1;
	if (policy_find(p, line.tree, line.rule) != NULL)
		return settings_fail(s, l, err, "the policy of '%s' has '%s' already", line.tree, l->key);
	/* Numbers of lines are bytes. */
	if (p->lines.n + 1 >= UINT8_MAX)
		return settings_fail(s, l, err, "a policy has at most %d lines", UINT8_MAX - 1);
	vec_push(&p->lines, line);
	return 0;
}

int
cmd_policy_read(const struct cmd_call *c, struct policy *p, struct arena *memory, struct err *err)
{
	const struct settings *s = c->globals->no_config || c->globals->settings_protect ? NULL : c->env->config;
	int ret = 0;

	for (size_t i = 0; s != NULL && ret == 0 && i < s->lines.n; i++) {
		if (settings_policy(s->lines.v[i].section) != NULL)
			ret = cmd_policy_line(s, &s->lines.v[i], p, memory, err);
	}
	if (ret == 0 && s != NULL && s->ignored != NULL)
		return err_set(err, ERR_USAGE, "--policy: the config file is ignored, so that no policy is known");
	if (ret == 0 && p->lines.n == 0)
		return err_set(err, ERR_USAGE, "--policy: the config file has no [policy DIR] with copies, volumes or offline: see '%s help at-risk'", prog_name());
	return ret;
}

/* Whether a tree is asked about: it is not excluded, and an operand lies in it, or above it. */
static bool
cmd_policy_asked(const struct cmd_call *c, const char *tree)
{
	const struct cmd_paths *typed = &c->target->paths, *exclude = &c->target->exclude;

	return (typed->n == 0 || path_is_around_any(tree, typed->v, typed->n)) && !path_is_below_any(tree, exclude->v, exclude->n);
}

/* Add a tree, and of the operands what lies in it. */
static void
cmd_policy_add(const struct cmd_call *c, const char *tree, struct cmd_paths *dirs)
{
	const struct cmd_paths *typed = &c->target->paths;

	if (typed->n == 0)
		vec_push(dirs, mem_str(tree));
	for (size_t i = 0; i < typed->n; i++) {
		if (path_is_below(typed->v[i], tree))
			vec_push(dirs, mem_str(typed->v[i]));
		else if (path_is_below(tree, typed->v[i]))
			vec_push(dirs, mem_str(tree));
	}
}

/* Drop what lies in another one. */
static void
cmd_policy_prune(struct cmd_paths *dirs)
{
	size_t n = 0;

	for (size_t i = 0; i < dirs->n; i++) {
		bool in = false;

		/* Of equal ones the first stays. */
		for (size_t j = 0; j < dirs->n && !in; j++)
			in = dirs->v[j] != NULL && j != i && path_is_below(dirs->v[i], dirs->v[j]) && (j < i || strcmp(dirs->v[i], dirs->v[j]) != 0);
		if (in) {
			free((void *)(uintptr_t)dirs->v[i]);
			dirs->v[i] = NULL;
		}
	}
	for (size_t i = 0; i < dirs->n; i++) {
		if (dirs->v[i] != NULL)
			dirs->v[n++] = dirs->v[i];
	}
	dirs->n = n;
}

/* Whether the tree of a policy is in the index and there, else why not.  Returns 1, 0 or -1. */
static int
cmd_policy_judged(const struct cmd_call *c, const char *tree, struct err *err)
{
	const int known = list_knows(c->ix, tree, err);
	struct fs_stat st;

	if (known == 0)
		cmd_count_gap(c->verdict, tree, GAP_NEVER, true, "the policy is about it, and the index does not have it");
	else if (known == 1 && fs_stat_path(tree, &st) < 0 && fs_is_absent(errno)) {
		cmd_count_gap(c->verdict, tree, GAP_GONE, true, "the policy is about it, and it is not there");
		return 0;
	}
	return known;
}

int
cmd_policy_dirs(const struct cmd_call *c, struct policy *p, struct cmd_paths *dirs, struct err *err)
{
	size_t n = 0;

	for (size_t i = 0; i < p->lines.n; i++) {
		struct policy_line l = p->lines.v[i];
		size_t same = 0;
		int judged;

		if (!cmd_policy_asked(c, l.tree))
			continue;
		/* The first line of each tree stands for it. */
		while (same < n && strcmp(p->lines.v[same].tree, l.tree) != 0)
			same++;
		judged = same < n ? p->lines.v[same].judged : cmd_policy_judged(c, l.tree, err);
		if (judged < 0)
			return -1;
		l.judged = judged != 0;
		if (l.judged && same == n)
			cmd_policy_add(c, l.tree, dirs);
		p->lines.v[n++] = l;
	}
	p->lines.n = n;
	cmd_policy_prune(dirs);
	return n > 0 ? 0 : err_set(err, ERR_USAGE, "--policy: no [policy DIR] of the config file is about that");
}
