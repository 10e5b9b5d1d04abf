/* SPDX-License-Identifier: MIT */
/* base/backup_name */
#include "base/base.h"

#include "unit.h"

static const struct {
	const char *name;
	bool spare;
} names[] = {
	{ "backup", true }, { "Backup", true }, { "BACKUPS", true }, { "old-laptop-2021", true }, { "Pictures.bak", true },
	{ "Pictures (copy)", true }, { "Copy of Pictures", true }, { "Pictures - Copie", true }, { "PicturesOld", true },
	{ "backup2021", true }, { "2019_old", true }, { "home.old", true }, { "myBackup", true },
	{ "", false }, { "Pictures", false }, { "golden", false }, { "Folders", false }, { "copyright", false },
	{ "bakery", false }, { "boldOnes", false }, { "oldest", false }, { "photocopy", false }, { "b a c k u p", false },
	{ "\xe4old\xff", true }, { "sauvegardesauvegarde", false },
};

START_TEST(names_tell)
{
	ck_assert_msg(backup_name_name(names[_i].name) == names[_i].spare, "'%s'", names[_i].name);
}
END_TEST

static const struct {
	const char *path;
	bool spare;
} paths[] = {
	{ "/home/ann/Pictures/a", false }, { "/home/ann/Downloads/a", true }, { "/home/ann/desktop/a", true }, { "/home/tmp/a", true },
	{ "/home/ann/Downloads-of-music/a", false }, { "/home/ann/backup-2019/a", true }, { "/home/ann/report_copy.pdf", true },
	{ "/home/ann/template/a", false },
};

START_TEST(paths_tell)
{
	ck_assert_msg(backup_name_path(paths[_i].path) == paths[_i].spare, "'%s'", paths[_i].path);
}
END_TEST

Suite *
suite_backup_name(void)
{
	Suite *s = suite_create("backup_name");
	TCase *t = tcase_create("spare");

	tcase_add_loop_test(t, names_tell, 0, N_ROWS(names));
	tcase_add_loop_test(t, paths_tell, 0, N_ROWS(paths));
	suite_add_tcase(s, t);
	return s;
}
