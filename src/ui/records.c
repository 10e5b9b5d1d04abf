/* SPDX-License-Identifier: MIT */
/*
 * Hides which fields a record has, and in which order: in JSON that of its table, in CSV that of
 * the columns of its listing.  Fields are only added: programs know those that there are.
 */
#include "base/base.h"

#include "ui/records.h"

#include "query/answer.h"
#include "trees/tree_answer.h"

#define AT(record, member) offsetof(struct record, member)
/* A field: its key, type, offset, what it is (or NULL), and other members of struct field. */
#define FIELD(name, kind, place, ...) { .key = name, .type = FIELD_ ## kind, .at = place, .doc = __VA_ARGS__ }
#define END { .key = NULL }
#define WHEN(member) .when = offsetof(struct out_style, member)
#define WORDS(...) .words = (const char *const[]){ __VA_ARGS__ }, .of = sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)
#define FIELDS(record) record ## _fields, sizeof(struct record)

static const struct field member_fields[] = {
	FIELD("path", PATH, AT(member, path), "The absolute path."),
	FIELD("kind", WORD, AT(member, kind), "How it relates to the file or set.", .words = answer_kinds, .of = MEMBER_COUNT),
	FIELD("why", WHY, 0, "Why it does not count.", FIELD_OPTIONAL, .column = ""),
	FIELD("backup", BOOL, AT(member, backup), "It lies in a declared backup.", FIELD_OPTIONAL, .column = ""),
	FIELD("disk", TEXT, AT(member, disk), "Name and place of its disk, which is offline.", FIELD_OPTIONAL, .column = ""),
	FIELD("inode", INODE, AT(member, inode), NULL),
	FIELD("nlink", INT, AT(member, nlink), "Links of its inode."),
	FIELD("mtime_ns", TIME_NS, AT(member, mtime), "When it was last modified."),
	FIELD("mark", WORD, AT(member, mark), "The mark in effect.", .words = mark_names, .of = MARK_DECISIONS),
	FIELD("index", NAME, AT(member, index), "The other index that alone has it.", FIELD_OPTIONAL, WHEN(joined)),
	FIELD("seen", SECONDS, AT(member, seen), "When that was scanned, in seconds since 1970.", FIELD_OPTIONAL, WHEN(joined)),
	FIELD("choice", WORD, AT(member, choice), "Whether it would stay.", .words = answer_choices, .of = MEMBER_CHOICES, WHEN(choices)),
	END
};
static const struct record member_record = { NULL, NULL, FIELDS(member), "Another name of a content." };

static const struct field file_claim_fields[] = {
	FIELD("source", TEXT, AT(file_claim, source), "The name of the listing."),
	FIELD("kind", TEXT, AT(file_claim, kind), "Its format."),
	FIELD("digest", TEXT, AT(file_claim, digest), "The kind of the digest that says so; null: only size and name do."),
	FIELD("made", INT, AT(file_claim, made), "How old the listing is: seconds since 1970."),
	FIELD("name", NAME, AT(file_claim, name), "Its name there."),
	END
};
static const struct record file_claim_record = { NULL, NULL, FIELDS(file_claim), "Who claims to have a file." };
static const struct field archive_place_fields[] = {
	FIELD("path", PATH, AT(archive_place, path), "The path of an archive, !/ and the name in it."),
	END
};
static const struct record archive_place_record = { NULL, NULL, FIELDS(archive_place), "A member of an archive with the content." };

static const struct field file_tags_fields[] = {
	FIELD("path", PATH, AT(file_tags, path), "The absolute path."),
	FIELD("size", INT, AT(file_tags, size), "Bytes."),
	FIELD("mtime", TIME, AT(file_tags, mtime), "When it was last modified, in ISO 8601, UTC."),
	END
};
static const struct record file_tags_record = { NULL, NULL, FIELDS(file_tags), "A file that differs in its tags alone." };

