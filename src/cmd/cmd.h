/* SPDX-License-Identifier: MIT */
/*
 * cmd - subcommands as const records: options, what they need, what they do; and what they share.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "cmd/settings.h"
#include "ui/opt.h"
#include "ui/out.h"
#include "ui/out_verdict.h"

struct doc;
struct index;
struct indexes;
struct ls_colors;
struct numbers;
struct usage;

/** Exit statuses; see EXIT STATUS in the manual. */
enum cmd_status {
	CMD_OK = 0,
	CMD_NO = 1,         /* a negative answer */
	CMD_USAGE = 2,      /* usage, or a path that does not exist */
	CMD_PARTLY = 3,     /* done, but something could not be covered */
	CMD_BUSY = 4,
	CMD_NO_INDEX = 5,
	CMD_FATAL = 6,
	CMD_CLAIMED = 7,    /* only others say so: an answer by claims (import) */
	CMD_SIGNAL = 128    /* plus the signal's number */
};

/** What a command needs before it runs. */
enum cmd_flags {
	CMD_READS = 1,      /* the index, read-only */
	CMD_WRITES = 2,     /* the index, locked for writing */
	CMD_ASKS = 4,       /* a question: what scans have left undone makes the status 3 */
	CMD_VIEWS = 8,      /* ... with its public views */
	CMD_LISTS = 16,     /* the options of listings */
	CMD_NO_PATHS = 32,  /* takes no operands */
	CMD_TALKS = 64,     /* prints progress or asks: do not buffer its messages */
	CMD_CHOOSES = 256,  /* the options that say which copies stay */
	CMD_JOINS = 512,    /* asks other indexes, too: the option --with */
	CMD_RAW = 128,      /* in the shell, unquoted text is one operand up to the line's end */
	CMD_NUMBERS = 1024, /* in the shell, operands may be numbers of the last listing */
	CMD_PLACES = 2048,  /* ... which stand for the directories of its files */
	CMD_LETS_GO = 8192, /* removes or marks files: needs the protections of the config */
	CMD_TELLS = 16384,  /* prints one JSON document with --json */
	CMD_DISK = 4096,    /* its paths are those of the disk; with CMD_READS of the index, too */
	/* Its operands are resolved before it runs (struct cmd_target): */
	CMD_PATHS = 1 << 15, /* they are paths, as the values of its option --path */
	CMD_ONE = 1 << 16,   /* one directory at most; none: the current one */
	CMD_NAMED = 1 << 17, /* the first one is a name */
	CMD_HERE = 1 << 18,  /* no path: cmd_paths_here(), with its option --all */
	CMD_KNOWN = 1 << 19, /* the index has each path; they are pruned */
	CMD_DIRS = 1 << 20,  /* --exclude-path and --in name no files, and no path is left out */
	CMD_NESTED = 1 << 21, /* paths may lie in one another */
	CMD_PROVES = 1 << 22, /* files may go by its answer: cmd_exit_status() */
	CMD_WHOLES = 1 << 23, /* the options about directories that belong together */
	CMD_ALL_LINES = 1 << 24, /* with a path, its option --all is about lines */
	CMD_IN_CLAIMS = 1 << 25, /* its option --in names sources of claims, no directories */
	CMD_OF_VOLUMES = 1 << 26 /* it is about volumes, not about paths */
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
	const struct opt_list *backups; /* that the config file declares; or NULL */
};

/** Options that every listing takes. */
struct cmd_listing {
	int format;              /* enum out_format */
	const char *cut;
	struct opt_list exclude; /* as typed */
	bool null, json;
	bool si, bytes;
	bool links_unique, links_copies;
	bool online;             /* pretend that offline files do not exist */
	bool absolute;           /* paths are shown whole */
	bool hyperlink;          /* on a terminal they are links */
};

/** Options of every command that chooses which copies stay; cmd_keep.h says what they mean. */
struct cmd_choice {
	struct opt_list keep, protect, only, in, from_backup;
	int64_t copies;
	bool per_volume, backups_count;
	bool typed;              /* one of them was typed, not only set by the config file */
};

