/* SPDX-License-Identifier: MIT */
/* record - private to the room: what the reading process writes, to one that believes nothing. */
#ifndef ARCHIVE_RECORD_H
#define ARCHIVE_RECORD_H

#include "sys/content.h"

/** In front of every record. */
#define RECORD_MAGIC UINT32_C(0x7477A19E)

/** The longest name. */
#define RECORD_NAME_MOST 65535

enum record_type {
	RECORD_MEMBER = 1,
	RECORD_ALIVE,      /* nothing but that: a large member is being read */
	RECORD_END,        /* why, size: entries that are no files; name: the format */
	RECORD_WITHIN,     /* name: a member; its RECORD_MEMBER follows the records of its own */
	RECORD_INNER       /* a member of that; without a name: why no more of them are known */
};

/** A record; name_len bytes follow. */
struct record {
	uint32_t magic;
	uint8_t type, why, has_hash, unused;
	int64_t size, mtime;
	uint32_t name_len;
	uint8_t hash[HASH_SIZE];
	uint8_t padding[4];
};

#endif
