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
	{ "\xe4old\xff", true }, { "Downloads", true }, { "desktop", true }, { "tmp", true }, { "TEMP", true },
	{ "Downloads-of-music", false }, { "template", false }, { "report_copy.pdf", true }, { "sauvegardesauvegarde", false },
	{ "setup (1).deb", true }, { "Pictures (12)", true }, { "IMG_0300 (2).tar.gz", true }, { "(1).deb", false }, { "a(1)", false },
	{ "Report (2019).pdf", false }, { "a (1", false }, { "a ()", false }, { "a (1) b", false }, { " (1)", false }, { "a (b) (1).txt", true }, { "a (1).(b)", true },
	{ "notes.txt~", true }, { "~", false }, { "~user", false },
};

/* A name is what its length says, whatever follows. */
START_TEST(length_counts)
{
	ck_assert(backup_name_is("tmp/live", 3));
	ck_assert(backup_name_is("old/live", 3));
	ck_assert(!backup_name_is("live/old", 4));
	ck_assert(!backup_name_is("olds", 2));
}
END_TEST

START_TEST(names_tell)
{
	ck_assert_msg(backup_name_is(names[_i].name, strlen(names[_i].name)) == names[_i].spare, "'%s'", names[_i].name);
}
END_TEST

Suite *
suite_backup_name(void)
{
	Suite *s = suite_create("backup_name");
	TCase *t = tcase_create("spare");

	tcase_add_test(t, length_counts);
	tcase_add_loop_test(t, names_tell, 0, N_ROWS(names));
	suite_add_tcase(s, t);
	return s;
}
