/* SPDX-License-Identifier: MIT */
/*
 * opt - parse and describe command lines by table.
 *
 * Why not getopt_long: it keeps its position in globals, permutes argv in
 * its own way on every libc, and prints to stderr.  The interactive shell
 * parses line after line in one process, and a command may be parsed while
 * another one's words are still in use; so all state is on the stack here,
 * and what is wrong is returned.
 *
 * Operands are collected by swapping: argv[0..n) are the operands found so
 * far, argv[n..i) option words that were dealt with, whose order matters no
 * more.  So argv stays a permutation of itself, and parsing is linear.
 */
#include "base/base.h"

#include "ui/opt.h"

#include "ui/typo.h"

/* The width of the help, and the widest left column that the others still align with. */
enum { HELP_WIDTH = 79, HELP_LEFT_MAX = 30, HELP_GAP = 3, HELP_INDENT = 2 };

/* One command line while it is parsed. */
struct parse {
	const struct opt_target *targets;
	int argc;
	char **argv;
	int i;              /* the next word */
	struct err *err;
};

/* An option that was found in a table, and how the messages call it. */
struct hit {
	const struct opt *opt;
	const struct opt_target *target;
	char shown[64];
};

static bool
opt_is_end(const struct opt *o)
{
	return o->ch == 0 && o->name == NULL;
}

static bool
opt_takes_argument(const struct opt *o)
{
	return o->type != OPT_FLAG && o->type != OPT_COUNT;
}

/* Step to the next option of all tables; a zeroed hit, to the first.  Returns whether it is one. */
static bool
opt_next(const struct parse *p, struct hit *hit)
{
	if (hit->target == NULL) {
		hit->target = p->targets;
		hit->opt = hit->target->opts;
	} else
		hit->opt++;
	while (hit->opt != NULL && opt_is_end(hit->opt)) {
		hit->target++;
		hit->opt = hit->target->opts;
	}
	return hit->opt != NULL;
}

static bool
opt_find_short(const struct parse *p, char ch, struct hit *hit)
{
	*hit = (struct hit){ .opt = NULL };
	while (opt_next(p, hit)) {
		if (hit->opt->ch == (unsigned char)ch) {
			snprintf(hit->shown, sizeof(hit->shown), "-%c", ch);
			return true;
		}
	}
	return false;
}

/*
 * Whether giving one option has the same effect as giving another one: the same field, or hidden
 * behind it.
 */
static bool
opt_is_same(const struct hit *a, const struct hit *b)
{
	return strcmp(a->opt->name, b->opt->name) == 0 ||
	       (a->target->values == b->target->values && a->opt->at == b->opt->at && a->opt->type == b->opt->type);
}

/*
 * Find a long option by its name, or one that the help shows by a beginning
 * of it: a hidden old spelling must not make a shown one ambiguous.  Returns
 * how many different ones are meant: 0, 1 (in *hit) or 2 for several.
 */
static int
opt_find_long(const struct parse *p, const char *name, size_t len, struct hit *hit)
{
	struct hit at = { .opt = NULL };
	int found = 0;
	bool exact = false;

	while (!exact && opt_next(p, &at)) {
		if (at.opt->name == NULL || len == 0 || strncmp(at.opt->name, name, len) != 0)
			continue;
		exact = at.opt->name[len] == '\0';
		if (exact || (at.opt->help != NULL && found == 0)) {
			*hit = at;
			found = 1;
		} else if (at.opt->help != NULL && !opt_is_same(hit, &at))
			found = 2;  /* but an exact name may still come */
	}
	if (found == 1)
		snprintf(hit->shown, sizeof(hit->shown), "--%s", hit->opt->name);
	return found;
}

/* Find the option of that very name.  Returns whether there is one. */
static bool
opt_find_name(const struct opt_target *targets, const char *name, struct hit *hit)
{
	const struct parse p = { .targets = targets };

	return opt_find_long(&p, name, strlen(name), hit) > 0 && strcmp(hit->opt->name, name) == 0;
}

const struct opt *
opt_named(const struct opt_target *targets, const char *name)
{
	struct hit hit;

	return opt_find_name(targets, name, &hit) ? hit.opt : NULL;
}

