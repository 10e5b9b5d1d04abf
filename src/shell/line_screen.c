/* SPDX-License-Identifier: MIT */
/*
 * libedit 3.1 trusts the terminal, its keys and its own arrays too much.  What keeps it safe:
 *
 *  - Rows.  It draws into arrays of the terminal's rows, and writes below them where a line is
 *    longer.  It is told of more rows than any line has (line_screen_measure), and lines that
 *    would fill the screen are refused.
 *  - Length.  It keeps 1,024 characters where a command leaves a line.  A line has 1,000 cells
 *    at most.  What a command did beyond that is taken back before the next key
 *    (line_screen_keep), and its buffers are made so large at the beginning that no
 *    command makes them move.
 *  - The cursor.  In vi's keys it can stand before the line: it is put right before each key.
 *  - Keys.  It inserts sequences that it does not know, and drops bytes that are no characters.
 *    line_screen_get gives it whole keys, each a character of line_chars or a code of line_bind.
 *  - Signals.  They are blocked from start to end, and come in their order among the bytes:
 *    Ctrl-Z stops the process here, a new size draws anew, the others end the input.
 *
 * libedit does not tell where it has drawn the line.  EL_REFRESH draws all of it where the
 * cursor is; so the cells of prompt and line are counted here, to go to its first row before
 * that.
 */
#include "base/base.h"

#include "shell/line_screen.h"

#include <signal.h>

#include "shell/line_bind.h"
#include "shell/line_chars.h"
#include "shell/line_key.h"

/* Most cells, and so characters, that a line may have: on a large terminal, on the smallest. */
#define SCREEN_MAX_CELLS 1000
#define SCREEN_MIN_CELLS 80
/* Most cells of a screen: libedit has 8 bytes for each. */
#define SCREEN_SANE_CELLS 4000000
/* Initial size of libedit's buffers in characters: more than a line and any text put into it. */
#define SCREEN_BUFFER 20000
/* Bytes that are kept of a paste: more cells than a line may have. */
#define SCREEN_MAX_PASTE 65536
/* Longest pause in ms within a character, and in vi's keys behind an ESC that begins a key. */
#define SCREEN_WAIT 100

struct line_screen *
line_screen_of(EditLine *el)
{
	void *s = NULL;

	el_wget(el, EL_CLIENTDATA, &s);
	return s;
}

/* Characters of the line; el_cursor(el, 0) has those before the cursor. */
static size_t
line_screen_len(const LineInfoW *line)
{
	return (size_t)(line->lastchar - line->buffer);
}

static int
line_screen_prompt_cells(const struct line_screen *s)
{
	return line_chars_cells(s->prompt, wcslen(s->prompt), 0, s->width);
}

bool
line_screen_fits(const struct line_screen *s, const wchar_t *chars, size_t n)
{
	return n <= SCREEN_MAX_CELLS && line_chars_cells(chars, n, line_screen_prompt_cells(s), s->width) <= s->limit;
}

void
line_screen_set(struct line_screen *s, const wchar_t *chars, size_t at)
{
	const LineInfoW *line = el_wline(s->el);
	size_t len = line_screen_len(line);

	if (*chars == L'\0') {
		el_cursor(s->el, (int)len);
		el_deletestr(s->el, (int)len);
	} else
		el_wreplacestr(s->el, chars);
	len = line_screen_len(el_wline(s->el));
	el_cursor(s->el, (int)(at < len ? at : len) - el_cursor(s->el, 0));
}

bool
line_screen_is_sane(int width, int height)
{
	return (int64_t)width * height <= SCREEN_SANE_CELLS;
}

/* Learn the terminal's size, and tell libedit of more rows than any line can fill. */
static void
line_screen_measure(struct line_screen *s)
{
	wchar_t rows[16], columns[16];
	int64_t cells;

	line_tty_size(fileno(s->out), &s->width, &s->height);
	/* libedit makes 80 columns of less than 2, and runs out of memory for too many. */
	if (s->width < 2 || !line_screen_is_sane(s->width, s->height)) {
		s->width = 80;
		s->height = s->height < SCREEN_MAX_CELLS ? s->height : SCREEN_MAX_CELLS;
	}
	cells = (int64_t)s->width * (s->height - 1) - line_screen_prompt_cells(s);
	s->limit = cells < SCREEN_MIN_CELLS ? SCREEN_MIN_CELLS : cells > SCREEN_MAX_CELLS ? SCREEN_MAX_CELLS : (int)cells;
	swprintf(columns, 16, L"%d", s->width);
	/* A command may double a line, and that be newlines, or characters of 8 cells. */
	swprintf(rows, 16, L"%d", s->height + 8 + 2 * SCREEN_MAX_CELLS + 16 * SCREEN_MAX_CELLS / s->width);
	el_wset(s->el, EL_SETTC, L"co", columns, NULL);
	el_wset(s->el, EL_SETTC, L"li", rows, NULL);
}

