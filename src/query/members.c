/* SPDX-License-Identifier: MIT */
/*
 * Of n files with one content each asks about the n - 1 others.  So a set is
 * loaded and looked at once, and what it means to one of its files is worked
 * out from sums.  Members of one inode, size, mtime and content are a
 * variant: they are the same to every file.  Variants of one inode lie
 * together, a run, and each run with a live member is one copy.
 *
 * Members are looked at in the order of all, only as far as an answer needs it; looked is that
 * border, and sums cover what lies before it.  Used by one thread.
 */
#include "base/base.h"

#include "query/members.h"

#include <xxhash.h>

#include "index/index.h"
#include "query/indexes.h"
#include "query/alias_volumes.h"
#include "sys/stop.h"

/*
 * Limit of members in all kept sets but the largest, about 200 bytes each; a set by itself counts
 * as some more.
 */
#define MEMBERS_KEPT 131072
#define MEMBERS_SET 16

/* What the members of a set have in common. */
struct members_key {
	enum members_by by;
	unsigned fleeting;       /* as a member counts for files that may go for these reasons */
	int64_t size;
	uint8_t id[HASH_SIZE];   /* hash, or volume and inode, or nothing */
};

struct members_one {
	struct file_row row;     /* its name lies in the names of the set */
	uint32_t variant;
	enum presence presence : 8;  /* once it was looked at */
	bool again;              /* ... as excluded: gone, or known by an index before */
	uint8_t fleeting;        /* why it may go by itself, if that is its presence */
	int16_t error;           /* and the errno of one that is unreadable */
	struct indexes_other *of;    /* the index that has it, or NULL: this one */
	const char *path;        /* in a set of several indexes; else NULL */
};

struct members_variant {
	size_t example;          /* a member of it */
	uint32_t run;            /* the first variant of its inode */
	uint32_t live;           /* in the first variant: members of the inode that are there */
	uint32_t n[PRESENCE_COUNT];
};

/* What is there on a volume; where that may show a file twice, of an inode at a time of change. */
struct members_volume {
	struct inode inode;
	struct fs_time mtime;
	int64_t names, inodes;
};

struct members_set {
	struct members_key key;
	VEC(struct members_one) all;
	struct arena names;
	struct table by_path;    /* members, in a set of several indexes */
	const char *told_with;   /* the file that was told with these members; or NULL */
	unsigned fleeting;       /* the reasons of all that may go by themselves */
	const struct indexes_other *offline; /* the first other index that has one offline */
	const char *disk;        /* name and place of the disk of one that is offline; or NULL */
	size_t *by_place;        /* members in order of directory and name */
	VEC(struct members_variant) variants;  /* in order of volume and inode */
	size_t looked;           /* members looked at, from the first on; all sums are of these */
	int64_t n[PRESENCE_COUNT];
	VEC(struct members_volume) volumes;    /* on which members are there */
};

static void
members_set_free(struct members_set *s)
{
	if (s == NULL)
		return;
	vec_release(&s->all);
	vec_release(&s->variants);
	vec_release(&s->volumes);
	arena_release(&s->names);
	table_release(&s->by_path);
	free(s->by_place);
	free(s);
}

void
members_release(struct members *m)
{
	for (size_t i = 0; i < m->sets.n; i++)
		members_set_free(m->sets.v[i]);
	vec_release(&m->sets);
	table_release(&m->by_key);
	m->total = m->largest = 0;
}

void
members_trim(struct members *m)
{
	if (m->total - m->largest > MEMBERS_KEPT)
		members_release(m);
}

static_assert(sizeof(struct inode) <= HASH_SIZE, "an inode fits into a key");

static void
members_key(struct members_key *key, const struct members *m, enum members_by by, const struct file_row *self)
{
	memset(key, 0, sizeof(*key));
	key->by = by;
	key->fleeting = m->where.fleeting;
	key->size = self->size;
	if (by == MEMBERS_CONTENT)
		memcpy(key->id, self->hash, HASH_SIZE);
	else if (by == MEMBERS_INODE)
		memcpy(key->id, &self->inode, sizeof(self->inode));
}

static uint64_t
members_hash(const struct members_key *key)
{
	return XXH3_64bits(key, sizeof(*key));
}

struct names
members_names(struct index *ix, enum members_by by, const struct file_row *self, struct err *err)
{
	switch (by) {
	case MEMBERS_CONTENT:
		return names_of_content(ix->db, self->size, self->hash, err);
	case MEMBERS_INODE:
		return names_of_inode(ix, self->size, self->inode, err);
	case MEMBERS_LINKS:
	default:
		return names_linked(ix->db, self->size, err);
	}
}