/* Zeros of a file that could not be looked at would be taken for facts. */
#define LOOKED .known = AT(file_answer, size)

static const struct field file_answer_fields[] = {
	FIELD("kind", CONST, 0, NULL, .flags = FIELD_CSV, WORDS("file")),
	FIELD("path", PATH, AT(file_answer, path), "The absolute path, without what -c cuts."),
	FIELD("state", WORD, AT(file_answer, state), "What is known of it.", .words = answer_states, .of = STATE_COUNT),
	FIELD("why", TEXT, AT(file_answer, why), "The reason.", FIELD_OPTIONAL),
	FIELD("size", SIZE, AT(file_answer, size), "Bytes.", FIELD_SHARED),
	FIELD("allocated", SIZE, AT(file_answer, allocated), "Bytes on disk."),
	FIELD("mtime_ns", TIME_NS, AT(file_answer, mtime), "When it was last modified.", LOOKED),
	FIELD("mtime", TIME, AT(file_answer, mtime), "The same in ISO 8601, UTC.", LOOKED),
	FIELD("inode", INODE, AT(file_answer, inode), NULL, LOOKED),
	FIELD("nlink", INT, AT(file_answer, nlink), "Links of its inode.", LOOKED),
	FIELD("hash", HASH, AT(file_answer, hash), "The keyed hash of the index.", FIELD_SHARED),
	FIELD("copies", INT, AT(file_answer, n_copies), "Other inodes with its content; with -H names."),
	FIELD("mark", WORD, AT(file_answer, mark), "The mark in effect.", .words = mark_names, .of = MARK_DECISIONS),
	FIELD("members", LIST, AT(file_answer, members), NULL, .flags = FIELD_OPTIONAL, .of = AT(file_answer, n_members), .record = &member_record),
	FIELD("elsewhere", LIST, AT(file_answer, claims), "Who else claims to have it.", WHEN(claims), .of = AT(file_answer, n_claims), .record = &file_claim_record, .column = ""),
	FIELD("other_tags", LIST, AT(file_answer, other_tags), "Files with one content and other tags.", WHEN(payloads), .of = AT(file_answer, n_other_tags), .record = &file_tags_record, .column = ""),
	FIELD("members_of", PATH, AT(file_answer, told_with), "The file with which the members stand.", FIELD_OPTIONAL),
	FIELD("archive", PATH, AT(file_answer, archive), "It is a member of this archive, and no file.", FIELD_OPTIONAL),
	FIELD("within", PATH, AT(file_answer, within), "It is in this member of the archive.", FIELD_OPTIONAL),
	FIELD("in_archives", LIST, AT(file_answer, places), NULL, .flags = FIELD_OPTIONAL, .of = AT(file_answer, n_places), .record = &archive_place_record),
	END
};
static const struct record file_record = { "file", "file", FIELDS(file_answer), NULL };

static const struct field set_answer_fields[] = {
	FIELD("set", NUMBER, 0, NULL, .flags = FIELD_CSV | FIELD_SHARED),
	FIELD("size", INT, AT(set_answer, size), "Bytes of each copy.", FIELD_SHARED),
	FIELD("hash", HASH, AT(set_answer, hash), "Null for the names of one inode that was never read.", FIELD_SHARED),
	FIELD("copies", INT, AT(set_answer, n_copies), "Inodes that are there; with -H names."),
	FIELD("redundant", INT, AT(set_answer, redundant), "Bytes that all copies but one take up.", FIELD_SHARED),
	FIELD("redundant_disk", SIZE, AT(set_answer, redundant_disk), "The same on disk."),
	FIELD("members", LIST, AT(set_answer, members), NULL, .of = AT(set_answer, n_members), .record = &member_record),
	END
};
static const struct record set_record = { "set", "set", FIELDS(set_answer), "Files with one content." };

