/* SPDX-License-Identifier: MIT */
/*
 * struct view is what the screen shows.  A key changes it, or asks struct work for something
 * whose answer changes it later.  Only keys and answers are waited for.
 *
 * Marks change in the lines that are there.  Where another process has changed the index, the
 * directory is loaded anew; its cursor then stands at the same name.  While a directory is
 * loading, keys that need its lines do nothing.
 */
#include "base/base.h"

#include "browse/browse.h"

#include <wchar.h>

#include "browse/copies.h"
#include "browse/look.h"
#include "browse/screen.h"
#include "browse/view.h"
#include "browse/work.h"
#include "cmd/cmd.h"
#include "query/dirtree.h"
#include "sys/stop.h"

/* The keys of enum level_sort. */
static const char browse_sorts[] = "rsm%n";

struct browse {
	struct screen *screen;
	struct work *work;
	struct view view;        /* with all that it points to, but for style, note and typed */
	char *asked;             /* owned: the directory that was asked for last */
	char *name;              /* owned: the cursor goes there in it; or NULL */
	bool moving;             /* another directory is on its way */
	struct buf typed, found; /* what is searched for: while it is typed; last */
	bool typing;
	bool over;               /* it ends when all marks are written */
	bool gone;               /* ... at once: the terminal is gone */
};

static void
browse_say(struct browse *b, const char *text)
{
	free(b->view.message);
	b->view.message = text != NULL ? mem_str(text) : NULL;
}

/* The line under the cursor, or NULL. */
static const struct level_line *
browse_line(const struct browse *b)
{
	return b->view.level != NULL && !b->moving && b->view.lines.at < b->view.level->n ? level_line(b->view.level, b->view.lines.at) : NULL;
}

static void
browse_forget_look(struct browse *b)
{
	look_free(b->view.look);
	b->view.look = NULL;
}

static void
browse_forget_places(struct browse *b)
{
	copies_answer_free(b->view.places);
	b->view.places = NULL;
}

static void
browse_set_gaps(struct browse *b, char *text)
{
	free(b->view.gaps);
	b->view.gaps = text;
}

/* Append the path of the file under the cursor.  Returns whether it is on one. */
static bool
browse_file(const struct browse *b, struct buf *path)
{
	const struct level_line *line = browse_line(b);

	if (line == NULL || line->dir != DIRTREE_NONE)
		return false;
	level_path(b->view.level, b->view.lines.at, path);
	return true;
}

/* Ask for a look at the file under the cursor; again: even if there is one already. */
static void
browse_look(struct browse *b, bool again)
{
	struct buf path = { 0 };
	const bool file = browse_file(b, &path), same = file && b->view.look != NULL && strcmp(b->view.look->a.path, buf_str(&path)) == 0;

	if (!same)
		browse_forget_look(b);
	if (file && (again || !same))
		work_ask(b->work, WORK_LOOK, buf_str(&path), MARK_NONE);
	buf_release(&path);
}

/* Take the result of a look, or its failure, and show it if the cursor is still on that file. */
static void
browse_seen(struct browse *b, struct work_job *done)
{
	struct buf path = { 0 };

	if (browse_file(b, &path) && strcmp(done->path, buf_str(&path)) == 0) {
		browse_forget_look(b);
		b->view.look = done->look;
		done->look = NULL;
	}
	buf_release(&path);
}

/* Ask for a directory, with the cursor at a name in it (or NULL). */
static void
browse_go(struct browse *b, const char *path, const char *name)
{
	char *copy = name != NULL ? mem_str(name) : NULL, *asked = mem_str(path);

	free(b->name);
	free(b->asked);
	b->name = copy;
	b->asked = asked;
	b->moving = copy != NULL || b->view.level == NULL || strcmp(asked, b->view.level->path) != 0;
	work_ask(b->work, WORK_LEVEL, asked, MARK_NONE);
}

/* Load the directory again; the cursor stays on the line where it is when that is done. */
static void
browse_again(struct browse *b)
{
	if (b->view.level != NULL && !b->moving)
		browse_go(b, b->view.level->path, NULL);
}

/* The name that the cursor goes to in a loaded directory, or NULL. */
static const char *
browse_name(const struct browse *b, const struct level *level)
{
	const struct level_line *line = browse_line(b);
	const size_t len = path_parent_len(b->asked);

	if (!b->moving)
		return line != NULL ? line->name : NULL;
	/* A file was asked for, and its directory was loaded. */
	if (b->name == NULL && strlen(level->path) == len && memcmp(level->path, b->asked, len) == 0)
		return path_base(b->asked);
	return b->name;
}