static bool
members_same_content(const struct file_row *a, const struct file_row *b)
{
	return a->has_hash && b->has_hash && a->size == b->size && memcmp(a->hash, b->hash, HASH_SIZE) == 0;
}

/* In the order of directories and of the bytes of names; 0 for the same row. */
static int
members_cmp_place(const struct file_row *a, const struct file_row *b)
{
	const size_t len = a->name_len < b->name_len ? a->name_len : b->name_len;
	int cmp;

	if (a->dir != b->dir)
		return a->dir < b->dir ? -1 : 1;
	cmp = memcmp(a->name, b->name, len);
	return cmp != 0 ? cmp : (a->name_len > b->name_len) - (a->name_len < b->name_len);
}

bool
members_concern(enum members_by by, const struct file_row *self, const struct file_row *row)
{
	return members_cmp_place(self, row) != 0 &&
	       (by == MEMBERS_CONTENT || (inode_same(self->inode, row->inode) && !members_same_content(self, row)));
}

enum member_kind
members_kind(const struct file_row *self, const struct file_row *row, enum presence presence, enum members_flags flags)
{
	return presence == PRESENCE_HERE && (flags & MEMBERS_LINKS_COUNT) == 0 && inode_same(self->inode, row->inode) ?
	       MEMBER_LINK : member_kind_of(presence);
}

/*
 * How a name of self's inode counts that can't be looked at.  If self has one link only, the other
 * name is its former one.
 */
static enum members_as
members_link_unseen(const struct file_row *self, enum presence presence)
{
	return self->nlink <= 1 ? MEMBERS_NOTHING : presence == PRESENCE_OFFLINE ? MEMBERS_LINK_OFFLINE : MEMBERS_LINK_UNREADABLE;
}

/* Whether a file of the same content may be self, by another inode. */
static bool
members_may_be_one(const struct members *m, const struct file_row *self, struct inode inode, struct fs_time mtime)
{
	return alias_volumes_may_be_one(m->views, (struct alias_volumes_file){ self->inode, self->mtime }, (struct alias_volumes_file){ inode, mtime });
}

enum members_as
members_counted(const struct members *m, const struct file_row *self, const struct file_row *row, enum presence presence,
                enum members_flags flags)
{
	enum member_kind kind;

	if ((flags & MEMBERS_LINKS_COUNT) == 0 && (presence == PRESENCE_UNREADABLE || presence == PRESENCE_OFFLINE) &&
	    inode_same(self->inode, row->inode))
		return members_link_unseen(self, presence);
	kind = members_kind(self, row, presence, flags);
	return kind == MEMBER_COPY && members_may_be_one(m, self, row->inode, row->mtime) ? MEMBERS_ALIAS : (enum members_as)kind;
}

static int
members_cmp_variant(const struct file_row *a, const struct file_row *b)
{
	int cmp = inode_cmp(a->inode, b->inode);

	if (cmp != 0)
		return cmp;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	cmp = fs_time_cmp(a->mtime, b->mtime);
	if (cmp != 0)
		return cmp;
	if (a->has_hash != b->has_hash)
		return a->has_hash ? 1 : -1;
	return a->has_hash ? memcmp(a->hash, b->hash, HASH_SIZE) : 0;
}

static int
members_sort_place(const void *a, const void *b, void *all)
{
	const struct members_one *v = all;

	return members_cmp_place(&v[*(const size_t *)a].row, &v[*(const size_t *)b].row);
}

static int
members_sort_variant(const void *a, const void *b, void *all)
{
	const struct members_one *v = all;

	return members_cmp_variant(&v[*(const size_t *)a].row, &v[*(const size_t *)b].row);
}

/*
 * Put the members in order: by place, so that one can be found, and by what they have in common.
 */
static void
members_arrange(struct members_set *s)
{
	const size_t n = s->all.n;
	size_t *order = mem_alloc((n + 1) * sizeof(*order));

	s->by_place = mem_alloc((n + 1) * sizeof(*s->by_place));
	for (size_t i = 0; i < n; i++)
		order[i] = s->by_place[i] = i;
	if (n > 0) {
		order_sort_by(s->by_place, n, sizeof(*s->by_place), members_sort_place, s->all.v);
		order_sort_by(order, n, sizeof(*order), members_sort_variant, s->all.v);
	}
	for (size_t i = 0; i < n; i++) {
		struct members_one *o = &s->all.v[order[i]];
		const struct file_row *before = i > 0 ? &s->all.v[order[i - 1]].row : NULL;

		if (before == NULL || members_cmp_variant(before, &o->row) != 0) {
			const uint32_t at = (uint32_t)s->variants.n;
			const bool same_run = before != NULL && inode_same(before->inode, o->row.inode);
			struct members_variant *v = vec_add(&s->variants);

			memset(v, 0, sizeof(*v));
			v->example = order[i];
			v->run = same_run ? s->variants.v[at - 1].run : at;
		}
		o->variant = (uint32_t)(s->variants.n - 1);
	}
	free(order);
}

