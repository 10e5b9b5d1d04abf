/* SPDX-License-Identifier: MIT */
/* twindex scan - bring the index up to date; twindex refresh - look again at what it has. */
#include "base/base.h"

#include <stdatomic.h>
#include <unistd.h>

#include "archive/libarchive.h"
#include "cmd/cmd.h"
#include "cmd/cmd_digest.h"
#include "cmd/cmd_dirty.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_progress.h"
#include "cmd/cmd_newcomers.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_payload.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_sizes.h"
#include "db/db.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/own_files.h"
#include "scan/refresh.h"
#include "scan/scan.h"
#include "scan/start.h"
#include "sys/digest.h"
#include "sys/fs.h"
#include "sys/racy_window.h"
#include "ui/doc.h"
#include "ui/width.h"

/* Past runs searched for the expected number of files. */
enum { CMD_SCAN_RUNS = 8 };

/* The options of both commands; refresh takes a few of them. */
struct cmd_scan_args {
	bool hidden, no_hidden, one_fs, network, trust_mtime, hash_all, archives, nested;
	bool verify, rehash, trust_cache, dry_run, force_purge, payload, no_changes;
	struct opt_list exclude, exclude_from, paths, backup, no_backup, digest;
	const char *files0_from, *hash_sizes, *dirty_from, *until;
	int64_t min_size, max_size, threads, max_time_ns, racy_window_ns, history_ns;
};

static const struct opt cmd_scan_opts[] = {
	OPT_FLAG_(0, "no-hidden", struct cmd_scan_args, no_hidden, "leave out hidden files and directories, whose names begin with a dot"),
	OPT_FLAG_(0, "hidden", struct cmd_scan_args, hidden, "take hidden files and directories (the default)"),
	OPT_LIST_(0, "exclude", struct cmd_scan_args, exclude, "GLOB", "leave out files that match, as in a gitignore file; !GLOB takes them in again (repeatable)"),
	OPT_LIST_(0, "exclude-from", struct cmd_scan_args, exclude_from, "FILE", "globs from FILE, one a line, # begins a comment"),
	OPT_SIZE_('m', "min-size", struct cmd_scan_args, min_size, "SIZE", "leave out smaller files"),
	OPT_SIZE_(0, "max-size", struct cmd_scan_args, max_size, "SIZE", "leave out larger files"),
	OPT_FLAG_('X', "one-file-system", struct cmd_scan_args, one_fs, "do not cross into other file systems"),
	OPT_FLAG_(0, "network", struct cmd_scan_args, network, "enter network and FUSE mounts below the root, too; without it they are counted and left out"),
	OPT_FLAG_(0, "trust-mtime", struct cmd_scan_args, trust_mtime, "do not read a file again if only its ctime is new (it was renamed or linked)"),
	OPT_FLAG_(0, "hash-all", struct cmd_scan_args, hash_all, "read every file whole, even if no other has its size: to compare indexes"),
	OPT_FLAG_(0, "archives", struct cmd_scan_args, archives, "look into archives, too (zip, tar, 7z, cpio, deb, iso, cab): their members are never copies that let a file go"),
	OPT_FLAG_(0, "nested-archives", struct cmd_scan_args, nested, "the same, and look into archives in archives, too, but no deeper"),
	OPT_STRING_(0, "hash-sizes", struct cmd_scan_args, hash_sizes, "FILE", "read whole, in this scan, the files of the sizes in FILE (- is standard input), one a line"),
	OPT_STRING_(0, "files0-from", struct cmd_scan_args, files0_from, "FILE", "roots from FILE (- is standard input), each ended by a NUL byte"),
	OPT_STRING_(0, "dirty-from", struct cmd_scan_args, dirty_from, "FILE", "look only at the paths in FILE (- is standard input), each ended by a NUL byte, and below them; the rest stays as it was scanned last"),
	OPT_LIST_(0, "digest", struct cmd_scan_args, digest, "KIND", "of every file that is read whole anyway keep this digest, too (sha256, md5 ...: see digest)"),
	OPT_FLAG_(0, "payload", struct cmd_scan_args, payload, "then read pictures, sound and films, to know which differ in their tags alone"),
	OPT_FLAG_(0, "verify", struct cmd_scan_args, verify, "compare copies byte by byte"),
	OPT_FLAG_(0, "rehash", struct cmd_scan_args, rehash, "trust no stored hash: read every file again, and report contents that changed silently"),
	OPT_FLAG_(0, "trust-cache", struct cmd_scan_args, trust_cache, "with --rehash: read files that are cached from memory, not from the disk"),
	OPT_FLAG_(0, "no-changes", struct cmd_scan_args, no_changes, "look at every file, also where the file system knows what changed (btrfs and xfs, as root)"),
	OPT_FLAG_('n', "dry-run", struct cmd_scan_args, dry_run, "change nothing: say what would be read"),
	OPT_INT_(0, "threads", struct cmd_scan_args, threads, "N", "threads that walk and read (default: three for two processors, up to 8 where a disk is waited for)"),
	OPT_DURATION_(0, "max-time", struct cmd_scan_args, max_time_ns, "TIME", "stop reading after TIME (90, 10m, 2h); the next scan goes on"),
	OPT_STRING_(0, "until", struct cmd_scan_args, until, "PERCENT", "stop reading when so much of what may be redundant is settled, largest files first; the next scan goes on"),
	OPT_DURATION_(0, "racy-window", struct cmd_scan_args, racy_window_ns, "TIME", "a file that changed less than TIME before it was read is read again next time (default: 60s)"),
	OPT_DURATION_(0, "history", struct cmd_scan_args, history_ns, "TIME", "remember changes for TIME from now on, for diff (90d at first; 0: remember nothing)"),
	OPT_FLAG_(0, "force-purge", struct cmd_scan_args, force_purge, "drop the files of a root that is empty or shows another volume now, as if it was not mounted"),
	OPT_LIST_(0, "backup", struct cmd_scan_args, backup, "DIR", "scan DIR, too, and note that it is a backup: nothing there is offered to go (repeatable)"),
	OPT_LIST_(0, "no-backup", struct cmd_scan_args, no_backup, "DIR", "scan DIR, too, and note that it is no backup any more (repeatable)"),
	OPT_LIST_('p', "path", struct cmd_scan_args, paths, "DIR", "the same as the operand DIR"),
	{ 0, "minsize", OPT_SIZE, OPT_AT(struct cmd_scan_args, min_size, int64_t), "SIZE", NULL, NULL },
	OPT_END
};

