/* SPDX-License-Identifier: MIT */
/*
 * Paths have any length, so a text may not fit in struct err.  The cause stands at the end and the
 * context before it: the context is cut, ends in "...", and never within a UTF-8 character.
 */
#include "base/base.h"

#define CUT_MARK "..."

/* Format into err->text, cut to room bytes and the NUL. */
static void __attribute__((format(printf, 3, 0)))
err_format(struct err *err, size_t room, const char *fmt, va_list ap)
{
	int len = vsnprintf(err->text, sizeof(err->text), fmt, ap);

	if (len < 0) {
		err->text[0] = '\0';
	} else if ((size_t)len > room) {
		room -= strlen(CUT_MARK);
		while (room > 0 && ((unsigned char)err->text[room] & 0xc0) == 0x80)
			room--;
		memcpy(err->text + room, CUT_MARK, sizeof(CUT_MARK));
	}
}

/* The meaning of an errno.  strerror_r has two signatures; configure knows ours. */
static const char *
err_meaning(int sys, char *text, size_t size)
{
#ifdef STRERROR_R_CHAR_P
	return strerror_r(sys, text, size);
#else
	if (strerror_r(sys, text, size) != 0)
		snprintf(text, size, "error %d", sys);
	return text;
#endif
}

/* Append ": " and a tail that is known to fit. */
static void
err_append(struct err *err, const char *tail)
{
	size_t len = strlen(err->text);

	snprintf(err->text + len, sizeof(err->text) - len, ": %s", tail);
}

int
err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	err->code = code;
	err->sys = 0;
	va_start(ap, fmt);
	err_format(err, sizeof(err->text) - 1, fmt, ap);
	va_end(ap);
	return -1;
}

int
err_sys(struct err *err, const char *fmt, ...)
{
	int sys = errno;
	char text[128];
	const char *meaning = err_meaning(sys, text, sizeof(text));
	va_list ap;

	err->code = ERR_SYS;
	err->sys = sys;
	va_start(ap, fmt);
	err_format(err, sizeof(err->text) - 1 - strlen(": ") - strlen(meaning), fmt, ap);
	va_end(ap);
	err_append(err, meaning);
	return -1;
}

int
err_prefix(struct err *err, const char *fmt, ...)
{
	char tail[sizeof(err->text)];
	size_t taken = strlen(": ") + strlen(err->text);
	va_list ap;

	/* No room even for a cut context: keep the text. */
	if (taken + strlen(CUT_MARK) >= sizeof(err->text))
		return -1;
	memcpy(tail, err->text, sizeof(tail));
	va_start(ap, fmt);
	err_format(err, sizeof(err->text) - 1 - taken, fmt, ap);
	va_end(ap);
	err_append(err, tail);
	return -1;
}