/* Load the names that an index has; of is NULL for this one. */
static int
members_load_rows(struct members_set *s, struct names *names, struct indexes_other *of, struct err *err)
{
	struct file_row row;
	int ret;

	while ((ret = names_next(names, &row)) == 1) {
		if (stop_check(err) < 0) {
			names_end(names);
			return -1;
		}
		row.name = arena_dup(&s->names, row.name, row.name_len);
		indexes_take_row(of, &row);
		vec_push(&s->all, ((struct members_one){ .row = row, .presence = PRESENCE_HERE, .of = of }));
	}
	return ret;
}

/* Note the paths of all members, by which a name that several indexes have is known as one. */
static int
members_note_paths(struct members *m, struct members_set *s, struct err *err)
{
	for (size_t i = 0; i < s->all.n; i++) {
		struct members_one *o = &s->all.v[i];
		const char *path;

		if (indexes_path(o->of, m->check, &o->row, &path, err) < 0)
			return -1;
		o->path = arena_str(&s->names, path);
		table_add(&s->by_path, table_hash_text(path), i);
	}
	return 0;
}

/* Load what the other indexes have. */
static int
members_load_others(struct members *m, struct members_set *s, enum members_by by, const struct file_row *self, struct err *err)
{
	const size_t own = s->all.n;

	for (size_t i = 0; i < m->with->others.n; i++) {
		struct indexes_other *o = m->with->others.v[i];
		struct file_row theirs = *self;
		struct names names;

		theirs.inode.volume = indexes_theirs(o, self->inode.volume);
		if (by == MEMBERS_INODE && theirs.inode.volume == 0)
			continue;
		names = members_names(o->ix, by, &theirs, err);
		if (members_load_rows(s, &names, o, err) < 0)
			return -1;
	}
	return s->all.n > own ? members_note_paths(m, s, err) : 0;
}

struct members_set *
members_find(const struct members *m, enum members_by by, const struct file_row *self)
{
	struct members_key key;
	uint64_t hash;

	members_key(&key, m, by, self);
	hash = members_hash(&key);
	TABLE_EACH(i, &m->by_key, hash) {
		if (memcmp(&m->sets.v[i]->key, &key, sizeof(key)) == 0)
			return m->sets.v[i];
	}
	return NULL;
}

int
members_load(struct members *m, enum members_by by, const struct file_row *self, struct members_set **result,
             struct err *err)
{
	struct members_set *s = mem_zalloc(1, sizeof(*s));
	struct names names = members_names(m->check->ix, by, self, err);

	assert(members_find(m, by, self) == NULL);
	members_key(&s->key, m, by, self);
	if (members_load_rows(s, &names, NULL, err) < 0 || (m->with != NULL && members_load_others(m, s, by, self, err) < 0)) {
		members_set_free(s);
		return -1;
	}
	members_arrange(s);
	vec_push(&m->sets, s);
	table_add(&m->by_key, members_hash(&s->key), m->sets.n - 1);
	m->total += s->all.n + MEMBERS_SET;
	if (m->largest < s->all.n + MEMBERS_SET)
		m->largest = s->all.n + MEMBERS_SET;
	*result = s;
	return 0;
}

/*
 * Whether an earlier index has the name of a member, too.  Then that one counts, unless only this
 * one is there as indexed.
 */
static bool
members_is_again(const struct members_set *s, const struct members_one *o, enum presence presence)
{
	const uint64_t hash = table_hash_text(o->path);

	TABLE_EACH(i, &s->by_path, hash) {
		const struct members_one *before = &s->all.v[i];

		if (before >= o)
			break;
		if (before->of != o->of && !before->again && strcmp(before->path, o->path) == 0 &&
		    (before->presence == PRESENCE_HERE || presence != PRESENCE_HERE) &&
		    (presence != PRESENCE_OFFLINE || before->row.inode.volume == o->row.inode.volume))
			return true;
	}
	return false;
}

