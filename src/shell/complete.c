/* SPDX-License-Identifier: MIT */
/*
 * Words are completed for two askers: Tab in the shell of this program, and other shells by
 * the command __complete.  The line up to the cursor is split by the lexer that runs it, or
 * comes as words.  The words before the cursor's word say which candidates there are;
 * complete_offer puts the word anew for Tab, in the quotes in which it was begun, and
 * complete_tell names all candidates as whole words without quotes.
 *
 * The name of an operand or argument in the help tells its kind (complete_kind).
 */
#include "base/base.h"

#include "shell/complete.h"

#include "sys/resolve.h"
#include "index/index.h"
#include "query/name_prefix.h"
#include "query/prefix.h"
#include "ui/numbers.h"
#include "ui/opt.h"
#include "cmd/cmd.h"
#include "cmd/cmd_topics.h"
#include "shell/words.h"
#include "shell/disk_names.h"
#include "shell/line.h"
#include "shell/session.h"
#include "shell/builtin.h"

/* Candidates that are offered at most. */
#define COMPLETE_MAX 2000
/* The same of names anywhere in the index. */
#define COMPLETE_NAMES 200
/* Aliases within aliases. */
#define COMPLETE_DEPTH 16

/* One completion on its way. */
struct complete {
	const struct complete_ctx *ctx;
	struct words_cursor at;     /* the word; those before it, with aliases expanded */
	size_t skip;                /* how many of them do not count */
	ptrdiff_t grown;            /* bytes that an expanded $HOME added to the word */
	bool tilde;                 /* the path begins with a ~ that means the home directory */
	bool bare_tilde;            /* ... and so does the word: quoted, it would mean a name */
	/* What stands before the word, once complete_parse() has read it. */
	const char *command;        /* its name; NULL: the word is to be it */
	const struct cmd *cmd;      /* the record of that name, or NULL */
	size_t operands;
	const char *operand;        /* the first of them, or NULL */
	const struct opt *pending;  /* the option whose argument the word is, or NULL */
	bool only_operands;         /* behind "--" */
	const char *db;             /* the value of --db, or NULL */
	struct buf db_path;         /* what db means, where it begins with the home directory */
	/* What was found. */
	bool path;                  /* candidates are paths, not numbers or options */
	bool names;                 /* ... or names anywhere, of which others may be left out */
	size_t kept;                /* bytes of the word that stay, before the candidate */
	struct prefix found;        /* candidates: what may stand behind the bytes that stay */
};

/* Get the tables of options that may stand at the word. */
static void
complete_tables(const struct complete *c, struct opt_target tables[CMD_TABLES])
{
	if (c->cmd != NULL) {
		cmd_tables(c->cmd, tables);
		return;
	}
	tables[0] = tables[1] = (struct opt_target){ NULL, NULL, NULL };
	if (c->ctx->outside && c->command == NULL)
		tables[0].opts = cmd_global_opts;
}

/* Find an option of these with an argument, as opt_with_argument(). */
static const struct opt *
complete_option(const struct complete *c, const char *word, const char **value)
{
	struct opt_target tables[CMD_TABLES];

	complete_tables(c, tables);
	return opt_with_argument(tables, word, value);
}

/* Note the command at word i.  An alias gives way to its words, and they are parsed, too. */
static void
complete_note_command(struct complete *c, size_t i)
{
	const struct complete_ctx *x = c->ctx;
	const char *value = NULL, *before = NULL;

	/* One that begins with its own name means the command there. */
	for (int depth = 0; depth < COMPLETE_DEPTH && c->at.place == WORDS_OURS && i < c->at.before.n; depth++) {
		const struct word *w = &c->at.before.v[i];
		const struct alias *a = x->session != NULL && !w->quoted ? alias_find(&x->session->aliases, w->text) : NULL;
		const struct settings_line *l = x->session == NULL ? settings_alias(x->config, w->text) : NULL;

		value = a != NULL ? a->value : l != NULL ? l->value : NULL;
		if (value == NULL || value == before)
			break;
		alias_expand_words(&c->at, i, value);
		before = value;
	}
	if (c->at.place == WORDS_OURS && i < c->at.before.n) {
		c->command = x->outside ? c->at.before.v[i].text : builtin_full_name(x->commands, c->at.before.v[i].text);
		c->cmd = cmd_find(x->commands, c->command);
	}
}

