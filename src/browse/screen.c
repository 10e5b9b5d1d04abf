/* SPDX-License-Identifier: MIT */
/*
 * curses keeps its state in globals: one screen is open at a time.  Of signals it has that of new
 * sizes; Ctrl-C and what asks to end stay those of sys/stop, which only set a flag, as that of
 * SIGTSTP does here.
 *
 * It is loaded for the first screen, so that no other start of the program waits for it: its
 * functions are called by pointers.  Its variables are not used, and with them not its macros.
 */
#include "base/base.h"

#include "browse/screen.h"

#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* Its wide functions, whatever else is asked of headers. */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>

#include "shell/line_tty.h"
#include "sys/library.h"
#include "sys/stop.h"
#include "ui/cell.h"

/*
 * In ms: how late a signal is seen that came just before a wait; how long to wait for bytes
 * behind Escape.
 */
enum { SCREEN_POLL = 100, SCREEN_ESCAPE_MS = 25 };

enum { SCREEN_PAIR_DROP = 1, SCREEN_PAIR_KEEP, SCREEN_PAIR_WARN, SCREEN_PAIR_BAR };

#define SCREEN_FUNCTIONS(X) \
	X(beep) X(cbreak) X(clearok) X(curs_set) X(def_prog_mode) X(delscreen) X(delwin) X(endwin) \
	X(getmaxx) X(getmaxy) X(has_colors) X(init_pair) X(is_term_resized) X(keypad) X(newterm) X(newwin) X(nodelay) X(noecho) \
	X(nonl) X(resizeterm) X(set_escdelay) X(start_color) X(use_default_colors) X(waddnstr) X(waddnwstr) \
	X(wattr_set) X(wchgat) X(werase) X(wget_wch) X(wmove) X(wrefresh)

#define SCREEN_POINTER(function) __typeof__(&function) function;
static struct screen_functions {
	SCREEN_FUNCTIONS(SCREEN_POINTER)
} curses;

#define SCREEN_FUNCTION(function) CURSES_FUNCTION(curses.function, function),
static const struct library_function screen_functions[] = { SCREEN_FUNCTIONS(SCREEN_FUNCTION) };

struct screen {
	SCREEN *terminal;
	WINDOW *window;           /* all of it */
	bool color;
	struct sigaction stop;    /* what SIGTSTP did before */
	cc_t suspend;             /* the terminal's key for it */
};

/* A global: a signal handler can reach nothing else. */
static volatile sig_atomic_t screen_stop_seen;

static void
screen_stop_handler(int sig)
{
	(void)sig;
	screen_stop_seen = 1;
}

/*
 * Take SIGTSTP before curses does, which then leaves it alone for good: its handler draws wherever
 * it interrupts us, and it ignores the signal while it writes, so that one is lost.
 */
static void
screen_take_stop(struct screen *s)
{
	struct sigaction act = { .sa_handler = screen_stop_handler, .sa_flags = SA_RESTART };

	sigemptyset(&act.sa_mask);
	screen_stop_seen = 0;
	sigaction(SIGTSTP, &act, &s->stop);
}

/* Take Ctrl-Z from the terminal: it is a key, and waits for its turn as all keys do. */
static void
screen_take_suspend(struct screen *s)
{
	struct termios mode;

	s->suspend = _POSIX_VDISABLE;
	if (tcgetattr(STDIN_FILENO, &mode) < 0)
		return;
	s->suspend = mode.c_cc[VSUSP];
	mode.c_cc[VSUSP] = _POSIX_VDISABLE;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
	curses.def_prog_mode();
}