/* Count a name that is there, and its inode if it is the first name of that. */
static void
members_add_here(const struct members *m, struct members_set *s, const struct file_row *row, bool first)
{
	const bool splits = alias_volumes_splits(m->views, row->inode.volume);
	size_t at = 0;

	while (at < s->volumes.n && (s->volumes.v[at].inode.volume != row->inode.volume ||
	                             (splits && (s->volumes.v[at].inode.number != row->inode.number ||
	                                         fs_time_cmp(s->volumes.v[at].mtime, row->mtime) != 0))))
		at++;
	if (at == s->volumes.n)
		vec_push(&s->volumes, ((struct members_volume){ row->inode, row->mtime, 0, 0 }));
	s->volumes.v[at].names++;
	s->volumes.v[at].inodes += first;
}

/* Look at the next member. */
static int
members_look(struct members *m, struct members_set *s, struct err *err)
{
	struct members_one *o = &s->all.v[s->looked];
	struct members_variant *v = &s->variants.v[o->variant];
	enum presence presence;

	if (indexes_look(o->of, m->check, &o->row, &m->where, &presence, NULL, err) < 0)
		return -1;
	o->error = (int16_t)indexes_view(o->of, m->check)->error;
	if (presence == PRESENCE_FLEETING)
		o->fleeting = (uint8_t)indexes_view(o->of, m->check)->fleeting;
	s->fleeting |= o->fleeting;
	o->again = o->of != NULL && (presence == PRESENCE_GONE || members_is_again(s, o, presence));
	if (o->again)
		presence = PRESENCE_EXCLUDED;
	if (presence == PRESENCE_OFFLINE && s->offline == NULL)
		s->offline = o->of;
	if (presence == PRESENCE_OFFLINE && s->disk == NULL)
		s->disk = indexes_disk(o->of, m->check->ix, o->row.inode.volume);
	o->presence = presence;
	v->n[presence]++;
	s->n[presence]++;
	if (presence == PRESENCE_HERE)
		members_add_here(m, s, &o->row, s->variants.v[v->run].live++ == 0);
	s->looked++;
	return stop_check(err);
}

/* The first variant of an inode, or where it would be. */
static size_t
members_run(const struct members_set *s, struct inode inode)
{
	size_t at;

	ORDER_FIRST(at, s->variants.n, inode_cmp(s->all.v[s->variants.v[at].example].row.inode, inode) < 0);
	return at;
}

/*
 * Take self's inode out of the copies of a set by content: its members are links.  That holds
 * whatever times their rows have: no inode is a copy of itself.
 */
static void
members_sum_run(const struct members *m, const struct members_set *s, const struct file_row *self, int64_t n[MEMBERS_AS_COUNT])
{
	bool live = false;

	for (size_t i = members_run(s, self->inode); i < s->variants.n; i++) {
		const struct members_variant *v = &s->variants.v[i];

		if (!inode_same(s->all.v[v->example].row.inode, self->inode))
			break;
		live |= v->n[PRESENCE_HERE] > 0;
		n[MEMBER_LINK] += v->n[PRESENCE_HERE];
		n[MEMBER_OFFLINE] -= v->n[PRESENCE_OFFLINE];
		n[MEMBER_UNREADABLE] -= v->n[PRESENCE_UNREADABLE];
		n[members_link_unseen(self, PRESENCE_UNREADABLE)] += v->n[PRESENCE_UNREADABLE];
		n[members_link_unseen(self, PRESENCE_OFFLINE)] += v->n[PRESENCE_OFFLINE];
	}
	n[members_may_be_one(m, self, self->inode, self->mtime) ? MEMBERS_ALIAS : (enum members_as)MEMBER_COPY] -= live;
}

/* The members of a set by inode that self's content does not give. */
static void
members_sum_links(const struct members *m, const struct members_set *s, const struct file_row *self, enum members_flags flags,
                  int64_t n[MEMBERS_AS_COUNT])
{
	for (size_t i = members_run(s, self->inode); i < s->variants.n; i++) {
		const struct members_variant *v = &s->variants.v[i];
		const struct file_row *row = &s->all.v[v->example].row;

		if (!inode_same(row->inode, self->inode))
			break;
		if (members_same_content(self, row))
			continue;
		for (int p = 0; p < PRESENCE_COUNT; p++)
			n[members_counted(m, self, row, (enum presence)p, flags)] += v->n[p];
	}
}

/*
 * Take out the members that other indexes have at self's own path: they are self.  One that is
 * offline there is another file, unless it is of self's inode.
 */