static const struct opt refresh_opts[] = {
	OPT_LIST_('p', "path", struct cmd_scan_args, paths, "PATH", "the same as the operand PATH"),
	OPT_DURATION_(0, "racy-window", struct cmd_scan_args, racy_window_ns, "TIME", "a file that changed less than TIME before it was read is read again next time (default: 60s)"),
	OPT_END
};

static const struct cmd_scan_args cmd_scan_defaults = { .max_size = INT64_MAX, .racy_window_ns = RACY_WINDOW_NS, .history_ns = -1 };

static int
cmd_scan_exclude_from(struct rules *rules, const char *file, struct err *err)
{
	struct cmd_paths lines = { 0 };
	const int ret = cmd_paths_lines(file, '\n', &lines, err);

	for (size_t i = 0; ret == 0 && i < lines.n; i++) {
		char *glob = mem_str(lines.v[i]);
		size_t len = strlen(glob);

		/* As gitignore does: trailing blanks go unless a backslash quotes them. */
		while (len > 0 && strchr("\n\r", glob[len - 1]) != NULL)
			len--;
		while (len > 0 && strchr(" \t", glob[len - 1]) != NULL && (len < 2 || glob[len - 2] != '\\'))
			len--;
		glob[len] = '\0';
		if (glob[0] != '\0' && glob[0] != '#')
			rules_exclude(rules, glob);
		free(glob);
	}
	cmd_paths_release(&lines);
	return ret;
}

