/* SPDX-License-Identifier: MIT */
/*
 * complete_before - what stands before the word that is completed: the command, its operands, an
 * option that wants an argument.
 */
#ifndef SHELL_COMPLETE_BEFORE_H
#define SHELL_COMPLETE_BEFORE_H

#include "cmd/cmd.h"
#include "shell/words.h"

struct settings;
struct opt;
struct session;

/** Words, and what they say once complete_before_parse() has read them. */
struct complete_before {
	/* As in struct complete_ctx. */
	const struct cmd *const *commands;
	const struct session *session;
	const struct settings *config;
	bool outside;
	struct words words;         /* owned */
	size_t first;               /* position of the first of them that counts */
	enum words_place place;     /* whose word is completed */
	const char *command;        /* its name; NULL: the word is to be it */
	const struct cmd *cmd;      /* the record of that name, or NULL */
	size_t operands;
	const char *operand;        /* the first of them, or NULL */
	const struct opt *pending;  /* the option whose argument the word is, or NULL */
	bool only_operands;         /* behind "--" */
	const char *db;             /* the value of --db, or NULL */
	struct buf db_path;         /* what db means, where it begins with the home directory */
};

/**
 * Find the command, its operands and options.  Words of an alias take its place among the words,
 * and place is not WORDS_OURS any more if it ends behind an operator.
 */
void complete_before_parse(struct complete_before *b);

/** Free what it owns. */
void complete_before_release(struct complete_before *b);

/** Get the tables of options that may stand at the word, up to a NULL. */
void complete_before_tables(const struct complete_before *b, const struct opt *tables[CMD_TABLES]);

/** Find an option of these with an argument, as opt_with_argument(). */
const struct opt *complete_before_option(const struct complete_before *b, const char *word, const char **value);

#endif
