/* SPDX-License-Identifier: MIT */
/*
 * MP4 and MOV (ISO/IEC 14496-12): boxes SIZE TYPE, a size of 1 followed by one of 8 bytes, one of
 * 0 up to the end of what they lie in.  Samples lie in mdat; which bytes are a sample, when it is
 * shown and how it is decoded is told by moov, and in a film of fragments by moof, too.  So one
 * mdat under two tables is two films.  Of moov counts what these tables say; its dates, names,
 * languages and tags don't, and neither does where in the file mdat begins.
 */
#include "base/base.h"

#include "payload/formats.h"

/* Kinds of parts; of MP4_CHUNKS the other bits are where the chunks lie. */
#define MP4_SAMPLES  1U
#define MP4_TABLES   2U
#define MP4_FRAGMENT 3U
#define MP4_CHUNKS   0x80000000U

/* A box: where its content begins and ends. */
struct mp4_box {
	int64_t at, begin, end;
};

/* What is done with each box of one kind. */
typedef bool mp4_found(struct payload *p, const struct mp4_box *box);

struct mp4_rule {
	char type[5];
	mp4_found *found;
};

/* The box at a position, which lies before an end.  False: it is broken or cut short. */
static bool
mp4_next(struct payload *p, int64_t at, int64_t end, struct mp4_box *box)
{
	const uint8_t *b = payload_get(p, at, 8);
	int64_t header = 8;
	uint64_t size;

	if (b == NULL)
		return false;
	size = payload_be32(b);
	if (size == 0)
		size = (uint64_t)(end - at);
	else if (size == 1) {
		b = payload_get(p, at + 8, 8);
		if (b == NULL)
			return false;
		size = (uint64_t)payload_be32(b) << 32 | payload_be32(b + 4);
		header = 16;
	}
	if (size < (uint64_t)header || size > (uint64_t)(end - at))
		return false;
	*box = (struct mp4_box){ at, at + header, at + (int64_t)size };
	return true;
}

/* Apply rules, which an empty type ends, to the boxes of a box; one of other types is left out. */
static bool
mp4_inside(struct payload *p, const struct mp4_box *outer, const struct mp4_rule *rules)
{
	struct mp4_box box;

	for (int64_t at = outer->begin; at < outer->end; at = box.end) {
		if (!mp4_next(p, at, outer->end, &box))
			return false;
		for (const struct mp4_rule *r = rules; r->found != NULL; r++) {
			if (payload_is(p, at + 4, r->type, 4) && !r->found(p, &box))
				return false;
		}
	}
	return true;
}

/* A range of a box counts. */
static bool
mp4_range(struct payload *p, const struct mp4_box *box, int64_t from, int64_t len)
{
	return len <= box->end - box->begin - from && payload_add(p, MP4_TABLES, box->begin + from, len);
}

/* All of a box counts, its type and size, too. */
static bool
mp4_whole(struct payload *p, const struct mp4_box *box)
{
	return payload_add(p, MP4_TABLES, box->at, box->end - box->at);
}

/* How many units a second of edit lists has; rate, volume and the matrix of all tracks. */
static bool
mp4_mvhd(struct payload *p, const struct mp4_box *box)
{
	const uint8_t *b = payload_get(p, box->begin, 1);
	const int64_t more = b != NULL && b[0] == 1 ? 4 : 0;

	return b != NULL && mp4_range(p, box, 12 + 2 * more, 4) && mp4_range(p, box, 20 + 3 * more, 52);
}

/* The matrix, width and height that a track is shown with. */
static bool
mp4_tkhd(struct payload *p, const struct mp4_box *box)
{
	const uint8_t *b = payload_get(p, box->begin, 1);

	return b != NULL && mp4_range(p, box, b[0] == 1 ? 52 : 40, 44);
}

/* The units of a second, and the duration. */
static bool
mp4_mdhd(struct payload *p, const struct mp4_box *box)
{
	const uint8_t *b = payload_get(p, box->begin, 1);

	return b != NULL && (b[0] == 1 ? mp4_range(p, box, 20, 12) : mp4_range(p, box, 12, 8));
}

/* Whether it is sound, a picture or text. */
static bool
mp4_hdlr(struct payload *p, const struct mp4_box *box)
{
	return mp4_range(p, box, 8, 4);
}