/* Read the roots that a file names, and check which options go together.  Returns 0 or -1. */
static int
cmd_scan_check(const struct cmd_call *c, bool given, struct err *err)
{
	const struct cmd_scan_args *a = c->args;
	struct cmd_paths *paths = &c->target->paths;

	if (a->hidden && a->no_hidden)
		return err_set(err, ERR_USAGE, "--hidden and --no-hidden contradict each other");
	if (a->min_size > a->max_size)
		return err_set(err, ERR_USAGE, "--min-size is larger than --max-size: no file would be left");
	if (a->files0_from != NULL && cmd_paths_read(c, a->files0_from, '\0', paths, err) < 0)
		return -1;
	if (a->files0_from != NULL && paths->n == 0)
		return err_set(err, ERR_USAGE, "option '--files0-from': '%s' names no root", a->files0_from);
	if (a->files0_from != NULL && a->hash_sizes != NULL && strcmp(a->files0_from, "-") == 0 && strcmp(a->hash_sizes, "-") == 0)
		return err_set(err, ERR_USAGE, "--files0-from and --hash-sizes cannot both read standard input");
	if (a->threads > 512)
		return err_set(err, ERR_USAGE, "option '--threads': %lld is more than 512", (long long)a->threads);
	if (a->payload && a->dry_run)
		return err_set(err, ERR_USAGE, "--dry-run changes nothing: it does not go with --payload");
	if ((a->archives || a->nested) && !libarchive_can())
		return libarchive_fail(err);
	if (a->trust_cache && !a->rehash)
		return err_set(err, ERR_USAGE, "option '--trust-cache' goes with --rehash");
	if (a->dirty_from != NULL && (paths->n > 0 || a->backup.n > 0 || a->no_backup.n > 0 || given))
		return err_set(err, ERR_USAGE, "--dirty-from looks below all roots, with the options they have: it takes neither a ROOT nor options of one");
	if (a->dirty_from != NULL && (a->rehash || a->force_purge || a->verify || a->hash_sizes != NULL || a->digest.n > 0))
		return err_set(err, ERR_USAGE, "--dirty-from goes with neither --rehash, --verify, --hash-sizes, --digest nor --force-purge: these are for whole roots");
	if (cmd_paths_add(c, a->backup.v, a->backup.n, paths, err) < 0 || cmd_paths_add(c, a->no_backup.v, a->no_backup.n, paths, err) < 0)
		return -1;
	if (given && paths->n == 0)
		return err_set(err, ERR_USAGE, "every root keeps its own options: name the root that is to get these");
	return 0;
}

/* The kinds of digests that are asked for, which can be computed here.  Returns 0 or -1. */
static int
cmd_scan_digests(const struct cmd_scan_args *a, unsigned *kinds, struct err *err)
{
	if (cmd_digest_kinds("--digest", &a->digest, kinds, err) < 0)
		return -1;
	return *kinds == 0 ? 0 : digest_check(*kinds, err);
}

