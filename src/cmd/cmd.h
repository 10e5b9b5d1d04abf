/* SPDX-License-Identifier: MIT */
/*
 * cmd - subcommands as const records: options, what they need, what they do; and what they share.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "cmd/cmd_fail.h"
#include "cmd/settings.h"
#include "index/gaps.h"
#include "ui/opt.h"
#include "ui/out.h"

struct index;
struct indexes;
struct ls_colors;
struct numbers;
struct usage;

/** What a command needs before it runs. */
enum cmd_flags {
	CMD_READS = 1,      /* the index, read-only */
	CMD_WRITES = 2,     /* the index, locked for writing */
	CMD_VIEWS = 8,      /* ... with its public views */
	CMD_LISTS = 16,     /* the options of listings */
	CMD_NO_PATHS = 32,  /* takes no operands */
	CMD_TALKS = 64,     /* its messages are of the moment: progress, a question */
	CMD_CHOOSES = 256,  /* the options that say which copies stay */
	CMD_JOINS = 512,    /* asks other indexes, too: the option --with */
	CMD_RAW = 128,      /* in the shell, unquoted text is one operand up to the line's end */
	CMD_NUMBERS = 1024, /* in the shell, operands may be numbers of the last listing */
	CMD_PLACES = 2048,  /* ... which stand for the directories of its files */
	CMD_LETS_GO = 8192, /* files go, or are marked: what is protected must be known */
	CMD_TELLS = 16384,  /* what it did or holds can be had as one JSON document: --json */
	CMD_DISK = 4096,    /* its paths are those of the disk; with CMD_READS of the index, too */
	/* Its operands are resolved before it runs (struct cmd_target): */
	CMD_PATHS = 1 << 15, /* they are paths, as the values of its option --path */
	CMD_ONE = 1 << 16,   /* one directory at most; none: the current one */
	CMD_NAMED = 1 << 17, /* the first one is a name */
	CMD_HERE = 1 << 18,  /* no path: cmd_paths_here(), with its option --all */
	CMD_KNOWN = 1 << 19, /* the index has each path; they are pruned */
	CMD_DIRS = 1 << 20,  /* --exclude-path and --in name no files, and no path is left out */
	CMD_NESTED = 1 << 21 /* paths may lie in one another */
};

/** Values of --color. */
enum cmd_color { CMD_COLOR_AUTO, CMD_COLOR_ALWAYS, CMD_COLOR_NEVER };

/** Options that every command takes. */
struct cmd_globals {
	const char *db;          /* index file, or NULL for the default */
	const char *secret_from;
	int verbose;
	int color;               /* enum cmd_color */
	int progress;            /* enum progress_when */
	bool quiet, wait, no_config, settings_protect, help, version;
};

/** Options that every listing takes. */
struct cmd_listing {
	int format;              /* enum out_format */
	const char *cut;
	struct opt_list exclude; /* as typed */
	bool null, json;
	bool si, bytes;
	bool links_unique, links_copies;
	bool online;             /* what is offline is taken not to exist */
	bool absolute;           /* paths are shown whole */
	bool hyperlink;          /* on a terminal they are links */
};

/** Options of every command that chooses which copies stay; cmd_keep.h says what they mean. */
struct cmd_choice {
	struct opt_list keep, protect, only, in;
	int64_t copies;
	bool per_volume;
};

/** Options of every command that asks other indexes, too. */
struct cmd_with {
	struct opt_list indexes; /* as typed */
};

/** Where commands run: the command line once, a shell for many.  Everything is borrowed. */
struct cmd_env {
	const struct cmd *const *commands; /* all there are, NULL at the end */
	FILE *out, *msg;              /* results; everything else */
	bool tty;                     /* results are shown on a terminal, be it through a pager */
	int width;                    /* columns of that terminal, else $COLUMNS, or 0 */
	const char *place;            /* in a script, told by messages: "FILE:12: ls"; or NULL */
	const char *base;             /* of relative paths; NULL: the process's directory */
	struct index *ix;             /* open for reading; NULL: every command opens its own */
	struct numbers *results;      /* the listing is noted there; or NULL */
	bool numbers;                 /* ... and its numbers are shown */
	const struct numbers *of;     /* files are shown with their numbers there; or NULL */
	size_t item;                  /* ... as members of this item, or itself */
	struct usage **usage;         /* sums of ix, kept by du, waste and tree; or NULL */
	struct cmd_globals globals;   /* defaults of the options */
	struct cmd_listing listing;
	const struct settings *config;  /* defaults of a command's options, and aliases; or NULL */
};

/** Absolute, normalised paths.  Zero it, free it with cmd_paths_release(). */
struct cmd_paths {
	const char **v;               /* owned */
	size_t n, cap;
};

/**
 * What a call is about, resolved as the flags of its command say.  The command may change it;
 * it is freed after the call.
 */
struct cmd_target {
	struct cmd_paths paths;       /* operands */
	struct cmd_paths exclude;     /* --exclude-path, and what --online leaves out; CMD_LISTS */
	struct cmd_paths in;          /* its own option --in */
};