/*
 * The bytes, slash included, with which a word of another shell begins and that mean the home
 * directory, or 0.  ~ does so only where a word begins.
 */
static size_t
complete_home_len(const char *text, bool begins)
{
	static const char *const names[] = { "$HOME/", "${HOME}/", "~/" };
	const char *home = getenv("HOME");

	for (int i = 0; i < (begins ? 3 : 2) && home != NULL && *home == '/'; i++) {
		if (strncmp(text, names[i], strlen(names[i])) == 0)
			return strlen(names[i]);
	}
	return 0;
}

/* Note the index if o names it; word: the value is a word. */
static void
complete_note_db(struct complete *c, const struct opt *o, const char *value, bool word)
{
	size_t len;

	if (o->name == NULL || strcmp(o->name, "db") != 0)
		return;
	c->db = value;
	len = c->ctx->outside ? complete_home_len(value, word) : 0;
	if (len > 0) {
		buf_cut(&c->db_path, 0);
		buf_addf(&c->db_path, "%s/%s", getenv("HOME"), value + len);
		c->db = c->db_path.data;
	}
}

/*
 * Find the command, its operands and options.  Words of an alias take its place among the words,
 * and place is not WORDS_OURS any more if it ends behind an operator.
 */
static void
complete_parse(struct complete *c)
{
	/* Behind the program's own name in other shells. */
	for (size_t i = c->skip; c->at.place == WORDS_OURS && i < c->at.before.n; i++) {
		const char *word = c->at.before.v[i].text, *value;

		if (c->pending != NULL) {
			complete_note_db(c, c->pending, word, true);
			c->pending = NULL;
		} else if (!c->only_operands && strcmp(word, "--") == 0)
			c->only_operands = true;
		else if (!c->only_operands && word[0] == '-' && word[1] != '\0') {
			const struct opt *o = complete_option(c, word, &value);

			if (value == NULL)
				c->pending = o;
			else
				complete_note_db(c, o, value, false);
		} else if (c->command == NULL)
			complete_note_command(c, i);
		else if (c->operands++ == 0)
			c->operand = word;
	}
}

/* The typed beginning of the candidate. */
static const char *
complete_typed(const struct complete *c)
{
	return buf_str(&c->at.text) + c->kept;
}

/* Whether text begins with a ~ as a whole component. */
static bool
complete_is_tilde(const char *text)
{
	return text[0] == '~' && (text[1] == '\0' || text[1] == '/');
}

/* Add a candidate if it begins as typed. */
static void
complete_add(struct complete *c, const char *name, size_t len, const char *about)
{
	const size_t typed = c->at.text.len - c->kept;

	if (len >= typed && memcmp(name, complete_typed(c), typed) == 0)
		vec_push(&c->found, ((struct name_found){ mem_dup(name, len), false, about }));
}

/*
 * Whether a path would be taken for a number of the last listing, and thus for another file, or
 * for options.
 */
static bool
complete_misleads(const struct complete *c, const char *word)
{
	size_t item, member;

	return c->path && ((!c->ctx->outside && c->at.quote == WORD_BARE && numbers_parse(word, &item, &member)) ||
	                   (word[0] == '-' && !c->only_operands));
}

