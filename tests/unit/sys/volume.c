/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "sys/fs.h"
#include "sys/volume.h"
#include "unit.h"

/* Append the key of the file system at path. */
static void
describe(const char *path, struct volume_facts *facts, struct buf *key)
{
	struct fs_stat st;
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		ck_abort_msg("%s: %s", path, strerror(errno));
	ck_assert_int_eq(fs_stat_fd(fd, &st), 0);
	ck_assert_int_eq(volume_describe(fd, st.dev, facts, key), 0);
	close(fd);
}

static const char *const places[] = { "/", "/tmp", "/proc", "/dev/shm", "/sys", "/proc/self/fd", "/etc/passwd" };

/* A key begins with the type, is one line of text, and is the same each time. */
START_TEST(keys)
{
	struct buf key = { 0 }, again = { 0 };
	struct volume_facts facts, other;
	size_t len;

	if (access(places[_i], R_OK) < 0)
		return;
	/* It is appended, and the facts are all set. */
	memset(&facts, 0x5a, sizeof(facts));
	memset(&other, 0, sizeof(other));
	buf_adds(&key, "before ");
	describe(places[_i], &facts, &key);
	describe(places[_i], &other, &again);
	ck_assert_int_eq(strncmp(key.data, "before ", 7), 0);
	ck_assert_str_eq(key.data + 7, again.data);
	ck_assert_str_eq(facts.type, other.type);
	ck_assert_int_eq(facts.pseudo, other.pseudo);
	ck_assert_int_eq(facts.network, other.network);
	ck_assert_int_eq(facts.rotational, other.rotational);
	len = strlen(facts.type);
	ck_assert_uint_gt(len, 0);
	ck_assert_int_eq(strncmp(again.data, facts.type, len), 0);
	ck_assert_int_eq(again.data[len], ':');
	ck_assert_uint_gt(again.len, len + 1);
	ck_assert_uint_eq(strlen(again.data), again.len);
	ck_assert_ptr_null(strchr(again.data, '\n'));
	buf_release(&key);
	buf_release(&again);
}
END_TEST

/* All directories and files of one file system have one key. */
START_TEST(same)
{
	char dir[] = "/tmp/twindex-unit.XXXXXX", path[64];
	struct buf a = { 0 }, b = { 0 };
	struct volume_facts facts;
	int fd;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	describe(dir, &facts, &a);
	ck_assert(!facts.pseudo);
	snprintf(path, sizeof(path), "%s/sub", dir);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	describe(path, &facts, &b);
	ck_assert_str_eq(a.data, b.data);
	rmdir(path);
	buf_cut(&b, 0);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
	describe(path, &facts, &b);
	ck_assert_str_eq(a.data, b.data);
	unlink(path);
	rmdir(dir);
	buf_release(&a);
	buf_release(&b);
}
END_TEST

/* Two devices, two keys. */
START_TEST(different)
{
	struct buf a = { 0 }, b = { 0 };
	struct volume_facts facts;
	struct fs_stat x, y;

	for (int i = 0; i < N_ROWS(places); i++) {
		for (int j = 0; j < i; j++) {
			if (access(places[i], R_OK) < 0 || access(places[j], R_OK) < 0 || stat(places[i], &(struct stat){ 0 }) < 0)
				continue;
			ck_assert_int_eq(fs_stat_path(places[i], &x), 0);
			ck_assert_int_eq(fs_stat_path(places[j], &y), 0);
			buf_cut(&a, 0);
			buf_cut(&b, 0);
			describe(places[i], &facts, &a);
			describe(places[j], &facts, &b);
			if ((x.dev == y.dev) != (strcmp(a.data, b.data) == 0))
				ck_abort_msg("%s has %s, %s has %s", places[i], a.data, places[j], b.data);
		}
	}
	buf_release(&a);
	buf_release(&b);
}
END_TEST

#ifdef LINUX_PATHS
START_TEST(facts_of_tmpfs)
{
	struct buf key = { 0 };
	struct volume_facts facts;
	struct statfs fs;

	if (statfs("/dev/shm", &fs) < 0 || fs.f_type != 0x01021994)
		return;
	describe("/dev/shm", &facts, &key);
	ck_assert_str_eq(facts.type, "tmpfs");
	ck_assert(!facts.pseudo && !facts.network && !facts.rotational);
	/* By its mount point: a tmpfs has no identity of its own. */
	ck_assert_ptr_nonnull(strstr(key.data, "/dev/shm"));
	buf_release(&key);
}
END_TEST