static void
browse_place(struct browse *b, struct level *level)
{
	const char *name = browse_name(b, level);
	size_t at = SIZE_MAX;

	level_order(level, b->view.sort, b->view.reverse);
	if (name != NULL)
		at = level_named(level, name);
	/* If the name is gone: the line that took its place. */
	if (at == SIZE_MAX)
		at = b->moving ? 0 : b->view.lines.at;
	if (b->moving)
		b->view.lines.first = 0;
	level_free(b->view.level);
	b->view.level = level;
	b->view.lines.n = level->n;
	b->view.lines.at = at < level->n ? at : 0;
	b->moving = false;
	browse_look(b, true);
	browse_set_gaps(b, NULL);
	work_ask(b->work, WORK_GAPS, level->path, MARK_NONE);
}

/* Show where the contents of the directory under the cursor have copies, if still wanted. */
static void
browse_placed(struct browse *b, struct work_job *done)
{
	struct buf path = { 0 }, text = { 0 };
	char x[NUM_SHOW_MAX];

	if (b->view.mode == VIEW_COPIES && browse_line(b) != NULL)
		level_path(b->view.level, b->view.lines.at, &path);
	if (path.len > 0 && strcmp(done->path, buf_str(&path)) == 0) {
		browse_forget_places(b);
		b->view.places = done->places;
		done->places = NULL;
		buf_addf(&text, "%s below %s copies elsewhere", num_show_things(b->view.places->files, "file", "files", x),
		         b->view.places->files == 1 ? "has" : "have");
		if (b->view.places->others > 0)
			buf_addf(&text, ", %s in none of these", num_show_count(b->view.places->others, x));
		buf_adds(&text, ", as of the last scan");
		browse_say(b, buf_str(&text));
	}
	buf_release(&path);
	buf_release(&text);
}

/* Put the lines in order; the cursor stays at its line. */
static void
browse_order(struct browse *b)
{
	const struct level_line *line = browse_line(b);

	if (line == NULL)
		return;
	level_order(b->view.level, b->view.sort, b->view.reverse);
	b->view.lines.at = level_named(b->view.level, line->name);
}

/* Show the result of marks, if it is of the directory on the screen. */
static void
browse_marked(struct browse *b, const struct work_job *done)
{
	if (done->marks == NULL || b->view.level == NULL || strcmp(b->view.level->path, done->path) != 0) {
		browse_again(b);
		return;
	}
	level_take_marks(b->view.level, done->marks);
	if (b->view.sort == LEVEL_MARKED)
		browse_order(b);
	browse_look(b, true);
}

/* Take what was done.  Returns 0, or -1 with *err: nothing can be shown, or nobody would see it. */
static int
browse_take(struct browse *b, struct err *err)
{
	struct work_job *done;

	while ((done = work_take(b->work)) != NULL) {
		const bool fatal = done->fatal || (b->over && done->code != ERR_NONE && work_marks(done->kind));

		if (fatal)
			err_set(err, done->code, "%s", done->text);
		if (done->kind == WORK_GAPS) {
			if (b->view.level != NULL && strcmp(b->view.level->path, done->path) == 0) {
				browse_set_gaps(b, done->text);
				done->text = NULL;
			}
		} else if (done->text != NULL) {
			browse_say(b, done->text);
		}
		if (done->kind == WORK_LEVEL && strcmp(done->path, b->asked) != 0) {
			/* Another one is on its way. */
		} else if (done->level != NULL) {
			browse_place(b, done->level);
			done->level = NULL;
		} else if (done->kind == WORK_LOOK) {
			browse_seen(b, done);
		} else if (done->places != NULL) {
			browse_placed(b, done);
		} else if (work_marks(done->kind)) {
			browse_marked(b, done);
		} else if (done->changed) {
			browse_again(b);
		} else if (done->kind == WORK_LEVEL) {
			b->moving = b->view.level == NULL;
		}
		work_job_free(done);
		if (fatal)
			return -1;
	}
	return 0;
}

static void
browse_out(struct browse *b)
{
	struct buf up = { 0 };

	if (b->view.level == NULL || b->moving || strcmp(b->view.level->path, "/") == 0)
		return;
	buf_add(&up, b->view.level->path, path_parent_len(b->view.level->path));
	browse_go(b, buf_str(&up), path_base(b->view.level->path));
	buf_release(&up);
}