static void
members_sum_path(const struct members *m, const struct members_set *s, const struct file_row *self, enum members_flags flags,
                 int64_t n[MEMBERS_AS_COUNT])
{
	const uint64_t hash = table_hash_text(m->path);

	TABLE_EACH(i, &s->by_path, hash) {
		const struct members_one *o = &s->all.v[i];

		if (i < s->looked && o->of != NULL && !o->again && strcmp(o->path, m->path) == 0 &&
		    members_concern(s->key.by, self, &o->row) &&
		    (o->presence != PRESENCE_OFFLINE || inode_same(o->row.inode, self->inode)))
			n[members_counted(m, self, &o->row, o->presence, flags)]--;
	}
}

/* Count what the members looked at so far are to self. */
static void
members_sum(const struct members *m, const struct members_set *s, const struct file_row *self, enum members_flags flags,
            int64_t n[MEMBERS_AS_COUNT])
{
	const struct members_one *own = NULL;
	size_t at;

	/* The member that is self, if it was looked at. */
	ORDER_FIRST(at, s->all.n, members_cmp_place(&s->all.v[s->by_place[at]].row, self) < 0);
	if (at < s->all.n && s->by_place[at] < s->looked && members_cmp_place(&s->all.v[s->by_place[at]].row, self) == 0)
		own = &s->all.v[s->by_place[at]];
	memset(n, 0, MEMBERS_AS_COUNT * sizeof(*n));
	if (s->key.by != MEMBERS_CONTENT)
		members_sum_links(m, s, self, flags, n);
	else {
		for (int p = 0; p < PRESENCE_COUNT; p++)
			n[member_kind_of((enum presence)p)] = s->n[p];
		n[MEMBER_COPY] = 0;
		for (size_t i = 0; i < s->volumes.n; i++) {
			const struct members_volume *v = &s->volumes.v[i];

			n[members_may_be_one(m, self, v->inode, v->mtime) ? MEMBERS_ALIAS : (enum members_as)MEMBER_COPY] +=
				(flags & MEMBERS_LINKS_COUNT) != 0 ? v->names : v->inodes;
		}
		if ((flags & MEMBERS_LINKS_COUNT) == 0)
			members_sum_run(m, s, self, n);
	}
	/* Self is in the sums as well, as a link of itself. */
	if (own != NULL && (s->key.by == MEMBERS_CONTENT || !members_same_content(self, &own->row)))
		n[members_counted(m, self, &own->row, own->presence, flags)]--;
	if (m->with != NULL)
		members_sum_path(m, s, self, flags, n);
}

/* Whether any member concerns self, or is it. */
static bool
members_any(const struct members_set *s, const struct file_row *self)
{
	if (s->key.by == MEMBERS_CONTENT)
		return true;
	for (size_t i = members_run(s, self->inode); i < s->variants.n; i++) {
		const struct file_row *row = &s->all.v[s->variants.v[i].example].row;

		if (!inode_same(row->inode, self->inode))
			break;
		if (!members_same_content(self, row))
			return true;
	}
	return false;
}

int
members_count(struct members *m, struct members_set *s, const struct file_row *self, enum members_flags flags,
              int64_t n[MEMBERS_AS_COUNT], struct err *err)
{
	memset(n, 0, MEMBERS_AS_COUNT * sizeof(*n));
	if (!members_any(s, self))
		return 0;
	while ((flags & MEMBERS_ALL) != 0 && s->looked < s->all.n) {
		if (members_look(m, s, err) < 0)
			return -1;
	}
	for (;;) {
		members_sum(m, s, self, flags, n);
		if (n[MEMBER_COPY] > 0 || s->looked == s->all.n)
			return 0;
		if (members_look(m, s, err) < 0)
			return -1;
	}
}

bool
members_at(const struct members_set *s, size_t i, struct members_seen *seen)
{
	const struct members_one *o;

	if (i >= s->looked)
		return false;
	o = &s->all.v[i];
	*seen = (struct members_seen){ &o->row, o->presence, o->error, o->fleeting, o->of, o->again };
	return true;
}

bool
members_has_inode(const struct members_set *s, struct inode inode)
{
	const size_t at = members_run(s, inode);

	return at < s->variants.n && inode_same(s->all.v[s->variants.v[at].example].row.inode, inode) && s->variants.v[at].live > 0;
}

unsigned
members_fleeting(const struct members_set *s)
{
	return s->fleeting;
}

void
members_tell_with(struct members_set *s, const char *path)
{
	s->told_with = arena_str(&s->names, path);
}

const char *
members_told_with(const struct members_set *s)
{
	return s->told_with;
}

const char *
members_disk(const struct members_set *s)
{
	return s->disk;
}

const struct indexes_other *
members_offline(const struct members_set *s)
{
	return s->offline;
}