/* The row of the cursor, or of the line's end, as it was drawn. */
static int
line_screen_row(const struct line_screen *s, bool end)
{
	const LineInfoW *line = el_wline(s->el);
	const int prompt = line_screen_prompt_cells(s);
	int cells = prompt + line_chars_cells(line->buffer, end ? line_screen_len(line) : (size_t)el_cursor(s->el, 0), prompt, s->width);

	/* A wide character at the cursor may have gone to the next row. */
	if (!end && line->cursor < line->lastchar && line_chars_cells(line->cursor, 1, cells, s->width) == 3)
		cells++;
	return cells / s->width;
}

/* Whether the line has more rows than the terminal, as a small one may have. */
static bool
line_screen_is_tall(const struct line_screen *s)
{
	return line_screen_row(s, true) >= s->height;
}

static void
line_screen_clear(struct line_screen *s, int row)
{
	if (row > 0)
		fprintf(s->out, "\033[%dA", row);
	fputs("\r\033[J", s->out);
}

void
line_screen_erase(struct line_screen *s)
{
	line_screen_clear(s, line_screen_row(s, false));
}

void
line_screen_set_prompt(struct line_screen *s, const char *prompt)
{
	size_t n;

	free(s->prompt);
	s->prompt = line_chars_decode(prompt, strlen(prompt), &n);
}

void
line_screen_draw(struct line_screen *s)
{
	el_set(s->el, EL_REFRESH);
	fflush(s->out);
}

void
line_screen_tell(struct line_screen *s, const char *text)
{
	for (int row = line_screen_row(s, false); row <= line_screen_row(s, true); row++)
		fputc('\n', s->out);
	fprintf(s->out, "\r%s", text);
	line_screen_draw(s);
}

/*
 * Begin an empty row.  A program may have left the cursor behind its last words, and the
 * terminal ^C: blanks to the end of the row wrap there, but only then.
 */
static void
line_screen_new_row(struct line_screen *s)
{
	int width, height;

	line_tty_size(fileno(s->out), &width, &height);
	fprintf(s->out, "%*s\r", width - 1, "");
}

static void
line_screen_begin(struct line_screen *s)
{
	line_screen_new_row(s);
	line_screen_measure(s);
	line_screen_draw(s);
}

/* Draw all of the line, and leave the cursor behind it. */
static void
line_screen_finish(struct line_screen *s)
{
	line_screen_erase(s);
	el_cursor(s->el, (int)line_screen_len(el_wline(s->el)));
	line_screen_draw(s);
}

static void
line_screen_resize(struct line_screen *s)
{
	int width, height, old, row;

	line_tty_size(fileno(s->out), &width, &height);
	if (width == s->width && height == s->height)
		return;
	old = line_screen_row(s, false);
	line_screen_measure(s);
	/*
	 * Some terminals wrap rows anew, some don't: rather leave a row of the old line than
	 * erase another one.
	 */
	row = line_screen_row(s, false);
	row = row < old ? row : old;
	line_screen_clear(s, row < s->height ? row : s->height - 1);
	line_screen_draw(s);
}

/*
 * Get a byte, and do what signals ask for meanwhile.  Returns false at the end, or with
 * s->signal.
 */
static bool
line_screen_byte(struct line_screen *s, char *byte)
{
	if (s->waiting.len > 0) {
		*byte = s->waiting.data[s->waiting.len - 1];
		buf_cut(&s->waiting, s->waiting.len - 1);
		return true;
	}
	while (s->signal == 0) {
		const int got = line_tty_byte(&s->tty, byte);
		int at;

		switch (got) {
		case LINE_TTY_CHAR:
			return true;
		case LINE_TTY_END:
		case LINE_TTY_FAILED:
			return false;
		case SIGTSTP:
			/* Wait for fg with the terminal as the shell wants it. */
			at = el_cursor(s->el, 0);
			line_screen_finish(s);
			line_tty_stop(&s->tty);
			el_cursor(s->el, at - el_cursor(s->el, 0));
			line_screen_begin(s);
			break;
		case SIGCONT:
			/* A shell has had the terminal. */
			line_tty_raw(&s->tty);
			line_screen_begin(s);
			break;
		case SIGWINCH:
			line_screen_resize(s);
			break;
		default:
			s->signal = got;
		}
	}
	return false;
}

/* Whether another byte comes soon. */
static bool
line_screen_follows(const struct line_screen *s)
{
	return s->waiting.len > 0 || line_tty_follows(&s->tty, SCREEN_WAIT);
}