/* Read the share of --until, a percentage: 0 where everything is to be read.  Returns 0 or -1. */
static int
cmd_scan_until(const struct cmd_scan_args *a, int *until, struct err *err)
{
	char number[NUM_SHOW_MAX];
	size_t len;
	int64_t n;

	*until = 0;
	if (a->until == NULL)
		return 0;
	len = strlen(a->until);
	if (len > 0 && a->until[len - 1] == '%')
		len--;
	if (len < sizeof(number)) {
		memcpy(number, a->until, len);
		number[len] = '\0';
		if (num_parse_int(number, 1, 100, &n) == 0) {
			*until = n < 100 ? (int)n : 0;
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "option '--until': a percentage is from 1 to 100");
}

/* Make rules of the options. */
static int
cmd_scan_rules(const struct cmd_scan_args *a, struct rules *rules, struct err *err)
{
	rules_init(rules);
	rules->hidden = !a->no_hidden;
	rules->one_fs = a->one_fs;
	rules->network = a->network;
	rules->trust_mtime = a->trust_mtime;
	rules->hash_all = a->hash_all;
	rules->archives = a->archives || a->nested;
	rules->nested = a->nested;
	rules->min_size = a->min_size;
	rules->max_size = a->max_size;
	for (size_t i = 0; i < a->exclude.n; i++)
		rules_exclude(rules, a->exclude.v[i]);
	for (size_t i = 0; i < a->exclude_from.n; i++) {
		if (cmd_scan_exclude_from(rules, a->exclude_from.v[i], err) < 0)
			return -1;
	}
	return 0;
}

/* Whether an option of rules was typed: those of the config file are for new roots. */
static bool
cmd_scan_given(const struct cmd_call *c)
{
	static const size_t fields[] = {
		offsetof(struct cmd_scan_args, hidden), offsetof(struct cmd_scan_args, no_hidden), offsetof(struct cmd_scan_args, one_fs),
		offsetof(struct cmd_scan_args, network), offsetof(struct cmd_scan_args, trust_mtime), offsetof(struct cmd_scan_args, hash_all),
		offsetof(struct cmd_scan_args, archives), offsetof(struct cmd_scan_args, nested),
		offsetof(struct cmd_scan_args, min_size), offsetof(struct cmd_scan_args, max_size),
		offsetof(struct cmd_scan_args, exclude), offsetof(struct cmd_scan_args, exclude_from),
	};
	bool given = false;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		given |= opt_given(cmd_scan_opts, c->given, fields[i]);
	return given;
}

static void
cmd_scan_show_reasons(struct buf *b, const struct stats_report *r)
{
	char text[NUM_SHOW_MAX];
	bool any = false;

	for (int i = 0; i < SKIP_COUNT; i++) {
		const int64_t n = atomic_load(&r->counts.skipped[i]);

		if (n == 0)
			continue;
		buf_addf(b, "%s%s %s", any ? ", " : "skipped     ", num_show_count(n, text), skip_counted((enum skip)i, n));
		any = true;
	}
	if (any)
		buf_addc(b, '\n');
	any = false;
	for (int i = 0; i < STATS_ERRNOS; i++) {
		const int64_t n = atomic_load(&r->counts.errors[i]);

		if (n == 0)
			continue;
		buf_addf(b, "%s%s %s", any ? ", " : "unreadable  ", num_show_count(n, text),
		         i > 0 ? strerror(i) : "changed while read");
		any = true;
	}
	if (any)
		buf_addc(b, '\n');
}

/* Append how many paths of a list were not looked at. */
static void
cmd_scan_show_outside(struct buf *b, const struct stats_report *r)
{
	const int64_t n = atomic_load(&r->counts.outside);
	char text[NUM_SHOW_MAX];

	if (n > 0)
		buf_addf(b, "outside     %s no root, and not looked at\n", num_show_things(n, "path of the list is below", "paths of the list are below", text));
}

/* Append how many files to be read are not there now, but may come back. */
static void
cmd_scan_show_left(struct buf *b, const struct stats_report *r)
{
	char text[NUM_SHOW_MAX];

	if (r->n_left > 0)
		buf_addf(b, "unread      %s not there, and may come back\n",
		         num_show_things(r->n_left, "file that is", "files that are", text));
}

/* Append what archives were opened and what they hold. */
static void
cmd_scan_show_archives(struct buf *b, const struct stats *n)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], z[NUM_SHOW_MAX], u[NUM_SHOW_MAX];

	if (atomic_load(&n->archives) == 0)
		return;
	buf_addf(b, "archives    %s opened with %s, %s of them read, %s", num_show_count(atomic_load(&n->archives), x),
	         num_show_things(atomic_load(&n->members), "member", "members", y), num_show_count(atomic_load(&n->members_read), z),
	         num_show_size(atomic_load(&n->members_bytes), NUM_IEC, u));
	if (atomic_load(&n->archives_partly) > 0)
		buf_addf(b, "; %s known only in part or not at all", num_show_things(atomic_load(&n->archives_partly), "is", "are", x));
	buf_addc(b, '\n');
}

/* Say what stopped the reading, and what is known by then. */
static void
cmd_scan_show_stop(struct buf *b, const struct index *ix, const struct stats_report *r)
{
	struct buf compared = { 0 };
	/* A failure is told by the next question. */
	const bool known = cmd_compared_text(ix, &compared, &(struct err){ 0 }) == 1;

	buf_addf(b, "stopped by %s: ", r->reached > 0 ? "--until" : "--max-time");
	if (r->reached > 0)
		buf_addf(b, "%d%% of what may be redundant is settled%s%s; ", r->reached, known ? ", in " : "", buf_str(&compared));
	else if (known)
		buf_addf(b, "%s are compared; ", buf_str(&compared));
	buf_adds(b, "the next scan goes on from here\n");
	buf_release(&compared);
}

