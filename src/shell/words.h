/* SPDX-License-Identifier: MIT */
/*
 * words - lines of the interactive shell as words with quotes, operators and comments; and words
 * quoted again.
 */
#ifndef SHELL_WORDS_H
#define SHELL_WORDS_H

/** How a word is quoted: where it was left open, else as it was begun. */
enum word_quote {
	WORD_BARE,     /* backslashes */
	WORD_SINGLE,   /* '..' */
	WORD_DOUBLE,   /* ".." */
	WORD_DOLLAR,   /* $'..' */
	WORD_ASCII     /* the same for words_quote, for a locale that lacks other characters */
};

/** A word.  A ~ at line[start] was typed without quotes, whatever the rest looks like. */
struct word {
	char *text;    /* owned; NUL-terminated, without NUL inside */
	size_t len;
	size_t start;  /* offset in the line */
	bool quoted;   /* any quotes or backslashes were used */
};

/** What ended a command. */
enum words_end {
	WORDS_END,        /* the line's end */
	WORDS_SEMICOLON,  /* ; or a newline */
	WORDS_PIPE,       /* | */
	WORDS_WRITE,      /* > */
	WORDS_REPLACE,    /* >! */
	WORDS_APPEND      /* >> */
};

/** Whose word the cursor is in. */
enum words_place {
	WORDS_NOWHERE,    /* nobody's: a comment */
	WORDS_OURS,       /* a word of one of our commands */
	WORDS_FILE,       /* the file behind > and its like */
	WORDS_PROGRAM     /* a word of a program behind | or ! */
};

/** The words of one command; zero it first, reuse it, release it at the end. */
struct words {
	struct word *v;
	size_t n, cap;
	enum words_end end;
	size_t next;      /* offset behind the operator that ended the command */
};

/**
 * Split the command that begins at line[at], replacing what w held.  Blanks
 * separate words; '..' is literal; ".." knows \\ \" \$ \` and drops a
 * backslash with its newline; so does the open line, where any other \c is c;
 * $'..' knows \n \t \r \a \b \e \f \v \\ \' \" \xHH \NNN.  # at a word's
 * beginning makes the rest of the line a comment.  An unquoted ; newline
 * | > >! or >> ends the command.  An unquoted & or < is a mistake: what
 * follows would be taken for operands, which sh does not.  Bytes may be anything but NUL.
 *
 * The word behind > and its like is got by another call, at w->next; what follows |
 * ends at words_foreign_end.
 *
 * Returns 0, or -1 with ERR_USAGE: "unbalanced ' quote", "nothing follows the
 * backslash", "a NUL byte can't be in a command".  Then w has the words before
 * the mistake.
 */
int words_split(struct words *w, const char *line, size_t len, size_t at, struct err *err);

/**
 * Find the end of a command line for sh that begins at line[at]: an unquoted ; or newline, or
 * len.  *next is behind that.
 */
size_t words_foreign_end(const char *line, size_t len, size_t at, size_t *next);

/** Move *at behind an exclamation mark that only blanks stand before: a line of sh follows. */
bool words_bang(const char *line, size_t len, size_t *at);

/** Free the memory; w may be used again. */
void words_release(struct words *w);

/** The word in which the cursor is.  Zero it first, reuse it, release it at the end. */
struct words_cursor {
	struct words before;     /* words of its command that stand before it */
	struct buf text;         /* its bytes so far */
	size_t start;            /* its offset, quotes included; where it would begin at the end */
	enum word_quote quote;   /* how it goes on */
	bool open;               /* within quotes */
	enum words_place place;
};

/**
 * Find the word at the end of line[0..len), for completion, replacing what c held.  A ! that
 * begins a command is neither a word nor a part of one.  Never fails: unbalanced quotes are what
 * it is for.
 */
void words_at_cursor(struct words_cursor *c, const char *line, size_t len);
/** Free the memory; c may be used again. */
void words_cursor_release(struct words_cursor *c);

/**
 * Append text quoted so that words_split gives it back.  WORD_BARE uses
 * backslashes where they are needed, other styles begin with their quote.
 * What holds control characters or is not valid UTF-8 becomes $'..' whatever
 * the style.  With final the quote is closed, and nothing becomes ''.
 */
void words_quote(struct buf *b, const char *text, size_t len, enum word_quote style, bool final);

/**
 * Append what a word of a line means that begins with a ~ typed as such: a path below the home
 * directory.  Returns false, with nothing appended, when it does not begin so, or none is known.
 */
bool words_tilde(const char *line, const struct word *w, struct buf *text);

#endif
