/* SPDX-License-Identifier: MIT */
/*
 * One lexer serves execution and completion: the former refuses a line that
 * ends inside quotes, the latter asks which quotes those are.
 */
#include "base/base.h"

#include "shell/words.h"

#include "sys/resolve.h"

struct lexer {
	const char *line;
	size_t len, at;
	struct buf text;         /* of the word being read */
	size_t start;            /* where it began */
	enum word_quote begun;   /* by its first byte */
	enum word_quote open;    /* at the end of the line; WORD_BARE: none */
	bool quoted;
	char foreign;            /* an operator of sh that stands in it without quotes, or 0 */
	bool dangling;           /* the line ended behind a backslash */
	bool comment;            /* ... or in a comment */
};

static bool
words_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool
words_ends(char c)
{
	return c == ';' || c == '\n' || c == '|' || c == '>';
}

/* The value of a hexadecimal digit; 16: c is not one. */
static int
words_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Up to most digits of the base: their value, *n tells how many. */
static int
words_digits(const char *s, size_t len, int base, size_t most, size_t *n)
{
	int value = 0;

	for (*n = 0; *n < most && *n < len && words_digit(s[*n]) < base; ++*n)
		value = value * base + words_digit(s[*n]);
	return value & 0xff;
}

/*
 * The escape at the backslash of $'..': append its byte.  Returns its length, 0 when the line
 * ends in it.
 */
static size_t
words_escape(struct buf *text, const char *s, size_t len)
{
	static const char letters[] = "ntrabefv\\'\"", bytes[] = "\n\t\r\a\b\033\f\v\\'\"";
	const char *letter;
	size_t n;
	bool hex;
	int value;

	if (len < 2)
		return 0;
	letter = memchr(letters, s[1], sizeof(letters) - 1);
	if (letter != NULL) {
		buf_addc(text, bytes[letter - letters]);
		return 2;
	}
	hex = s[1] == 'x';
	value = words_digits(s + 1 + hex, len - 1 - hex, hex ? 16 : 8, hex ? 2 : 3, &n);
	if (n > 0) {
		buf_addc(text, (char)value);
		return 1 + hex + n;
	}
	if (hex && len == 2)
		return 0;
	/* An unknown escape stays as it is. */
	buf_add(text, s, 2);
	return 2;
}

/*
 * A backslash outside of $'..': the byte behind it is literal where kept allows it, a newline is
 * dropped.
 */
static void
words_backslash(struct lexer *lx, const char *kept)
{
	char c;

	if (++lx->at == lx->len) {
		lx->dangling = true;
		return;
	}
	c = lx->line[lx->at++];
	if (c == '\n')
		return;
	if (kept != NULL && (c == '\0' || strchr(kept, c) == NULL))
		buf_addc(&lx->text, '\\');
	buf_addc(&lx->text, c);
}

/*
 * Behind an opening quote, up to behind the closing one; open stays what it is when there is
 * none.
 */
static void
words_quoted(struct lexer *lx)
{
	const char close = lx->open == WORD_DOUBLE ? '"' : '\'';

	while (lx->at < lx->len) {
		const char c = lx->line[lx->at];

		if (c == close) {
			lx->at++;
			lx->open = WORD_BARE;
			return;
		}
		if (c == '\\' && lx->open == WORD_DOUBLE) {
			words_backslash(lx, "\\\"$`");
		} else if (c == '\\' && lx->open == WORD_DOLLAR) {
			size_t n = words_escape(&lx->text, lx->line + lx->at, lx->len - lx->at);

			lx->at = n != 0 ? lx->at + n : lx->len;
		} else {
			buf_addc(&lx->text, c);
			lx->at++;
		}
	}
}

/* The quote that begins at the present byte, WORD_BARE if none does; *n: its length. */
static enum word_quote
words_opens(const struct lexer *lx, size_t *n)
{
	const char *s = lx->line + lx->at;

	*n = 1;
	if (*s == '\'')
		return WORD_SINGLE;
	if (*s == '"')
		return WORD_DOUBLE;
	*n = 2;
	return *s == '$' && lx->len - lx->at > 1 && s[1] == '\'' ? WORD_DOLLAR : WORD_BARE;
}