/* Give bytes back, the first of them to be got next: the last one that waits. */
static void
line_screen_back(struct line_screen *s, const char *bytes, size_t n)
{
	while (n > 0)
		buf_addc(&s->waiting, bytes[--n]);
}

/*
 * Get the character that begins with a byte, or that byte alone if it is invalid.  Returns false
 * as line_screen_byte.
 */
static bool
line_screen_char(struct line_screen *s, char byte, wchar_t *c)
{
	char bytes[MB_LEN_MAX] = { byte };
	size_t n = 1, used;
	mbstate_t state = { 0 };

	while (n < sizeof(bytes) && mbrtowc(NULL, bytes, n, &state) == (size_t)-2 && line_screen_follows(s)) {
		if (!line_screen_byte(s, &bytes[n]))
			return false;
		n++;
		state = (mbstate_t){ 0 };
	}
	*c = line_chars_first(bytes, n, &used);
	line_screen_back(s, bytes + used, n - used);
	return true;
}

/* Collect a paste up to its end, for line_paste().  Returns false as line_screen_byte. */
static bool
line_screen_collect_paste(struct line_screen *s)
{
	char byte, before = '\0';
	size_t at = 0;

	buf_cut(&s->paste, 0);
	s->paste_len = 0;
	do {
		if (!line_screen_byte(s, &byte))
			return false;
		/* Terminals paste newlines as \r, and other systems write \r\n. */
		if ((byte != '\n' || before != '\r') && s->paste.len < SCREEN_MAX_PASTE)
			buf_addc(&s->paste, byte == '\r' ? '\n' : byte);
		before = byte;
		s->paste_len++;
	} while (!line_key_ends_paste(&at, byte));
	s->paste_len -= LINE_KEY_PASTE_END;
	/* One that was not kept as a whole is too long in any case. */
	buf_cut(&s->paste, s->paste.len - LINE_KEY_PASTE_END);
	return true;
}

/*
 * Get what begins with ESC: a sequence, or a key with Alt.  ESC alone is a key of vi.  Returns
 * false as line_screen_byte.
 */
static bool
line_screen_sequence(struct line_screen *s, wchar_t *c)
{
	struct line_sequence sequence = { 0 };
	int key = -1;
	char byte;

	while (key < 0) {
		if (sequence.len == 0 && line_bind_is_vi(s->el) && !line_screen_follows(s))
			key = KEY_ESC;
		else if (!line_screen_byte(s, &byte))
			return false;
		else
			key = line_key_of(&sequence, byte);
	}
	*c = key >= KEY_UP ? LINE_BIND_CODE(key) : KEY_ESC;
	if (key == KEY_PASTE)
		return line_screen_collect_paste(s);
	/* Alt and a character that is not ASCII is the character. */
	if (key >= KEY_META + 0x80 && key < KEY_UP)
		return line_screen_char(s, byte, c);
	if (key >= KEY_META && key < KEY_UP)
		line_screen_back(s, &byte, 1);
	return true;
}

bool
line_screen_keep(struct line_screen *s)
{
	const LineInfoW *line = el_wline(s->el);
	const size_t n = line_screen_len(line);

	/* A line that was there when the terminal became smaller may stay. */
	if (n > s->kept_len && !line_screen_fits(s, line->buffer, n)) {
		s->tall = s->tall || line_screen_is_tall(s);
		line_screen_set(s, s->kept_len > 0 ? s->kept : L"", s->kept_at);
		fputc('\a', s->out);
		return false;
	}
	s->kept = mem_resize(s->kept, n + 1, sizeof(*s->kept));
	wmemcpy(s->kept, line->buffer, n);
	s->kept[n] = L'\0';
	s->kept_len = n;
	s->kept_at = (size_t)el_cursor(s->el, 0);
	return true;
}

/* Get a key's code or a character.  Returns false as line_screen_byte. */
static bool
line_screen_key(struct line_screen *s, wchar_t *c)
{
	char byte;

	if (!line_screen_byte(s, &byte))
		return false;
	/* Behind Ctrl-V a paste is a paste nevertheless: its lines must not run. */
	if (byte == KEY_ESC && (!s->quotes || line_screen_follows(s)))
		return line_screen_sequence(s, c);
	*c = byte;
	return (!s->quotes && (unsigned char)byte < 0x80) || line_screen_char(s, byte, c);
}