/* Append the word's kept part and name, quoted for the line. */
static void
complete_quote(const struct complete *c, struct buf *line, const char *name, size_t len, bool final)
{
	struct buf word = { 0 };
	size_t bare = 0, unquoted;

	buf_add(&word, buf_str(&c->at.text), c->kept);
	buf_add(&word, name, len);
	if (complete_misleads(c, buf_str(&word)))
		buf_adds(line, "./");
	/* A quoted ~ would be a name. */
	if (c->bare_tilde) {
		bare = word.len > 1 ? 2 : 1;
		buf_add(line, word.data, bare);
	}
	unquoted = line->len;
	if (bare < word.len || bare == 0)
		words_quote(line, buf_str(&word) + bare, word.len - bare, c->at.quote, final);
	/* A locale that lacks the characters could not insert them. */
	if (mbstowcs(NULL, buf_str(line), 0) == (size_t)-1) {
		buf_cut(line, unquoted);
		words_quote(line, buf_str(&word) + bare, word.len - bare, WORD_ASCII, final);
	}
	buf_release(&word);
}

/* How many bytes all candidates begin with, not ending inside a character. */
static size_t
complete_common(const struct complete *c)
{
	const char *first = c->found.v[0].name, *last = c->found.v[c->found.n - 1].name;
	size_t len, lead, n;

	/* They are sorted: what the first and the last have in common, all between have. */
	for (len = 0; first[len] != '\0' && first[len] == last[len]; len++)
		;
	for (lead = len; lead > 0 && ((unsigned char)first[lead] & 0xc0) == 0x80; lead--)
		;
	for (n = len + 1 - lead; n <= 4 && lead + n <= strlen(first); n++) {
		if (len > lead && name_is_utf8(first + lead, n))
			return lead;
	}
	return len;
}

/* Make the completion for Tab from the candidates. */
static void
complete_offer(const struct complete *c, struct line_completion *out)
{
	const struct name_found *first = c->found.v;
	struct buf line = { 0 }, name = { 0 };

	if (c->found.n == 0)
		return;
	buf_adds(&name, first->name);
	if (c->found.n == 1 && !c->found.more) {
		/* More of the word follows a directory, and a rule that wants an argument. */
		const bool open = first->dir || (!c->path && name.len > 0 && name.data[name.len - 1] == ':');

		if (first->dir)
			buf_addc(&name, '/');
		complete_quote(c, &line, name.data, name.len, !open);
		if (!open)
			buf_addc(&line, ' ');
		out->ended = !open;
	} else {
		const size_t common = c->names && c->found.more ? 0 : complete_common(c);

		if (common > c->at.text.len - c->kept)
			complete_quote(c, &line, name.data, common, false);
		/* Names that begin alike are listed; behind a directory stands a slash. */
		out->shown = mem_zalloc(c->found.n, sizeof(*out->shown));
		for (; out->n < c->found.n; out->n++) {
			struct buf text = { 0 };

			buf_addf(&text, "%s%s", c->found.v[out->n].name, c->found.v[out->n].dir ? "/" : "");
			out->shown[out->n] = buf_take(&text);
		}
		out->more = c->found.more;
	}
	if (line.len > 0)
		out->insert = buf_take(&line);
	buf_release(&line);
	buf_release(&name);
}

static void
complete_aliases(struct complete *c)
{
	const struct session *s = c->ctx->session;

	for (size_t i = 0; s != NULL && i < s->aliases.n; i++)
		complete_add(c, s->aliases.v[i].name, strlen(s->aliases.v[i].name), s->aliases.v[i].value);
	for (size_t i = 0; s == NULL && c->ctx->config != NULL && i < c->ctx->config->lines.n; i++) {
		const struct settings_line *l = &c->ctx->config->lines.v[i];

		if (strcmp(l->section, SETTINGS_ALIAS) == 0)
			complete_add(c, l->key, strlen(l->key), l->value);
	}
}

static void
complete_commands(struct complete *c)
{
	for (const struct cmd *const *cmd = c->ctx->commands; *cmd != NULL; cmd++)
		complete_add(c, (*cmd)->name, strlen((*cmd)->name), (*cmd)->summary);
	for (const struct builtin *b = c->ctx->builtins; b != NULL && b->name != NULL; b++)
		complete_add(c, b->name, strlen(b->name), b->summary);
}