static const struct field set_totals_fields[] = {
	FIELD("sets", INT, AT(set_totals, n_sets), NULL),
	FIELD("files", INT, AT(set_totals, n_files), "Names of copies, with their links."),
	FIELD("redundant", INT, AT(set_totals, redundant), "Bytes."),
	FIELD("redundant_disk", SIZE, AT(set_totals, redundant_disk), "The same on disk."),
	FIELD("stale", INT, AT(set_totals, n_stale), "Members that are gone or changed."),
	FIELD("offline", INT, AT(set_totals, n_offline), "Members whose volume is not there."),
	FIELD("unreadable", INT, AT(set_totals, n_unreadable), "Members that can't be looked at."),
	FIELD("views", INT, AT(set_totals, n_views), "Members that may be the same files as others."),
	FIELD("trash", INT, AT(set_totals, n_trash), "Members in a trash."),
	END
};
static const struct record set_totals_record = { "set_totals", "totals", FIELDS(set_totals), NULL };

#define DIR_SUMS \
	FIELD("grown", INT, AT(dir_answer, grown), "Bytes of names more, or less, since a scan.", WHEN(grown)), \
	FIELD("grown_files", INT, AT(dir_answer, grown_files), "Names.", WHEN(grown)), \
	FIELD("marked", INT, AT(dir_answer, marked), "Bytes marked drop, also in a trash.", WHEN(marked)), \
	FIELD("files", INT, AT(dir_answer, files), "Names."), \
	FIELD("bytes", INT, AT(dir_answer, bytes), NULL), \
	FIELD("duplicated", INT, AT(dir_answer, duplicated), "Bytes that have another copy."), \
	FIELD("share", SHARE, AT(dir_answer, duplicated), "Of these in the bytes, in percent.", .of = AT(dir_answer, bytes)), \
	FIELD("redundant", INT, AT(dir_answer, redundant), "Bytes."), \
	END

static const struct field dir_answer_fields[] = {
	FIELD("path", PATH, AT(dir_answer, path), "The absolute path."),
	FIELD("kind", WORD, AT(dir_answer, kind), "All below it, or files directly in it.", WORDS("dir", "files")),
	FIELD("depth", INT, AT(dir_answer, depth), "1 for what is in the directory that was asked for."),
	DIR_SUMS
};
static const struct record dir_record = { "dir", "dir", FIELDS(dir_answer), "As indexed." };

static const struct field dir_total_fields[] = {
	FIELD("kind", CONST, 0, NULL, .flags = FIELD_CSV, WORDS("total")),
	FIELD("path", PATH, AT(dir_answer, path), "The directory that was asked for."),
	DIR_SUMS
};
static const struct record dir_total_record = { "dir_total", "total", dir_total_fields, sizeof(struct dir_answer), NULL };

static const struct field found_answer_fields[] = {
	FIELD("type", EITHER, AT(found_answer, is_dir), NULL, .words = (const char *const[]){ "file", "dir") },
	FIELD("path", PATH, AT(found_answer, path), "The absolute path."),
	FIELD("size", SIZE, AT(found_answer, size), "Bytes of a file.", FIELD_OPTIONAL),
	END
};
static const struct record found_record = { "found", NULL, FIELDS(found_answer), NULL };

static const struct field mark_answer_fields[] = {
	FIELD("path", PATH, AT(mark_answer, path), "The absolute path."),
	FIELD("mark", WORD, AT(mark_answer, decision), "What was decided.", .words = mark_names, .of = MARK_DECISIONS),
	FIELD("state", WORD, AT(mark_answer, state), "Whether it is in effect.", .words = mark_states, .of = MARK_STATES),
	FIELD("why", TEXT, AT(mark_answer, why), "The reason.", FIELD_OPTIONAL),
	FIELD("size", SIZE, AT(mark_answer, size), "Bytes of the content that was marked."),
	FIELD("hash", HASH, AT(mark_answer, hash), "The hash of that content."),
	FIELD("made", INT, AT(mark_answer, made), "Seconds since 1970."),
	END
};
static const struct record mark_record = { "mark", "mark", FIELDS(mark_answer), NULL };

