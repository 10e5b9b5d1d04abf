/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <locale.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/settings.h"
#include "commands.h"
#include "db/db.h"
#include "fixture.h"
#include "index/index.h"
#include "index/name_build.h"
#include "shell/builtin.h"
#include "shell/complete.h"
#include "shell/line.h"
#include "unit.h"

static char path[64];
static struct index *ix;

static void
setup(void)
{
	struct err err = { 0 };
	struct buf names = { 0 };

	fixture_temp_dir(path, sizeof(path));
	setenv("HOME", "/home/user", 1);
	buf_addf(&names, "%s/index.db", path);
	ck_assert_msg(index_open(&ix, names.data, INDEX_WRITE, NULL, &err) == 0, "%s", err.text);
	buf_release(&names);
	buf_adds(&names, "INSERT INTO dir (id, parent, name, name_raw, volume, inode) VALUES"
	         " (1, 0, '/home/user', NULL, 1, 1), (2, 1, 'My Photos', NULL, 1, 1), (3, 1, 'music', NULL, 1, 1),"
	         " (4, 1, 'bad/xff', CAST(x'626164ff' AS BLOB), 1, 1), (5, 1, 'empty', NULL, 1, 1),"
	         " (6, 2, 'number', NULL, 1, 1), (7, 2, 'option', NULL, 1, 1), (8, 6, '5', NULL, 1, 1);"
	         "INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime,"
	         " ctime_nsec, racy) SELECT dir, name, raw, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0 FROM (");
	static const struct { int dir; const char *name, *raw; } files[] = {
		{ 1, "notes.txt", NULL }, { 1, "it''s", NULL }, { 1, "$HOME", NULL }, { 1, ".rc", NULL }, { 1, "-n", NULL },
		{ 1, "é1", NULL }, { 1, "è2", NULL }, { 2, "zz (1).jpg", NULL }, { 2, "a one", NULL }, { 2, "a once", NULL },
		{ 4, "new'||char(10)||'line", NULL }, { 4, "x/xfe", "78fe" }, { 1, "~tilde", NULL }, { 3, "~", NULL },
		{ 6, "12", NULL }, { 6, "3.2", NULL }, { 6, "40 a", NULL }, { 6, "40 b", NULL }, { 6, "77a", NULL }, { 6, "77b", NULL }, { 7, "-n", NULL },
	};
	for (int i = 0; i < N_ROWS(files); i++)
		buf_addf(&names, "%s SELECT %d AS dir, '%s' AS name, %s%s%s AS raw", i > 0 ? " UNION ALL" : "", files[i].dir,
		         files[i].name, files[i].raw != NULL ? "x'" : "NULL", files[i].raw != NULL ? files[i].raw : "",
		         files[i].raw != NULL ? "'" : "");
	for (int i = 0; i < 300; i++)
		buf_addf(&names, " UNION ALL SELECT 3, 'song %03d', NULL", i);
	buf_adds(&names, ")");
	if (sqlite3_exec(ix->db->handle, buf_str(&names), NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s", sqlite3_errmsg(ix->db->handle));
	buf_release(&names);
}

static void
teardown(void)
{
	char file[128];

	index_close(ix);
	for (const char *const *name = (const char *const []){ "index.db", "index.db-wal", "index.db-shm", "index.db.lock", "index.db-lock", NULL };
	     *name != NULL; name++) {
		snprintf(file, sizeof(file), "%s/%s", path, *name);
		unlink(file);
	}
	rmdir(path);
}

/* The line after Tab, then what is listed, with "+" at its end for more; "=": nothing. */
static const struct {
	const char *line, *want, *listed;
} rows[] = {
	{ "rep", "report ", "" },
	{ "re", "=", "recover redundant refresh report " },
	{ "mark k", "mark keep ", "" },
	{ "repo not", "repo notes.txt ", "" },
	{ "mar k", "=", "" },
	{ "mark keep not", "mark keep notes.txt ", "" },
	{ "mark undo not", "=", "" },
	{ "sql select * from set_", "sql select * from set_view ", "" },
	{ "sql select * from set", "=", "set_view sets " },
	{ "sql 'select (select 1), path from du", "sql 'select (select 1), path from dup_view' ", "" },
	{ "sql select not", "sql select note ", "" },
	{ "s", "=", "safe scan set shell similar sql " },
	{ "  cd x; inf", "  cd x; info ", "" },
	{ "nosuch", "=", "" },
	{ "help inf", "help info ", "" },
	{ "help c", "=", "cd check compare config contained " },
	{ "set ", "=", "timing units " },
	{ "set t", "set timing ", "" },
	{ "set units s", "set units si ", "" },
	{ "set units ", "=", "bytes iec si " },
	{ "set timing on ", "=", "" },
	{ "ls --nul", "ls --null ", "" },
	{ "ls --hard", "ls --hardlink-is-", "--hardlink-is-copy --hardlink-is-unique " },
	{ "info --nul", "=", "" },
	{ "info --qui", "info --quiet ", "" },
	{ "ls --format nd", "ls --format ndjson ", "" },
	{ "ls --forma nd", "ls --forma ndjson ", "" },
	{ "ls --forma=nd", "ls --forma=ndjson ", "" },
	{ "ls --hard nd", "=", "" },
	{ "ls --null=n", "=", "" },
	{ "ls --format=c", "ls --format=csv ", "" },
	{ "rm --keep ne", "rm --keep newest ", "" },
	{ "rm --keep newest,ol", "rm --keep newest,oldest ", "" },
	{ "report --keep=newest,most-links,in", "report --keep=newest,most-links,in:", "" },
	{ "mark drop --per", "mark drop --per-volume ", "" },
	{ "ls --color=a", "=", "always auto " },
	{ "ls --color al", "ls --color always ", "" },
	{ "ls --nosuch=", "=", "" },
	{ "report --html=/dev/ful", "report --html=/dev/full ", "" },
	{ "ls --exclude-path=m", "ls --exclude-path=music/", "" },
	{ "ls --exclude-path=../user/m", "ls --exclude-path=../user/music/", "" },
	{ "rm --keep newest,in:m", "rm --keep newest,in:music/", "" },
	{ "rm --keep=not-in:/home/u", "rm --keep=not-in:/home/user/", "" },
	{ "rm --keep newest,in:~/mu", "rm --keep newest,in:~/music/", "" },
	{ "rm --keep=not-in:~", "rm --keep=not-in:~/", "" },
	{ "rm --keep 'in:~/My", "rm --keep 'in:~/My Photos/", "" },
	{ "rm --keep in:~/My", "rm --keep in:~/My\\ Photos/", "" },
	{ "rm --keep name:m", "=", "" },
	{ "ls -- -", "ls -- -n ", "" },
	{ "ls n", "ls notes.txt ", "" },
	{ "ls M", "ls My\\ Photos/", "" },
	{ "ls 'M", "ls 'My Photos/", "" },
	{ "ls \"M", "ls \"My Photos/", "" },
	{ "ls 'My Photos/z", "ls 'My Photos/zz (1).jpg' ", "" },
	{ "ls My\\ Photos/z", "ls My\\ Photos/zz\\ \\(1\\).jpg ", "" },
	{ "ls My\\ Photos/a", "ls My\\ Photos/a\\ on", "a once/a one/" },
	{ "ls it", "ls it\\'s ", "" },
	{ "ls 'it", "ls 'it'\\''s' ", "" },
	{ "ls \\$", "ls \\$HOME ", "" },
	{ "ls bad", "ls $'bad\\xff/", "" },
	{ "ls $'bad\\xff/n", "ls $'bad\\xff/new\\nline' ", "" },
	{ "ls $'bad\\xff'/x", "ls $'bad\\xff/x\\xfe' ", "" },
	{ "ls é", "ls é1 ", "" },
	{ "ls .", "ls .rc ", "" },
	{ "ls ", "=", "$HOME -n My Photos/ bad\\xff/ empty/ it's music/ notes.txt ~tilde è2 é1 " },
	{ "cd ", "=", "My Photos/ bad\\xff/ empty/ music/ " },
	{ "du m", "du music/", "" },
	{ "ls empty/", "=", "" },
	{ "ls ./n", "ls ./notes.txt ", "" },
	{ "ls music/../n", "ls music/../notes.txt ", "" },
	{ "ls ../u", "ls ../user/", "" },
	{ "cd ..", "cd ../", "" },
	{ "ls music/..", "ls music/../", "" },
	{ "ls /ho", "ls /home/", "" },
	{ "ls /home/u", "ls /home/user/", "" },
	{ "ls //home//user/n", "ls //home//user/notes.txt ", "" },
	{ "cd ~", "cd ~/", "" },
	{ "cd ~/My", "cd ~/My\\ Photos/", "" },
	{ "ls ~/'My Photos/z", "ls ~/'My Photos/zz (1).jpg' ", "" },
	{ "ls \\~", "ls \\~tilde ", "" },
	{ "ls '~", "ls '~tilde' ", "" },
	{ "ls ~t", "ls \\~tilde ", "" },
	{ "ls music/", "=", "301" },
	{ "ls music/s", "ls music/song\\ ", "300" },
	{ "ls music/song\\ 00", "=", "" },
	{ "ls | cat n", "=", "" },
	{ "ls > n", "=", "" },
	{ "ls > /dev/ful", "ls > /dev/full ", "" },
	{ "ls | cat /dev/ful", "ls | cat /dev/full ", "" },
	{ "!cat /dev/ful", "!cat /dev/full ", "" },
	{ "!cat x; cat /dev/ful", "!cat x; cat /dev/full ", "" },
	{ "ls | cat; inf", "ls | cat; info ", "" },
	{ "scan /de", "scan /dev/", "" },
	{ "hash /dev/ful", "hash /dev/full ", "" },
	{ "hash not", "=", "" },
	{ "file /dev/ful", "file /dev/full ", "" },
	{ "ls /dev/ful", "=", "" },
	{ "ls --files-from /dev/ful", "=", "" },
	{ "file --files-from /dev/ful", "file --files-from /dev/full ", "" },
	{ "ls --exclude-path m", "ls --exclude-path music/", "" },
	{ "source /dev/ful", "source /dev/full ", "" },
	{ "source -k /dev/ful", "source -k /dev/full ", "" },
	{ "undo not", "undo notes.txt ", "" },
	{ "check ", "=", "" },
	{ "ls # n", "=", "" },
	{ "keep-it not", "keep-it notes.txt ", "" },
	{ "keep-it notes.txt M", "keep-it notes.txt My\\ Photos/", "" },
	{ "kept not", "kept notes.txt ", "" },
	{ "as nd", "as ndjson ", "" },
	{ "as csv not", "as csv notes.txt ", "" },
	{ "last -", "last -n ", "" },
	{ "similar --nul", "similar --null ", "" },
	{ "piped /dev/ful", "piped /dev/full ", "" },
	{ "to /dev/ful", "to /dev/full ", "" },
	{ "words dup", "words dup_view ", "" },
	{ "none inf", "none info ", "" },
};

/* Aliases. */
static struct settings_line aliases[] = {
	{ "alias", "keep-it", "mark keep", NULL, NULL, 1 }, { "alias", "kept", "keep-it", NULL, NULL, 2 },
	{ "alias", "as", "ls --format", NULL, NULL, 3 }, { "alias", "last", "ls 'My Photos' --", NULL, NULL, 4 },
	{ "alias", "similar", "similar --quiet", NULL, NULL, 5 }, { "alias", "piped", "ls | wc -l", NULL, NULL, 6 },
	{ "alias", "to", "ls >", NULL, NULL, 7 }, { "alias", "words", "sql select", NULL, NULL, 8 }, { "alias", "none", "", NULL, NULL, 9 },
};

static void
complete_in(const char *base, const char *line, struct line_completion *c)
{
	static const struct builtin some[] = {
		{ "cd", "[DIR|-|NUMBER]", "", NULL, NULL, false }, { "set", "", "", NULL, NULL, false }, { NULL, NULL, NULL, NULL, NULL, false }
	};
	static const char *const settings[] = { "timing", "on off", "units", "iec si bytes", NULL };
	const struct settings config = { .lines = { aliases, N_ROWS(aliases), N_ROWS(aliases) } };
	struct complete_ctx ctx = { .commands = commands, .ix = ix, .base = base, .builtins = some, .settings = settings, .config = &config };

	complete_line(&ctx, line, strlen(line), c);
}

static void
complete(const char *line, struct line_completion *c)
{
	complete_in("/home/user", line, c);
}

START_TEST(completed)
{
	const char *line = rows[_i].line, *listed = rows[_i].listed;
	struct line_completion c = { 0 };
	struct buf got = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	complete(line, &c);
	if (c.insert != NULL) {
		buf_add(&got, line, c.start);
		buf_adds(&got, c.insert);
	} else
		buf_adds(&got, "=");
	ck_assert_str_eq(buf_str(&got), rows[_i].want);
	buf_cut(&got, 0);
	if (c.n > 20)
		buf_addf(&got, "%zu%s", c.n, c.more ? "+" : "");
	for (size_t i = 0; c.n <= 20 && i < c.n; i++)
		buf_addf(&got, "%s ", c.shown[i]);
	if (strcmp(line, "ls music/song\\ 00") == 0 || strcmp(line, "ls My\\ Photos/a") == 0)
		ck_assert_uint_eq(c.n, line[3] == 'm' ? 10 : 2);
	else if (strstr(listed, "\\xff") == NULL)
		ck_assert_str_eq(buf_str(&got), listed);
	line_completion_release(&c);
	buf_release(&got);
}
END_TEST

/*
 * A name that would be a number of the last listing, or an option, is completed to one that is
 * not.
 */
START_TEST(misleading)
{
	static const struct {
		const char *base, *line, *want;
	} cases[] = {
		{ "number", "mark drop 1", "./12 " }, { "number", "file 3", "./3.2 " }, { "number", "file 7", "./77" },
		{ "number", "file 4", "40\\ " }, { "number", "cd 5", "5/" }, { "number", "file '1", "'12' " },
		{ "number", "file ./1", "./12 " }, { "number", "where 1", "12 " },
		{ "option", "file ", "./-n " }, { "option", "file -- ", "-n " }, { "option", "file ./", "./-n " },
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	for (int i = 0; i < N_ROWS(cases); i++) {
		struct line_completion c = { 0 };
		char base[64];

		snprintf(base, sizeof(base), "/home/user/My Photos/%s", cases[i].base);
		complete_in(base, cases[i].line, &c);
		ck_assert_msg(c.insert != NULL && strcmp(c.insert, cases[i].want) == 0, "%s: %s", cases[i].line,
		              c.insert != NULL ? c.insert : "nothing");
		line_completion_release(&c);
	}
}
END_TEST

/* where: names of the whole index, of those below the directory unless -a says all. */
START_TEST(names_anywhere)
{
	static const struct {
		const char *base, *line, *want;
		size_t n;
		bool more;
	} cases[] = {
		{ "/home/user", "where numb", "number ", 1, false }, { "/home/user", "where 7", "77", 2, false },
		{ "/home/user", "where 77", "", 2, false }, { "/home/user/My Photos", "where 40", "40\\ ", 2, false },
		{ "/home/user/music", "where 77", "", 0, false }, { "/home/user/music", "where -a 7", "77", 2, false },
		{ "/home/user/music", "where --all numb", "number ", 1, false }, { "/home/user/music", "where numb", "", 0, false },
		{ "/home/user", "where s", "", 200, true }, { "/home/user", "where song\\ 00", "", 10, false },
		{ "/home/user", "where music/song\\ 001", "music/song\\ 001 ", 1, false },
	};
	struct err err = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	ck_assert_msg(db_begin(ix->db, &err) == 0 && db_end(ix->db, name_build_finish(name_build_new(), ix, 0, &err), &err) == 0, "%s", err.text);
	ck_assert(ix->names);
	for (int i = 0; i < N_ROWS(cases); i++) {
		struct line_completion c = { 0 };

		complete_in(cases[i].base, cases[i].line, &c);
		ck_assert_msg(strcmp(c.insert != NULL ? c.insert : "", cases[i].want) == 0, "%s: %s", cases[i].line, c.insert != NULL ? c.insert : "nothing");
		ck_assert_msg(c.n == (cases[i].n == 1 ? 0 : cases[i].n) && c.more == cases[i].more, "%s: %zu", cases[i].line, c.n);
		line_completion_release(&c);
	}
}
END_TEST

/* Where sh wants a program those of $PATH are offered, each once; elsewhere files. */
START_TEST(programs)
{
	static const struct {
		const char *name;
		mode_t mode;
	} files[] = {
		{ "a/sift", 0755 }, { "a/siftdoc", 0644 }, { "a/two words", 0755 }, { "b/sift", 0755 }, { "b/sifting", 0755 }, { "b/bad\xff", 0755 },
		{ "b/12", 0755 },
	};
	static const struct {
		const char *line, *want;
		size_t n;
	} cases[] = {
		{ "ls | si", "sift", 2 }, { "ls | sifti", "sifting ", 1 }, { "ls | siftd", "", 0 }, { "ls | sifts", "", 0 },
		{ "ls | LC_ALL=C sifti", "sifting ", 1 }, { "ls | sift | sifti", "sifting ", 1 }, { "!sift && sifti", "sifting ", 1 },
		{ "!sifti", "sifting ", 1 }, { "! 'sifti", "'sifting' ", 1 }, { "ls | two", "two\\ words ", 1 },
		{ "ls | bad", "$'bad\\xff' ", 1 }, { "! 1", "12 ", 1 }, { "ls | sift sifti", "", 0 }, { "ls > sifti", "", 0 },
		{ "ls | ./sifti", "", 0 }, { "ls | /dev/ful", "/dev/full ", 1 }, { "!sift | cat; sifti", "sifting ", 1 },
		{ "ls | sift; sifti", "", 0 },
	};
	const char *kept = getenv("PATH");
	struct buf before = { 0 }, bin = { 0 }, name = { 0 };

	setlocale(LC_CTYPE, "C.UTF-8");
	buf_adds(&before, kept != NULL ? kept : "");
	for (const char *dir = "ab"; *dir != '\0'; dir++) {
		buf_cut(&name, 0);
		buf_addf(&name, "%s/%c", path, *dir);
		ck_assert_int_eq(mkdir(name.data, 0755), 0);
		buf_addf(&bin, "%s:", name.data);
	}
	for (int i = 0; i < N_ROWS(files); i++) {
		FILE *f;

		buf_cut(&name, 0);
		buf_addf(&name, "%s/%s", path, files[i].name);
		f = fopen(name.data, "w");
		ck_assert_ptr_nonnull(f);
		fclose(f);
		chmod(name.data, files[i].mode);
	}
	buf_cut(&name, 0);
	buf_addf(&name, "%s/a/siftsub", path);
	mkdir(name.data, 0755);
	buf_addf(&bin, "/nosuch:%s/a/sift", path);
	setenv("PATH", bin.data, 1);
	for (int i = 0; i < N_ROWS(cases); i++) {
		struct line_completion c = { 0 };

		complete(cases[i].line, &c);
		ck_assert_msg(strcmp(c.insert != NULL ? c.insert : "", cases[i].want) == 0 && (c.n > 1 ? c.n : c.insert != NULL) == cases[i].n,
		              "%s: %s, %zu", cases[i].line, c.insert != NULL ? c.insert : "nothing", c.n);
		line_completion_release(&c);
	}
	setenv("PATH", buf_str(&before), 1);
	rmdir(name.data);
	for (int i = 0; i < N_ROWS(files); i++) {
		buf_cut(&name, 0);
		buf_addf(&name, "%s/%s", path, files[i].name);
		unlink(name.data);
	}
	for (const char *dir = "ab"; *dir != '\0'; dir++) {
		buf_cut(&name, 0);
		buf_addf(&name, "%s/%c", path, *dir);
		rmdir(name.data);
	}
	buf_release(&before);
	buf_release(&bin);
	buf_release(&name);
}
END_TEST

/* A locale without the characters gets them in ASCII. */
START_TEST(ascii)
{
	struct line_completion c = { 0 };

	setlocale(LC_CTYPE, "C");
	complete("ls $'\\xc3\\xa9", &c);
	ck_assert_str_eq(c.insert, "$'\\xc3\\xa91' ");
	line_completion_release(&c);
}
END_TEST

START_TEST(no_index)
{
	struct line_completion c = { 0 };
	struct complete_ctx ctx = { .commands = commands, .base = "/" };

	complete_line(&ctx, "ls h", 4, &c);
	ck_assert_ptr_null(c.insert);
	complete_line(&ctx, "set x", 5, &c);
	ck_assert_ptr_null(c.insert);
	complete_line(&ctx, "inf", 3, &c);
	ck_assert_str_eq(c.insert, "info ");
	line_completion_release(&c);
}
END_TEST

Suite *
suite_complete(void)
{
	Suite *s = suite_create("complete");
	TCase *tc = tcase_create("complete");

	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, completed, 0, N_ROWS(rows));
	tcase_add_test(tc, ascii);
	tcase_add_test(tc, misleading);
	tcase_add_test(tc, names_anywhere);
	tcase_add_test(tc, programs);
	tcase_add_test(tc, no_index);
	suite_add_tcase(s, tc);
	return s;
}