/* Add the words of a text, between blanks. */
static void
complete_add_words(struct complete *c, const char *text)
{
	for (size_t n; text += strspn(text, " "), n = strcspn(text, " "), n > 0; text += n)
		complete_add(c, text, n, NULL);
}

static void
complete_options(struct complete *c)
{
	struct opt_target tables[CMD_TABLES];

	complete_tables(c, tables);
	for (size_t t = 0; tables[t].opts != NULL; t++) {
		for (const struct opt *o = tables[t].opts; o->name != NULL || o->ch != 0; o++) {
			struct buf name = { 0 };

			if (o->name == NULL || o->help == NULL)
				continue;
			buf_addf(&name, "--%s", o->name);
			complete_add(c, name.data, name.len, o->help);
			buf_release(&name);
		}
	}
}

/* What an operand or an argument may be. */
enum complete_kind { COMPLETE_NOTHING, COMPLETE_FILES, COMPLETE_DIRS, COMPLETE_PATHS };

/* Tell it from its name in the help.  Files are those of the disk, whatever the command. */
static enum complete_kind
complete_kind(const char *name)
{
	static const struct {
		const char *part;
		enum complete_kind kind;
	} kinds[] = {
		{ "PATH", COMPLETE_PATHS }, { "NAME [DIR", COMPLETE_PATHS }, { "A B", COMPLETE_PATHS }, { "DIR", COMPLETE_DIRS },
		{ "ROOT", COMPLETE_PATHS }, { "FILE", COMPLETE_FILES }, { "INDEX", COMPLETE_FILES },
		{ "TOPIC", COMPLETE_NOTHING }, { "TO", COMPLETE_FILES },
	};

	for (size_t i = 0; name != NULL && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strstr(name, kinds[i].part) != NULL)
			return kinds[i].kind;
	}
	return COMPLETE_NOTHING;
}

/*
 * Append the directory of the path that begins at byte begin of the word, as an absolute path.
 * Returns false for ~ without a $HOME.
 */
static bool
complete_dir(const struct complete *c, size_t begin, struct buf *path)
{
	const char *home = getenv("HOME"), *word = buf_str(&c->at.text);
	struct buf typed = { 0 };
	struct err ignored = { 0 };
	bool is;

	if (c->tilde && (home == NULL || *home != '/'))
		return false;
	if (c->tilde)
		buf_adds(&typed, home);
	begin += c->tilde;
	buf_add(&typed, word + begin, c->kept - begin);
	is = resolve_path(path, typed.len > 0 ? typed.data : ".", c->ctx->base, &ignored) == 0;
	buf_release(&typed);
	return is;
}

/* The index that is asked, or NULL. */
static struct index *
complete_index(const struct complete *c)
{
	return c->ctx->ix != NULL || c->ctx->open == NULL ? c->ctx->ix : c->ctx->open(c->ctx->arg, c->db);
}

/*
 * Add names of the index that begin as typed: those that where finds.  Returns whether these are
 * all candidates: without an order of names, or any name, paths are.
 */
static bool
complete_names(struct complete *c)
{
	const char *typed = complete_typed(c);
	struct index *ix = *typed != '\0' && !c->tilde && strchr(typed, '/') == NULL ? complete_index(c) : NULL;
	struct prefix_query q = { .path = "/", .prefix = typed, .prefix_len = strlen(typed), .max = COMPLETE_NAMES };
	struct err ignored = { 0 };
	bool all = c->ctx->outside || c->ctx->base == NULL;

	for (size_t i = c->skip; i < c->at.before.n; i++)
		all |= strcmp(c->at.before.v[i].text, "-a") == 0 || strcmp(c->at.before.v[i].text, "--all") == 0;
	/* In the shell where asks what lies below its directory. */
	if (!all)
		q.path = c->ctx->base;
	if (ix == NULL || name_prefix_load(&c->found, ix, &q, &ignored) < 0 || c->found.n == 0)
		return false;
	c->names = true;
	return true;
}