static const struct field mark_totals_fields[] = {
	FIELD("drop", INT, AT(mark_totals, n_drop), "Marks in effect."),
	FIELD("keep", INT, AT(mark_totals, n_keep), "Marks in effect."),
	FIELD("stale", INT, AT(mark_totals, n_stale), "Marks."),
	FIELD("offline", INT, AT(mark_totals, n_offline), "Marks."),
	FIELD("last", INT, AT(mark_totals, n_last), "Marks."),
	FIELD("frees", INT, AT(mark_totals, frees), "Bytes that dropping would free."),
	FIELD("frees_disk", SIZE, AT(mark_totals, frees_disk), "The same on disk."),
	END
};
static const struct record mark_totals_record = { "mark_totals", "totals", FIELDS(mark_totals), NULL };

static const struct field volume_answer_fields[] = {
	FIELD("label", NAME, AT(volume_answer, label), "The name that it was given.", FIELD_NULL),
	FIELD("fs", TEXT, AT(volume_answer, type), "The type of its file system.", .column = "type"),
	FIELD("online", BOOL, AT(volume_answer, online), NULL),
	FIELD("memory", BOOL, AT(volume_answer, memory), "It lies there."),
	FIELD("capacity", SIZE, AT(volume_answer, capacity), "Bytes."),
	FIELD("free", SIZE, AT(volume_answer, available), "Bytes."),
	FIELD("seen", SIZE, AT(volume_answer, seen), "When a scan saw it last, in seconds since 1970."),
	FIELD("files", INT, AT(volume_answer, files), "Names."),
	FIELD("bytes", INT, AT(volume_answer, bytes), "Of each inode once."),
	FIELD("only_files", INT, AT(volume_answer, only_files), "Names of contents that no other volume holds."),
	FIELD("only_bytes", INT, AT(volume_answer, only_bytes), "Of each of these contents once."),
	FIELD("mounted", NAME, AT(volume_answer, point), "Where; offline: where it was.", FIELD_NULL),
	FIELD("elsewhere", BOOL, AT(volume_answer, elsewhere), "It is not where the index has it."),
	FIELD("path", PATH, AT(volume_answer, path), "The first directory that the index has on it.", FIELD_NULL),
	FIELD("own_ctime", NOT, AT(volume_answer, timeless), "Its files keep a time of status change."),
	FIELD("name", TEXT, AT(volume_answer, name), "What people call it.", FIELD_OPTIONAL),
	FIELD("place", TEXT, AT(volume_answer, place), "Where people keep it.", FIELD_OPTIONAL),
	FIELD("note", TEXT, AT(volume_answer, note), "More about it.", FIELD_OPTIONAL),
	END
};
static const struct record volume_record = { "volume", "volume", FIELDS(volume_answer), NULL };

static const struct field pair_answer_fields[] = {
	FIELD("class", WORD, AT(pair_answer, class), NULL, .words = answer_pairs, .of = PAIR_CLASSES),
	FIELD("left", PATH, AT(pair_answer, left), "The file of the first tree.", FIELD_NULL),
	FIELD("right", PATH, AT(pair_answer, right), "The file of the second tree.", FIELD_NULL),
	FIELD("left_size", SIZE, AT(pair_answer, left_size), "Bytes."),
	FIELD("right_size", SIZE, AT(pair_answer, right_size), "Bytes."),
	END
};
static const struct record pair_record = { "pair", "pair", FIELDS(pair_answer), NULL };

static const struct field pairs_sum_fields[] = {
	FIELD("files", INT, AT(pairs_sum, n), NULL),
	FIELD("bytes", INT, AT(pairs_sum, bytes), NULL),
	END
};
static const struct record sum_record = { NULL, NULL, FIELDS(pairs_sum), NULL };

