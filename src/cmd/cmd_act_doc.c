/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_act_doc.h"

#include "act/plan_file.h"
#include "act/protocol.h"
#include "ui/doc.h"

void
cmd_act_doc_stays(struct doc *d, const char *path, enum plan_stay stay, const char *why)
{
	static const char *const words[] = { [PLAN_STAYS] = "stays", [PLAN_LEFT_ALONE] = "left_alone", [PLAN_UNSURE] = "unsure" };

	doc_object(d, NULL);
	doc_path(d, "path", path);
	doc_word(d, "outcome", words[stay]);
	doc_text(d, "why", why);
	doc_object_end(d);
}

void
cmd_act_doc_done(struct doc *d, const struct protocol_told *t)
{
	doc_object(d, NULL);
	doc_path(d, "path", t->victim->path);
	doc_word(d, "outcome", "done");
	doc_int(d, "size", t->victim->row.size);
	doc_int(d, "freed", t->freed);
	doc_path(d, "keeper", t->keeper);
	doc_object_end(d);
}

/* Add the inode and the times of a file, which a plan relies on. */
static void
cmd_act_doc_state(struct doc *d, const struct act_file *f)
{
	doc_path(d, "path", f->path);
	doc_inode(d, f->row.inode.number);
	doc_time(d, "mtime_ns", f->row.mtime);
	doc_time(d, "ctime_ns", f->row.ctime);
}

static void
cmd_act_doc_group(struct doc *d, const struct act_group *g)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct act_file *f = &g->victims[i].file;

		if (g->victims[i].skip)
			continue;
		doc_object(d, NULL);
		cmd_act_doc_state(d, f);
		doc_word(d, "outcome", "planned");
		doc_int(d, "size", f->row.size);
		doc_hash(d, f->row.hash);
		doc_list(d, "keepers");
		for (size_t k = 0; k < g->n_keepers; k++) {
			doc_object(d, NULL);
			cmd_act_doc_state(d, &g->keepers[k]);
			doc_object_end(d);
		}
		doc_list_end(d);
		doc_object_end(d);
	}
}

void
cmd_act_doc_plan(struct doc *d, const struct plan *plan)
{
	for (size_t i = 0; i < plan->groups.n; i++)
		cmd_act_doc_group(d, &plan->groups.v[i]);
}

void
cmd_act_doc_end(struct doc *d, const struct plan *plan, enum act_kind kind, bool any_attributes, int64_t copies, int64_t n, int64_t frees)
{
	struct plan_loss loss;
	char digest[PLAN_FILE_DIGEST];

	doc_list_end(d);
	doc_word(d, "kind", plan_file_kinds[kind]);
	doc_bool(d, "any_attributes", any_attributes);
	doc_int(d, "copies", copies);
	doc_int(d, plan != NULL ? "planned" : "done", n);
	doc_int(d, plan != NULL ? "frees" : "freed", frees);
	if (plan == NULL)
		return;
	loss = plan_loss(plan, kind);
	doc_int(d, "lost_attributes", loss.attributes);
	doc_int(d, "lost_links", loss.links);
	plan_file_digest(plan, kind, any_attributes, copies, digest);
	doc_word(d, "digest", digest);
}