/* Give the terminal back, and stop all processes that its Ctrl-Z would stop. */
static void
screen_suspend(struct screen *s)
{
	struct sigaction ours;

	curses.endwin();
	sigaction(SIGTSTP, &s->stop, &ours);
	kill(0, SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
	screen_stop_seen = 0;
	curses.clearok(s->window, TRUE);
}

/* Out of memory: in the thread that asked for it, with no time for more. */
static void
screen_last_words(void)
{
	curses.endwin();
}

static void
screen_take_colors(struct screen *s)
{
	if (curses.start_color() != OK)
		return;
	s->color = curses.use_default_colors() == OK;
	curses.init_pair(SCREEN_PAIR_DROP, COLOR_RED, -1);
	curses.init_pair(SCREEN_PAIR_KEEP, COLOR_GREEN, -1);
	curses.init_pair(SCREEN_PAIR_WARN, COLOR_YELLOW, -1);
	curses.init_pair(SCREEN_PAIR_BAR, COLOR_CYAN, -1);
}

int
screen_open(struct screen **result, bool color, struct err *err)
{
	struct err why = { 0 };
	struct screen *s;

	if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1)
		return err_set(err, ERR_USAGE, "browse needs a terminal; 'waste' and 'tree' print the same numbers");
	if (!line_tty_moves())
		return err_set(err, ERR_USAGE, "browse needs a terminal that can move its cursor, not TERM=%s; 'waste' and 'tree' "
		               "print the same numbers", getenv("TERM") != NULL ? getenv("TERM") : "");
	if (library_load(CURSES_FILE, screen_functions, sizeof(screen_functions) / sizeof(screen_functions[0]), &why) < 0)
		return err_set(err, ERR_USAGE, "ncurses, which browse needs, cannot be loaded: install it (Debian: libncursesw6): %s",
		               why.text);
	fflush(stdout);
	s = mem_zalloc(1, sizeof(*s));
	screen_take_stop(s);
	s->terminal = curses.newterm(NULL, stdout, stdin);
	if (s->terminal == NULL) {
		sigaction(SIGTSTP, &s->stop, NULL);
		free(s);
		return err_set(err, ERR_USAGE, "curses does not know a terminal with TERM=%s", getenv("TERM"));
	}
	mem_on_death(screen_last_words);
	s->window = curses.newwin(0, 0, 0, 0);
	if (s->window == NULL)
		mem_out();
	curses.cbreak();
	curses.noecho();
	curses.nonl();
	curses.keypad(s->window, TRUE);
	curses.nodelay(s->window, TRUE);
	curses.set_escdelay(SCREEN_ESCAPE_MS);
	screen_take_suspend(s);
	curses.curs_set(0);
	if (color && curses.has_colors())
		screen_take_colors(s);
	*result = s;
	return 0;
}

void
screen_close(struct screen *s)
{
	if (s == NULL)
		return;
	mem_on_death(NULL);
	curses.endwin();
	sigaction(SIGTSTP, &s->stop, NULL);
	curses.delwin(s->window);
	curses.delscreen(s->terminal);
	free(s);
}

int
screen_rows(const struct screen *s)
{
	return curses.getmaxy(s->window);
}

int
screen_columns(const struct screen *s)
{
	return curses.getmaxx(s->window);
}

void
screen_clear(struct screen *s)
{
	int columns, rows;

	/* curses asks for the size only after SIGWINCH, which a stopped job does not get. */
	line_tty_size(STDOUT_FILENO, &columns, &rows);
	if (curses.is_term_resized(rows, columns))
		curses.resizeterm(rows, columns);
	curses.werase(s->window);
}

static attr_t
screen_attributes(unsigned look)
{
	return ((look & SCREEN_CURSOR) != 0 ? A_REVERSE : 0) | ((look & SCREEN_FRAME) != 0 ? A_REVERSE : 0) |
	       ((look & SCREEN_DIM) != 0 ? A_DIM : 0) | ((look & SCREEN_STRONG) != 0 ? A_BOLD : 0);
}

static short
screen_pair(const struct screen *s, unsigned look)
{
	if (!s->color || (look & SCREEN_CURSOR) != 0)
		return 0;
	return (look & SCREEN_DROP) != 0 ? SCREEN_PAIR_DROP : (look & SCREEN_KEEP) != 0 ? SCREEN_PAIR_KEEP :
	       (look & SCREEN_WARN) != 0 ? SCREEN_PAIR_WARN : (look & SCREEN_BAR) != 0 ? SCREEN_PAIR_BAR : 0;
}

