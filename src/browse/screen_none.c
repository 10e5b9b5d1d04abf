/* SPDX-License-Identifier: MIT */
/* screen in a build without ncurses: it never opens, so that nothing else is ever called. */
#include <config.h>

#include "browse/screen.h"

#include <stdlib.h>

#include "base/err.h"

int
screen_open(struct screen **s, bool color, struct err *err)
{
	(void)s;
	(void)color;
	return err_set(err, ERR_USAGE, "this twindex was built without ncurses: install it (Debian: libncurses-dev) and "
	               "run ./configure and make again; 'waste' and 'tree' show the same numbers");
}

void
screen_close(struct screen *s)
{
	(void)s;
}

int
screen_rows(const struct screen *s)
{
	(void)s;
	abort();
}

int
screen_columns(const struct screen *s)
{
	(void)s;
	abort();
}

void
screen_clear(struct screen *s)
{
	(void)s;
}

int
screen_put(struct screen *s, int row, int column, const char *text, int columns, unsigned look)
{
	(void)s;
	(void)row;
	(void)column;
	(void)text;
	(void)columns;
	(void)look;
	return 0;
}

void
screen_row(struct screen *s, int row, unsigned look)
{
	(void)s;
	(void)row;
	(void)look;
}

void
screen_cursor(struct screen *s, int row, int column)
{
	(void)s;
	(void)row;
	(void)column;
}

void
screen_show(struct screen *s)
{
	(void)s;
}

void
screen_bell(struct screen *s)
{
	(void)s;
}

unsigned
screen_key(struct screen *s, int fd)
{
	(void)s;
	(void)fd;
	return SCREEN_END;
}