/** One call of a command.  Everything is borrowed for the call. */
struct cmd_call {
	const struct cmd *cmd;
	const void *args;             /* its struct of options */
	uint64_t given;               /* which of its own options were typed, for opt_given */
	const struct cmd_globals *globals;
	const struct cmd_listing *listing;
	const struct cmd_choice *choice;
	struct indexes *with;         /* the other indexes, open, with CMD_JOINS; or NULL: none */
	char **operands;              /* as typed */
	int n_operands;
	struct cmd_target *target;
	struct index *ix;             /* open, as the flags say; else NULL */
	struct cmd_paths offline;     /* with --online: what is taken not to exist */
	struct near near;             /* on a terminal: paths are shown from there */
	const struct ls_colors *names; /* on a terminal: the colours of names; or NULL */
	const struct cmd_env *env;
	/* Of env, for short: */
	FILE *out, *msg;
	const char *base;
	bool tty;
	struct cmd_answered *answered; /* what the call comes to: for the end of JSON */
};

/** A command. */
struct cmd {
	const char *name;
	const char *operands;         /* for the usage line: "[PATH...]"; and for completion */
	const char *summary;          /* lower case, no period */
	const char *yes, *no;         /* verdicts of status 0 and 1 in a word; NULL: done, no */
	const char *help;             /* paragraphs below the usage line, or NULL */
	/**
	 * For completion, with blanks between: the first operand's words, of CMD_RAW any
	 * operand's; or NULL.
	 */
	const char *words;
	const struct opt *opts;       /* own options, or NULL */
	size_t args_size;
	enum cmd_flags flags;
	/** Set defaults that are not zero; may be NULL. */
	void (*defaults)(void *args);
	/** Returns an enum cmd_status, or -1 with *err. */
	int (*run)(const struct cmd_call *c, struct err *err);
};

extern const struct opt cmd_global_opts[];
extern const struct opt cmd_listing_opts[];
extern const struct opt cmd_choice_opts[];
extern const struct opt cmd_with_opts[];
extern const struct opt cmd_json_opts[];

/** Option tables of a command at most, and a NULL. */
enum { CMD_TABLES = 7 };

/** List the tables of the options that a command takes: first its own, last the global ones. */
void cmd_tables(const struct cmd *cmd, const struct opt *tables[CMD_TABLES]);

/**
 * Fail with ERR_USAGE: there is no command of that name.  Says which one may be
 * meant: those that begin so, the one that does what other programs call so, or a
 * similar one.  The n names of more count as commands as well.  Returns -1.
 */
int cmd_unknown(const struct cmd *const *commands, const char *name, const char *const *more, size_t n, struct err *err);
/** Find a command by name, or NULL. */
const struct cmd *cmd_find(const struct cmd *const *commands, const char *name);

/**
 * Run a command with its options and operands, which are put in another order.  Failures have
 * been told on env->msg when it returns.  Returns the exit status.
 */
int cmd_call(const struct cmd_env *env, const struct cmd *cmd, int argc, char **argv);

/** The same for the words of a line, of which the first is the command's name. */
int cmd_execute(const struct cmd_env *env, int argc, char **argv);

/** What of the config file counts for the words of a call. */
enum settings_use cmd_config_use(const struct cmd_env *env, int argc, char *const *argv);

/** Open the index for a command that has no flag for it.  Returns 0 with an owned *ix, or -1. */
int cmd_open(const struct cmd_globals *g, int flags, struct index **ix, struct err *err);

/**
 * Print "twindex: ..." on msg, with the place in a script, harmless for terminals; on one line, or
 * on a terminal that it is too long for, broken at blanks.
 */
void cmd_message(const struct cmd_call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * Count on msg what an answer could not judge, unless told to be quiet; what is offline counts
 * only without --online.  Returns CMD_PARTLY if
 * content may lie there, else CMD_OK.
 */
int cmd_gaps(const struct cmd_call *c, const struct gaps *g);
/** Name one of the gaps on msg: a directory that could not be read, others with --verbose. */
void cmd_gap(const struct cmd_call *c, const char *path, enum gap gap, bool dir, const char *why);

/**
 * Ask a question on c->msg, and read a line that answers it: on a terminal not one that was typed
 * before.  Returns 'y', 'n', 'a' or 'q' for this letter or its word
 * (yes, no, all, quit), '\n' for any other line, or 0 at the end of the input, or when a signal
 * came.
 */
char cmd_answer(const struct cmd_call *c, FILE *in, const char *question);

/** Append the usage, summary, help and options of a command. */
void cmd_usage(struct buf *b, const struct cmd *cmd);
/** Append the short help: the usage of the program and a line for each command. */
void cmd_overview(struct buf *b, const struct cmd *const *commands);

/** Columns of what begins a line of a summary: "files       ", "read        ". */
enum { CMD_LABEL = 12 };

/**
 * Append the line of a summary that counts the sets of the whole index: as indexed, whatever
 * became of their files, but for what lies in a trash.
 */
void cmd_add_sets(struct buf *b, int64_t sets, int64_t redundant);

/**
 * Append a path, or another text from outside, for results: on a terminal from where people are,
 * and without what it would act on.
 */
void cmd_add_path(const struct cmd_call *c, struct buf *b, const char *path);
/** How a listing of this kind is to be printed, from the options and the terminal. */
struct out_style cmd_style(const struct cmd_call *c, enum out_kind kind);
/** The absolute path of the index file.  Returns 0 or -1. */
int cmd_index_path(const struct cmd_globals *g, struct buf *path, struct err *err);

#endif
