/* SPDX-License-Identifier: MIT */
/* view - what is on the screen: the lines of a directory, copies of one, a bottom line. */
#ifndef BROWSE_VIEW_H
#define BROWSE_VIEW_H

#include "browse/level.h"
#include "ui/out_style.h"

struct copies_answer;
struct look;
struct screen;

/** What takes up the screen. */
enum view_mode {
	VIEW_LINES,      /* the directory */
	VIEW_COPIES,     /* where the entry under its cursor has copies */
	VIEW_HELP
};

/** A list of which a part is on the screen. */
struct view_list {
	size_t n;
	size_t at;       /* the line under the cursor; less than n, or 0 */
	size_t first;    /* on the screen */
};

/** What is to be shown.  The caller owns all that it points to. */
struct view {
	const struct out_style *style;
	enum view_mode mode;
	struct level *level;         /* NULL: it is on its way */
	enum level_sort sort;
	bool reverse;
	struct view_list lines, copies, help;
	struct look *look;           /* at the file under the cursor; NULL: it is on its way */
	/** Where the contents of the directory under the cursor have copies; NULL: not known. */
	struct copies_answer *places;
	bool busy;                   /* something is on its way */
	char *message;               /* of what was done last, or NULL */
	char *gaps;                  /* what was not judged in the directory, or NULL */
	const char *note;            /* what the numbers leave out, or NULL */
	const char *typed;           /* what is searched for, while it is typed; or NULL */
};

/** The list that the mode shows. */
struct view_list *view_list(struct view *v);
/** How many lines of it are on the screen. */
size_t view_page(const struct screen *s, const struct view *v);
/** Draw all of it, and scroll the list so that its cursor is to be seen. */
void view_draw(struct screen *s, struct view *v);

#endif
