/* SPDX-License-Identifier: MIT */
/*
 * Some functions of libedit 3.1 write behind their arrays, read keys past line_screen, run
 * programs, or take a count that repeats a key a million times.  No key is bound to them: those
 * that libedit binds lose them here, and a bind line can name only functions that are known to
 * stay within the line.  The name of a function that ours replaces means ours.
 *
 * Sequences of keys are decoded before libedit sees them (line_screen), so a bind line that names
 * one is given its code.
 */
#include "base/base.h"

#include "shell/line_bind.h"

#include "shell/line_chars.h"

/* Bytes of a line of .editrc: more than one that binds a key has. */
#define BIND_MAX_LINE 1024

static const struct {
	wchar_t key;
	const wchar_t *name;
	bool commands;       /* in vi's command mode, too */
} bind_keys[] = {
	{ LINE_BIND_CODE(KEY_UP), L"line-older", true }, { LINE_BIND_CODE(KEY_DOWN), L"line-newer", true },
	{ LINE_BIND_CODE(KEY_LEFT), L"ed-prev-char", true }, { LINE_BIND_CODE(KEY_RIGHT), L"ed-next-char", true },
	{ LINE_BIND_CODE(KEY_HOME), L"ed-move-to-beg", true }, { LINE_BIND_CODE(KEY_END), L"ed-move-to-end", true },
	{ LINE_BIND_CODE(KEY_PAGE_UP), L"line-older-same", true }, { LINE_BIND_CODE(KEY_PAGE_DOWN), L"line-newer-same", true },
	{ LINE_BIND_CODE(KEY_DELETE), L"ed-delete-next-char", true },
	{ LINE_BIND_CODE(KEY_WORD_LEFT), L"ed-prev-word", true }, { LINE_BIND_CODE(KEY_WORD_RIGHT), L"em-next-word", true },
	{ LINE_BIND_CODE(KEY_PASTE), L"line-paste", true }, { LINE_BIND_CODE(KEY_UNKNOWN), L"ed-unassigned", true },
	{ KEY_TAB, L"line-complete", false }, { KEY_CTRL_V, L"line-quote", false }, { KEY_CTRL_R, L"line-search", true },
	{ KEY_CTRL_P, L"line-older", true }, { KEY_CTRL_N, L"line-newer", true }, { KEY_CTRL_W, L"ed-delete-prev-word", true },
};
/* Keys of vi's command mode; in emacs' keys those behind Alt. */
static const struct {
	const char *keys;
	const wchar_t *name;
	bool vi;
} bind_letters[] = {
	{ "k-", L"line-older", true }, { "j+", L"line-newer", true }, { "K", L"line-older-same", true }, { "J", L"line-newer-same", true },
	{ "/?", L"line-search", true }, { "123456789.:v@#_nNGU~", L"ed-unassigned", true }, { "\033", L"vi-command-mode", true },
	{ "pP", L"line-older-same", false }, { "nN", L"line-newer-same", false }, { "0123456789xX", L"ed-unassigned", false },
};

/* Functions of libedit that ours stand for. */
static const struct {
	const char *name, *ours;
} bind_ours[] = {
	{ "ed-prev-history", "line-older" }, { "ed-next-history", "line-newer" },
	{ "ed-search-prev-history", "line-older-same" }, { "ed-search-next-history", "line-newer-same" },
	{ "em-inc-search-prev", "line-search" }, { "vi-search-prev", "line-search" },
	{ "ed-quoted-insert", "line-quote" }, { "ed-complete", "line-complete" },
};
/* Functions that a bind line can name, each between blanks; vi-* only in vi's keys. */
static const char bind_safe[] =
	" ed-clear-screen ed-delete-next-char ed-delete-prev-char ed-delete-prev-word ed-ignore ed-kill-line ed-move-to-beg"
	" ed-move-to-end ed-newline ed-next-char ed-prev-char ed-prev-word ed-redisplay ed-start-over ed-transpose-chars ed-unassigned"
	" em-capitol-case em-copy-prev-word em-delete-next-word em-delete-or-list em-delete-prev-char em-gosmacs-transpose"
	" em-kill-line em-lower-case em-meta-next em-next-word em-toggle-overwrite em-upper-case em-yank"
	/* None for the mark: vi-undo leaves that in another buffer. */
	" vi-add vi-add-at-eol vi-change-meta vi-change-to-eol vi-command-mode vi-delete-meta vi-delete-prev-char"
	" vi-end-big-word vi-end-word vi-insert vi-insert-at-bol vi-kill-line-prev vi-list-or-eof vi-match vi-next-big-word"
	" vi-next-char vi-next-word vi-paste-next vi-paste-prev vi-prev-big-word vi-prev-char vi-prev-word vi-repeat-next-char"
	" vi-repeat-prev-char vi-replace-char vi-replace-mode vi-substitute-char vi-substitute-line vi-to-next-char"
	" vi-to-prev-char vi-undo vi-yank vi-yank-end vi-zero ";