/* Each side of the totals is an object of some of their fields. */
static const struct field left_fields[] = {
	FIELD("", EACH, AT(pairs_totals, left), NULL, .words = answer_pairs, .of = PAIR_CLASSES, .record = &sum_record),
	FIELD("missing", OBJECT, AT(pairs_totals, left_missing), "Files with a content that the other has nowhere.", .record = &sum_record),
	FIELD("empty", INT, AT(pairs_totals, left_empty), "Empty files that only this side has."),
	END
};
static const struct record left_record = { NULL, NULL, left_fields, 0, NULL };

static const struct field right_fields[] = {
	FIELD("", EACH, AT(pairs_totals, right), NULL, .words = answer_pairs, .of = PAIR_CLASSES, .record = &sum_record),
	FIELD("missing", OBJECT, AT(pairs_totals, right_missing), "Files with a content that the other has nowhere.", .record = &sum_record),
	FIELD("empty", INT, AT(pairs_totals, right_empty), "Empty files that only this side has."),
	END
};
static const struct record right_record = { NULL, NULL, right_fields, 0, NULL };

static const struct field pairs_totals_fields[] = {
	FIELD("left", OBJECT, 0, NULL, .record = &left_record),
	FIELD("right", OBJECT, 0, NULL, .record = &right_record),
	END
};
static const struct record pairs_totals_record = { "pair_totals", "totals", FIELDS(pairs_totals), NULL };

static const struct field change_answer_fields[] = {
	FIELD("class", WORD, AT(change_answer, class), NULL, .words = answer_changes, .of = CHANGE_CLASSES),
	FIELD("directory", BOOL, AT(change_answer, dir), "It stands for all below it."),
	FIELD("type", EITHER, AT(change_answer, dir), NULL, .flags = FIELD_CSV | FIELD_BARE, WORDS("file", "directory")),
	FIELD("maybe", BOOL, AT(change_answer, maybe), "Lost: files of its size were never read.  Touched: it was not read."),
	FIELD("before", PATH, AT(change_answer, before), "Its path before; null if it is new.", FIELD_NULL),
	FIELD("after", PATH, AT(change_answer, after), "Its path after; null if it is gone.", FIELD_NULL),
	FIELD("files", INT, AT(change_answer, files), "In a directory, of this class."),
	FIELD("size_before", SIZE, AT(change_answer, size_before), "Bytes; of a directory those of its files."),
	FIELD("size_after", SIZE, AT(change_answer, size_after), "Bytes; of a directory those of its files."),
	END
};
static const struct record change_record = { "change", "change", FIELDS(change_answer), NULL };

static const struct field changes_totals_fields[] = {
	FIELD("", EACH, AT(changes_totals, sums), NULL, .words = answer_changes, .of = CHANGE_CLASSES, .record = &sum_record),
	FIELD("maybe", OBJECT, AT(changes_totals, maybe), "What may be lost.", .record = &sum_record),
	FIELD("uncompared", OBJECT, AT(changes_totals, uncompared), "What is touched, and was not read.", .record = &sum_record),
	FIELD("left_out", INT, AT(changes_totals, left_out), "Files that options of a scan have left out since."),
	END
};
static const struct record changes_totals_record = { "change_totals", "totals", FIELDS(changes_totals), NULL };

#define PLACE(kind) \
	FIELD("kind", EITHER, AT(tree_place, direct), NULL, .flags = FIELD_CSV, WORDS(kind, "files")), \
	FIELD("path", PATH, AT(tree_place, path), "The absolute path."), \
	FIELD("files", INT, AT(tree_place, files), "Each counted at the first that has it."), \
	FIELD("direct", BOOL, AT(tree_place, direct), "Only what is directly in it is meant.", FIELD_OPTIONAL), \
	END