/* Show where the file or directory under the cursor has copies. */
static void
browse_copies(struct browse *b)
{
	const struct level_line *line = browse_line(b);
	struct buf path = { 0 };

	b->view.mode = VIEW_COPIES;
	b->view.copies = (struct view_list){ .n = 0 };
	browse_forget_places(b);
	if (line->dir != DIRTREE_NONE) {
		level_path(b->view.level, b->view.lines.at, &path);
		work_ask(b->work, WORK_PLACES, buf_str(&path), MARK_NONE);
	}
	buf_release(&path);
}

/* Go to the copy, or to the directory with copies, under the cursor. */
static void
browse_to_copy(struct browse *b)
{
	const size_t at = b->view.copies.at;

	if (b->view.places != NULL && at < b->view.places->places.n) {
		browse_go(b, b->view.places->places.v[at].path, NULL);
	} else if (b->view.look != NULL && at < b->view.look->a.n_members) {
		const char *copy = b->view.look->a.members[at].path;
		struct buf path = { 0 };

		buf_add(&path, copy, path_parent_len(copy));
		browse_go(b, buf_str(&path), path_base(copy));
		buf_release(&path);
	} else {
		return;
	}
	b->view.mode = VIEW_LINES;
	browse_forget_places(b);
}

/* Go into the directory under the cursor, or to the copy under it. */
static void
browse_in(struct browse *b)
{
	const struct level_line *line = browse_line(b);
	struct buf path = { 0 };

	if (b->view.mode == VIEW_COPIES) {
		browse_to_copy(b);
	} else if (b->view.mode == VIEW_LINES && line != NULL && line->dir != DIRTREE_NONE) {
		level_path(b->view.level, b->view.lines.at, &path);
		browse_go(b, buf_str(&path), NULL);
	} else if (b->view.mode == VIEW_LINES && line != NULL) {
		browse_copies(b);
	}
	buf_release(&path);
}

static void
browse_mark(struct browse *b, enum mark_decision decision)
{
	struct buf path = { 0 };

	if (b->view.mode != VIEW_LINES || browse_line(b) == NULL) {
		screen_bell(b->screen);
		return;
	}
	level_path(b->view.level, b->view.lines.at, &path);
	work_ask(b->work, WORK_MARK, buf_str(&path), decision);
	buf_release(&path);
}

static void
browse_sort(struct browse *b, enum level_sort sort)
{
	b->view.reverse = b->view.sort == sort && !b->view.reverse;
	b->view.sort = sort;
	browse_order(b);
}

/* A key while a name is typed. */
static void
browse_type(struct browse *b, unsigned key)
{
	char bytes[16];
	mbstate_t state = { 0 };
	size_t n, at = SIZE_MAX;

	if (key == SCREEN_ENTER) {
		if (b->typed.len > 0) {
			buf_cut(&b->found, 0);
			buf_adds(&b->found, buf_str(&b->typed));
		}
		if (browse_line(b) != NULL && b->found.len > 0)
			at = level_find(b->view.level, buf_str(&b->found), b->view.lines.at);
		if (at == SIZE_MAX)
			browse_say(b, "no name here contains that");
		else
			b->view.lines.at = at;
	} else if (key == SCREEN_BACKSPACE && b->typed.len > 0) {
		size_t len = b->typed.len - 1;

		while (len > 0 && ((unsigned char)b->typed.data[len] & 0xc0) == 0x80)
			len--;
		buf_cut(&b->typed, len);
		return;
	} else if (key >= ' ' && key < SCREEN_NONE) {
		n = wcrtomb(bytes, (wchar_t)key, &state);
		if (n != (size_t)-1)
			buf_add(&b->typed, bytes, n);
		return;
	} else if (key != SCREEN_ESCAPE && key != SCREEN_BACKSPACE) {
		return;
	}
	b->typing = false;
}