static void
cmd_scan_summary(const struct cmd_call *c, const struct index *ix, const struct stats_report *r, bool dry_run)
{
	const struct stats *n = &r->counts;
	char a[NUM_SHOW_MAX], d[NUM_SHOW_MAX];
	struct buf b = { 0 };

	buf_addf(&b, "files       %s in %s", num_show_count(atomic_load(&n->files), a),
	         num_show_things(atomic_load(&n->dirs), "directory", "directories", d));
	if (!r->by_changes)
		buf_addf(&b, ", %s%s", num_show_size(atomic_load(&n->bytes), NUM_IEC, a),
		         atomic_load(&n->linked) > 0 ? ", hard links counted by each name" : "");
	buf_addc(&b, '\n');
	if (r->by_changes) {
		buf_addf(&b, "looked at   %s", num_show_things(r->looked_files, "file", "files", a));
		buf_addf(&b, " in %s", num_show_things(r->looked_dirs, "directory", "directories", d));
		buf_addf(&b, "; the file system knows what changed\n");
	}
	buf_addf(&b, "index       %s new, %s changed", num_show_count(atomic_load(&n->added), a),
	         num_show_count(atomic_load(&n->changed), d));
	buf_addf(&b, ", %s gone, %s unchanged", num_show_count(atomic_load(&n->gone), a),
	         num_show_count(atomic_load(&n->reused), d));
	if (atomic_load(&n->left_out) > 0)
		buf_addf(&b, ", %s left out by these options", num_show_count(atomic_load(&n->left_out), a));
	buf_addc(&b, '\n');
	if (dry_run)
		buf_addf(&b, "would read  %s, up to %s\n", num_show_things(atomic_load(&n->to_read), "file", "files", a),
		         num_show_size(atomic_load(&n->to_read_bytes), NUM_IEC, d));
	else
		buf_addf(&b, "read        %s, %s\n", num_show_things(atomic_load(&n->read), "file", "files", a),
		         num_show_size(atomic_load(&n->read_bytes), NUM_IEC, d));
	if (atomic_load(&n->hash_all) > 0)
		buf_addf(&b, "hash-all    %s, %s of these for no other reason\n", num_show_things(atomic_load(&n->hash_all), "file", "files", a),
		         num_show_size(atomic_load(&n->hash_all_bytes), NUM_IEC, d));
	if (atomic_load(&n->hash_sizes) > 0)
		buf_addf(&b, "hash-sizes  %s, %s of these for no other reason\n", num_show_things(atomic_load(&n->hash_sizes), "file", "files", a),
		         num_show_size(atomic_load(&n->hash_sizes_bytes), NUM_IEC, d));
	if (!dry_run && atomic_load(&n->read_racy) > 0)
		buf_addf(&b, "again       %s of these, changed shortly before reading (--racy-window)\n",
		         num_show_count(atomic_load(&n->read_racy), a));
	cmd_scan_show_reasons(&b, r);
	cmd_scan_show_outside(&b, r);
	cmd_scan_show_left(&b, r);
	if (r->n_corrupt > 0)
		buf_addf(&b, "corrupt     %s changed content under an unchanged size and time\n",
		         num_show_things(r->n_corrupt, "file has", "files have", a));
	cmd_scan_show_archives(&b, n);
	if (atomic_load(&n->verified) > 0)
		buf_addf(&b, "verified    %s byte by byte, %s\n", num_show_things(atomic_load(&n->verified), "file", "files", a),
		         num_show_size(atomic_load(&n->verified_bytes), NUM_IEC, d));
	if (r->sets >= 0)
		cmd_add_sets(&b, r->sets, r->redundant);
	buf_addf(&b, "time        %s\n", num_show_duration(r->elapsed_ns, a));
	if (((const struct cmd_scan_args *)c->args)->dirty_from != NULL)
		buf_adds(&b, "all else    as its last scan found it\n");
	if (c->tty && atomic_load(&n->added) > 0 && r->redundant > 0 && !dry_run)
		buf_addf(&b, "next        %s report\n", prog_name());
	if (r->out_of_time || r->reached > 0)
		cmd_scan_show_stop(&b, ix, r);
	width_print(c->out, buf_str(&b), CMD_LABEL, c->tty ? c->env->width : 0);
	buf_release(&b);
}

/* Begin a document, with the list of problems open, if --json asks for one. */
static struct doc *
cmd_scan_doc_open(const struct cmd_call *c, struct cmd_progress *progress)
{
	struct doc *d = cmd_doc(c);

	if (d != NULL)
		doc_list(d, "problems");
	progress->problems = d;
	return d;
}

