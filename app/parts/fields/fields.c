/* SPDX-License-Identifier: MIT */
/* Choices of the document that are a flag, a number or one of a few values are actions of the
 * field's own name; which, and what their states are, stands in the table of fields. */
#include "app/parts/fields/fields.h"

#include "ui/boxes/stop-box.h"
#include "ui/document/fit.h"

struct _AppFieldsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;
};

G_DEFINE_FINAL_TYPE (AppFieldsPart, app_fields_part, APP_TYPE_PART)

/* By what the state is. */
static const struct {
  const char *parameter; /* types, as in a GActionEntry */
  const char *state;
} types[] = {
  [UI_FIELD_ACTION_TOGGLE] = { NULL, "false" },
  [UI_FIELD_ACTION_TEXT] = { "s", "''" },
  [UI_FIELD_ACTION_NUMBER] = { "d", "0.0" },
};

static void
change_field (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  AppFieldsPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  const UiField *field = ui_fields_find (g_action_get_name (G_ACTION (action)));
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *text;

  if (field->action == UI_FIELD_ACTION_TOGGLE)
    text = g_variant_get_boolean (value) ? "true" : "false";
  else if (field->action == UI_FIELD_ACTION_NUMBER)
    text = g_ascii_dtostr (number, sizeof number, g_variant_get_double (value));
  else
    text = g_variant_get_string (value, NULL);

  /* A value that is not one of the field's can come over D-Bus. */
  if (ui_document_set (document, field, text, NULL))
    app_study_change (self->study, document);
  else
    ui_document_free (document);
}

/* Who goes through the choices by keys is not done yet. */
static gboolean
is_choosing (GtkWidget *picture)
{
  GtkRoot *root = gtk_widget_get_root (picture);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_get_ancestor (focus, UI_TYPE_CHOICE_BOX) != NULL;
}

/* What lies over the picture would hide what was asked for; its keys work at once. */
static void
turn_to_picture (AppFieldsPart *self)
{
  const UiItem nothing = { .type = UI_ITEM_NONE };
  GtkWidget *picture = GTK_WIDGET (app_picture_get_view (self->picture));

  if (!app_desk_close_over (self->desk) && is_choosing (picture))
    return;
  /* Who comes to it anew is shown all of it, not where the keys were once. */
  if (!gtk_widget_is_focus (picture))
    ui_scene_view_set_cursor (UI_SCENE_VIEW (picture), &nothing);
  gtk_widget_grab_focus (picture);
}

/* A difference is a matrix: who chooses another drawing wants to see the two sides in it. */
static void
change_view (GSimpleAction *action,
             GVariant      *value,
             gpointer       data)
{
  AppFieldsPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  const UiView *view;

  if (!ui_document_set (document, ui_fields_find ("view"), g_variant_get_string (value, NULL),
                        NULL)) {
    ui_document_free (document);
    return;
  }

  view = ui_view_get (document->view);
  if (document->compare == UI_COMPARE_DIFFERENCE && view->can_compare
      && !view->has_one_number)
    document->compare = UI_COMPARE_SIDES;
  app_picture_keep_link (self->picture, document);
  app_study_change (self->study, document);
  turn_to_picture (self);
}

static void
change_kind (GSimpleAction *action,
             GVariant      *value,
             gpointer       data)
{
  AppFieldsPart *self = data;
  UiDocument *document;
  EngKind kind;

  /* A shortcut may name a kind that the trace has not. */
  if (app_picture_get_shown (self->picture) == NULL
      || !eng_kind_from_name (g_variant_get_string (value, NULL), &kind)
      || !eng_trace_has_kind (app_study_get_trace (self->study), kind))
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  app_study_put_kind (self->study, document, app_picture_get_shown (self->picture)->kind, kind);
  app_study_change (self->study, document);
}

