/* SPDX-License-Identifier: MIT */
/* formats - private to payload: the parsers. */
#ifndef PAYLOAD_FORMATS_H
#define PAYLOAD_FORMATS_H

#include "payload/window.h"

/** Where the tags before sound end, ID3v2 and APE; and where those behind it begin. */
int64_t payload_tags_before(struct payload *p);
int64_t payload_tags_behind(struct payload *p, int64_t begin);

/* Each notes the parts of a file of its format.  False: it is not whole, or not of the format. */
bool payload_jpeg(struct payload *p);
bool payload_png(struct payload *p);
bool payload_flac(struct payload *p);
bool payload_mp3(struct payload *p);
bool payload_mp4(struct payload *p);

#endif