static const struct field tree_place_fields[] = { PLACE("dir") };
static const struct record place_record = { NULL, NULL, FIELDS(tree_place), NULL };
static const struct field leaning_fields[] = { PLACE("leaning") };
static const struct record leaning_record = { NULL, NULL, leaning_fields, sizeof(struct tree_place), NULL };

#define TREE \
	FIELD("kind", CONST, 0, NULL, .flags = FIELD_CSV, WORDS("tree")), \
	FIELD("path", PATH, AT(tree_answer, path), "The absolute path."), \
	FIELD("state", WORD, AT(tree_answer, state), NULL, .words = tree_states, .of = TREE_STATES)

static const struct field tree_answer_fields[] = {
	TREE,
	FIELD("files", INT, AT(tree_answer, files), "Names that hold something."),
	FIELD("bytes", INT, AT(tree_answer, bytes), "Of their inodes."),
	FIELD("frees", INT, AT(tree_answer, frees), "Bytes of those without other names."),
	FIELD("also_in", LIST, AT(tree_answer, places), "Where its contents lie as well.", .of = AT(tree_answer, n_places), .record = &place_record),
	FIELD("elsewhere", INT, AT(tree_answer, elsewhere), "Files that have copies in none of these but in others."),
	FIELD("outside", INT, AT(tree_answer, outside), "Files that only links outside of the index keep."),
	FIELD("unseen", INT, AT(tree_answer, unseen), "Files whose copies cannot be looked at."),
	FIELD("missing", INT, AT(tree_answer, missing), "Files that have no copy elsewhere, or too few, or only spare ones."),
	FIELD("alternative", BOOL, AT(tree_answer, alternative), "These are more once what can go has gone.", FIELD_OPTIONAL),
	FIELD("leaning", LIST, AT(tree_answer, leaning), "What goes, and leans on it for files.", .of = AT(tree_answer, n_leaning), .record = &leaning_record),
	FIELD("pair", PATH, AT(tree_answer, pair), "The directory that could go in its place.", FIELD_NULL),
	FIELD("mounts", INT, AT(tree_answer, mounts), "Mount points at and below it."),
	FIELD("not_judged", GAPS, AT(tree_answer, gaps), NULL),
	FIELD("links", LINKS, AT(tree_answer, gaps), "Symbolic links and special files."),
	END
};
static const struct record tree_record = { "tree", "tree", FIELDS(tree_answer), "A directory that could go as a whole." };

static const struct field risk_fields[] = {
	TREE,
	FIELD("files", INT, AT(tree_answer, files), "Names at risk."),
	FIELD("bytes", INT, AT(tree_answer, bytes), "Of their inodes."),
	FIELD("of", INT, AT(tree_answer, of), "All files there that are asked about."),
	FIELD("frees", SIZE, AT(tree_answer, frees), NULL, .flags = FIELD_CSV),
	FIELD("not_judged", GAPS, AT(tree_answer, gaps), NULL, .flags = FIELD_CSV),
	END
};
static const struct record risk_record = { "risk", "tree", risk_fields, sizeof(struct tree_answer), "A directory of which all is at risk." };

#define TREE_SUMS \
	FIELD("dirs", INT, AT(tree_totals, dirs), NULL), \
	FIELD("files", INT, AT(tree_totals, files), NULL), \
	FIELD("bytes", INT, AT(tree_totals, bytes), NULL)

static const struct field tree_totals_fields[] = {
	TREE_SUMS,
	FIELD("frees", INT, AT(tree_totals, frees), "Bytes."),
	FIELD("leaned_on", INT, AT(tree_totals, leaned_on), "Directories that stay because others go."),
	FIELD("unproven", INT, AT(tree_totals, unproven), "Directories."),
	FIELD("live", INT, AT(tree_totals, live), "Directories that stay because some of their copies are all spare."),
	FIELD("in_wholes", INT, AT(tree_totals, in_wholes), "Files that stay with a git work tree, an environment, a mail store ..."),
	END
};
static const struct record tree_totals_record = { "tree_totals", "totals", FIELDS(tree_totals), "Of what can go." };

