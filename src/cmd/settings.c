/* SPDX-License-Identifier: MIT */
/*
 * A file in the manner of git's: "[section]", "key = value", comments that begin with # or ;.  A
 * line becomes the word of a command line that says the same, and is parsed as such: so an option
 * means here what it means there, and is checked as there.
 *
 * Who can write to it can have commands do something else than was typed.  So it is read only
 * when it belongs to the user or root and not everybody may write to it, and it never says yes.
 */
#include "base/base.h"

#include "cmd/settings.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/resolve.h"

/*
 * What only a person says, each time; what other programs that call this one rely on; and what
 * takes files out of an answer that people delete by, or keeps from them what was not judged,
 * without a word in it.  Of one command with its name before a dot.
 */
static const char *const settings_refused[] = {
	"yes", "rescue", "force", "force-purge", "recursive", "marked", "include-hidden", "inside", "any-attributes", "prune-empty", "others", "repair",
	"null", "cut", "relative", "help", "version", "no-config", "config-protect", "files0-from", "files-from",
	"quiet", "no-check", "name", "newer", "below", "exclude-path", "uniques.depth", "dups.depth", "at-risk.min-size", "at-risk.top", NULL
};

/* Whether the option of a line is one of these. */
static bool
settings_is_refused(const struct settings_line *l)
{
	const size_t len = strlen(l->section);

	for (size_t i = 0; settings_refused[i] != NULL; i++) {
		const char *r = settings_refused[i];

		if (strcmp(r, l->key) == 0 || (strncmp(r, l->section, len) == 0 && r[len] == '.' && strcmp(r + len + 1, l->key) == 0))
			return true;
	}
	return false;
}

/*
 * The options that hold for all commands that have them, whichever of these the section names: a
 * person who forgets one of the commands that remove files must not lose files by it.
 */
static const char settings_protect[] = "protect";
static const char settings_whole[] = "whole";

/* What declares a backup, in any section, for all commands. */
static const char settings_backup[] = "backup";

/* The options of the section of choices; where a command has one of another type, it is another. */
static const struct {
	const char *key;
	enum opt_type type;
} settings_choices[] = {
	{ settings_protect, OPT_LIST }, { settings_whole, OPT_LIST }, { "keep", OPT_LIST }, { "copies", OPT_INT }, { "per-volume", OPT_FLAG },
	{ "backups-count", OPT_FLAG }, { settings_backup, OPT_LIST },
};

enum settings_use
settings_use(int argc, char *const *argv)
{
	enum settings_use use = SETTINGS_ALL;

	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--no-config") == 0)
			return SETTINGS_NONE;
		if (strcmp(argv[i], "--config-protect") == 0)
			use = SETTINGS_PROTECT;
	}
	return use;
}

int
settings_fail(const struct settings *c, const struct settings_line *l, struct err *err, const char *fmt, ...)
{
	struct buf why = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&why, fmt, ap);
	va_end(ap);
	err_set(err, ERR_USAGE, "%s:%d: %s", c->path, l->number, buf_str(&why));
	buf_release(&why);
	return -1;
}

/* Cut blanks off both ends. */
static char *
settings_trim(char *text)
{
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len > 0 && strchr(" \t\r\n", text[len - 1]) != NULL)
		len--;
	text[len] = '\0';
	return text;
}

/* Take in a line. */
static int
settings_take(struct settings *c, char *text, const char **section, int number, struct err *err)
{
	struct settings_line l = { .section = *section, .number = number };
	struct buf word = { 0 };
	char *end, *value;

	text = settings_trim(text);
	if (*text == '\0' || *text == '#' || *text == ';')
		return 0;
	end = strchr(text, *text == '[' ? ']' : '=');
	if (*text == '[') {
		if (end == NULL || end[1] != '\0')
			return settings_fail(c, &l, err, "']' does not end the line '%s'", text);
		*end = '\0';
		*section = arena_str(&c->memory, settings_trim(text + 1));
		vec_push(&c->sections, ((struct settings_section){ *section, number }));
		return 0;
	}
	if (*section == NULL)
		return settings_fail(c, &l, err, "'%s' stands before the first [section]", text);
	value = end != NULL ? settings_trim(end + 1) : NULL;
	if (end != NULL)
		*end = '\0';
	l.key = arena_str(&c->memory, settings_trim(text));
	buf_addf(&word, "--%s", l.key);
	l.flag = arena_str(&c->memory, buf_str(&word));
	if (value != NULL) {
		buf_addc(&word, '=');
		/* As sh would have it. */
		if (!resolve_home(&word, value))
			buf_adds(&word, value);
	}
	l.word = arena_str(&c->memory, buf_str(&word));
	l.value = value != NULL ? l.word + strlen(l.flag) + 1 : NULL;
	buf_release(&word);
	vec_push(&c->lines, l);
	return 0;
}

