/* SPDX-License-Identifier: MIT */
/* Where a trace keeps the facts of its heads: see engine/trace/head-facts.h. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _EngHeadFactsTable EngHeadFactsTable;

EngHeadFactsTable *eng_head_facts_table_new  (void);
void               eng_head_facts_table_free (EngHeadFactsTable *self);

G_END_DECLS