/** Options of every command that leaves directories whole that belong together: cmd_wholes.h. */
struct cmd_wholes {
	struct opt_list more;    /* as wholes.more (index/wholes) */
	bool inside;             /* nothing belongs together */
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
	const char *place;            /* in a script: prefix of messages, "FILE:12: ls"; or NULL */
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
	const char *config_db;        /* the index that it names; or NULL */
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

/** What an answer lacks.  A command notes it; cmd_exit_status() tells it, and weighs it. */
struct cmd_verdict {
	const struct cmd_call *call;  /* of cmd_gap() */
	struct out_verdict end;       /* for the end of JSON: in gaps all that was not judged */
	enum out_format format;       /* asked for, also where the options could not be read */
	bool begun;                   /* some of a listing is printed */
	bool open;                    /* a JSON document is printed but for its end */
	/* Noted by the command: */
	struct gaps gaps;             /* not judged */
	struct gaps told;             /* not judged, and told by the command itself */
	int64_t unproven;             /* neither yes nor no; counted without gaps, which most are */
	int64_t trash;                /* files in a trash, which do not count as copies */
	int64_t fleeting;             /* files whose only copies may go by themselves ... */
	unsigned fleeting_why;        /* ... for these reasons: index/fleeting */
	bool missing;                 /* a path that was named does not exist */
	bool undone;                  /* a run could not cover all */
	bool certain;                 /* gaps do not change the answer */
	bool settled;                 /* nor does anything that a scan has left undone */
	bool all_read;                /* files that are not read yet do not change it */
	/* Private: */
	bool lacks, asked, ended;
	int status;                   /* once ended */
};

/** One call of a command.  Everything is borrowed for the call. */
struct cmd_call {
	const struct cmd *cmd;
	const void *args;             /* its struct of options */
	uint64_t given;               /* which of its own options were typed, for opt_given */
	const struct cmd_globals *globals;
	const struct cmd_listing *listing;
	const struct cmd_choice *choice;
	const struct cmd_wholes *wholes;
	struct indexes *with;         /* the other indexes, open, with CMD_JOINS; or NULL: none */
	char **operands;              /* as typed */
	int n_operands;
	struct cmd_target *target;
	struct index *ix;             /* open, as the flags say; else NULL */
	struct cmd_paths offline;     /* with --online: directories treated as absent */
	struct near near;             /* on a terminal: paths are shown from there */
	const struct ls_colors *names; /* on a terminal: the colours of names; or NULL */
	const struct cmd_env *env;
	/* Of env, for short: */
	FILE *out, *msg;
	const char *base;
	bool tty;
	struct cmd_verdict *verdict;  /* what the answer lacks, for cmd_exit_status() */
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
	const void *defaults;         /* a struct of options; NULL: zeros */
	/** Returns the answer for cmd_exit_status(), beside c->verdict; or -1 with *err. */
	int (*run)(const struct cmd_call *c, struct err *err);
};

extern const struct opt cmd_global_opts[];
extern const struct opt cmd_listing_opts[];
extern const struct opt cmd_choice_opts[];
extern const struct opt cmd_wholes_opts[];
extern const struct opt cmd_with_opts[];
extern const struct opt cmd_json_opts[];

/** The most option tables of a command, with a NULL. */
enum { CMD_TABLES = 8 };

/** List the tables of the options that a command takes: first its own, last the global ones. */
void cmd_tables(const struct cmd *cmd, struct opt_target tables[CMD_TABLES]);

/**
 * Fail with ERR_USAGE: no such command.  The message suggests commands with that prefix, our name
 * for another program's command, or a similar name.  The n names of more count as commands as well.
 * Returns -1.
 */
int cmd_unknown(const struct cmd *const *commands, const char *name, const char *const *more, size_t n, struct err *err);
/** Find a command by name, or NULL. */
const struct cmd *cmd_find(const struct cmd *const *commands, const char *name);

/**
 * Run a command with its options and operands; argv is permuted.  Prints failures on env->msg.
 * Returns the exit status.
 */
int cmd_call(const struct cmd_env *env, const struct cmd *cmd, int argc, char **argv);

/** The same for the words of a line; the first one names the command. */
int cmd_execute(const struct cmd_env *env, int argc, char **argv);

/** Which part of the config file applies to a call. */
enum settings_use cmd_config_use(const struct cmd_env *env, int argc, char *const *argv);

/** Open the index, its backups declared.  Returns 0 with an owned *ix, or -1. */
int cmd_open(const struct cmd_globals *g, int flags, struct index **ix, struct err *err);

/** Declare the backups of the index and of the config file.  Returns 0 or -1. */
int cmd_declare(const struct cmd_globals *g, struct index *ix, struct err *err);

/** Print a line "twindex: text" on msg, behind a place in a script (or NULL). */
void cmd_say(FILE *msg, const char *place, const char *text);

/**
 * Print "twindex: ..." on msg, with the place in a script and control characters escaped.  On a
 * terminal a long message is broken at blanks; behind a long path, which stands on the first line,
 * the cause begins on the second.
 */
void cmd_message(const struct cmd_call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** The same, unless --quiet. */
void cmd_notice(const struct cmd_call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * Ask a question on c->msg and read the answer; on a terminal, input typed before is discarded.
 * Returns 'y', 'n', 'a' or 'q' for this letter or its word (yes, no, all, quit), '\n' for any other
 * line, or 0 at the end of the input or after a signal.
 */
char cmd_answer(const struct cmd_call *c, FILE *in, const char *question);

/** What a person says who is asked for the last time. */
enum cmd_sure { CMD_SURE_NO, CMD_SURE_YES, CMD_SURE_LIST };

/**
 * Ask before what is not done by mistake: only the word yes is one, for a letter may come from a
 * pasted text; l or list asks for the list of what it is about.  No, quit, an empty line and the
 * end of the input are a no; anything else is asked again.
 */
enum cmd_sure cmd_ask_sure(const struct cmd_call *c, FILE *in, const char *question);

/** Append the usage, summary, help and options of a command. */
void cmd_usage(struct buf *b, const struct cmd *cmd);
/**
 * Append the short help: the usage of the program, and a line for each command that most people
 * need, or for all.
 */
void cmd_overview(struct buf *b, const struct cmd *const *commands, bool all);

/** Columns of the label in a summary line: "files       ", "read        ". */
enum { CMD_LABEL = 12 };

/**
 * Append the summary line that counts the sets of the whole index, as indexed; files in a trash do
 * not count.
 */
void cmd_add_sets(struct buf *b, int64_t sets, int64_t redundant);

/**
 * Append a path or other foreign text to results.  On a terminal the path is relative to the user's
 * directory, and control characters are escaped.
 */
void cmd_add_path(const struct cmd_call *c, struct buf *b, const char *path);
/** How a listing of this kind is to be printed, from the options and the terminal. */
struct out_style cmd_style(const struct cmd_call *c, enum out_kind kind);
/**
 * The document of a command with CMD_TELLS where --json asks for one, else NULL.  Owned, for
 * doc_close(); the call ends it with its verdict.
 */
struct doc *cmd_doc(const struct cmd_call *c);
/** The absolute path of the index file.  Returns 0 or -1. */
int cmd_index_path(const struct cmd_globals *g, struct buf *path, struct err *err);

#endif