static int
settings_read_lines(struct settings *c, FILE *f, struct err *err)
{
	const char *section = NULL;
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	int ret = 0;

	for (int n = 1; ret == 0 && (len = getline(&line, &cap, f)) > 0; n++) {
		if (memchr(line, '\0', (size_t)len) != NULL)
			ret = err_set(err, ERR_USAGE, "%s:%d: a NUL byte", c->path, n);
		else
			ret = settings_take(c, line, &section, n, err);
	}
	if (ret == 0 && ferror(f))
		ret = err_sys(err, "read '%s'", c->path);
	free(line);
	return ret;
}

int
settings_read(struct settings *c, struct err *err)
{
	struct buf path = { 0 }, why = { 0 };
	const char *chosen = getenv("TWINDEX_CONFIG");
	struct stat st;
	FILE *f;
	int fd = -1, ret = 0;

	if (chosen != NULL)
		buf_adds(&path, chosen);
	if (chosen != NULL ? *chosen == '\0' : !resolve_own_file(&path, "XDG_CONFIG_HOME", ".config", "config"))
		goto out;
	c->path = arena_str(&c->memory, buf_str(&path));
	/* Opening a FIFO would hang until a writer comes. */
	fd = open(c->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		ret = chosen != NULL ? err_set(err, ERR_NO_PATH, "'%s' does not exist", c->path) : 0;
		goto out;
	}
	if (fd < 0)
		buf_addf(&why, "'%s' is ignored: it can't be opened: %s", c->path, strerror(errno));
	else if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		buf_addf(&why, "'%s' is ignored: it is no regular file", c->path);
	else if (st.st_uid != geteuid() && st.st_uid != 0)
		buf_addf(&why, "'%s' is ignored: it belongs to another user (%lu)", c->path, (unsigned long)st.st_uid);
	else if ((st.st_mode & S_IWOTH) != 0)
		buf_addf(&why, "'%s' is ignored: everybody may write to it", c->path);
	f = why.len == 0 ? fdopen(fd, "r") : NULL;
	if (f != NULL) {
		ret = settings_read_lines(c, f, err);
		fclose(f);
	} else if (fd >= 0)
		close(fd);
	if (why.len > 0)
		c->ignored = arena_str(&c->memory, buf_str(&why));
out:
	buf_release(&why);
	buf_release(&path);
	return ret;
}

void
settings_release(struct settings *c)
{
	vec_release(&c->sections);
	vec_release(&c->lines);
	vec_release(&c->backups);
	arena_release(&c->memory);
	c->path = NULL;
}

/* Whether a flag is to be set by its line: 1, 0, or -1 when the value is neither. */
static int
settings_truth(const char *value)
{
	static const char *const words[] = { "yes", "true", "on", "1", "no", "false", "off", "0" };

	for (size_t i = 0; value != NULL && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], value) == 0)
			return i < sizeof(words) / sizeof(words[0]) / 2;
	}
	return value == NULL ? 1 : -1;
}

/* Whether a line protects files. */
static bool
settings_protects(const struct settings_line *l)
{
	return (strcmp(l->key, settings_protect) == 0 || strcmp(l->key, settings_whole) == 0) && strcmp(l->section, SETTINGS_ALIAS) != 0;
}

/* Whether a line declares a backup: that is no option, and holds for all commands. */
static bool
settings_declares(const struct settings_line *l)
{
	return strcmp(l->key, settings_backup) == 0 && strcmp(l->section, SETTINGS_ALIAS) != 0;
}

/* Refuse a directory that would be another one in each directory. */
static int
settings_absolute(const struct settings *c, const struct settings_line *l, struct err *err)
{
	if (l->value == NULL)
		return settings_fail(c, l, err, "'%s' needs a value: DIR", l->key);
	if (*l->value != '/')
		return settings_fail(c, l, err, "'%s' is an absolute path, or begins with ~/: '%s' would be another one in each directory", l->key, l->value);
	return 0;
}

int
settings_backups(struct settings *c, struct err *err)
{
	struct buf path = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < c->lines.n; i++) {
		const struct settings_line *l = &c->lines.v[i];

		if (!settings_declares(l))
			continue;
		buf_cut(&path, 0);
		ret = settings_absolute(c, l, err);
		if (ret == 0)
			ret = resolve_path(&path, l->value, NULL, err);
		if (ret == 0)
			vec_push(&c->backups, arena_str(&c->memory, buf_str(&path)));
	}
	buf_release(&path);
	return ret;
}

