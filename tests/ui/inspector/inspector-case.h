/* SPDX-License-Identifier: MIT */
/* An inspector of a trace whose numbers are known. */
#pragma once

#include "tests/support/made-trace.h"
#include "tests/support/window/widget-driver.h"
#include "ui/controls/bar-row.h"
#include "ui/inspector/inspector.h"
#include "ui/scene/views/comparison.h"

/* 3 + 2 tokens: w0 w1 [SEP] w3 [SEP]. Strong weights are 0.6, the others 0.4 / 4 = 0.1. */
#define N_A 3
#define N_B 2

typedef struct {
  GtkWindow   *window;
  UiInspector *inspector;
  EngTrace    *trace;
  UiDocument  *document;
} Fixture;

static inline void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  self->inspector = UI_INSPECTOR (ui_inspector_new ());
  self->trace = made_trace_new (N_A, N_B, 2, 1);
  self->document = ui_document_new ();
  self->window = driver_show (GTK_WIDGET (self->inspector), 300, 900);
}

static inline void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  g_object_ref (self->inspector);
  gtk_window_destroy (self->window);
  g_assert_finalize_object (self->inspector);
  ui_document_free (self->document);
  eng_trace_unref (self->trace);
}

static inline void
show (Fixture *self)
{
  const UiSceneOptions options = { .width = 800, .text_scale = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = ui_comparison_new (self->trace, NULL, self->document, &options,
                                                 &error);

  g_assert_no_error (error);
  ui_inspector_set_scene (self->inspector, scene);
  driver_settle (GTK_WIDGET (self->inspector));
}

static inline void
point_at (Fixture      *self,
          const UiItem *item)
{
  ui_inspector_set_item (self->inspector, item);
  driver_settle (GTK_WIDGET (self->inspector));
  driver_settle (GTK_WIDGET (self->inspector));
}

#define assert_text(self, text) \
  g_assert_true (driver_shows_text (GTK_WIDGET ((self)->inspector), text))

/* The index-th row in sight says this. */
static inline void
assert_row (Fixture    *self,
            int         index,
            const char *sentence)
{
  GtkWidget *inspector = GTK_WIDGET (self->inspector);
  GtkWidget *row;

  for (int i = 0; (row = driver_find (inspector, UI_TYPE_BAR_ROW, i)) != NULL; i++)
    if (gtk_widget_get_mapped (row) && index-- == 0)
      break;

  g_assert_nonnull (row);
  gtk_test_accessible_assert_property (row, GTK_ACCESSIBLE_PROPERTY_LABEL, sentence);
}

#define ADD(path, test) g_test_add ("/inspector/" path, Fixture, NULL, set_up, test, tear_down)
