/* SPDX-License-Identifier: MIT */
/*
 * Sources: gitrepository-layout(5), PEP 405 (pyvenv.cfg), conda's environments (conda-meta),
 * npm's folders(5), the maildir(5) of qmail, the packages of macOS, profiles of Mozilla.
 *
 * Markers are looked for on the disk, because options of a scan may have left them out.  Only the
 * directories from the one that was named down to a file in question are looked at, each once.
 */
#include "base/base.h"

#include "index/wholes.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include "db/stmt.h"
#include "index/dirs.h"
#include "sys/fs.h"

/* The most entries and names that make a kind. */
enum { WHOLES_MARKS = 6 };

/* A kind: a directory with one of the names, if there are some, that holds all of the entries. */
static const struct {
	const char *one, *many;
	const char *names[WHOLES_MARKS + 1];     /* "*.x": what ends in ".x" */
	const char *entries[WHOLES_MARKS + 1];
} wholes_kinds[] = {
	{ "git work tree", "git work trees", { NULL }, { ".git" } },
	{ "git repository", "git repositories", { NULL }, { "HEAD", "objects", "refs" } },
	{ "Mercurial work tree", "Mercurial work trees", { NULL }, { ".hg" } },
	{ "Subversion work tree", "Subversion work trees", { NULL }, { ".svn" } },
	{ "Python environment", "Python environments", { NULL }, { "pyvenv.cfg" } },
	{ "conda environment", "conda environments", { NULL }, { "conda-meta" } },
	{ "node_modules", "node_modules", { "node_modules" }, { NULL } },
	{ "Maildir", "Maildirs", { NULL }, { "cur", "new", "tmp" } },
	{ "mailbox of Apple Mail", "mailboxes of Apple Mail", { "*.mbox" }, { NULL } },
	{ "Mozilla profile", "Mozilla profiles", { NULL }, { "prefs.js", "compatibility.ini" } },
	{ "application", "applications", { "*.app" }, { "Contents" } },
	{ "photo library", "photo libraries",
	  { "*.photoslibrary", "*.photolibrary", "*.migratedphotolibrary", "*.aplibrary", "*.lrlibrary", "*.lrdata" }, { NULL } },
};

enum { WHOLES_KINDS = sizeof(wholes_kinds) / sizeof(wholes_kinds[0]) };

/* The kind of what the markers of the caller make. */
#define WHOLES_MORE (1U << WHOLES_KINDS)

/* An entry of the index by which its directory may be known. */
struct wholes_entry {
	int64_t dir;
	const char *name;
};

void
wholes_release(struct wholes *w)
{
	vec_release(&w->looked.v);
	table_release(&w->looked.by_path);
	vec_release(&w->indexed.v);
	table_release(&w->indexed.by_path);
	arena_release(&w->memory);
	buf_release(&w->dir);
	buf_release(&w->entries);
}

bool
wholes_marker_is_valid(const char *marker)
{
	return strchr(marker, '/') == NULL && *marker != '\0' && strcmp(marker, ".") != 0 && strcmp(marker, "..") != 0 && strcmp(marker, "*") != 0;
}

/* Whether a name is the one of a kind. */
static bool
wholes_is_named(const char *name, const char *of)
{
	const size_t len = strlen(name), n = strlen(of + 1);

	return *of != '*' ? strcmp(name, of) == 0 : len > n && strcmp(name + len - n, of + 1) == 0;
}

/* Whether the directory in hand, open or else by its rows, has an entry. */
static bool
wholes_has(const struct wholes *w, int fd, const char *entry)
{
	struct fs_stat st;

	if (fd >= 0)
		return fs_stat_at(fd, entry, &st) == 0;
	for (size_t at = 0; at < w->entries.len; at += strlen(w->entries.data + at) + 1) {
		if (strcmp(w->entries.data + at, entry) == 0)
			return true;
	}
	return false;
}

/* Whether the directory in hand, with this name, is of a kind. */
static bool
wholes_is_of(const struct wholes *w, int fd, const char *name, size_t kind)
{
	const char *const *names = wholes_kinds[kind].names, *const *entries = wholes_kinds[kind].entries;
	bool named = *names == NULL;

	for (; !named && *names != NULL; names++)
		named = wholes_is_named(name, *names);
	for (; named && *entries != NULL; entries++)
		named = wholes_has(w, fd, *entries);
	return named;
}

/* The kind of the directory in hand, open or else by its rows; 0: it is no whole. */
static unsigned
wholes_kind(const struct wholes *w, int fd)
{
	const char *name = path_base(w->dir.data);

	for (size_t i = 0; i < WHOLES_KINDS; i++) {
		if (wholes_is_of(w, fd, name, i))
			return 1U << i;
	}
	for (size_t i = 0; i < w->n_more; i++) {
		if (*w->more[i] == '*' ? wholes_is_named(name, w->more[i]) : wholes_has(w, fd, w->more[i]))
			return WHOLES_MORE;
	}
	return 0;
}

/* Take a directory in hand. */
static void
wholes_take(struct wholes *w, const char *path, size_t len)
{
	buf_cut(&w->entries, 0);
	buf_cut(&w->dir, 0);
	buf_add(&w->dir, path, len);
	buf_str(&w->dir);
}

/* The position of a directory, the first len bytes of path; SIZE_MAX: it was not added. */
static size_t
wholes_dirs_find(const struct wholes_dirs *d, const char *path, size_t len)
{
	TABLE_EACH(i, &d->by_path, XXH3_64bits(path, len)) {
		if (d->v.v[i].len == len && memcmp(d->v.v[i].path, path, len) == 0)
			return i;
	}
	return SIZE_MAX;
}