/* Set the option of a line. */
static int
settings_set(const struct settings *c, const struct settings_line *l, const struct opt_target *targets, struct err *err)
{
	const struct opt *o = opt_named(targets, l->key);
	struct err why = { 0 };
	char *word = l->word;
	int n, on = 1;

	/* A list belongs to one command's call, which adds to it and frees it. */
	if (o != NULL && o->type == OPT_LIST && strcmp(l->section, SETTINGS_LISTING) == 0)
		return settings_fail(c, l, err, "'%s' is a list: --%s belongs on a command line", l->key, l->key);
	if (settings_is_refused(l))
		return settings_fail(c, l, err, "'%s' is for command lines alone", l->key);
	if (o == NULL)
		return settings_fail(c, l, err, "[%s] has no option '%s'", l->section, l->key);
	if (o->type == OPT_FLAG || o->type == OPT_COUNT) {
		on = settings_truth(l->value);
		word = l->flag;
	} else if (l->value == NULL)
		return settings_fail(c, l, err, "'%s' needs a value: %s", l->key, o->arg);
	if (on < 0)
		return settings_fail(c, l, err, "'%s' is yes or no, not '%s'", l->key, l->value);
	if (strcmp(l->key, settings_protect) == 0 && settings_absolute(c, l, err) < 0)
		return -1;
	if (on == 1 && opt_parse(targets, 1, &word, false, &n, &why) < 0)
		return settings_fail(c, l, err, "%s", why.text);
	return 0;
}

/* The position in settings_choices of a line of that section; their number if it has none. */
static size_t
settings_choice(const struct settings_line *l)
{
	size_t i = 0;

	while (i < sizeof(settings_choices) / sizeof(settings_choices[0]) && strcmp(settings_choices[i].key, l->key) != 0)
		i++;
	return i;
}

const char *
settings_policy(const char *section)
{
	const size_t len = strlen(SETTINGS_POLICY);

	return strncmp(section, SETTINGS_POLICY, len) == 0 ? section + len + strspn(section + len, " \t") : NULL;
}

int
settings_check_choices(const struct settings *c, struct err *err)
{
	for (size_t i = 0; i < c->lines.n; i++) {
		const struct settings_line *l = &c->lines.v[i];

		if (strcmp(l->section, SETTINGS_CHOICES) == 0 && settings_choice(l) == sizeof(settings_choices) / sizeof(settings_choices[0]))
			return settings_fail(c, l, err, "[%s] has no option '%s'", l->section, l->key);
	}
	return 0;
}

/* Set the options of the section of choices that a command takes, and its own section lacks. */
static int
settings_apply_choices(const struct settings *c, const char *section, const struct opt_target *targets, struct err *err)
{
	for (size_t i = 0; i < c->lines.n; i++) {
		const struct settings_line *l = &c->lines.v[i];
		const struct opt *o = opt_named(targets, l->key);
		bool own = false;

		if (strcmp(l->section, SETTINGS_CHOICES) != 0 || settings_declares(l) || settings_protects(l) || o == NULL ||
		    o->type != settings_choices[settings_choice(l)].type)
			continue;
		for (size_t k = 0; k < c->lines.n; k++)
			own |= strcmp(c->lines.v[k].section, section) == 0 && strcmp(c->lines.v[k].key, l->key) == 0;
		if (!own && settings_set(c, l, targets, err) < 0)
			return -1;
	}
	return 0;
}

int
settings_apply(const struct settings *c, enum settings_use use, const char *section, const struct opt_target *targets, struct err *err)
{
	const bool everywhere = strcmp(section, SETTINGS_GLOBAL) == 0;

	if (use == SETTINGS_ALL && settings_apply_choices(c, section, targets, err) < 0)
		return -1;
	for (size_t i = 0; i < c->lines.n; i++) {
		const struct settings_line *l = &c->lines.v[i];
		const bool protects = settings_protects(l);

		if (settings_declares(l))
			continue;
		if (!(protects && opt_named(targets, l->key) != NULL) && (use != SETTINGS_ALL || strcmp(l->section, section) != 0 || (protects && everywhere)))
			continue;
		if (settings_set(c, l, targets, err) < 0)
			return -1;
	}
	return 0;
}

void
settings_yield(const struct opt_target *targets)
{
	static const char *const pairs[][2] = {
		{ "hidden", "no-hidden" }, { "no-hidden", "hidden" }, { "si", "bytes" }, { "bytes", "si" }, { "format", "json" },
		{ "hardlink-is-unique", "hardlink-is-copy" }, { "hardlink-is-copy", "hardlink-is-unique" },
		{ "plan", "trash" }, { "plan", "recursive" }, { "plan", "hard" }, { "plan", "soft" }, { "plan", "reflink" },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		opt_replace(targets, pairs[i][0], pairs[i][1]);
}

const struct settings_line *
settings_alias(const struct settings *c, const char *name)
{
	for (size_t i = c != NULL ? c->lines.n : 0; i > 0; i--) {
		const struct settings_line *l = &c->lines.v[i - 1];

		if (strcmp(l->section, SETTINGS_ALIAS) == 0 && strcmp(l->key, name) == 0)
			return l;
	}
	return NULL;
}