/* Read the word that begins at the present byte. */
static void
words_word(struct lexer *lx)
{
	size_t n;

	buf_cut(&lx->text, 0);
	lx->start = lx->at;
	lx->begun = words_opens(lx, &n);
	lx->quoted = lx->dangling = false;
	lx->foreign = '\0';
	while (lx->at < lx->len) {
		const char c = lx->line[lx->at];

		if (words_is_blank(c) || words_ends(c))
			return;
		lx->open = words_opens(lx, &n);
		if (lx->open != WORD_BARE) {
			lx->quoted = true;
			lx->at += n;
			words_quoted(lx);
		} else if (c == '\\') {
			lx->quoted = true;
			words_backslash(lx, NULL);
		} else {
			if (c == '&' || c == '<')
				lx->foreign = c;
			buf_addc(&lx->text, c);
			lx->at++;
		}
	}
}

/* Move to the next word.  Returns false at the end of the line and before an operator. */
static bool
words_next(struct lexer *lx)
{
	for (; lx->at < lx->len; lx->at++) {
		const char c = lx->line[lx->at];

		if (c == '#') {
			const char *end = memchr(lx->line + lx->at, '\n', lx->len - lx->at);

			lx->comment = end == NULL;
			lx->at = end != NULL ? (size_t)(end - lx->line) : lx->len;
			return false;
		}
		/* A backslash with its newline is no word. */
		if (c == '\\' && lx->len - lx->at > 1 && lx->line[lx->at + 1] == '\n')
			lx->at++;
		else if (!words_is_blank(c))
			return !words_ends(c);
	}
	return false;
}

/* The operator at the present byte, which is moved behind it. */
static enum words_end
words_operator(struct lexer *lx)
{
	if (lx->at == lx->len)
		return WORDS_END;
	switch (lx->line[lx->at++]) {
	case '|':
		return WORDS_PIPE;
	case '>':
		if (lx->at == lx->len || (lx->line[lx->at] != '>' && lx->line[lx->at] != '!'))
			return WORDS_WRITE;
		return lx->line[lx->at++] == '>' ? WORDS_APPEND : WORDS_REPLACE;
	default:
		return WORDS_SEMICOLON;
	}
}

static void
words_clear(struct words *w)
{
	while (w->n > 0)
		free(w->v[--w->n].text);
	w->end = WORDS_END;
	w->next = 0;
}

void
words_release(struct words *w)
{
	words_clear(w);
	vec_release(w);
}

/* The word that was read becomes the last of w. */
static void
words_push(struct words *w, struct lexer *lx)
{
	const size_t len = lx->text.len;

	vec_push(w, ((struct word){ .text = mem_dup(buf_str(&lx->text), len), .len = len, .start = lx->start,
	                            .quoted = lx->quoted }));
}

/* Fail if the last word is not one a command may have. */
static int
words_check(const struct lexer *lx, struct err *err)
{
	static const char *const quotes[] = { [WORD_SINGLE] = "'", [WORD_DOUBLE] = "\"", [WORD_DOLLAR] = "$'" };

	if (lx->dangling)
		return err_set(err, ERR_USAGE, "nothing follows the backslash at the end");
	if (lx->open != WORD_BARE)
		return err_set(err, ERR_USAGE, "unbalanced %s quote", quotes[lx->open]);
	if (lx->text.len > 0 && memchr(lx->text.data, '\0', lx->text.len) != NULL)
		return err_set(err, ERR_USAGE, "a NUL byte can't be in a command");
	if (lx->foreign != '\0')
		return err_set(err, ERR_USAGE, "'%c' is not an operator of this shell: quote it in a name", lx->foreign);
	return 0;
}

int
words_split(struct words *w, const char *line, size_t len, size_t at, struct err *err)
{
	struct lexer lx = { .line = line, .len = len, .at = at };
	int ret = 0;

	words_clear(w);
	while (ret == 0 && words_next(&lx)) {
		words_word(&lx);
		ret = words_check(&lx, err);
		if (ret == 0)
			words_push(w, &lx);
	}
	if (ret == 0)
		w->end = words_operator(&lx);
	w->next = lx.at;
	buf_release(&lx.text);
	return ret;
}

size_t
words_foreign_end(const char *line, size_t len, size_t at, size_t *next)
{
	struct lexer lx = { .line = line, .len = len, .at = at };
	enum words_end end = WORDS_PIPE;

	while (end != WORDS_END && end != WORDS_SEMICOLON) {
		while (words_next(&lx))
			words_word(&lx);
		end = words_operator(&lx);
	}
	buf_release(&lx.text);
	*next = lx.at;
	return end == WORDS_SEMICOLON ? lx.at - 1 : lx.at;
}