/* Add paths. */
static void
complete_paths(struct complete *c, enum complete_kind kind)
{
	const char *slash = mem_last(complete_typed(c), '/', c->at.text.len - c->kept);
	const bool disk = kind == COMPLETE_FILES || (c->cmd != NULL && (c->cmd->flags & CMD_DISK) != 0);
	const bool indexed = kind != COMPLETE_FILES && (!disk || (c->cmd->flags & CMD_READS) != 0);
	const size_t begin = c->kept;
	struct err ignored = { 0 };
	struct buf path = { 0 };

	if (kind == COMPLETE_NOTHING || c->ctx->base == NULL || *c->ctx->base != '/')
		return;
	if (c->tilde && slash == NULL) {
		vec_push(&c->found, ((struct name_found){ mem_str("~"), true, NULL }));
		return;
	}
	if (slash != NULL)
		c->kept = (size_t)(slash + 1 - c->at.text.data);
	if (complete_dir(c, begin, &path)) {
		const struct prefix_query q = { .path = path.data, .prefix = complete_typed(c), .prefix_len = c->at.text.len - c->kept,
		                               .max = COMPLETE_MAX, .dirs_only = kind == COMPLETE_DIRS };
		struct index *ix = indexed ? complete_index(c) : NULL;

		/* Tab cannot show an error; the command that follows tells it. */
		if (indexed && ix != NULL)
			(void)prefix_load(&c->found, ix->db, &q, &ignored);
		if (disk)
			disk_names_load(&c->found, &q);
		if (strcmp(q.prefix, "..") == 0)
			vec_push(&c->found, ((struct name_found){ mem_str(".."), true, NULL }));
	}
	buf_release(&path);
}

/*
 * Add the words of a command: of a query, behind the last blank, operator or the like.
 * Returns whether nothing else may follow.
 */
static bool
complete_own_words(struct complete *c)
{
	const bool raw = c->cmd != NULL && (c->cmd->flags & CMD_RAW) != 0;

	if (c->cmd == NULL || c->cmd->words == NULL || (!raw && c->operands > 0))
		return false;
	while (raw && c->kept < c->at.text.len && strpbrk(complete_typed(c), " (,.=<>") != NULL)
		c->kept = (size_t)(strpbrk(complete_typed(c), " (,.=<>") + 1 - c->at.text.data);
	complete_add_words(c, c->cmd->words);
	return true;
}

/*
 * Add what an option may have: words, of a list behind its last comma, or paths, also behind a
 * word that ends with a colon.
 */
static void
complete_argument(struct complete *c, const struct opt *o)
{
	const char *comma = o->type == OPT_LIST && o->choices != NULL ? strrchr(complete_typed(c), ',') : NULL;

	if (o->choices == NULL) {
		complete_paths(c, complete_kind(o->arg));
		return;
	}
	if (comma != NULL)
		c->kept += (size_t)(comma + 1 - complete_typed(c));
	for (size_t i = 0; o->choices[i] != NULL; i++) {
		const char *colon = strchr(o->choices[i], ':');
		const size_t len = colon != NULL ? (size_t)(colon + 1 - o->choices[i]) : strlen(o->choices[i]);

		if (colon != NULL && strncmp(complete_typed(c), o->choices[i], len) == 0) {
			c->kept += len;
			c->tilde = complete_is_tilde(complete_typed(c));
			complete_paths(c, complete_kind(colon + 1));
			return;
		}
		complete_add(c, o->choices[i], len, NULL);
	}
}

