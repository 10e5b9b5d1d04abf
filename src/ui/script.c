/* SPDX-License-Identifier: MIT */
/*
 * The fixed parts are the files of src/ui/script/.  Paths of printable characters stand in single
 * quotes as they are.  Others are written in ASCII, odd bytes as \0ooo for printf %b, in a line
 * that begins with the function coded: so each file has one line, a terminal shows what there is,
 * and no shell has to understand bytes that are no characters.  No comment holds a path, whatever
 * it is.
 *
 * The last line is a group in braces: cut off anywhere, the script is either incomplete for the
 * shell, or nothing but assignments and functions.
 */
#include "base/base.h"

#include "ui/script.h"

#include "ui/quote.h"

/* Generated from src/ui/script/. */
extern const char script_frame_text[];
extern const char script_call_twindex_text[];
extern const char script_check_and_act_text[];
extern const char script_moves_text[];

static const char *const script_functions[] = {
	[ACT_REMOVE] = "remove",
	[ACT_HARD] = "hard_link",
	[ACT_SOFT] = "soft_link",
	[ACT_REFLINK] = "reflink",
	[ACT_TRASH] = "to_trash",
};

/* Whether a path is shown as it is: every byte is part of a character that is safe to show. */
static bool
script_is_plain(const char *path)
{
	struct buf shown = { 0 };
	bool plain;

	name_show(&shown, path, strlen(path));
	plain = strcmp(buf_str(&shown), path) == 0;
	buf_release(&shown);
	return plain;
}

/* Append a path in single quotes as printf %b wants it. */
static void
script_add_coded(struct buf *b, const char *path)
{
	buf_addc(b, '\'');
	for (const unsigned char *p = (const unsigned char *)path; *p != '\0'; p++) {
		if (*p < 0x20 || *p > 0x7e || *p == '\\' || *p == '\'')
			buf_addf(b, "\\0%03o", *p);
		else
			buf_addc(b, (char)*p);
	}
	buf_addc(b, '\'');
}

/* Append an assignment of a path to a variable. */
static void
script_add_variable(struct buf *b, const char *name, const char *path)
{
	buf_addf(b, "%s=", name);
	if (script_is_plain(path))
		quote_sh(b, path);
	else {
		buf_adds(b, "$(printf '%b.' ");
		script_add_coded(b, path);
		buf_addf(b, ") %s=${%s%%.}", name, name);
	}
	buf_addc(b, '\n');
}

void
script_begin(const struct script *s, FILE *f)
{
	struct buf b = { 0 };
	char when[NUM_SHOW_MAX];

	assert(!s->portable || (s->kind != ACT_TRASH && s->kind != ACT_REFLINK));
	num_show_time(s->now, 0, when);
	buf_addf(&b, "#!/bin/sh\n"
	         "# Made by twindex " PACKAGE_VERSION " rmsh on %.19sZ.\n"
	         "# It %s.\n"
	         "# Each line of main() is one file: what is done, to which file, and the copy that stays.\n"
	         "# Read them, take lines out, then run it: sh SCRIPT.  Unless it is whole it does nothing.\n", when, s->what);
	buf_adds(&b, s->portable ?
	         "# Just before, both files are compared byte by byte.  twindex, which this does without, would\n"
	         "# also see files that are open for writing, other ways to one file, and tell the index.\n"
	         "# A run that is killed in a way that no script can notice may leave a file named\n"
	         "# .twindex-rmsh-* in its directory: 'twindex recover DIR' gives it its name back.\n" :
	         "# Just before, twindex looks at both files, compares them byte by byte, and tells the index.\n");
	buf_adds(&b, "# It ends with 0 when all is done, 1 when files stay, 3 when something could not be judged\n"
	         "# or failed, or with the status of what ended it.\n\n"
	         "set -u\nLC_ALL=C\nexport LC_ALL\n\n");
	buf_adds(&b, s->portable ? "# The index that it was made from; nothing here needs it.\n" : "# The program, and its index.\n");
	if (!s->portable) {
		script_add_variable(&b, "twindex", s->program);
		buf_adds(&b, "twindex=${TWINDEX:-$twindex}\n");
	}
	script_add_variable(&b, "index", s->index);
	if (s->kind == ACT_HARD || s->kind == ACT_SOFT) {
		buf_adds(&b, "# --any-attributes: links also where owner, group, mode or attributes differ.\n");
		buf_addf(&b, "any_attributes=%s\n", s->any_attributes ? "--any-attributes" : "");
	}
	if (!s->portable && s->from_backup)
		buf_adds(&b, "# --from-backup: files may be those of backups.\nfrom_backup=yes\n");
	buf_adds(&b, script_frame_text);
	buf_adds(&b, s->portable ? script_check_and_act_text : script_call_twindex_text);
	buf_adds(&b, "\nmain()\n{\nbegin\n");
	fwrite(b.data, 1, b.len, f);
	buf_release(&b);
}