static void
add_field_actions (AppFieldsPart *self)
{
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  for (int i = 0; i < n_fields; i++) {
    const GActionEntry entry = {
      fields[i].name, NULL, types[fields[i].action].parameter, types[fields[i].action].state,
      g_str_equal (fields[i].name, "kind") ? change_kind
      : g_str_equal (fields[i].name, "view") ? change_view : change_field
    };

    if (fields[i].action != UI_FIELD_ACTION_NONE)
      app_desk_add_actions (self->desk, &entry, 1, self);
  }
}

/* (floating) */
static GVariant *
get_state (const UiDocument *document,
           const UiField    *field)
{
  g_autofree char *value = ui_document_get (document, field);

  if (field->action == UI_FIELD_ACTION_TOGGLE)
    return g_variant_new_boolean (g_str_equal (value, "true"));
  if (field->action == UI_FIELD_ACTION_NUMBER)
    return g_variant_new_double (g_ascii_strtod (value, NULL));
  return g_variant_new_string (value);
}

static void
sync_states (AppFieldsPart    *self,
             const UiDocument *document)
{
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  for (int i = 0; i < n_fields; i++)
    if (fields[i].action != UI_FIELD_ACTION_NONE)
      app_desk_set_state (self->desk, fields[i].name, get_state (document, &fields[i]));
}

/* Without queries and keys the neuron view has one form, the collapsed one. */
static gboolean
has_vectors (AppFieldsPart *self)
{
  const UiDocument *shown = app_picture_get_shown (self->picture);
  EngMatrix vectors;
  int head;

  if (shown == NULL)
    return FALSE;

  head = ui_head_set_first (&shown->heads,
                            eng_trace_get_n_heads (app_study_get_trace (self->study), shown->kind));
  return eng_trace_get_queries (app_study_get_trace (self->study), shown->kind, shown->layer, head,
                                &vectors)
         && eng_trace_get_keys (app_study_get_trace (self->study), shown->kind, shown->layer, head,
                                &vectors);
}

static void
sync_actions (AppPart *part)
{
  AppFieldsPart *self = APP_FIELDS_PART (part);
  const UiDocument *shown = app_picture_get_shown (self->picture);
  const UiDocument *document = shown != NULL ? shown : app_study_get_document (self->study);
  gboolean has_picture = shown != NULL;
  gboolean has_texts = app_study_has_texts (self->study);
  gboolean can_filter =
    has_picture && ui_fit_can_filter (app_study_get_trace (self->study), document->kind);
  const UiView *view = ui_view_get (document->view);
  gboolean can_renormalise =
    has_picture && view->no_selection == NULL
    && (document->filter != UI_FILTER_ALL || document->hide_special);
  /* A difference is a matrix of the head. */
  gboolean can_expand =
    view->has_vectors && has_vectors (self) && document->compare != UI_COMPARE_DIFFERENCE;

  sync_states (self, document);
  app_desk_set_enabled (self->desk, "truncate", has_texts);
  app_desk_set_enabled (self->desk, "pad-to", has_texts);
  app_desk_set_enabled (self->desk, "no-special-tokens", has_texts);
  if (document->compare == UI_COMPARE_DIFFERENCE && view->can_compare)
    app_desk_set_state (self->desk, "view",
                        g_variant_new_string (ui_view_names[UI_VIEW_MATRIX]));
  app_desk_set_enabled (self->desk, "filter", view->no_selection == NULL && can_filter);
  app_desk_set_enabled (self->desk, "renormalise", can_renormalise);
  app_desk_set_enabled (self->desk, "bands", can_expand && !document->collapsed);
  app_desk_set_enabled (self->desk, "sort", can_expand && !document->collapsed);
  app_desk_set_enabled (self->desk, "collapsed", can_expand);
}

static void
begin (AppPart *part)
{
  AppFieldsPart *self = APP_FIELDS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "fields");
  app_part_place (self, "view_switch", "header_view");
  app_part_place (self, "view_bar", "foot_view");
  add_field_actions (self);
}

static void
app_fields_part_class_init (AppFieldsPartClass *klass)
{
  g_type_ensure (UI_TYPE_CHOICE_BOX);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_actions;
}

static void
app_fields_part_init (AppFieldsPart *self)
{
}
