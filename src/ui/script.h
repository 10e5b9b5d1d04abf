/* SPDX-License-Identifier: MIT */
/* script - a plan as a shell script that does nothing unless it is whole. */
#ifndef UI_SCRIPT_H
#define UI_SCRIPT_H

#include "act/act.h"

/** What the script is to be. */
struct script {
	enum act_kind kind;
	bool portable;         /* without twindex, which rules out ACT_REFLINK and ACT_TRASH */
	bool any_attributes;   /* of links: whatever owner, mode and attributes the keeper has */
	bool from_backup;      /* files may be those of backups (index/backups) */
	const char *program;   /* absolute path of twindex */
	const char *index;     /* absolute path of the index */
	const char *what;      /* what it does, for people: "removes 3 files, ..." */
	int64_t now;           /* seconds since 1970 */
};

/** Write all up to the first file. */
void script_begin(const struct script *s, FILE *f);
/** Write the line of a file and the copy that stays, both absolute paths of any bytes. */
void script_pair(const struct script *s, FILE *f, const char *victim, const char *keeper);
/** Write the rest, of which the last line calls everything above. */
void script_end(FILE *f);

/**
 * The same of a plan of renames: write all up to the first one.  top is the absolute path of the
 * directory whose files get other names, scratch the path below it of names for a while.
 */
void script_begin_moves(FILE *f, const char *top, const char *scratch, const char *what, int64_t now);
/** Write a call with one path below it, or two (to: NULL); function is one of moves.sh. */
void script_move(FILE *f, const char *function, const char *from, const char *to);
/** Write the end of these. */
void script_end_moves(FILE *f);

#endif
