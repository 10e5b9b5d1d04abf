/* SPDX-License-Identifier: MIT */
/* qr - a text as a QR code, by libqrencode where that is there. */
#ifndef UI_QR_H
#define UI_QR_H

/**
 * Append an SVG element that shows the text, with the margin that scanners need; nothing without
 * the library, which the first call loads, or for a text that is too long.
 */
void qr_add(struct buf *b, const char *text);
/** The version of the library; "none" without one. */
const char *qr_library(void);

#endif
