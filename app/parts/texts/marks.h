/* SPDX-License-Identifier: MIT */
/* What the task heads found in the sentences, entities and an answer, marked where it stands. */
#pragma once

#include <gtk/gtk.h>

#include "app/study/study.h"
#include "ui/sentences/sentence-entry.h"

G_BEGIN_DECLS

/* Marks belong to the text that was answered: one that was typed since has none. */
void app_marks_sync (AppStudy        *study,
                     UiSentenceEntry *entry_a,
                     UiSentenceEntry *entry_b);

G_END_DECLS