static const struct field policy_line_fields[] = {
	FIELD("line", INT, AT(policy_line, number), "Of the config file."),
	FIELD("tree", NAME, AT(policy_line, tree), "The directory of the policy."),
	FIELD("rule", WORD, AT(policy_line, rule), "What it counts.", .words = policy_rules, .of = POLICY_RULES),
	FIELD("least", INT, AT(policy_line, least), "That many."),
	FIELD("files", INT, AT(policy_line, files), "Names that have less."),
	FIELD("bytes", INT, AT(policy_line, bytes), "Of their inodes."),
	FIELD("judged", BOOL, AT(policy_line, judged), "The directory is there, and in the index."),
	END
};
static const struct record policy_line_record = { NULL, NULL, FIELDS(policy_line), "A line of a policy." };

static const struct field risk_totals_fields[] = {
	TREE_SUMS,
	FIELD("offline", INT, AT(tree_totals, offline), "Files whose only other copies are offline."),
	FIELD("inside", INT, AT(tree_totals, inside), "Files whose only other copies lie in what was asked about."),
	FIELD("in_no_backup", BOOL, AT(tree_totals, in_backups), "At risk is what no backup has.", FIELD_OPTIONAL),
	FIELD("policy", LIST, AT(tree_totals, policy), "At risk is what breaks one of these.", .flags = FIELD_OPTIONAL, .of = AT(tree_totals, n_policy),
	      .record = &policy_line_record),
	END
};
static const struct record risk_totals_record = { "risk_totals", "totals", risk_totals_fields, sizeof(struct tree_totals), "Of what is at risk." };

static const struct field similar_answer_side_fields[] = {
	FIELD("path", PATH, AT(similar_answer_side, path), "The absolute path.", FIELD_SHARED),
	FIELD("files", INT, AT(similar_answer_side, files), "Names that could be judged."),
	FIELD("bytes", INT, AT(similar_answer_side, bytes), "Of their inodes."),
	FIELD("shared_files", INT, AT(similar_answer_side, shared_files), "Those with a content that is in the other, too."),
	FIELD("shared_bytes", INT, AT(similar_answer_side, shared_bytes), "Of these."),
	FIELD("share", SHARE, AT(similar_answer_side, shared_bytes), "Of these in the bytes, in percent.", .of = AT(similar_answer_side, bytes)),
	FIELD("unjudged", INT, AT(similar_answer_side, unjudged), "What could not be judged in it."),
	FIELD("twins", INT, AT(similar_answer_side, twins), "Other directories that are the same."),
	FIELD("why", FLEETING, AT(similar_answer_side, fleeting), "Why it does not last as long as the other.", FIELD_OPTIONAL),
	FIELD("partly", FLEETING, AT(similar_answer_side, partly), "The same of a part of it.", FIELD_OPTIONAL),
	FIELD("index", NAME, AT(similar_answer_side, index), "The other index that has it.", FIELD_OPTIONAL, WHEN(joined)),
	END
};
static const struct record side_record = { NULL, NULL, FIELDS(similar_answer_side), NULL };

static const struct field similar_twin_fields[] = {
	FIELD("path", PATH, AT(similar_twin, path), "The absolute path.", .column = "right"),
	FIELD("why", FLEETING, AT(similar_twin, fleeting), "Why it does not last as long as others.", FIELD_OPTIONAL),
	END
};
static const struct record twin_record = { NULL, NULL, FIELDS(similar_twin), NULL };

