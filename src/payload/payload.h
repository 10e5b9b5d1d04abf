/* SPDX-License-Identifier: MIT */
/* payload - the bytes of a picture, a sound or a film without its tags. */
#ifndef PAYLOAD_PAYLOAD_H
#define PAYLOAD_PAYLOAD_H

#include "payload/window.h"
#include "sys/content.h"

/** The formats that are known. */
enum payload_format { PAYLOAD_NONE, PAYLOAD_JPEG, PAYLOAD_PNG, PAYLOAD_FLAC, PAYLOAD_MP3, PAYLOAD_MP4, PAYLOAD_FORMATS };

/** The name of a format, as the index has it ("jpeg"); "" for PAYLOAD_NONE. */
const char *payload_format_name(enum payload_format format);

/** Whether files of this name are worth a look. */
bool payload_may(const char *name);

/** Find the format and the parts.  PAYLOAD_NONE: none that is known and whole, or p->error. */
enum payload_format payload_parse(struct payload *p);
/**
 * Hash the parts that payload_parse() has found with an index's secret; *bytes is how many there
 * are.  Returns 0, or -1 with p->error, 0 if the file has become shorter.
 */
int payload_hash(struct payload *p, enum payload_format format, const uint8_t *secret, uint8_t hash[HASH_SIZE], int64_t *bytes);

#endif