const struct opt *
opt_with_argument(const struct opt_target *targets, const char *word, const char **value)
{
	const struct parse p = { .targets = targets };
	const size_t len = strcspn(word, "=");
	struct hit hit;

	*value = NULL;
	if (strncmp(word, "--", 2) == 0) {
		if (opt_find_long(&p, word + 2, len - 2, &hit) != 1 || !opt_takes_argument(hit.opt))
			return NULL;
		if (word[len] == '=')
			*value = word + len + 1;
		return hit.opt;
	}
	if (*word != '-')
		return NULL;
	for (word++; *word != '\0' && opt_find_short(&p, *word, &hit); word++) {
		if (opt_takes_argument(hit.opt)) {
			if (word[1] != '\0')
				*value = word + 1;
			return hit.opt;
		}
	}
	return NULL;
}

void
opt_replace(const struct opt_target *targets, const char *name, const char *other)
{
	struct hit hit, old;

	if (opt_find_name(targets, name, &hit) && opt_find_name(targets, other, &old) &&
	    opt_given(hit.target->opts, *hit.target->given, hit.opt->at) && !opt_given(old.target->opts, *old.target->given, old.opt->at))
		*(bool *)((char *)old.target->values + old.opt->at) = false;
}

bool
opt_given(const struct opt *opts, uint64_t given, size_t at)
{
	for (size_t i = 0; !opt_is_end(&opts[i]); i++) {
		if (opts[i].at == at && (given >> i & 1) != 0)
			return true;
	}
	return false;
}

static int
opt_fail_ambiguous(const struct parse *p, const char *name, size_t len)
{
	struct hit at = { .opt = NULL };
	struct buf list = { 0 };

	while (opt_next(p, &at)) {
		if (at.opt->name != NULL && at.opt->help != NULL && strncmp(at.opt->name, name, len) == 0)
			buf_addf(&list, "%s'--%s'", list.len > 0 ? ", " : "", at.opt->name);
	}
	err_set(p->err, ERR_USAGE, "option '--%.*s' is ambiguous: %s", (int)len, name, buf_str(&list));
	buf_release(&list);
	return -1;
}

/* Whether a word is one of those in an option's name, as "size" in min-size. */
static bool
opt_is_part(const char *word, size_t len, const char *name)
{
	for (const char *part = name; part != NULL; part = strchr(part, '-')) {
		part += *part == '-';
		if (strcspn(part, "-") == len && strncmp(part, word, len) == 0)
			return true;
	}
	return false;
}

static int
opt_fail_unknown_long(const struct parse *p, const char *name, size_t len)
{
	struct hit at = { .opt = NULL };
	const char *nearest = NULL;
	size_t best = TYPO_NONE;

	while (opt_next(p, &at)) {
		if (at.opt->name != NULL && at.opt->help != NULL && typo_is_nearer(name, len, at.opt->name, &best))
			nearest = at.opt->name;
	}
	/* Two edits make many a word of many another; a part of a name is nearer. */
	at.target = NULL;
	while (best > 1 && opt_next(p, &at)) {
		if (at.opt->name != NULL && at.opt->help != NULL && opt_is_part(name, len, at.opt->name)) {
			nearest = at.opt->name;
			best = 1;
		}
	}
	if (nearest == NULL)
		return err_set(p->err, ERR_USAGE, "unknown option '--%.*s'", (int)len, name);
	return err_set(p->err, ERR_USAGE, "unknown option '--%.*s'; did you mean '--%s'?",
	               (int)len, name, nearest);
}

/* at is the unknown letter within word; a word like "-help" gets a hint. */
static int
opt_fail_unknown_short(const struct parse *p, const char *word, const char *at)
{
	struct hit hit;
	size_t len = strcspn(word + 1, "=");
	int n = 1;

	while (((unsigned char)at[n] & 0xc0) == 0x80)
		n++;  /* the rest of a UTF-8 character */
	if (len > 1 && opt_find_long(p, word + 1, len, &hit) == 1 && hit.opt->help != NULL)
		return err_set(p->err, ERR_USAGE, "unknown option '-%.*s'; did you mean '%s'?", n, at, hit.shown);
	return err_set(p->err, ERR_USAGE, "unknown option '-%.*s'", n, at);
}