/* Add what may be the command's next operand. */
static void
complete_operand(struct complete *c)
{
	const struct builtin *builtin = c->ctx->builtins != NULL && c->cmd == NULL ? builtin_find(c->command) : NULL;
	const char *const *s = c->ctx->settings;

	if (strcmp(c->command, "help") == 0) {
		complete_commands(c);
		for (const struct cmd_topic *t = cmd_topics; t->name != NULL; t++)
			complete_add(c, t->name, strlen(t->name), t->summary);
	} else if (strcmp(c->command, "set") == 0) {
		/* A setting, then its values. */
		for (; s != NULL && s[0] != NULL && s[1] != NULL; s += 2) {
			if (c->operands == 0)
				complete_add(c, s[0], strlen(s[0]), NULL);
			else if (c->operands == 1 && strcmp(c->at.before.v[c->at.before.n - 1].text, s[0]) == 0)
				complete_add_words(c, s[1]);
		}
	} else if (strcmp(c->command, "alias") == 0 || strcmp(c->command, "unalias") == 0)
		complete_aliases(c);
	else if (!complete_own_words(c)) {
		const char *operands = c->cmd != NULL ? c->cmd->operands : builtin != NULL ? builtin->operands : NULL;

		/* Behind one of the command's own words (mark keep) its usage goes on. */
		if (c->operand != NULL && c->cmd != NULL && c->cmd->words != NULL)
			operands = strstr(operands, c->operand);
		/* where wants a name. */
		c->path = c->cmd == NULL || strcmp(c->cmd->name, "where") != 0;
		if (c->path || c->operands > 0 || !complete_names(c))
			complete_paths(c, complete_kind(operands));
	}
}

/* Whether a word of sh sets a variable for the command that follows. */
static bool
complete_assigns(const char *word)
{
	const char *end = word;

	while (*end == '_' || (*end >= 'A' && *end <= 'Z') || (*end >= 'a' && *end <= 'z') || (end > word && *end >= '0' && *end <= '9'))
		end++;
	return end > word && *end == '=';
}

/* Add what may stand in a line of sh: programs or files. */
static void
complete_foreign(struct complete *c)
{
	size_t n = c->at.before.n;
	bool program;

	while (n > 0 && complete_assigns(c->at.before.v[n - 1].text))
		n--;
	/* sh wants a program here, and looks for it in $PATH. */
	program = c->at.place == WORDS_PROGRAM && (n == 0 || strcmp(c->at.before.v[n - 1].text, "&&") == 0) && !c->tilde &&
	          strchr(buf_str(&c->at.text), '/') == NULL;
	c->only_operands = true;
	c->path = !program;
	if (c->path)
		complete_paths(c, COMPLETE_FILES);
	else if (c->ctx->base != NULL) {
		const struct prefix_query q = { .path = c->ctx->base, .prefix = buf_str(&c->at.text), .prefix_len = c->at.text.len,
		                               .max = COMPLETE_MAX };

		disk_names_load_programs(&c->found, getenv("PATH"), &q);
	}
}

/* Add what may follow: options, their arguments, commands, operands. */
static void
complete_ours(struct complete *c)
{
	const char *word = buf_str(&c->at.text), *value = NULL;
	const bool dashed = word[0] == '-' && !c->only_operands;

	if (c->pending == NULL && dashed) {
		const struct opt *o = complete_option(c, word, &value);

		if (value != NULL) {
			c->pending = o;
			c->kept = (size_t)(value - word);
		}
	}
	if (c->pending != NULL)
		complete_argument(c, c->pending);
	else if (dashed)
		complete_options(c);
	else if (c->command == NULL) {
		complete_commands(c);
		complete_aliases(c);
	} else
		complete_operand(c);
}

/* Find the candidates.  typed: the word as it was typed, quotes included. */
static void
complete_find(struct complete *c, const char *typed)
{
	c->tilde = c->bare_tilde = *typed == '~' && complete_is_tilde(buf_str(&c->at.text));
	complete_parse(c);
	if (c->at.place == WORDS_OURS)
		complete_ours(c);
	else if (c->at.place != WORDS_NOWHERE)
		complete_foreign(c);
	prefix_tidy(&c->found, COMPLETE_MAX);
}

