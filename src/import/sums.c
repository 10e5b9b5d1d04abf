/* SPDX-License-Identifier: MIT */
/* sums - what md5sum, sha256sum, b2sum and their relatives write, with and without --tag. */
#include "base/base.h"

#include "import/entry.h"

/* Names of --tag, and of openssl, that are not those of the kinds. */
static const struct {
	const char *tag;
	enum digest_kind kind;
} sums_tags[] = { { "SHA2-256", DIGEST_SHA256 }, { "SHA2-512", DIGEST_SHA512 }, { "BLAKE2b512", DIGEST_BLAKE2B } };

static enum digest_kind
sums_tag(const char *tag, size_t len)
{
	enum digest_kind kind;

	for (size_t i = 0; i < sizeof(sums_tags) / sizeof(sums_tags[0]); i++) {
		if (strlen(sums_tags[i].tag) == len && memcmp(sums_tags[i].tag, tag, len) == 0)
			return sums_tags[i].kind;
	}
	kind = digest_find(tag, len);
	return kind < DIGEST_KINDS ? kind : DIGEST_NONE;
}

/* Take in a name, which has escapes where the line begins with a backslash. */
static enum entry_kind
sums_name(struct parser *p, const char *name, size_t len, bool escaped, struct claim *claim)
{
	buf_cut(&p->text, 0);
	if (!escaped)
		buf_add(&p->text, name, len);
	for (size_t i = 0; escaped && i < len; i++) {
		if (name[i] != '\\') {
			buf_addc(&p->text, name[i]);
			continue;
		}
		if (++i >= len || strchr("\\nr", name[i]) == NULL)
			return entry_bad(p, "the name has an escape that there is not");
		buf_addc(&p->text, name[i] == 'n' ? '\n' : name[i] == 'r' ? '\r' : '\\');
	}
	claim->name = buf_str(&p->text);
	claim->name_len = p->text.len;
	return entry_end(p, claim);
}

/* A line of --tag: KIND (NAME) = DIGEST. */
static enum entry_kind
sums_parse_tag(struct parser *p, const char *line, size_t len, bool escaped, struct claim *claim)
{
	const char *open = memchr(line, '(', len), *tag_end, *close;
	size_t hex = 0;
	enum digest_kind kind;

	if (open == NULL || open == line)
		return entry_bad(p, "it is no checksum and name");
	tag_end = open[-1] == ' ' ? open - 1 : open;
	while (hex < len && strchr("0123456789abcdefABCDEF", line[len - 1 - hex]) != NULL)
		hex++;
	close = line + len - hex;
	/* ") = " of coreutils, ")= " of openssl. */
	close -= close - open >= 4 && memcmp(close - 4, ") = ", 4) == 0 ? 4 : close - open >= 3 && memcmp(close - 3, ")= ", 3) == 0 ? 3 : 0;
	if (close <= open || *close != ')')
		return entry_bad(p, "it is no checksum and name");
	kind = sums_tag(line, (size_t)(tag_end - line));
	if (kind == DIGEST_NONE)
		return entry_bad(p, "this kind of checksum is of no use here");
	if (!entry_digest(claim, kind, line + len - hex, hex))
		return entry_bad(p, "the checksum is not as long as its kind");
	return sums_name(p, open + 1, (size_t)(close - open - 1), escaped, claim);
}

enum entry_kind
sums_parse(struct parser *p, char *line, size_t len, struct claim *claim, struct err *err)
{
	const bool escaped = len > 0 && line[0] == '\\';
	enum digest_kind kind = p->digest;
	size_t hex = 0;

	if (len == 0 || line[0] == '#' || line[0] == ';')
		return ENTRY_NOTHING;
	if (memchr(line, '\0', len) != NULL)
		return entry_bad(p, "there is a NUL in it");
	line += escaped;
	len -= escaped;
	hex = strspn(line, "0123456789abcdefABCDEF");
	if (hex < 32 || hex + 2 >= len || line[hex] != ' ' || (line[hex + 1] != ' ' && line[hex + 1] != '*'))
		return sums_parse_tag(p, line, len, escaped, claim);
	if (kind == DIGEST_NONE && hex == 128) {
		err_set(err, ERR_USAGE, "a checksum of 128 digits may be sha512 or blake2b: --digest says which");
		return ENTRY_FAILED;
	}
	if (kind == DIGEST_NONE)
		kind = hex == 32 ? DIGEST_MD5 : hex == 40 ? DIGEST_SHA1 : hex == 64 ? DIGEST_SHA256 : DIGEST_NONE;
	if (kind == DIGEST_NONE)
		return entry_bad(p, "this kind of checksum is of no use here");
	if (!entry_digest(claim, kind, line, hex))
		return entry_bad(p, "the checksum is not as long as its kind");
	return sums_name(p, line + hex + 2, len - hex - 2, escaped, claim);
}