/* Find the word that value means, by name or unique beginning. */
static int
opt_set_choice(const struct hit *h, const char *value, int *choice, struct err *err)
{
	const char *const *words = h->opt->choices;
	struct buf list = { 0 };
	size_t len = strlen(value);
	int i, found = -1, n = 0;

	for (i = 0; words[i] != NULL; i++) {
		if (len == 0 || strncmp(words[i], value, len) != 0)
			continue;
		found = i;
		n++;
		if (words[i][len] == '\0') {
			n = 1;
			break;
		}
	}
	if (n == 1) {
		*choice = found;
		return 0;
	}
	for (i = 0; words[i] != NULL; i++) {
		if (n == 0 || strncmp(words[i], value, len) == 0)
			buf_addf(&list, "%s%s", list.len > 0 ? ", " : "", words[i]);
	}
	err_set(err, ERR_USAGE, "option '%s': '%s' is %s %s", h->shown, value,
	        n > 1 ? "ambiguous:" : "none of", buf_str(&list));
	buf_release(&list);
	return -1;
}

/* Store an option; value is NULL for those that take none. */
static int
opt_set_value(const struct hit *h, const char *value, struct err *err)
{
	void *field = (char *)h->target->values + h->opt->at;
	const char *what = NULL;
	int64_t n = 0;

	assert(h->target->given == NULL || h->opt - h->target->opts < 64);
	if (h->target->given != NULL)
		*h->target->given |= (uint64_t)1 << (h->opt - h->target->opts);
	switch (h->opt->type) {
	case OPT_FLAG:
		*(bool *)field = true;
		return 0;
	case OPT_COUNT:
		if (*(int *)field < INT_MAX)
			++*(int *)field;
		return 0;
	case OPT_STRING:
		*(const char **)field = value;
		return 0;
	case OPT_LIST:
		vec_push((struct opt_list *)field, value);
		return 0;
	case OPT_CHOICE:
		return opt_set_choice(h, value, field, err);
	case OPT_INT:
		if (num_parse_int(value, 0, INT64_MAX, &n) < 0)
			what = "number";
		break;
	case OPT_SIZE:
		if (num_parse_size(value, &n) < 0)
			what = "size";
		break;
	case OPT_DURATION:
		if (num_parse_duration(value, &n) < 0)
			what = "duration";
		break;
	}
	if (what != NULL)
		return err_set(err, ERR_USAGE, "option '%s': '%s' is not a %s", h->shown, value, what);
	*(int64_t *)field = n;
	return 0;
}

/* Store an option whose argument is attached, or else the next word. */
static int
opt_set_with_argument(struct parse *p, const struct hit *h, const char *attached)
{
	if (attached == NULL) {
		if (p->i >= p->argc)
			return err_set(p->err, ERR_USAGE, "option '%s' needs %s", h->shown,
			               h->opt->arg != NULL ? h->opt->arg : "an argument");
		attached = p->argv[p->i++];
	}
	return opt_set_value(h, attached, p->err);
}

/* word is "--name" or "--name=value". */
static int
opt_parse_long(struct parse *p, const char *word)
{
	const char *name = word + 2;
	size_t len = strcspn(name, "=");
	const char *attached = name[len] == '=' ? name + len + 1 : NULL;
	struct hit hit;

	switch (opt_find_long(p, name, len, &hit)) {
	case 0:
		return opt_fail_unknown_long(p, name, len);
	case 1:
		break;
	default:
		return opt_fail_ambiguous(p, name, len);
	}
	if (opt_takes_argument(hit.opt))
		return opt_set_with_argument(p, &hit, attached);
	if (attached != NULL)
		return err_set(p->err, ERR_USAGE, "option '%s' takes no argument", hit.shown);
	return opt_set_value(&hit, NULL, p->err);
}

/* word is "-a", "-abc" or "-mVALUE". */
static int
opt_parse_short(struct parse *p, const char *word)
{
	const char *at;
	struct hit hit;

	for (at = word + 1; *at != '\0'; at++) {
		if (!opt_find_short(p, *at, &hit))
			return opt_fail_unknown_short(p, word, at);
		if (opt_takes_argument(hit.opt))
			return opt_set_with_argument(p, &hit, at[1] != '\0' ? at + 1 : NULL);
		if (opt_set_value(&hit, NULL, p->err) < 0)
			return -1;
	}
	return 0;
}

/* Move the word at position i to the end of the operands. */
static void
opt_take_operand(char **argv, int i, int *n_operands)
{
	char *word = argv[i];

	argv[i] = argv[*n_operands];
	argv[(*n_operands)++] = word;
}

