/* SPDX-License-Identifier: MIT */
/*
 * Hides that tools have no options of their own: types and words come from the tables of their
 * commands.  Each value becomes one word, "--name=value", so that none is taken for an option.
 */
#include "base/base.h"

#include "mcp/arguments.h"

#include "cmd/cmd.h"
#include "db/stmt.h"
#include "ui/quote.h"

/* The longest path in bytes: to resolve more components would take minutes. */
#define ARGUMENTS_PATH_MOST 32768

/* The most elements of a list that can be asked for. */
#define ARGUMENTS_LIMIT_MOST 10000

/* Whether a list with blanks between has a word of len bytes. */
static bool
arguments_takes(const char *options, const char *word, size_t len)
{
	for (const char *at = options; *at != '\0'; at += strspn(at, " ")) {
		const size_t n = strcspn(at, " ");

		if (n == len && strncmp(at, word, len) == 0)
			return true;
		at += n;
	}
	return false;
}

/* The option that an argument is: '_' stands for '-'.  NULL: the tool does not take it. */
static const struct opt *
arguments_option(const struct arguments_of *of, const char *key)
{
	struct opt_target tables[CMD_TABLES];
	const struct opt *found = NULL;
	char *name = mem_str(key);

	for (char *c = name; *c != '\0'; c++)
		*c = (char)(*c == '_' ? '-' : *c == '-' ? '_' : *c);
	cmd_tables(of->cmd, tables);
	for (size_t i = 0; tables[i].opts != NULL && found == NULL && arguments_takes(of->options, name, strlen(name)); i++) {
		for (const struct opt *o = tables[i].opts; o->name != NULL && found == NULL; o++)
			found = strcmp(o->name, name) == 0 ? o : NULL;
	}
	free(name);
	return found;
}

/* Whether the values of an option are paths. */
static bool
arguments_is_path(const struct opt *o)
{
	return o->arg != NULL && strcmp(o->arg, "DIR") == 0;
}

static void
arguments_quote(struct buf *b, const char *text)
{
	quote_json(b, text, strlen(text));
}

/* Append a list of words. */
static void
arguments_enum(struct buf *b, const char *const *words)
{
	buf_adds(b, ",\"enum\":[");
	for (size_t i = 0; words[i] != NULL; i++) {
		buf_adds(b, i > 0 ? "," : "");
		arguments_quote(b, words[i]);
	}
	buf_addc(b, ']');
}

/* Begin the schema of an argument: its name, what it is for, its type. */
static void
arguments_property(struct buf *b, const char *name, const char *help, const char *type)
{
	if (b->data[b->len - 1] != '{')
		buf_addc(b, ',');
	buf_addc(b, '"');
	for (const char *c = name; *c != '\0'; c++)
		buf_addc(b, (char)(*c == '-' ? '_' : *c));
	buf_adds(b, "\":{\"description\":");
	arguments_quote(b, help);
	buf_addf(b, ",\"type\":%s", type);
}

static void
arguments_option_schema(struct buf *b, const struct opt *o)
{
	static const char *const types[] = {
		[OPT_FLAG] = "\"boolean\"", [OPT_COUNT] = "\"boolean\"", [OPT_INT] = "\"integer\",\"minimum\":0",
		[OPT_SIZE] = "[\"integer\",\"string\"]", [OPT_DURATION] = "\"string\"", [OPT_STRING] = "\"string\"",
		[OPT_LIST] = "\"array\",\"items\":{\"type\":\"string\"}", [OPT_CHOICE] = "\"string\"",
	};
	struct buf help = { 0 };

	buf_addf(&help, "%s%s%s", o->arg != NULL ? o->arg : "", o->arg != NULL ? ": " : "", o->help);
	if (arguments_is_path(o))
		buf_adds(&help, "; absolute");
	arguments_property(b, o->name, buf_str(&help), types[o->type]);
	/* Other options have choices for completion alone. */
	if (o->type == OPT_CHOICE)
		arguments_enum(b, o->choices);
	buf_addc(b, '}');
	buf_release(&help);
}