/* End that list, and add what came of the run. */
static void
cmd_scan_doc_end(struct doc *d, const struct index *ix, const struct stats_report *r, bool dry_run)
{
	const struct stats *n = &r->counts;

	doc_list_end(d);
	doc_bool(d, "dry_run", dry_run);
	doc_int(d, "files", atomic_load(&n->files));
	doc_int(d, "dirs", atomic_load(&n->dirs));
	doc_int(d, "bytes", atomic_load(&n->bytes));
	doc_bool(d, "by_changes", r->by_changes);
	doc_int(d, "new", atomic_load(&n->added));
	doc_int(d, "changed", atomic_load(&n->changed));
	doc_int(d, "gone", atomic_load(&n->gone));
	doc_int(d, "unchanged", atomic_load(&n->reused));
	doc_int(d, "left_out", atomic_load(&n->left_out));
	doc_int(d, dry_run ? "to_read" : "read", dry_run ? atomic_load(&n->to_read) : atomic_load(&n->read));
	doc_int(d, dry_run ? "to_read_bytes" : "read_bytes", dry_run ? atomic_load(&n->to_read_bytes) : atomic_load(&n->read_bytes));
	doc_object(d, "skipped");
	for (int i = SKIP_NO + 1; i < SKIP_COUNT; i++) {
		if (atomic_load(&n->skipped[i]) > 0)
			doc_int(d, gap_key((enum gap)i), atomic_load(&n->skipped[i]));
	}
	doc_object_end(d);
	doc_int(d, "outside", atomic_load(&n->outside));
	doc_int(d, "errors", r->n_errors);
	doc_int(d, "corrupt", r->n_corrupt);
	doc_int(d, "verified", atomic_load(&n->verified));
	doc_int(d, "archives", atomic_load(&n->archives));
	doc_int(d, "archives_partly", atomic_load(&n->archives_partly));
	doc_int(d, "members", atomic_load(&n->members));
	doc_int(d, "members_read", atomic_load(&n->members_read));
	doc_size(d, "sets", r->sets);
	doc_size(d, "redundant", r->sets >= 0 ? r->redundant : -1);
	doc_bool(d, "out_of_time", r->out_of_time);
	doc_size(d, "reached", r->reached > 0 ? r->reached : -1);
	doc_size(d, "compared_from", ix->pending == INDEX_UNREAD && ix->compared < INT64_MAX ? ix->compared : -1);
	doc_int(d, "elapsed_ms", r->elapsed_ns / 1000000);
}

/*
 * The expected number of files, for a percentage; 0: unknown.  It is that of the last scan; a scan
 * with less than half of another's files was of a part of the roots.
 */
static int64_t
cmd_scan_expected(struct index *ix, const struct cmd_paths *paths)
{
	struct err ignored = { 0 };
	const int runs = paths->n == 0 || cmd_paths_are_whole(ix, paths->v, paths->n, &ignored) == 1 ? CMD_SCAN_RUNS : 0;
	struct journal_entry e;
	int64_t files = 0;

	for (int i = 0; i < runs && journal_recent(ix, i, &e, &ignored) == 1; i++) {
		if (strcmp(e.command, "scan") == 0 && strcmp(e.state, "finished") == 0 && e.files / 2 > files)
			files = e.files;
	}
	return files;
}

/*
 * Check the start points, then open the index: a call that fails must not leave a new index
 * behind.  The index of a first dry run lies in a directory of its own; nowhere is its path.
 */
static int
cmd_scan_open(const struct cmd_call *c, const struct cmd_scan_args *a, const struct cmd_paths *paths, struct index **ix,
              struct buf *nowhere, struct err *err)
{
	int flags = INDEX_WRITE | (paths->n == 0 ? INDEX_EXISTING : 0) | (a->dry_run ? INDEX_AS_IS : INDEX_EXCLUSIVE);
	struct cmd_globals g = *c->globals;
	struct buf path = { 0 };
	bool exists;

	for (size_t i = 0; i < paths->n; i++) {
		if (start_check(paths->v[i], err) < 0)
			return -1;
	}
	if (cmd_index_path(&g, &path, err) < 0) {
		buf_release(&path);
		return -1;
	}
	/* Where access fails for another reason, opening the index tells it. */
	exists = access(buf_str(&path), F_OK) == 0 || !fs_is_absent(errno);
	buf_release(&path);
	if (!exists && paths->n == 0)
		return err_set(err, ERR_USAGE, "nothing was scanned yet: name a directory to scan");
	if (!exists && a->dry_run) {
		const char *tmp = getenv("TMPDIR");

		buf_addf(nowhere, "%s/twindex-XXXXXX", tmp != NULL && *tmp == '/' ? tmp : "/tmp");
		if (mkdtemp(nowhere->data) == NULL) {
			err_sys(err, "make directory '%s'", nowhere->data);
			buf_cut(nowhere, 0);
			return -1;
		}
		buf_adds(nowhere, "/index.db");
		g.db = buf_str(nowhere);
	}
	return cmd_open(&g, flags, ix, err);
}

