/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "import/entry.h"

/* The better a kind, the more it proves; of equal ones that which most programs know. */
static const int entry_ranks[DIGEST_NONE] = {
	[DIGEST_TWINDEX] = 0, [DIGEST_MD5] = 1, [DIGEST_SHA1] = 2, [DIGEST_BLAKE2B] = 3, [DIGEST_SHA512] = 4, [DIGEST_SHA256] = 5,
};

enum entry_kind
entry_bad(struct parser *p, const char *why)
{
	p->why = why;
	return ENTRY_BAD;
}

int
entry_nibble(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool
entry_digest(struct claim *claim, enum digest_kind kind, const char *hex, size_t len)
{
	uint8_t digest[DIGEST_MOST];

	if (len != 2 * digest_size(kind))
		return false;
	for (size_t i = 0; i < len / 2; i++) {
		const int high = entry_nibble(hex[2 * i]), low = entry_nibble(hex[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		digest[i] = (uint8_t)(high << 4 | low);
	}
	memcpy(claim->digest, digest, len / 2);
	claim->kind = kind;
	return true;
}

bool
entry_better(struct claim *claim, enum digest_kind kind, const char *hex, size_t len)
{
	if (claim->kind != DIGEST_NONE && entry_ranks[claim->kind] >= entry_ranks[kind]) {
		struct claim other = *claim;

		return entry_digest(&other, kind, hex, len);
	}
	return entry_digest(claim, kind, hex, len);
}

int
entry_number(const char *text, size_t len, int64_t *n)
{
	int64_t value = 0;

	if (len == 0)
		return -1;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9' || value > (INT64_MAX - (text[i] - '0')) / 10)
			return -1;
		value = value * 10 + (text[i] - '0');
	}
	*n = value;
	return 0;
}

enum entry_kind
entry_end(struct parser *p, const struct claim *claim)
{
	if (claim->name_len == 0)
		return entry_bad(p, "the name is empty");
	if (memchr(claim->name, '\0', claim->name_len) != NULL)
		return entry_bad(p, "there is a NUL in the name");
	return ENTRY_FILE;
}
