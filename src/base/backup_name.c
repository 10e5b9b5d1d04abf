/* SPDX-License-Identifier: MIT */
/* A wrong guess loses nothing: it only chooses between copies of which one stays. */
#include "base/base.h"

#include <strings.h>

#define BACKUP_NAME_WORD_MAX 12

/* Words by which people and file managers name copies. */
static const char *const backup_name_words[] = {
	"backup", "backups", "bak", "bkp", "copy", "copies", "old", "snapshot", "snapshots",
	"copia", "copie", "kopie", "sauvegarde", "sicherung"
};

static bool
backup_name_is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
backup_name_is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/* Whether the word of len letters is in backup_name_words. */
static bool
backup_name_word(const char *word, size_t len)
{
	char lower[BACKUP_NAME_WORD_MAX + 1];

	if (len > BACKUP_NAME_WORD_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		lower[i] = (char)(backup_name_is_upper(word[i]) ? word[i] - 'A' + 'a' : word[i]);
	lower[len] = '\0';
	for (size_t i = 0; i < sizeof(backup_name_words) / sizeof(backup_name_words[0]); i++) {
		if (strcmp(lower, backup_name_words[i]) == 0)
			return true;
	}
	return false;
}

/* Whether one of the words of a name is in backup_name_words. */
static bool
backup_name_has_word(const char *name, const char *end)
{
	size_t len;

	for (const char *p = name; p < end; p += len > 0 ? len : 1) {
		len = 0;
		/* A capital behind a small letter begins a word: PicturesOld. */
		while (p + len < end && (backup_name_is_lower(p[len]) || backup_name_is_upper(p[len])) &&
		       (len == 0 || !backup_name_is_upper(p[len]) || !backup_name_is_lower(p[len - 1])))
			len++;
		if (backup_name_word(p, len))
			return true;
	}
	return false;
}

/*
 * Whether a name ends, before its extensions, in the number that browsers and file managers give a
 * second file of one name, as in "setup (1).deb".  More than two digits are rather a year.
 */
static bool
backup_name_is_numbered(const char *name, const char *end)
{
	for (const char *p = name + 1; p + 2 < end; p++) {
		const char *digits = p + 2, *q = digits;

		if (p[0] != ' ' || p[1] != '(')
			continue;
		while (q < end && *q >= '0' && *q <= '9')
			q++;
		if (q > digits && q <= digits + 2 && q < end && *q == ')' && (q + 1 == end || q[1] == '.'))
			return true;
	}
	return false;
}

bool
backup_name_is(const char *name, size_t len)
{
	/* Files only pass through these directories. */
	static const char *const names[] = { "downloads", "download", "desktop", "tmp", "temp" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == len && strncasecmp(names[i], name, len) == 0)
			return true;
	}
	/* Editors keep a last version with a tilde at its end. */
	return (len > 1 && name[len - 1] == '~') || backup_name_is_numbered(name, name + len) || backup_name_has_word(name, name + len);
}
