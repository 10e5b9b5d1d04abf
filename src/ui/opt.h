/* SPDX-License-Identifier: MIT */
/*
 * opt - command line options as const tables: parsed into a struct, printed as help, checked
 * against the manual.
 */
#ifndef UI_OPT_H
#define UI_OPT_H

enum opt_type {
	OPT_FLAG,      /* bool: set to true */
	OPT_COUNT,     /* int: counted up */
	OPT_INT,       /* int64_t, 0 or more */
	OPT_SIZE,      /* int64_t bytes, num_parse_size */
	OPT_DURATION,  /* int64_t ns, num_parse_duration */
	OPT_STRING,    /* const char *, borrowed from argv */
	OPT_LIST,      /* struct opt_list: every use appends */
	OPT_CHOICE     /* int: position of the word in choices; unique beginnings count */
};

/** The values of a repeatable option, borrowed from argv; free with opt_release(). */
struct opt_list {
	const char **v;
	size_t n, cap;
};

/** One option.  A table of them ends with OPT_END. */
struct opt {
	int ch;                      /* short letter, or 0 */
	const char *name;            /* long name without dashes */
	enum opt_type type;
	size_t at;                   /* offset of its field in the values struct */
	const char *arg;             /* its argument in the help; NULL for OPT_FLAG and OPT_COUNT */
	const char *help;            /* lower case, no period; NULL: works, but is not shown */
	const char *const *choices;  /* OPT_CHOICE: words, NULL at the end */
};

#define OPT_END { 0, NULL, OPT_FLAG, 0, NULL, NULL, NULL }

/* Offset of a field that must have type T; anything else does not compile. */
#define OPT_AT(S, field, T) _Generic(((S *)0)->field, T: offsetof(S, field))
#define OPT_FLAG_(ch, name, S, field, help) \
	{ ch, name, OPT_FLAG, OPT_AT(S, field, bool), NULL, help, NULL }
#define OPT_COUNT_(ch, name, S, field, help) \
	{ ch, name, OPT_COUNT, OPT_AT(S, field, int), NULL, help, NULL }
#define OPT_INT_(ch, name, S, field, arg, help) \
	{ ch, name, OPT_INT, OPT_AT(S, field, int64_t), arg, help, NULL }
#define OPT_SIZE_(ch, name, S, field, arg, help) \
	{ ch, name, OPT_SIZE, OPT_AT(S, field, int64_t), arg, help, NULL }
#define OPT_DURATION_(ch, name, S, field, arg, help) \
	{ ch, name, OPT_DURATION, OPT_AT(S, field, int64_t), arg, help, NULL }
#define OPT_STRING_(ch, name, S, field, arg, help) \
	{ ch, name, OPT_STRING, OPT_AT(S, field, const char *), arg, help, NULL }
#define OPT_LIST_(ch, name, S, field, arg, help) \
	{ ch, name, OPT_LIST, OPT_AT(S, field, struct opt_list), arg, help, NULL }
#define OPT_CHOICE_(ch, name, S, field, arg, help, words) \
	{ ch, name, OPT_CHOICE, OPT_AT(S, field, int), arg, help, words }

/** A table and the struct that its options fill. */
struct opt_target {
	const struct opt *opts;
	void *values;
	uint64_t *given;   /* bit i: opts[i], of at most 64, was given; NULL: nobody asks */
};

/**
 * Parse argv[0..argc-1] (no program name in front) against the tables of
 * targets, which end with opts == NULL; earlier tables win where a letter or
 * name is in several.  Values stay as they were unless their option is given,
 * so the caller sets defaults before.  Short options group (-qv), take their
 * argument attached or as the next word; long ones take =ARG or the next
 * word, and may be cut to a unique beginning; "--" ends the options.  With
 * stop_early the first word that is no option ends them too; else options
 * and operands mix.  A lone "-" is an operand.
 *
 * The operands are moved to the front of argv in their order, *n_operands
 * counts them (with stop_early: the operand and all after it, untouched).
 * Keeps no state between calls.
 *
 * Returns 0, or -1 with ERR_USAGE: "unknown option '--nope'; did you mean '--note'?",
 * "option '--min-size' needs SIZE", "option '--min-size': '1x' is not a size", "option '--quiet'
 * takes no argument".
 */
int opt_parse(const struct opt_target *targets, int argc, char **argv, bool stop_early,
              int *n_operands, struct err *err);

/** The option of that very name in the first of the tables that has one, or NULL. */
const struct opt *opt_named(const struct opt_target *targets, const char *name);

/**
 * The option with an argument that a word is, or several short ones end with.  *value is the
 * argument in the word, or NULL: it is the next word.  Returns NULL for any other word.
 */
const struct opt *opt_with_argument(const struct opt_target *targets, const char *word, const char **value);

/**
 * Unset the flag other, which the first of the tables that has it has set before, if name was
 * given and other was not.  All tables have given.
 */
void opt_replace(const struct opt_target *targets, const char *name, const char *other);

/** Whether one of the options that set the field at an offset was given, of a table's bits. */
bool opt_given(const struct opt *opts, uint64_t given, size_t at);

/**
 * Append the help of a table: a line for each option that is shown, wrapped at 79 columns, such as
 * "  -m, --min-size SIZE   ignore ...".
 */
void opt_help(struct buf *b, const struct opt *opts);

/** Append the names of the options that are shown and their arguments, wrapped at 79 columns. */
void opt_help_names(struct buf *b, const struct opt *opts);

/** Append text wrapped at 79 columns; its lines that begin with a blank are examples, and stay. */
void opt_help_text(struct buf *b, const char *text);

/** Free the arrays of the lists in a struct of options (their strings are argv's). */
void opt_release(const struct opt *opts, void *values);

#endif
