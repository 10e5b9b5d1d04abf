/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/locale.h"

#include <langinfo.h>
#include <locale.h>
#include <wchar.h>

void
locale_want_characters(void)
{
	mbstate_t state = { 0 };
	wchar_t c;

	/* U+00E9 in UTF-8; in all one-byte encodings its first byte is a character. */
	if (MB_CUR_MAX == 1 && mbrtowc(&c, "\xc3\xa9", 2, &state) == (size_t)-1)
		setlocale(LC_CTYPE, "C.UTF-8");
}

bool
locale_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}