/* Note that directories are backups, or are none.  Returns 0 or -1. */
static int
cmd_scan_keep_backups(const struct cmd_call *c, struct index *ix, const struct opt_list *typed, bool is, struct err *err)
{
	struct cmd_paths dirs = { 0 };
	int ret = cmd_paths_add(c, typed->v, typed->n, &dirs, err);

	if (ret == 0 && dirs.n > 0)
		ret = db_begin(ix->db, err);
	for (size_t i = 0; ret >= 0 && i < dirs.n; i++) {
		ret = backups_keep(ix->db, dirs.v[i], is, err);
		if (ret == 0 && !is)
			cmd_notice(c, "'%s' was not noted as a backup", dirs.v[i]);
	}
	if (ix->db->in_transaction)
		ret = db_end(ix->db, ret < 0 ? -1 : 0, err);
	cmd_paths_release(&dirs);
	return ret < 0 ? -1 : 0;
}

/* Compute payloads in what is left of --max-time. */
static int
cmd_scan_payload(const struct cmd_call *c, struct index *ix, const struct stats_report *report, struct doc *d, struct err *err)
{
	const struct cmd_scan_args *a = c->args;
	const int64_t left = a->max_time_ns - report->elapsed_ns;
	const struct cmd_payload_scan s = {
		.threads = (int)a->threads, .racy_window_ns = a->racy_window_ns,
		.max_time_ns = a->max_time_ns == 0 ? 0 : left > 0 ? left : 1,
	};

	return cmd_payload_scan(c, ix, &s, d, err);
}

static int
cmd_scan_run_cmd(const struct cmd_call *c, struct err *err)
{
	const struct cmd_scan_args *a = c->args;
	struct cmd_progress progress;
	struct stats_report *report = mem_zalloc(1, sizeof(*report));
	struct cmd_paths *paths = &c->target->paths;
	struct index *ix = NULL;
	struct buf nowhere = { 0 };
	struct rules rules = { .min_size = 0 };
	struct cmd_sizes sizes = { 0 };
	struct cmd_dirty dirty = { 0 };
	const bool given = cmd_scan_given(c);
	char text[NUM_SHOW_MAX];
	struct doc *d = NULL;
	unsigned kinds;
	int until, ret = -1;

	if (cmd_scan_digests(a, &kinds, err) < 0 || cmd_scan_until(a, &until, err) < 0 || cmd_scan_check(c, given, err) < 0 || cmd_scan_rules(a, &rules, err) < 0)
		goto out;
	if (a->hash_sizes != NULL && cmd_sizes_read(a->hash_sizes, &sizes, err) < 0)
		goto out;
	if (a->dirty_from != NULL && cmd_dirty_read(c, a->dirty_from, &dirty, err) < 0)
		goto out;
	if (cmd_scan_open(c, a, paths, &ix, &nowhere, err) < 0)
		goto out;
	cmd_progress_begin(&progress, c, a->dirty_from != NULL ? 0 : cmd_scan_expected(ix, paths));
	d = cmd_scan_doc_open(c, &progress);
	{
		const struct scan_options opts = {
			.paths = paths->v, .n_paths = paths->n, .dirty = dirty.v, .n_dirty = dirty.n, .partial = a->dirty_from != NULL, .all = a->no_changes, .uncounted = c->globals->quiet && d == NULL,
			.rules = given ? &rules : NULL, .fresh = &rules,
			.threads = (int)a->threads, .racy_window_ns = a->racy_window_ns, .max_time_ns = a->max_time_ns,
			.settles = !opt_given(cmd_scan_opts, c->given, offsetof(struct cmd_scan_args, racy_window_ns)),
			.digests = kinds, .until = until,
			.hash_sizes = sizes.v, .n_hash_sizes = sizes.n,
			.history = a->history_ns < 0 ? -1 : a->history_ns / 1000000000,
			.rehash = a->rehash, .from_disk = a->rehash && !a->trust_cache, .verify = a->verify, .dry_run = a->dry_run, .force_purge = a->force_purge,
		};

		ret = scan_run(ix, &opts, &progress.hooks, report, err);
	}
	progress_clear(&progress.line);
	/* Also after a scan that was interrupted: its files are in the index. */
	if (!a->dry_run && (ret == 0 || err->code == ERR_INTERRUPTED)) {
		struct err kept = { 0 };

		if (cmd_scan_keep_backups(c, ix, &a->backup, true, &kept) < 0 || cmd_scan_keep_backups(c, ix, &a->no_backup, false, &kept) < 0) {
			*err = kept;
			ret = -1;
		}
	}
	if (d != NULL) {
		c->verdict->end.unfinished = report->out_of_time || report->reached > 0;
		cmd_scan_doc_end(d, ix, report, a->dry_run);
	} else if (ret == 0 && !c->globals->quiet)
		cmd_scan_summary(c, ix, report, a->dry_run);
	if (ret == 0 && a->payload)
		ret = cmd_scan_payload(c, ix, report, d, err);
	if (d != NULL)
		ret = doc_close(d, ret, err);
	if (ret == 0) {
		if (!c->globals->quiet && !a->dry_run)
			ret = cmd_newcomers(c, ix, err);
	}
	if (ret == 0) {
		c->verdict->undone |= report->n_errors > 0 || report->out_of_time || report->reached > 0;
		ret = report->n_corrupt > 0 ? CMD_NO : CMD_OK;
	} else if (err->code == ERR_INTERRUPTED)
		cmd_notice(c, "interrupted after %s: the index is good, and the next scan goes on from here",
		           num_show_things(atomic_load(&report->counts.files), "file", "files", text));
out:
	index_close(ix);
	if (nowhere.len > 0) {
		own_files_remove(buf_str(&nowhere));
		buf_cut(&nowhere, path_parent_len(buf_str(&nowhere)));
		rmdir(buf_str(&nowhere));
	}
	buf_release(&nowhere);
	rules_release(&rules);
	vec_release(&sizes);
	cmd_dirty_release(&dirty);
	free(report);
	return ret;
}

