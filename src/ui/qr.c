/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/qr.h"

#ifdef HAVE_LIBQRENCODE
#include <qrencode.h>

#include "sys/library.h"

/* Light modules around the symbol (ISO/IEC 18004). */
#define QR_MARGIN 4

static struct {
	__typeof__(QRcode_encodeString8bit) *encode;
	__typeof__(QRcode_free) *free;
	__typeof__(QRcode_APIVersionString) *version;
} qr;

static const struct library_function qr_functions[] = {
	QRENCODE_FUNCTION(qr.encode, QRcode_encodeString8bit),
	QRENCODE_FUNCTION(qr.free, QRcode_free),
	QRENCODE_FUNCTION(qr.version, QRcode_APIVersionString),
};

static bool
qr_can(void)
{
	struct err ignored = { 0 };

	return qr.encode != NULL || library_load(QRENCODE_FILE, qr_functions, sizeof(qr_functions) / sizeof(qr_functions[0]), &ignored) == 0;
}

const char *
qr_library(void)
{
	return qr_can() ? qr.version() : "none";
}

/* Append the dark modules of a row, a rectangle for each run. */
static void
qr_add_row(struct buf *b, const unsigned char *row, int width, int y)
{
	for (int x = 0, end; x < width; x = end) {
		for (end = x; end < width && (row[end] & 1) != 0; end++)
			;
		if (end > x)
			buf_addf(b, "M%d %dh%dv1h-%dz", x + QR_MARGIN, y + QR_MARGIN, end - x, end - x);
		else
			end++;
	}
}

void
qr_add(struct buf *b, const char *text)
{
	QRcode *code = qr_can() ? qr.encode(text, 0, QR_ECLEVEL_M) : NULL;

	if (code == NULL)
		return;
	buf_addf(b, "<svg viewBox=\"0 0 %d %d\" xmlns=\"http://www.w3.org/2000/svg\"><path d=\"", code->width + 2 * QR_MARGIN,
	         code->width + 2 * QR_MARGIN);
	for (int y = 0; y < code->width; y++)
		qr_add_row(b, code->data + (size_t)y * (size_t)code->width, code->width, y);
	buf_adds(b, "\"/></svg>\n");
	qr.free(code);
}

#else
void
qr_add(struct buf *b, const char *text)
{
	(void)b;
	(void)text;
}

const char *
qr_library(void)
{
	return "none";
}
#endif
