/* SPDX-License-Identifier: MIT */
/*
 * A rule maps a copy to a number of which the smaller one stays, once for each copy; first-path,
 * newest and oldest alone compare strings and times.
 * Rules with an argument give 0 to a copy that they are for and 1 to another.  A regular expression
 * sees bytes, as all patterns of twindex do: it is compiled and run in the C locale.
 */
#include "base/base.h"

#include "query/keep_rules.h"

#include <locale.h>
#include <regex.h>

enum keep_rule_kind {
	KEEP_FIRST_PATH, KEEP_SHORTEST, KEEP_LONGEST, KEEP_SHALLOWEST, KEEP_DEEPEST, KEEP_NEWEST, KEEP_OLDEST, KEEP_MOST_LINKS,
	KEEP_ROOT_ORDER, KEEP_IN, KEEP_NOT_IN, KEEP_NAME, KEEP_REGEX, KEEP_RULE_KINDS
};

const char *const keep_rules_names[] = {
	"first-path", "shortest-path", "longest-path", "shallowest", "deepest", "newest", "oldest", "most-links", "root-order",
	"in:DIR", "not-in:DIR", "name:GLOB", "regex:RE", NULL
};
static_assert(sizeof(keep_rules_names) / sizeof(keep_rules_names[0]) == KEEP_RULE_KINDS + 1, "a word for each rule");

struct keep_rule {
	enum keep_rule_kind kind;
	char *arg;               /* owned; "" for a rule without */
	regex_t re;              /* of KEEP_REGEX */
	locale_t bytes;          /* the C locale, of KEEP_REGEX */
};

/* Free one, whose regular expression may not have been compiled. */
static void
keep_rule_release(struct keep_rule *rule, bool compiled)
{
	if (compiled)
		regfree(&rule->re);
	if (rule->bytes != (locale_t)0)
		freelocale(rule->bytes);
	free(rule->arg);
}

void
keep_rules_release(struct keep_rules *r)
{
	for (size_t i = 0; i < r->n; i++)
		keep_rule_release(&r->v[i], r->v[i].kind == KEEP_REGEX);
	vec_release(r);
}

/* Whether word is the rule name, or its argument, at *arg, stands where name has its last word. */
static bool
keep_rule_is(const char *word, const char *name, const char **arg)
{
	const char *colon = strchr(name, ':');
	const size_t len = colon != NULL ? (size_t)(colon + 1 - name) : strlen(name) + 1;

	*arg = colon != NULL ? word + len : "";
	return strncmp(word, name, len) == 0;
}

static int
keep_rule_compile(struct keep_rule *rule, struct err *err)
{
	locale_t before;
	char why[200];
	int error;

	rule->bytes = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (rule->bytes == (locale_t)0)
		return err_sys(err, "the C locale");
	before = uselocale(rule->bytes);
	error = regcomp(&rule->re, rule->arg, REG_EXTENDED | REG_NOSUB);
	if (error != 0)
		regerror(error, &rule->re, why, sizeof(why));
	uselocale(before);
	return error != 0 ? err_set(err, ERR_USAGE, "option '--keep': '%s' is not a regular expression: %s", rule->arg, why) : 0;
}

/* Make the rule of a word. */
static int
keep_rule_make(struct keep_rule *rule, const char *word, keep_rules_resolve_fn *resolve, void *arg, struct err *err)
{
	const char *rest = "";
	struct buf path = { 0 }, all = { 0 };
	size_t kind = 0;

	while (kind < KEEP_RULE_KINDS && !keep_rule_is(word, keep_rules_names[kind], &rest))
		kind++;
	if (kind == KEEP_RULE_KINDS) {
		for (size_t i = 0; keep_rules_names[i] != NULL; i++)
			buf_addf(&all, "%s%s", i > 0 ? ", " : "", keep_rules_names[i]);
		err_set(err, ERR_USAGE, "option '--keep': '%s' is not a rule; there are %s", word, buf_str(&all));
		buf_release(&all);
		return -1;
	}
	if (kind >= KEEP_IN && *rest == '\0')
		return err_set(err, ERR_USAGE, "option '--keep': '%s' needs what stands for %s", word, strchr(keep_rules_names[kind], ':') + 1);
	*rule = (struct keep_rule){ .kind = (enum keep_rule_kind)kind };
	if (kind != KEEP_IN && kind != KEEP_NOT_IN)
		rule->arg = mem_str(rest);
	else if (resolve(arg, rest, &path, err) < 0) {
		buf_release(&path);
		return -1;
	} else
		rule->arg = buf_take(&path);
	if (kind == KEEP_REGEX && keep_rule_compile(rule, err) < 0) {
		keep_rule_release(rule, false);
		return -1;
	}
	return 0;
}