/* Add the directory in hand.  Returns its position. */
static size_t
wholes_dirs_add(struct wholes_dirs *d, struct wholes *w, unsigned kind)
{
	const size_t len = w->dir.len;

	vec_push(&d->v, ((struct wholes_dir){ arena_dup(&w->memory, w->dir.data, len), len, kind }));
	table_add(&d->by_path, XXH3_64bits(w->dir.data, len), d->v.n - 1);
	return d->v.n - 1;
}

static int
wholes_cmp_entry(const void *a, const void *b)
{
	const struct wholes_entry *x = a, *y = b;

	ORDER_CMP(x->dir, y->dir);
	return 0;
}

/* The entries of the index by which directories may be known. */
typedef VEC(struct wholes_entry) wholes_entries;

static int
wholes_read_entries(struct wholes *w, wholes_entries *entries, struct err *err)
{
	struct stmt st = stmt_get(w->db, SQL_WHOLE_ENTRIES, err);
	size_t len;
	int ret;

	while ((ret = stmt_step(&st)) == 1)
		vec_push(entries, ((struct wholes_entry){ stmt_col_int(&st, 0), arena_str(&w->memory, stmt_col_text(&st, 1, &len)) }));
	stmt_done(&st);
	for (size_t i = 0; ret == 0 && i < w->n_more; i++) {
		struct buf text = { 0 };

		if (*w->more[i] == '*')
			continue;
		dirs_store_name(&text, w->more[i], strlen(w->more[i]), 1);
		st = stmt_get(w->db, SQL_WHOLE_NAMED, err);
		stmt_text(&st, ":name", text.data, text.len);
		while ((ret = stmt_step(&st)) == 1)
			vec_push(entries, ((struct wholes_entry){ stmt_col_int(&st, 0), w->more[i] }));
		stmt_done(&st);
		buf_release(&text);
	}
	if (entries->n > 1)
		qsort(entries->v, entries->n, sizeof(*entries->v), wholes_cmp_entry);
	return ret;
}

/* Find all wholes of the index that are known by their entries. */
static int
wholes_load(struct wholes *w, struct err *err)
{
	struct dirs dirs = { .db = w->db, .paths_only = true };
	wholes_entries entries = { 0 };
	int ret = wholes_read_entries(w, &entries, err);

	for (size_t i = 0, next; ret == 0 && i < entries.n; i = next) {
		const struct dirs_prefix *prefix = dirs_prefix(&dirs, entries.v[i].dir, err);
		unsigned kind;

		if (prefix == NULL) {
			ret = -1;
			break;
		}
		wholes_take(w, prefix->text, prefix->len > 1 ? prefix->len - 1 : 1);
		for (next = i; next < entries.n && entries.v[next].dir == entries.v[i].dir; next++)
			buf_add(&w->entries, entries.v[next].name, strlen(entries.v[next].name) + 1);
		kind = wholes_kind(w, -1);
		if (kind != 0)
			wholes_dirs_add(&w->indexed, w, kind);
	}
	dirs_release(&dirs);
	vec_release(&entries);
	w->loaded = ret == 0;
	return ret;
}

/* Look at a directory that was not looked at.  Returns its position, or SIZE_MAX with *err. */
static size_t
wholes_look_at(struct wholes *w, const char *path, size_t len, struct err *err)
{
	size_t indexed = SIZE_MAX;
	unsigned kind;
	int fd;

	wholes_take(w, path, len);
	fd = w->as_indexed ? -1 : fs_enter_dir(w->dir.data);
	if (fd < 0 && !w->loaded && wholes_load(w, err) < 0)
		return SIZE_MAX;
	if (fd < 0) {
		indexed = wholes_dirs_find(&w->indexed, path, len);
		wholes_take(w, path, len);
	}
	/* A directory without such entries may still be known by its name. */
	kind = indexed != SIZE_MAX ? w->indexed.v.v[indexed].kind : wholes_kind(w, fd);
	if (fd >= 0)
		close(fd);
	return wholes_dirs_add(&w->looked, w, kind);
}

int
wholes_find(struct wholes *w, const char *base, const char *path, struct whole *found, struct err *err)
{
	const char *rest = path_below(path, base), *slash;

	for (; rest != NULL && (slash = strchr(rest, '/')) != NULL; rest = slash + 1) {
		const size_t len = (size_t)(slash - path);
		size_t i = wholes_dirs_find(&w->looked, path, len);

		if (i == SIZE_MAX)
			i = wholes_look_at(w, path, len, err);
		if (i == SIZE_MAX)
			return -1;
		if (w->looked.v.v[i].kind != 0) {
			*found = (struct whole){ w->looked.v.v[i].path, i, w->looked.v.v[i].kind };
			return 1;
		}
	}
	return 0;
}

const char *
wholes_name(unsigned kind)
{
	for (size_t i = 0; i < WHOLES_KINDS; i++) {
		if (kind == 1U << i)
			return wholes_kinds[i].one;
	}
	return "directory that --whole keeps together";
}

void
wholes_show(struct buf *b, unsigned kinds)
{
	bool any = false;

	for (size_t i = 0; i <= WHOLES_KINDS; i++) {
		if ((kinds & 1U << i) == 0)
			continue;
		kinds &= ~(1U << i);
		if (any)
			buf_adds(b, kinds != 0 ? ", " : " and ");
		buf_adds(b, i < WHOLES_KINDS ? wholes_kinds[i].many : "directories that --whole keeps together");
		any = true;
	}
}