static int
refresh_run_cmd(const struct cmd_call *c, struct err *err)
{
	const struct cmd_scan_args *a = c->args;
	struct cmd_progress progress;
	struct stats_report *report = mem_zalloc(1, sizeof(*report));
	struct cmd_paths *paths = &c->target->paths;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], z[NUM_SHOW_MAX];
	struct buf b = { 0 };
	struct doc *d;
	int ret;

	cmd_progress_begin(&progress, c, cmd_scan_expected(c->ix, paths));
	d = cmd_scan_doc_open(c, &progress);
	ret = refresh_run(c->ix, paths->v, paths->n, a->racy_window_ns,
	                  !opt_given(refresh_opts, c->given, offsetof(struct cmd_scan_args, racy_window_ns)), &progress.hooks, report, err);
	progress_clear(&progress.line);
	if (d != NULL) {
		cmd_scan_doc_end(d, c->ix, report, false);
		ret = doc_close(d, ret, err);
	}
	if (ret == 0) {
		if (!c->globals->quiet && d == NULL) {
			buf_addf(&b, "files       %s looked at, %s gone, %s changed\n",
			        num_show_count(atomic_load(&report->counts.files), x),
			        num_show_count(atomic_load(&report->counts.gone), y),
			        num_show_count(atomic_load(&report->counts.changed), z));
			buf_addf(&b, "read        %s, %s\n", num_show_things(atomic_load(&report->counts.read), "file", "files", x),
			        num_show_size(atomic_load(&report->counts.read_bytes), NUM_IEC, y));
			cmd_add_sets(&b, report->sets, report->redundant);
			cmd_scan_show_left(&b, report);
			width_print(c->out, buf_str(&b), CMD_LABEL, c->tty ? c->env->width : 0);
			buf_release(&b);
		}
		c->verdict->undone = report->n_errors > 0;
	}
	free(report);
	return ret;
}

const struct cmd cmd_scan = {
	.name = "scan",
	.operands = "[ROOT...]",
	.summary = "walk directories and bring the index up to date",
	.help = "Without ROOT every root is scanned again with its own options.  Options given with a\n"
	        "ROOT replace all that it had.  A directory below a root is scanned as a part of it,\n"
	        "unless it gets options of its own.  Symbolic links and pseudo file systems are left\n"
	        "out.",
	.opts = cmd_scan_opts,
	.args_size = sizeof(struct cmd_scan_args),
	.no = "corrupt",
	.flags = CMD_TALKS | CMD_DISK | CMD_TELLS | CMD_PATHS,
	.defaults = &cmd_scan_defaults,
	.run = cmd_scan_run_cmd,
};

const struct cmd cmd_refresh = {
	.name = "refresh",
	.operands = "[PATH...]",
	.summary = "look again at what is indexed: drop what is gone, read what changed",
	.help = "It finds no new files; scan does.",
	.opts = refresh_opts,
	.args_size = sizeof(struct cmd_scan_args),
	.flags = CMD_WRITES | CMD_TALKS | CMD_TELLS | CMD_PATHS,
	.defaults = &cmd_scan_defaults,
	.run = refresh_run_cmd,
};