/* A key that moves the cursor of the list.  Returns whether it was one. */
static bool
browse_move(struct browse *b, unsigned key)
{
	struct view_list *l = view_list(&b->view);
	const size_t page = view_page(b->screen, &b->view), last = l->n > 0 ? l->n - 1 : 0;
	/* Of the help, which has no cursor, the first line moves. */
	const size_t from = b->view.mode == VIEW_HELP ? l->first : l->at;
	size_t to = from;

	switch (key) {
	case SCREEN_UP: case 'P' & 0x1f:
		to = from > 0 ? from - 1 : 0;
		break;
	case SCREEN_DOWN: case 'j': case 'N' & 0x1f:
		to = from + 1;
		break;
	case SCREEN_PAGE_UP: case 'B' & 0x1f:
		to = from > page ? from - page : 0;
		break;
	case SCREEN_PAGE_DOWN: case 'F' & 0x1f:
		to = from + page;
		break;
	case SCREEN_FIRST:
		to = 0;
		break;
	case SCREEN_LAST:
		to = last;
		break;
	default:
		return false;
	}
	to = to < last ? to : last;
	if (b->view.mode == VIEW_HELP) {
		l->first = to;
		to = to + page - 1 < last ? to + page - 1 : last;
	}
	l->at = to;
	return true;
}

static void
browse_command(struct browse *b, unsigned key)
{
	const enum view_mode mode = b->view.mode;

	browse_say(b, NULL);
	if (browse_move(b, key))
		return;
	/* From help and copies the keys that leave a directory lead back to its lines. */
	if (mode != VIEW_LINES && (key == 'q' || key == SCREEN_ESCAPE || key == SCREEN_LEFT || key == 'h' || key == '<' ||
	                           key == SCREEN_BACKSPACE || key == (mode == VIEW_HELP ? '?' : 'c'))) {
		b->view.mode = VIEW_LINES;
		browse_forget_places(b);
		return;
	}
	switch (key) {
	case 'q':
		b->over = true;
		browse_say(b, "leaving when all marks are written; Ctrl-C leaves at once");
		break;
	case SCREEN_ENTER: case SCREEN_RIGHT: case 'l':
		browse_in(b);
		break;
	case SCREEN_LEFT: case SCREEN_BACKSPACE: case 'h': case '<':
		browse_out(b);
		break;
	case 'd':
		browse_mark(b, MARK_DROP);
		break;
	case 'k':
		browse_mark(b, MARK_KEEP);
		break;
	case 'x':
		browse_mark(b, MARK_NONE);
		break;
	case 'u':
		work_ask(b->work, WORK_UNDO, NULL, MARK_NONE);
		break;
	case 'c':
		if (browse_line(b) != NULL)
			browse_copies(b);
		else
			screen_bell(b->screen);
		break;
	case 'r': case 's': case 'm': case '%': case 'n':
		browse_sort(b, (enum level_sort)(strchr(browse_sorts, (int)key) - browse_sorts));
		break;
	case '/':
		b->typing = mode == VIEW_LINES;
		buf_cut(&b->typed, 0);
		break;
	case '?':
		b->view.mode = VIEW_HELP;
		b->view.help = (struct view_list){ .n = 0 };
		break;
	case 'L' & 0x1f:
		browse_again(b);
		break;
	default:
		screen_bell(b->screen);
		break;
	}
}

static void
browse_key(struct browse *b, unsigned key)
{
	if (key == SCREEN_END)
		b->gone = true;
	else if (b->over)
		return;
	else if (b->typing)
		browse_type(b, key);
	else if (key != SCREEN_NONE)
		browse_command(b, key);
	browse_look(b, false);
}

int
browse_run(const struct cmd_call *c, const struct browse_query *q, struct err *err)
{
	const struct out_style style = cmd_style(c, OUT_DIRS);
	struct browse b = { .view = { .style = &style, .sort = q->sort, .note = q->note } };
	int ret = screen_open(&b.screen, style.color, err);

	if (ret == 0)
		ret = work_open(&b.work, c, err);
	if (ret == 0)
		browse_go(&b, q->path, NULL);
	while (ret == 0 && !b.gone) {
		const bool marking = work_is_marking(b.work);

		ret = browse_take(&b, err);
		if (ret == 0 && stop_check(err) < 0)
			ret = marking ? err_set(err, err->code, "interrupted: the last marks were not written") : -1;
		if (ret < 0 || (b.over && !marking))
			break;
		b.view.busy = work_is_busy(b.work);
		b.view.typed = b.typing ? buf_str(&b.typed) : NULL;
		view_draw(b.screen, &b.view);
		browse_key(&b, screen_key(b.screen, work_fd(b.work)));
	}
	screen_close(b.screen);
	work_close(b.work);
	level_free(b.view.level);
	look_free(b.view.look);
	copies_answer_free(b.view.places);
	free(b.view.gaps);
	free(b.view.message);
	free(b.asked);
	free(b.name);
	buf_release(&b.typed);
	buf_release(&b.found);
	return ret;
}