static const struct field similar_answer_fields[] = {
	FIELD("pair", NUMBER, 0, NULL, .flags = FIELD_CSV | FIELD_SHARED),
	FIELD("kind", WORD, AT(similar_answer, kind), NULL, .flags = FIELD_SHARED, .words = answer_similar_kinds, .of = SIMILAR_KINDS),
	FIELD("contents", INT, AT(similar_answer, contents), "In both."),
	FIELD("bytes", INT, AT(similar_answer, bytes), "In both, each content once."),
	FIELD("linked", INT, AT(similar_answer, linked), "Inodes with a name in both."),
	FIELD("linked_bytes", INT, AT(similar_answer, linked_bytes), "Of these."),
	FIELD("left", OBJECT, AT(similar_answer, left), NULL, .record = &side_record),
	FIELD("right", OBJECT, AT(similar_answer, right), NULL, .record = &side_record),
	FIELD("index", NAME, AT(similar_answer, right.index), NULL, .flags = FIELD_CSV, WHEN(joined)),
	FIELD("twins", LIST, AT(similar_answer, twins), "Others like these two.", FIELD_OPTIONAL, AT(similar_answer, n_twins), .record = &twin_record),
	END
};
static const struct record similar_record = { "similar", "similar", FIELDS(similar_answer), "Directories that share content." };

#define FILE_COLUMNS "kind,state,size,allocated,mtime_ns,inode,nlink,hash,copies,path,path_b64,why,mark"
#define TREE_COLUMNS "kind,state,files,bytes,frees,not_judged,path,path_b64"

const struct out_listing out_listings[OUT_KINDS] = {
	[OUT_STATES] = { "files", &file_record, NULL, FILE_COLUMNS, { &file_record, &member_record } },
	[OUT_PATHS] = { "files", &file_record, NULL, FILE_COLUMNS, { &file_record, &member_record } },
	[OUT_SETS] = { "sets", &set_record, &set_totals_record,
		"set,kind,size,redundant,hash,inode,nlink,mtime_ns,path,path_b64,mark,choice,index,index_b64", { &set_record, &member_record } },
	[OUT_DIRS] = { "dirs", &dir_record, &dir_total_record,
		"kind,depth,files,bytes,duplicated,share,redundant,path,path_b64,marked,grown,grown_files", { &dir_record, &dir_total_record } },
	[OUT_FOUND] = { "found", &found_record, NULL, "type,size,path,path_b64", { &found_record } },
	[OUT_MARKS] = { "marks", &mark_record, &mark_totals_record, "mark,state,size,hash,made,path,path_b64,why", { &mark_record } },
	[OUT_VOLUMES] = { "volumes", &volume_record, NULL,
		"label,label_b64,type,online,capacity,free,seen,files,bytes,only_files,only_bytes,mounted,mounted_b64,elsewhere,path,path_b64,name,place,note",
		{ &volume_record } },
	[OUT_PAIRS] = { "pairs", &pair_record, &pairs_totals_record, "class,left_size,right_size,left,left_b64,right,right_b64",
		{ &pair_record } },
	[OUT_TREES] = { "trees", &tree_record, &tree_totals_record, TREE_COLUMNS, { &tree_record, &place_record, &leaning_record } },
	[OUT_RISKS] = { "trees", &risk_record, &risk_totals_record, TREE_COLUMNS, { &risk_record } },
	[OUT_CHANGES] = { "changes", &change_record, &changes_totals_record,
		"class,type,maybe,files,size_before,size_after,before,before_b64,after,after_b64", { &change_record } },
	[OUT_SIMILAR] = { "similar", &similar_record, NULL,
		"pair,kind,contents,bytes,linked,linked_bytes,left,left_b64,left_files,left_bytes,left_shared_files,left_shared_bytes,left_share,"
		"left_unjudged,left_twins,right,right_b64,right_files,right_bytes,right_shared_files,right_shared_bytes,right_share,"
		"right_unjudged,right_twins,index,index_b64", { &similar_record, &twin_record } },
};

bool
field_applies(const struct field *f, const struct out_style *style)
{
	return f->when == 0 || *(const bool *)((const char *)style + f->when);
}