/* The schemas of the operands. */
static void
arguments_operands_schema(struct buf *b, const struct arguments_of *of)
{
	if (of->word != NULL) {
		arguments_property(b, of->word, of->word_help, "\"string\"");
		if (of->words != NULL)
			arguments_enum(b, of->words);
		buf_addc(b, '}');
	}
	if (of->paths_help != NULL) {
		arguments_property(b, "paths", of->paths_help, "\"array\",\"items\":{\"type\":\"string\"}");
		if (of->most > 0)
			buf_addf(b, ",\"maxItems\":%zu", of->most);
		buf_addc(b, '}');
		arguments_property(b, "paths_b64", "more paths, behind those: in base64, for names that are no UTF-8",
		                   "\"array\",\"items\":{\"type\":\"string\"}}");
	}
}

void
arguments_schema(struct buf *b, const struct arguments_of *of)
{
	struct opt_target tables[CMD_TABLES];

	buf_adds(b, "{\"type\":\"object\",\"properties\":{");
	arguments_operands_schema(b, of);
	cmd_tables(of->cmd, tables);
	for (size_t i = 0; tables[i].opts != NULL; i++) {
		for (const struct opt *o = tables[i].opts; o->name != NULL; o++) {
			if (o->help != NULL && arguments_takes(of->options, o->name, strlen(o->name)))
				arguments_option_schema(b, o);
		}
	}
	arguments_property(b, "limit", "elements at most of each list of the answer", "\"integer\"");
	buf_addf(b, ",\"minimum\":0,\"maximum\":%d,\"default\":%d}", ARGUMENTS_LIMIT_MOST, ARGUMENTS_LIMIT);
	arguments_property(b, "offset", "elements of each list that are left out in front", "\"integer\",\"minimum\":0,\"default\":0}");
	buf_addf(b, "},\"additionalProperties\":false");
	if (of->word_needed || of->least > 0)
		buf_adds(b, ",\"required\":[");
	if (of->word_needed)
		arguments_quote(b, of->word);
	if (of->least > 0)
		buf_adds(b, of->word_needed ? ",\"paths\"" : "\"paths\"");
	buf_adds(b, of->word_needed || of->least > 0 ? "]}" : "}");
}

/* Fail because of an argument. */
static int
arguments_refuse(struct err *err, const char *key, const char *why)
{
	return err_set(err, ERR_USAGE, "the argument '%s' %s", key, why);
}

/* Whether a text can be a word of a command line. */
static bool
arguments_is_word(const char *text, size_t len)
{
	return strlen(text) == len;
}

/* Take a value of a list, or of an argument itself: its JSON type, its text. */
static int
arguments_value(struct arguments *a, const struct opt *o, const char *key, const char *type, const char *text, size_t len, struct err *err)
{
	const bool number = strcmp(type, "integer") == 0;
	struct buf word = { 0 };

	if (o->type == OPT_FLAG || o->type == OPT_COUNT) {
		if (strcmp(type, "true") != 0 && strcmp(type, "false") != 0)
			return arguments_refuse(err, key, "is true or false");
		if (*type == 'f')
			return 0;
		buf_addf(&word, "--%s", o->name);
	} else {
		if (!(o->type == OPT_INT ? number : strcmp(type, "text") == 0 || (number && o->type == OPT_SIZE)))
			return arguments_refuse(err, key, o->type == OPT_INT ? "is an integer" : o->type == OPT_LIST ? "is a list of strings" : "is a string");
		if (!arguments_is_word(text, len))
			return arguments_refuse(err, key, "has a NUL in it");
		if (arguments_is_path(o) && *text != '/')
			return arguments_refuse(err, key, "is not absolute");
		if (len > ARGUMENTS_PATH_MOST)
			return arguments_refuse(err, key, "has more than 32 KiB");
		buf_addf(&word, "--%s=%s", o->name, text);
	}
	vec_push(&a->options, buf_take(&word));
	return 0;
}