START_TEST(facts_of_proc)
{
	struct buf key = { 0 };
	struct volume_facts facts;

	if (access("/proc/self/mountinfo", R_OK) < 0)
		return;
	describe("/proc", &facts, &key);
	ck_assert_str_eq(facts.type, "proc");
	ck_assert(facts.pseudo && !facts.network && !facts.rotational);
	ck_assert_ptr_nonnull(strstr(key.data, " /proc"));
	buf_release(&key);
}
END_TEST
#endif

static const struct {
	const char *type;
	enum volume_ctime ctime;
} ctimes[] = {
	{ "ext4", VOLUME_CTIME_OWN }, { "xfs", VOLUME_CTIME_OWN }, { "tmpfs", VOLUME_CTIME_OWN }, { "overlay", VOLUME_CTIME_OWN },
	{ "ntfs", VOLUME_CTIME_OWN }, { "posix", VOLUME_CTIME_OWN }, { "0x1234", VOLUME_CTIME_OWN },
	{ "vfat", VOLUME_CTIME_NONE }, { "exfat", VOLUME_CTIME_NONE },
	{ "fuse", VOLUME_CTIME_PERHAPS }, { "nfs", VOLUME_CTIME_PERHAPS }, { "cifs", VOLUME_CTIME_PERHAPS },
};

/* Which types keep a time of change. */
START_TEST(ctime_by_type)
{
	ck_assert_int_eq(volume_type_ctime(ctimes[_i].type), ctimes[_i].ctime);
}
END_TEST

/* A device number that no mount has still gives a key; a descriptor that is none does not. */
START_TEST(odd)
{
	struct buf key = { 0 };
	struct volume_facts facts;
	int fd = open("/proc", O_RDONLY);

	ck_assert_int_eq(volume_describe(-1, 0, &facts, &key), -1);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_uint_eq(key.len, 0);
	if (fd >= 0) {
		ck_assert_int_eq(volume_describe(fd, UINT64_MAX, &facts, &key), 0);
		ck_assert_uint_gt(key.len, strlen("proc:"));
		close(fd);
	}
	buf_release(&key);
}
END_TEST

static const struct {
	const char *key;
	enum volume_view view;
} views[] = {
	{ "ext4:0123456789abcdef", VOLUME_NO_VIEW },
	{ "tmpfs:none /mnt", VOLUME_NO_VIEW },
	{ "overlay:0123456789abcdef", VOLUME_VIEW },
	{ "fuse:sshfs /mnt", VOLUME_VIEW },
	{ "fuse:uuid=1234-5678,100", VOLUME_NO_VIEW },
	{ "nfs:nas.example:/export /mnt/nas", VOLUME_VIEW_REMOTE },
	{ "nfs:localhost:/export /mnt/nas", VOLUME_VIEW },
	{ "nfs:127.0.0.1:/export /mnt/nas", VOLUME_VIEW },
	{ "nfs:[::1]:/export /mnt/nas", VOLUME_VIEW },
	{ "nfs:/export /mnt/nas", VOLUME_VIEW },
	{ "cifs://nas/share /mnt/nas", VOLUME_VIEW_REMOTE },
	{ "cifs://localhost/share /mnt/nas", VOLUME_VIEW },
	{ "smb2://192.0.2.7/share /mnt/nas", VOLUME_VIEW_REMOTE },
};

START_TEST(views_by_key)
{
	ck_assert_msg(volume_key_view(views[_i].key) == views[_i].view, "%s", views[_i].key);
}
END_TEST

Suite *
suite_volume(void)
{
	Suite *s = suite_create("volume");
	TCase *tc = tcase_create("volume");

	tcase_add_loop_test(tc, keys, 0, N_ROWS(places));
	tcase_add_test(tc, same);
	tcase_add_test(tc, different);
#ifdef LINUX_PATHS
	tcase_add_test(tc, facts_of_tmpfs);
	tcase_add_test(tc, facts_of_proc);
#endif
	tcase_add_loop_test(tc, views_by_key, 0, N_ROWS(views));
	tcase_add_loop_test(tc, ctime_by_type, 0, N_ROWS(ctimes));
	tcase_add_test(tc, odd);
	suite_add_tcase(s, tc);
	return s;
}