/* Write a line: a function, and one path or two. */
static void
script_call(FILE *f, const char *function, const char *one, const char *two)
{
	const bool plain = script_is_plain(one) && (two == NULL || script_is_plain(two));
	void (*add)(struct buf *b, const char *path) = plain ? quote_sh : script_add_coded;
	struct buf b = { 0 };

	buf_addf(&b, "%s%s ", plain ? "" : "coded ", function);
	add(&b, one);
	if (two != NULL || !plain)
		buf_addc(&b, ' ');
	if (two != NULL || !plain)
		add(&b, two != NULL ? two : "");
	buf_addc(&b, '\n');
	fwrite(b.data, 1, b.len, f);
	buf_release(&b);
}

void
script_pair(const struct script *s, FILE *f, const char *victim, const char *keeper)
{
	script_call(f, script_functions[s->kind], victim, keeper);
}

void
script_end(FILE *f)
{
	fputs("finish\n}\n{ main; exit; }\n", f);
}

void
script_begin_moves(FILE *f, const char *top, const char *scratch, const char *what, int64_t now)
{
	struct buf b = { 0 };
	char when[NUM_SHOW_MAX];

	num_show_time(now, 0, when);
	buf_addf(&b, "#!/bin/sh\n"
	         "# Made by twindex " PACKAGE_VERSION " moves on %.19sZ.\n"
	         "# It %s.\n"
	         "# Each line of main() is one step: what gets which path below the directory.  Later ones build on\n"
	         "# earlier ones.  Read them, then run it: sh SCRIPT, or sh SCRIPT DIR where the directory has\n"
	         "# another path.  Unless it is whole it does nothing, and it overwrites nothing.\n"
	         "# One that was cut short may be run again: what is done is left as it is.\n"
	         "# It ends with 0 when all is done, 3 when something could not be renamed, or with the status of\n"
	         "# what ended it.\n\n"
	         "set -u\nLC_ALL=C\nexport LC_ALL\n\n", when, what);
	script_add_variable(&b, "top", top);
	buf_addf(&b, "top=${1:-$top}\nscratch=./%s\n", scratch);
	buf_adds(&b, script_frame_text);
	buf_adds(&b, script_moves_text);
	buf_adds(&b, "\nmain()\n{\nbegin\n");
	fwrite(b.data, 1, b.len, f);
	buf_release(&b);
}

void
script_move(FILE *f, const char *function, const char *from, const char *to)
{
	struct buf b = { 0 };
	size_t second;

	buf_addf(&b, "./%s", from);
	second = b.len + 1;
	buf_addc(&b, '\0');
	buf_addf(&b, "./%s", to != NULL ? to : "");
	script_call(f, function, b.data, to != NULL ? b.data + second : NULL);
	buf_release(&b);
}

void
script_end_moves(FILE *f)
{
	fputs("tidy\n", f);
	script_end(f);
}
