/* SPDX-License-Identifier: MIT */
#include "app/parts/opening/opening.h"

#include "ui/controls/quiet.h"

struct _AppOpeningPart {
  AppPart parent_instance;

  AppDesk     *desk;
  AppStudy    *study;
  GtkRevealer *revealer;
  GtkLabel    *label;

  char        *sentence;  /* NULL = nothing was refused */
  UiDocument  *instead;   /* whose model or file is shown; NULL as long as sentence */
  gboolean     was_shown; /* before, too */
};

G_DEFINE_FINAL_TYPE (AppOpeningPart, app_opening_part, APP_TYPE_PART)

static void
forget (AppOpeningPart *self)
{
  g_clear_pointer (&self->sentence, g_free);
  g_clear_pointer (&self->instead, ui_document_free);
  ui_quiet_reveal (self->revealer, FALSE);
}

/* NULL while there is nothing. (transfer full) */
static char *
dup_shown_name (AppOpeningPart *self)
{
  const UiDocument *answered = app_study_get_answered (self->study);
  const EngModel *model = app_study_get_model (self->study);

  if (model != NULL)
    return g_strdup (eng_model_get_info (model)->name);
  return answered != NULL && answered->trace_file != NULL
         ? g_path_get_basename (answered->trace_file) : NULL;
}

static void
show (AppOpeningPart *self)
{
  g_autofree char *name = dup_shown_name (self);
  g_autofree char *text = NULL;

  if (name == NULL)
    text = g_strdup_printf ("%s.", self->sentence);
  else
    text = g_strdup_printf ("%s. %s: %s.", self->sentence,
                            self->was_shown ? "Still shown" : "Shown instead", name);
  gtk_label_set_label (self->label, text);
  ui_quiet_reveal (self->revealer, TRUE);
}

static void
refused_cb (AppOpeningPart *self,
            const char     *sentence)
{
  forget (self);
  self->sentence = g_strdup (sentence);
  self->instead = ui_document_copy (app_study_get_document (self->study));
  self->was_shown = app_study_get_answered (self->study) != NULL;
  show (self);
}

static void
sync_part (AppPart *part)
{
  AppOpeningPart *self = APP_OPENING_PART (part);

  if (self->sentence != NULL)
    show (self);
}

/* Another model, or other texts, answer the refusal. */
static void
prepare_part (AppPart *part)
{
  AppOpeningPart *self = APP_OPENING_PART (part);
  const UiDocument *answered = app_study_get_answered (self->study);

  if (self->sentence != NULL && answered != NULL
      && app_study_has_other_source (answered, self->instead))
    forget (self);
}

static void
begin (AppPart *part)
{
  AppOpeningPart *self = APP_OPENING_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  app_part_load_ui (self, "opening");
  app_part_place (self, "refusal_revealer", "restore");
  self->revealer = app_part_get_object (self, "refusal_revealer");
  self->label = app_part_get_object (self, "refusal_label");
  g_signal_connect_object (app_part_get_object (self, "refusal_close"), "clicked",
                           G_CALLBACK (forget), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->desk, "refused", G_CALLBACK (refused_cb), self, G_CONNECT_SWAPPED);
}

static void
app_opening_part_finalize (GObject *object)
{
  AppOpeningPart *self = APP_OPENING_PART (object);

  g_free (self->sentence);
  g_clear_pointer (&self->instead, ui_document_free);
  G_OBJECT_CLASS (app_opening_part_parent_class)->finalize (object);
}

static void
app_opening_part_class_init (AppOpeningPartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = app_opening_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->prepare = prepare_part;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_opening_part_init (AppOpeningPart *self)
{
}
