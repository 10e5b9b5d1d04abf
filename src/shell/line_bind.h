/* SPDX-License-Identifier: MIT */
/* line_bind - private to line: which key calls which function of libedit or of ours. */
#ifndef SHELL_LINE_BIND_H
#define SHELL_LINE_BIND_H

#include <histedit.h>

#include "shell/line_key.h"

/** The character that libedit gets for a key that is no character: a C1 control. */
#define LINE_BIND_CODE(key) ((wchar_t)(0x80 + (key) - KEY_UP))

/** Begin anew with libedit's keys of emacs or vi, and bind ours in them. */
void line_bind_keys(EditLine *el, bool vi);

/** Whether the keys are those of vi. */
bool line_bind_is_vi(EditLine *el);

/** Do the bind lines of the file that $EDITRC names, or ~/.editrc, that can be done. */
void line_bind_file(EditLine *el);

#endif