static void
complete_release(struct complete *c)
{
	prefix_release(&c->found);
	words_cursor_release(&c->at);
	buf_release(&c->db_path);
}

/* Find what may follow in a line up to the cursor. */
static void
complete_find_in_line(struct complete *c, const char *text, size_t len)
{
	words_at_cursor(&c->at, text, len);
	text += c->at.start;
	c->skip = c->ctx->outside;
	if (c->ctx->outside) {
		const size_t home = complete_home_len(text + (*text == '"'), false);
		struct buf word = { 0 };

		/* readline would quote the $ of a $HOME that stays. */
		if (home > 0) {
			buf_addf(&word, "%s/%s", getenv("HOME"), buf_str(&c->at.text) + home);
			c->grown = (ptrdiff_t)word.len - (ptrdiff_t)c->at.text.len;
			buf_release(&c->at.text);
			c->at.text = word;
		}
	}
	complete_find(c, text);
}

void
complete_line(void *ctx, const char *text, size_t len, struct line_completion *out)
{
	struct complete c = { .ctx = ctx };

	complete_find_in_line(&c, text, len);
	out->start = c.at.start;
	complete_offer(&c, out);
	complete_release(&c);
}

/* Tell the candidates as whole words, without the first skip bytes of each. */
static void
complete_tell(const struct complete *c, size_t skip, complete_fn *fn, void *arg)
{
	for (size_t i = 0; i < c->found.n; i++) {
		const struct name_found *f = &c->found.v[i];
		struct buf word = { 0 };

		if (c->kept == 0 && complete_misleads(c, f->name))
			buf_adds(&word, "./");
		buf_add(&word, buf_str(&c->at.text), c->kept);
		buf_adds(&word, f->name);
		if (f->dir)
			buf_addc(&word, '/');
		if (word.len >= skip)
			fn(arg, word.data + skip, word.len - skip, f->about);
		buf_release(&word);
	}
}

void
complete_words(const struct complete_ctx *ctx, char *const *words, size_t n, complete_fn *fn, void *arg)
{
	struct complete c = { .ctx = ctx, .at = { .place = WORDS_OURS } };

	for (size_t i = 0; i + 1 < n; i++)
		vec_push(&c.at.before, ((struct word){ .text = mem_str(words[i]), .len = strlen(words[i]) }));
	if (n > 0)
		buf_adds(&c.at.text, words[n - 1]);
	complete_find(&c, buf_str(&c.at.text));
	complete_tell(&c, 0, fn, arg);
	complete_release(&c);
}

/*
 * Bytes of a line's last word that readline keeps: up to its last unquoted byte of breaks, and to
 * a quote inside it that is still open.
 */
static size_t
complete_broken(const char *line, const struct words_cursor *word, const char *breaks)
{
	struct words_cursor at = { .start = 0 };
	size_t broken = 0;

	for (size_t i = word->start; line[i] != '\0'; i++) {
		const bool quotes = strchr("\"'", line[i]) != NULL;

		if ((quotes ? !word->open : strchr(breaks, line[i]) == NULL) || (i > word->start && line[i - 1] == '\\'))
			continue;
		words_at_cursor(&at, line, i + !quotes);
		if (at.quote == WORD_BARE && at.start == word->start)
			broken = at.text.len;
	}
	words_cursor_release(&at);
	return broken;
}

void
complete_sh_line(const struct complete_ctx *ctx, const char *line, const char *breaks, complete_fn *fn, void *arg)
{
	struct complete c = { .ctx = ctx };
	size_t broken;

	complete_find_in_line(&c, line, strlen(line));
	broken = complete_broken(line, &c.at, breaks);
	complete_tell(&c, broken > 0 ? (size_t)((ptrdiff_t)broken + c.grown) : 0, fn, arg);
	complete_release(&c);
}