bool
line_bind_is_vi(EditLine *el)
{
	const char *mode = NULL;

	return el_get(el, EL_EDITOR, &mode) == 0 && strcmp(mode, "vi") == 0;
}

void
line_bind_keys(EditLine *el, bool vi)
{
	el_wset(el, EL_EDITOR, vi ? L"vi" : L"emacs");
	for (size_t i = 0; i < sizeof(bind_keys) / sizeof(bind_keys[0]); i++) {
		const wchar_t key[] = { bind_keys[i].key, L'\0' };

		el_wset(el, EL_BIND, key, bind_keys[i].name, NULL);
		if (vi && bind_keys[i].commands)
			el_wset(el, EL_BIND, L"-a", key, bind_keys[i].name, NULL);
	}
	for (size_t i = 0; i < sizeof(bind_letters) / sizeof(bind_letters[0]); i++) {
		for (const char *k = bind_letters[i].keys; *k != '\0' && bind_letters[i].vi == vi; k++) {
			const wchar_t key[] = { KEY_ESC, (wchar_t)*k, L'\0' };

			el_wset(el, EL_BIND, vi ? L"-a" : key, vi ? key + 1 : bind_letters[i].name, vi ? bind_letters[i].name : NULL, NULL);
		}
	}
}

/* The function that a name in a bind line means, or NULL: it is not allowed. */
static const char *
line_bind_function(const char *name, bool vi)
{
	const size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(bind_ours) / sizeof(bind_ours[0]); i++) {
		if (strcmp(bind_ours[i].name, name) == 0 || strcmp(bind_ours[i].ours, name) == 0)
			return bind_ours[i].ours;
	}
	for (const char *at = strstr(bind_safe, name); at != NULL; at = strstr(at + 1, name)) {
		if (at > bind_safe && at[-1] == ' ' && at[len] == ' ' && (vi || strncmp(name, "vi-", 3) != 0))
			return name;
	}
	return NULL;
}

/* The key that a sequence such as ^[[A is, 0: not a sequence, or -1: one that no key sends. */
static int
line_bind_sequence(const char *text)
{
	static const char *const escapes[] = { "^[", "\\e", "\\E", "\\033", "\033" };
	struct line_sequence sequence = { 0 };
	int key = -1;

	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
		const size_t len = strlen(escapes[i]);

		if (strncmp(text, escapes[i], len) != 0)
			continue;
		for (text += len; *text != '\0' && key < 0; text++)
			key = line_key_of(&sequence, *text);
		return *text == '\0' && key >= KEY_UP && key != KEY_UNKNOWN ? key : sequence.len > 0 ? -1 : 0;
	}
	return 0;
}

/* Bind a key as bind -v, bind -e or bind [-a] KEY FUNCTION ask for; all else is left out. */
static void
line_bind(EditLine *el, int argc, const char *const *argv)
{
	const bool commands = argc > 1 && strcmp(argv[1], "-a") == 0;
	const char *function;
	wchar_t *key, *name;
	size_t n;
	int code;

	if (argc == 2 && (strcmp(argv[1], "-v") == 0 || strcmp(argv[1], "-e") == 0))
		line_bind_keys(el, argv[1][1] == 'v');
	if (argc != 3 + commands || argv[argc - 2][0] == '-' || argv[argc - 2][0] == '\0')
		return;
	function = line_bind_function(argv[argc - 1], line_bind_is_vi(el));
	code = line_bind_sequence(argv[argc - 2]);
	if (function == NULL || code < 0)
		return;
	key = line_chars_decode(argv[argc - 2], strlen(argv[argc - 2]), &n);
	name = line_chars_decode(function, strlen(function), &n);
	if (code > 0)
		wmemcpy(key, (const wchar_t[]){ LINE_BIND_CODE(code), L'\0' }, 2);
	el_wset(el, EL_BIND, commands ? L"-a" : key, commands ? key : name, commands ? name : NULL, NULL);
	free(key);
	free(name);
}

void
line_bind_file(EditLine *el)
{
	const char *home = getenv("HOME"), *path = getenv("EDITRC"), **argv;
	Tokenizer *tokens = tok_init(NULL);
	char line[BIND_MAX_LINE];
	struct buf own = { 0 };
	int argc;
	FILE *f;

	buf_addf(&own, "%s/.editrc", home != NULL ? home : "");
	f = fopen(path != NULL ? path : buf_str(&own), "re");
	while (f != NULL && tokens != NULL && fgets(line, sizeof(line), f) != NULL) {
		tok_reset(tokens);
		if (tok_str(tokens, line, &argc, &argv) == 0 && argc > 0 &&
		    (strcmp(argv[0], "bind") == 0 || strcmp(argv[0], "twindex:bind") == 0))
			line_bind(el, argc, argv);
	}
	if (f != NULL)
		fclose(f);
	if (tokens != NULL)
		tok_end(tokens);
	buf_release(&own);
}