/* Fold where a chunk lies into a sum: in which part, and where in it.  False: in no samples. */
static bool
mp4_fold(const struct payload *p, uint64_t offset, uint32_t *sum)
{
	size_t low = 0, high = p->parts.n;
	uint64_t in;

	/* The parts of samples lie in front of those of tables, in order. */
	while (high > 0 && p->parts.v[high - 1].kind != MP4_SAMPLES)
		high--;
	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if ((uint64_t)p->parts.v[mid].at <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0)
		return false;
	in = offset - (uint64_t)p->parts.v[low - 1].at;
	if (p->parts.v[low - 1].kind != MP4_SAMPLES || in >= (uint64_t)p->parts.v[low - 1].len)
		return false;
	for (int i = 0; i < 8; i++)
		*sum = (*sum ^ (uint8_t)(in >> (8 * i))) * 16777619U;
	*sum = (*sum ^ (uint32_t)low) * 16777619U;
	return true;
}

/* Where chunks lie, from the begin of what they lie in; the number of them is the part. */
static bool
mp4_chunks(struct payload *p, const struct mp4_box *box, int64_t width)
{
	const uint8_t *b = payload_get(p, box->begin, 8);
	uint32_t n, sum = 2166136261U;

	if (b == NULL || box->end - box->begin < 8)
		return false;
	n = payload_be32(b + 4);
	if ((int64_t)n > (box->end - box->begin - 8) / width)
		return false;
	for (int64_t i = 0; i < (int64_t)n; i++) {
		uint64_t offset;

		b = payload_get(p, box->begin + 8 + i * width, (size_t)width);
		if (b == NULL)
			return false;
		offset = payload_be32(b);
		if (width == 8)
			offset = offset << 32 | payload_be32(b + 4);
		if (!mp4_fold(p, offset, &sum))
			return false;
	}
	return payload_add(p, MP4_CHUNKS | sum, box->begin + 4, 4);
}

static bool
mp4_stco(struct payload *p, const struct mp4_box *box)
{
	return mp4_chunks(p, box, 4);
}

static bool
mp4_co64(struct payload *p, const struct mp4_box *box)
{
	return mp4_chunks(p, box, 8);
}

static bool
mp4_stbl(struct payload *p, const struct mp4_box *box)
{
	static const struct mp4_rule rules[] = {
		{ "stsd", mp4_whole }, { "stts", mp4_whole }, { "ctts", mp4_whole }, { "cslg", mp4_whole },
		{ "stsc", mp4_whole }, { "stsz", mp4_whole }, { "stz2", mp4_whole }, { "stss", mp4_whole },
		{ "stco", mp4_stco }, { "co64", mp4_co64 }, { "", NULL },
	};

	return mp4_inside(p, box, rules);
}

static bool
mp4_minf(struct payload *p, const struct mp4_box *box)
{
	static const struct mp4_rule rules[] = { { "dinf", mp4_whole }, { "stbl", mp4_stbl }, { "", NULL } };

	return mp4_inside(p, box, rules);
}

static bool
mp4_mdia(struct payload *p, const struct mp4_box *box)
{
	static const struct mp4_rule rules[] = { { "mdhd", mp4_mdhd }, { "hdlr", mp4_hdlr }, { "minf", mp4_minf }, { "", NULL } };

	return mp4_inside(p, box, rules);
}

static bool
mp4_trak(struct payload *p, const struct mp4_box *box)
{
	static const struct mp4_rule rules[] = { { "tkhd", mp4_tkhd }, { "edts", mp4_whole }, { "mdia", mp4_mdia }, { "", NULL } };

	return mp4_inside(p, box, rules);
}

bool
payload_mp4(struct payload *p)
{
	static const struct mp4_rule rules[] = { { "mvhd", mp4_mvhd }, { "trak", mp4_trak }, { "mvex", mp4_whole }, { "", NULL } };
	struct mp4_box box, moov = { 0 };
	size_t samples;

	for (int64_t at = 0; at < p->size; at = box.end) {
		if (!mp4_next(p, at, p->size, &box))
			return false;
		if (payload_is(p, at + 4, "mdat", 4) && !payload_add(p, MP4_SAMPLES, box.begin, box.end - box.begin))
			return false;
		if (payload_is(p, at + 4, "moof", 4) && !payload_add(p, MP4_FRAGMENT, box.begin, box.end - box.begin))
			return false;
		if (payload_is(p, at + 4, "moov", 4)) {
			if (moov.end != 0)
				return false;
			moov = box;
		}
	}
	/* The tables come last, for it is one film whether moov stands before mdat or behind it. */
	samples = p->parts.n;
	return samples > 0 && moov.end != 0 && mp4_inside(p, &moov, rules) && p->parts.n > samples;
}