bool
words_bang(const char *line, size_t len, size_t *at)
{
	size_t i = *at;

	while (i < len && (line[i] == ' ' || line[i] == '\t'))
		i++;
	if (i == len || line[i] != '!')
		return false;
	*at = i + 1;
	return true;
}

void
words_at_cursor(struct words_cursor *c, const char *line, size_t len)
{
	struct lexer lx = { .line = line, .len = len, .text = c->text };
	bool bang = words_bang(line, len, &lx.at);

	c->place = bang ? WORDS_PROGRAM : WORDS_OURS;
	words_clear(&c->before);
	for (;;) {
		buf_cut(&lx.text, 0);
		lx.start = len;
		lx.begun = lx.open = WORD_BARE;
		if (words_next(&lx)) {
			words_word(&lx);
			if (lx.at == len)
				break;
			words_push(&c->before, &lx);
		} else {
			enum words_end end;

			if (lx.at == len)
				break;
			end = words_operator(&lx);
			words_clear(&c->before);
			/* Behind ! all of the line is for sh, behind | what is before a ; */
			if (end == WORDS_SEMICOLON && (!bang || line[lx.at - 1] == '\n'))
				bang = words_bang(line, len, &lx.at);
			if (end == WORDS_PIPE || (end == WORDS_SEMICOLON && bang))
				c->place = WORDS_PROGRAM;
			else
				c->place = end == WORDS_SEMICOLON ? WORDS_OURS : WORDS_FILE;
		}
	}
	c->text = lx.text;
	c->start = lx.start;
	c->open = lx.open != WORD_BARE;
	c->quote = c->open ? lx.open : lx.begun;
	if (lx.comment)
		c->place = WORDS_NOWHERE;
}

void
words_cursor_release(struct words_cursor *c)
{
	words_release(&c->before);
	buf_release(&c->text);
}

static void
words_quote_dollar(struct buf *b, const char *text, size_t len, bool ascii)
{
	static const char bytes[] = "\\'\n\t\r", letters[] = "\\'ntr";
	size_t run = 0;

	for (size_t i = 0; i < len; i += run) {
		const char *special = text[i] != '\0' ? strchr(bytes, text[i]) : NULL;
		bool plain;

		/* One character at a time; what is no UTF-8 goes byte by byte. */
		for (run = 1; run <= 4 && i + run <= len && !name_is_utf8(text + i, run); run++)
			;
		plain = run <= 4 && i + run <= len;
		run = plain ? run : 1;
		plain = plain && !name_is_hostile(text + i, run) && (!ascii || run == 1);
		if (special != NULL)
			buf_addf(b, "\\%c", letters[special - bytes]);
		else if (plain)
			buf_add(b, text + i, run);
		for (size_t k = 0; k < run && special == NULL && !plain; k++)
			buf_addf(b, "\\x%02x", (unsigned char)text[i + k]);
	}
}

/* Append text with a backslash before each byte of special. */
static void
words_quote_with(struct buf *b, const char *text, size_t len, const char *special)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\0' && strchr(special, text[i]) != NULL)
			buf_addc(b, '\\');
		buf_addc(b, text[i]);
	}
}

void
words_quote(struct buf *b, const char *text, size_t len, enum word_quote style, bool final)
{
	if (name_is_hostile(text, len) && style != WORD_ASCII)
		style = WORD_DOLLAR;
	switch (style) {
	case WORD_BARE:
		if (len == 0 && final)
			buf_adds(b, "''");
		/* These mean something at a word's beginning only. */
		if (len > 0 && (text[0] == '~' || text[0] == '#'))
			buf_addc(b, '\\');
		/*
		 * More than our own lexer asks for: people may carry the word on to their shell.
		 */
		words_quote_with(b, text, len, " '\"\\$`;|><&()*?[]{}!");
		return;
	case WORD_SINGLE:
		buf_addc(b, '\'');
		for (size_t i = 0; i < len; i++) {
			if (text[i] == '\'')
				buf_adds(b, "'\\'");
			buf_addc(b, text[i]);
		}
		break;
	case WORD_DOUBLE:
		buf_addc(b, '"');
		words_quote_with(b, text, len, "\\\"$`");
		break;
	case WORD_DOLLAR:
	case WORD_ASCII:
		buf_adds(b, "$'");
		words_quote_dollar(b, text, len, style == WORD_ASCII);
		break;
	}
	if (final)
		buf_addc(b, style == WORD_DOUBLE ? '"' : '\'');
}

bool
words_tilde(const char *line, const struct word *w, struct buf *text)
{
	return line[w->start] == '~' && resolve_home(text, w->text);
}