int
screen_put(struct screen *s, int row, int column, const char *text, int columns, unsigned look)
{
	const size_t len = strlen(text);
	struct buf escaped = { 0 };
	int used = 0;

	if (row < 0 || row >= screen_rows(s) || column >= screen_columns(s))
		return 0;
	if (columns > screen_columns(s) - column)
		columns = screen_columns(s) - column;
	curses.wattr_set(s->window, screen_attributes(look), screen_pair(s, look), NULL);
	curses.wmove(s->window, row, column);
	for (size_t at = 0; at < len;) {
		const struct cell c = cell_at(text, len, at);

		if (used + c.columns > columns)
			break;
		if (c.kind == CELL_PLAIN)
			curses.waddnwstr(s->window, &c.c, 1);
		else {
			buf_cut(&escaped, 0);
			cell_escape(&escaped, text + at, &c);
			curses.waddnstr(s->window, buf_str(&escaped), (int)escaped.len);
		}
		used += c.columns;
		at += c.len;
	}
	curses.wattr_set(s->window, A_NORMAL, 0, NULL);
	buf_release(&escaped);
	return used;
}

void
screen_row(struct screen *s, int row, unsigned look)
{
	if (row >= 0 && row < screen_rows(s)) {
		curses.wmove(s->window, row, 0);
		curses.wchgat(s->window, -1, screen_attributes(look), screen_pair(s, look), NULL);
	}
}

void
screen_cursor(struct screen *s, int row, int column)
{
	curses.curs_set(row >= 0);
	if (row >= 0)
		curses.wmove(s->window, row, column < screen_columns(s) ? column : screen_columns(s) - 1);
}

void
screen_show(struct screen *s)
{
	curses.wrefresh(s->window);
}

void
screen_bell(struct screen *s)
{
	(void)s;
	curses.beep();
}

/* What a key of curses is here. */
static unsigned
screen_special(wint_t key)
{
	static const struct {
		wint_t key;
		unsigned here;
	} keys[] = {
		{ KEY_UP, SCREEN_UP }, { KEY_DOWN, SCREEN_DOWN }, { KEY_LEFT, SCREEN_LEFT }, { KEY_RIGHT, SCREEN_RIGHT },
		{ KEY_PPAGE, SCREEN_PAGE_UP }, { KEY_NPAGE, SCREEN_PAGE_DOWN }, { KEY_HOME, SCREEN_FIRST }, { KEY_END, SCREEN_LAST },
		{ KEY_ENTER, SCREEN_ENTER }, { KEY_BACKSPACE, SCREEN_BACKSPACE }, { KEY_F(1), '?' },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].key == key)
			return keys[i].here;
	}
	return SCREEN_NONE;
}

unsigned
screen_key(struct screen *s, int fd)
{
	struct pollfd p[2] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .fd = fd, .events = POLLIN } };
	wint_t key;
	int ret;

	/* First the bytes that curses has read ahead to tell keys apart. */
	ret = curses.wget_wch(s->window, &key);
	if (ret == ERR) {
		do {
			if (stop_signal() != 0)
				return SCREEN_NONE;
			if (screen_stop_seen != 0) {
				screen_suspend(s);
				return SCREEN_NONE;
			}
		} while (poll(p, 2, SCREEN_POLL) == 0);
		if ((p[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
			return SCREEN_END;
		ret = curses.wget_wch(s->window, &key);
	}
	if (ret == KEY_CODE_YES)
		return screen_special(key);
	if (ret == ERR)
		return SCREEN_NONE;
	if (s->suspend != _POSIX_VDISABLE && key == s->suspend) {
		screen_suspend(s);
		return SCREEN_NONE;
	}
	return key == '\r' || key == '\n' ? SCREEN_ENTER : key == 0x7f || key == '\b' ? SCREEN_BACKSPACE : key == 0x1b ? SCREEN_ESCAPE :
	       (unsigned)key;
}