/* Take a path. */
static int
arguments_path(struct arguments *a, const char *key, bool base64, const char *text, size_t len, struct err *err)
{
	struct buf path = { 0 };
	const char *why = NULL;

	if (!base64)
		buf_add(&path, text, len);
	else if (base64_take(&path, text, len) < 0)
		why = "is not in base64";
	if (why == NULL && (*buf_str(&path) != '/' || !arguments_is_word(buf_str(&path), path.len)))
		why = "is not a list of absolute paths";
	if (why == NULL && path.len > ARGUMENTS_PATH_MOST)
		why = "has a path of more than 32 KiB";
	if (why != NULL) {
		buf_release(&path);
		return arguments_refuse(err, key, why);
	}
	vec_push(&a->paths, buf_take(&path));
	return 0;
}

/* Take limit or offset. */
static int
arguments_count(int64_t *n, const char *key, int64_t most, const char *type, const char *text, struct err *err)
{
	if (strcmp(type, "integer") != 0 || num_parse_int(text, 0, most, n) < 0)
		return err_set(err, ERR_USAGE, "the argument '%s' is an integer of 0 to %lld", key, (long long)most);
	return 0;
}

/* Take the argument, or element of a list, of the present row. */
static int
arguments_take(struct arguments *a, const struct arguments_of *of, const struct stmt *st, struct err *err)
{
	const struct opt *o;
	size_t key_len, len;
	const char *key = stmt_col_text(st, 0, &key_len);
	const bool list = strcmp(stmt_col_text(st, 1, &len), "array") == 0;
	const char *type = stmt_col_text(st, list ? 3 : 1, &len);
	const char *text = stmt_col_text(st, list ? 4 : 2, &len);
	const bool base64 = strcmp(key, "paths_b64") == 0;

	if (of->word != NULL && strcmp(key, of->word) == 0 && !list) {
		const char *const *word = of->words;

		while (word != NULL && *word != NULL && strcmp(*word, text) != 0)
			word++;
		if (strcmp(type, "text") != 0 || len == 0 || !arguments_is_word(text, len) || (word != NULL && *word == NULL))
			return arguments_refuse(err, key, word != NULL ? "is another word than it may be" : "is a string that is not empty");
		a->word = mem_str(text);
		return 0;
	}
	if (strcmp(key, "limit") == 0 && !list)
		return arguments_count(&a->limit, key, ARGUMENTS_LIMIT_MOST, type, text, err);
	if (strcmp(key, "offset") == 0 && !list)
		return arguments_count(&a->offset, key, INT64_MAX, type, text, err);
	if (of->paths_help != NULL && (base64 || strcmp(key, "paths") == 0)) {
		if (list && stmt_col_is_null(st, 3))
			return 0;
		if (!list || strcmp(type, "text") != 0)
			return arguments_refuse(err, key, "is not a list of strings");
		return arguments_path(a, key, base64, text, len, err);
	}
	o = arguments_option(of, key);
	if (o == NULL)
		return err_set(err, ERR_USAGE, "this tool takes no argument '%s'", key);
	if (list != (o->type == OPT_LIST))
		return arguments_refuse(err, key, list ? "is no list" : "is a list of strings");
	if (list && stmt_col_is_null(st, 3))
		return 0;
	return arguments_value(a, o, key, type, text, len, err);
}

int
arguments_read(struct arguments *a, const struct arguments_of *of, struct db *db, const char *json, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_MCP_ARGUMENTS, err);
	int ret;

	a->limit = ARGUMENTS_LIMIT;
	stmt_text(&st, ":arguments", json, strlen(json));
	while ((ret = stmt_step(&st)) == 1) {
		if (arguments_take(a, of, &st, err) < 0) {
			stmt_done(&st);
			return -1;
		}
	}
	if (ret < 0)
		return -1;
	if (of->word_needed && a->word == NULL)
		return arguments_refuse(err, of->word, "is missing");
	if (a->paths.n < of->least || (of->most > 0 && a->paths.n > of->most))
		return err_set(err, ERR_USAGE, of->least == of->most ? "this tool takes %zu paths" : "this tool takes %zu paths or more", of->least);
	return 0;
}

void
arguments_release(struct arguments *a)
{
	for (size_t i = 0; i < a->options.n; i++)
		free(a->options.v[i]);
	for (size_t i = 0; i < a->paths.n; i++)
		free(a->paths.v[i]);
	vec_release(&a->options);
	vec_release(&a->paths);
	free(a->word);
}