int
opt_parse(const struct opt_target *targets, int argc, char **argv, bool stop_early,
          int *n_operands, struct err *err)
{
	struct parse p = { targets, argc, argv, 0, err };
	const char *word;
	int n = 0;

	while (p.i < argc) {
		word = argv[p.i];
		if (word[0] != '-' || word[1] == '\0') {
			if (stop_early)
				break;
			opt_take_operand(argv, p.i++, &n);
			continue;
		}
		p.i++;
		if (strcmp(word, "--") == 0)
			break;
		if ((word[1] == '-' ? opt_parse_long(&p, word) : opt_parse_short(&p, word)) < 0)
			return -1;
	}
	while (p.i < argc)
		opt_take_operand(argv, p.i++, &n);
	*n_operands = n;
	return 0;
}

/*
 * Append the left column of an option's help; an option without a letter leaves its place empty.
 */
static void
opt_add_left(struct buf *b, const struct opt *o)
{
	if (o->ch != 0)
		buf_addf(b, "  -%c%s", o->ch, o->name != NULL ? ", " : "");
	else
		buf_adds(b, "      ");
	if (o->name != NULL)
		buf_addf(b, "--%s", o->name);
	if (o->arg != NULL)
		buf_addf(b, " %s", o->arg);
}

static void
opt_add_blanks(struct buf *b, size_t n)
{
	buf_addf(b, "%*s", (int)n, "");
}

/* Append len bytes of text word by word at column indent, where b already is. */
static void
opt_add_wrapped(struct buf *b, const char *text, size_t len, size_t indent)
{
	const char *const end = text + len;
	size_t column = indent, gap = 1, word;

	while ((text += strspn(text, " \n")) < end) {
		word = strcspn(text, " \n");
		if (column > indent && column + gap + word > HELP_WIDTH) {
			buf_addc(b, '\n');
			opt_add_blanks(b, indent);
			column = indent;
		} else if (column > indent) {
			opt_add_blanks(b, gap);
			column += gap;
		}
		buf_add(b, text, word);
		column += word;
		text += word;
		gap = text[-1] == '.' ? 2 : 1;
	}
	buf_addc(b, '\n');
}

void
opt_help_text(struct buf *b, const char *text)
{
	const char *end;

	for (; *text != '\0'; text = end) {
		end = text + strcspn(text, "\n");
		/* A paragraph goes up to an example. */
		while (*text != ' ' && *end != '\0' && end[1] != ' ' && end[1] != '\0')
			end += 1 + strcspn(end + 1, "\n");
		if (*text == ' ')
			buf_addf(b, "%.*s\n", (int)(end - text), text);
		else
			opt_add_wrapped(b, text, (size_t)(end - text), 0);
		end += *end != '\0';
	}
}

void
opt_help(struct buf *b, const struct opt *opts)
{
	const struct opt *o;
	struct buf left = { 0 };
	size_t column = 0;

	for (o = opts; !opt_is_end(o); o++) {
		if (o->help == NULL)
			continue;
		opt_add_left(&left, o);
		if (left.len > column && left.len <= HELP_LEFT_MAX)
			column = left.len;
		buf_cut(&left, 0);
	}
	if (column == 0)
		column = HELP_LEFT_MAX;  /* there are only wide ones */
	column += HELP_GAP;
	for (o = opts; !opt_is_end(o); o++) {
		if (o->help == NULL)
			continue;
		opt_add_left(&left, o);
		buf_add(b, left.data, left.len);
		if (left.len + HELP_GAP > column) {
			buf_addc(b, '\n');
			opt_add_blanks(b, column);
		} else {
			opt_add_blanks(b, column - left.len);
		}
		opt_add_wrapped(b, o->help, strlen(o->help), column);
		buf_cut(&left, 0);
	}
	buf_release(&left);
}

void
opt_help_names(struct buf *b, const struct opt *opts)
{
	struct buf names = { 0 };

	for (const struct opt *o = opts; !opt_is_end(o); o++) {
		if (o->help == NULL)
			continue;
		if (o->ch != 0)
			buf_addf(&names, "-%c, ", o->ch);
		buf_addf(&names, "--%s%s%s%s", o->name, o->arg != NULL ? " " : "", o->arg != NULL ? o->arg : "", opt_is_end(o + 1) ? "" : ", ");
	}
	opt_add_blanks(b, HELP_INDENT);
	opt_add_wrapped(b, names.data, names.len, HELP_INDENT);
	buf_release(&names);
}

void
opt_release(const struct opt *opts, void *values)
{
	for (const struct opt *o = opts; o->name != NULL; o++) {
		if (o->type == OPT_LIST)
			vec_release((struct opt_list *)(void *)((char *)values + o->at));
	}
}