/* Get a key or character for libedit, as EL_GETCFN asks: 1, 0 at the end or with s->signal. */
static int
line_screen_get(EditLine *el, wchar_t *c)
{
	struct line_screen *s = line_screen_of(el);
	int row;

	if (!s->started) {
		/* libedit has put the terminal into a mode of its own by now. */
		line_tty_raw(&s->tty);
		s->started = true;
		line_screen_begin(s);
	}
	if (el_wline(el)->cursor < el_wline(el)->buffer)
		el_cursor(el, 1);
	row = line_screen_row(s, false);
	if (!line_screen_keep(s)) {
		s->refused = true;
		line_screen_clear(s, row);
		line_screen_draw(s);
	}
	/* A paste that no function took is lost, too: f of vi had asked for a character. */
	s->refused = (s->refused || s->paste.len > 0) && s->kept_len > 0;
	buf_cut(&s->paste, 0);
	/* libedit does not know which rows are still there. */
	if (s->tall || line_screen_is_tall(s)) {
		line_screen_clear(s, s->height);
		line_screen_draw(s);
	}
	s->tall = line_screen_is_tall(s);
	fflush(s->out);
	/* Drop keys typed ahead into a refused line: they would be drawn and taken back. */
	do {
		if (!line_screen_key(s, c))
			return 0;
	} while (s->refused && *c >= 0x20 && *c != KEY_DEL && (*c < 0x80 || *c >= 0xa0) && line_tty_follows(&s->tty, 0));
	return 1;
}

static wchar_t *
line_screen_prompt(EditLine *el)
{
	struct line_screen *s = line_screen_of(el);
	static wchar_t none[] = L"";

	/* It is drawn when the size is known. */
	return s->started ? s->prompt : none;
}

int
line_screen_open(struct line_screen *s, FILE *in, FILE *out)
{
	static const wchar_t *const shifts[] = { L"ic", L"IC", L"im", L"dc", L"DC" };

	s->out = out;
	if (line_tty_open(&s->tty, fileno(in), fileno(out)) < 0)
		return -1;
	s->complaints = fopen("/dev/null", "we");
	s->el = s->complaints != NULL ? el_init("twindex", in, out, s->complaints) : NULL;
	if (s->el == NULL) {
		line_screen_close(s);
		return -1;
	}
	/* Take a terminal that the system has no entry for as an xterm. */
	if (el_set(s->el, EL_TERMINAL, NULL) < 0)
		el_set(s->el, EL_TERMINAL, "xterm");
	el_wset(s->el, EL_CLIENTDATA, s);
	el_wset(s->el, EL_SIGNAL, 0);
	el_wset(s->el, EL_PROMPT, line_screen_prompt);
	el_wset(s->el, EL_GETCFN, line_screen_get);
	/* libedit shifts text behind a wide character by too few columns. */
	for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++)
		el_wset(s->el, EL_SETTC, shifts[i], L"", NULL);
	for (int i = 0; i < SCREEN_BUFFER; i++)
		el_winsertstr(s->el, L" ");
	/* Were they deleted, Ctrl-Y would insert them. */
	el_reset(s->el);
	/* libedit has set a mode of its own. */
	tcsetattr(fileno(in), TCSADRAIN, &s->tty.first);
	return 0;
}

void
line_screen_close(struct line_screen *s)
{
	fflush(s->out);
	/* In edit mode el_end() drops type-ahead. */
	el_wset(s->el, EL_EDITMODE, 0);
	el_end(s->el);
	if (s->complaints != NULL)
		fclose(s->complaints);
	line_tty_close(&s->tty);
	free(s->prompt);
	free(s->kept);
	buf_release(&s->waiting);
	buf_release(&s->paste);
}

int
line_screen_read(struct line_screen *s, const char *prompt, struct buf *text)
{
	const wchar_t *line;
	int n;

	line_screen_set_prompt(s, prompt);
	s->signal = 0;
	do {
		s->started = s->refused = s->tall = false;
		s->kept_len = s->kept_at = 0;
		buf_cut(&s->waiting, 0);
		fflush(s->out);
		line_tty_begin(&s->tty);
		/* First, or keys typed behind the prompt would be echoed twice. */
		line_tty_raw(&s->tty);
		line = el_wgets(s->el, &n);
		if (line == NULL || s->signal != 0) {
			line_screen_finish(s);
			fputs(s->signal == SIGINT ? "^C\n" : "\n", s->out);
			n = 0;
		} else if (s->refused)
			fprintf(s->out, "the line is refused: it is longer than %d cells\n", s->limit);
		else
			line_chars_encode(text, line, (size_t)n - 1);
		fflush(s->out);
		/* Handlers see the others once they are not blocked any more. */
		if (s->signal != 0 && s->signal != SIGINT)
			raise(s->signal);
		line_tty_end(&s->tty);
	} while (n > 0 && s->refused);
	return n > 0;
}

void
line_screen_show(struct line_screen *s, const char *prompt, const char *text, size_t len)
{
	struct buf shown = { 0 };

	name_show_message(&shown, text, len);
	line_screen_new_row(s);
	fprintf(s->out, "%s%s\n", prompt, buf_str(&shown));
	fflush(s->out);
	buf_release(&shown);
}