int
keep_rules_parse(struct keep_rules *r, const char *text, keep_rules_resolve_fn *resolve, void *arg, struct err *err)
{
	struct buf word = { 0 };
	struct keep_rule rule;
	int ret;

	for (;; text++) {
		buf_cut(&word, 0);
		for (; *text != '\0' && *text != ','; text++) {
			/* "\," is a comma of the word. */
			if (text[0] == '\\' && text[1] == ',')
				text++;
			buf_addc(&word, *text);
		}
		ret = keep_rule_make(&rule, buf_str(&word), resolve, arg, err);
		if (ret == 0)
			vec_push(r, rule);
		if (ret < 0 || *text == '\0')
			break;
	}
	buf_release(&word);
	return ret;
}

static int64_t
keep_rule_depth(const char *path)
{
	int64_t n = 0;

	for (; *path != '\0'; path++)
		n += *path == '/';
	return n;
}

/* The number that a rule gives a copy: the smallest stays.  0: copies themselves are compared. */
static int64_t
keep_rule_number(const struct keep_rule *rule, const struct keep_facts *f)
{
	locale_t before;
	bool matches;

	switch (rule->kind) {
	case KEEP_SHORTEST:
		return (int64_t)strlen(f->path);
	case KEEP_LONGEST:
		return -(int64_t)strlen(f->path);
	case KEEP_SHALLOWEST:
		return keep_rule_depth(f->path);
	case KEEP_DEEPEST:
		return -keep_rule_depth(f->path);
	case KEEP_MOST_LINKS:
		return -f->nlink;
	case KEEP_ROOT_ORDER:
		return f->root;
	case KEEP_IN:
		return !path_is_below(f->path, rule->arg);
	case KEEP_NOT_IN:
		return path_is_below(f->path, rule->arg);
	case KEEP_NAME:
		return !glob_is_one_of((const char *const[]){ rule->arg }, 1, path_base(f->path));
	case KEEP_REGEX:
		before = uselocale(rule->bytes);
		matches = regexec(&rule->re, f->path, 0, NULL, 0) == 0;
		uselocale(before);
		return !matches;
	case KEEP_FIRST_PATH:
	case KEEP_NEWEST:
	case KEEP_OLDEST:
		return 0;
	case KEEP_RULE_KINDS:
		break;
	}
	assert(false);
	return 0;
}

bool
keep_rules_ask_times(const struct keep_rules *r)
{
	bool ask = false;

	for (size_t i = 0; i < r->n; i++)
		ask |= r->v[i].kind == KEEP_NEWEST || r->v[i].kind == KEEP_OLDEST;
	return ask;
}

void
keep_rules_measure(const struct keep_rules *r, const struct keep_facts *f, int64_t *numbers)
{
	for (size_t i = 0; i < r->n; i++)
		numbers[i] = keep_rule_number(&r->v[i], f);
}

int
keep_rules_cmp(const struct keep_rules *r, const struct keep_facts *a, const struct keep_facts *b)
{
	int cmp = 0;

	assert(r->n == 0 || (a->numbers != NULL && b->numbers != NULL));
	for (size_t i = 0; i < r->n && cmp == 0; i++) {
		if (r->v[i].kind == KEEP_FIRST_PATH)
			cmp = strcmp(a->path, b->path);
		else if (r->v[i].kind == KEEP_NEWEST)
			cmp = fs_time_cmp(b->mtime, a->mtime);
		else if (r->v[i].kind == KEEP_OLDEST)
			cmp = fs_time_cmp(a->mtime, b->mtime);
		else
			cmp = (a->numbers[i] > b->numbers[i]) - (a->numbers[i] < b->numbers[i]);
	}
	return cmp;
}
