/* SPDX-License-Identifier: MIT */
/* Every action of the window. A choice of the document that is a flag or one of a few values is an
 * action of the field's own name; its state is read and written through the table of fields. */
#include "app/window-private.h"

#include "app/config.h"
#include "app/examples.h"
#include "app/shortcuts.h"
#include "app/shortcuts-window.h"

static const char *const flag_fields[] = {
  "renormalise", "hide-special", "words", "collapsed", "sort", "truncate"
};
static const char *const choice_fields[] = {
  "view", "kind", "filter", "measure", "aggregate", "layers", "bands", "order", "pad-to"
};
static const char *const number_fields[] = { "threshold", "mass", "gain" };

static GSimpleAction *
find_action (AppWindow  *self,
             const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name));
}

static void
change_field (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  AppWindow *self = data;
  UiDocument *document = ui_document_copy (self->document);
  const UiField *field = ui_fields_find (g_action_get_name (G_ACTION (action)));
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *text;

  if (field->type == UI_FIELD_FLAG)
    text = g_variant_get_boolean (value) ? "true" : "false";
  else if (field->type == UI_FIELD_NUMBER)
    text = g_ascii_dtostr (number, sizeof number, g_variant_get_double (value));
  else
    text = g_variant_get_string (value, NULL);

  /* A value that is not one of the field's can come over D-Bus. */
  if (ui_document_set (document, field, text, NULL))
    app_window_change (self, document);
  else
    ui_document_free (document);
}

static void
change_kind (GSimpleAction *action,
             GVariant      *value,
             gpointer       data)
{
  AppWindow *self = data;
  UiDocument *document;
  EngKind kind;

  /* A shortcut may name a kind that the trace has not. */
  if (self->shown == NULL || !eng_kind_from_name (g_variant_get_string (value, NULL), &kind)
      || !eng_trace_has_kind (self->trace, kind))
    return;

  document = ui_document_copy (self->document);
  app_window_choose_kind (self, document, kind);
  app_window_change (self, document);
}

static void
change_measure (GSimpleAction *action,
                GVariant      *value,
                gpointer       data)
{
  const UiField *field = ui_fields_find ("measure");
  const char *name = g_variant_get_string (value, NULL);

  for (int i = 0; field->choices[i] != NULL; i++)
    if (g_str_equal (field->choices[i], name) && app_window_check_measure (data, (EngMeasure) i))
      change_field (action, value, data);
}

static void
step_layer (AppWindow *self,
            int        step)
{
  const UiDocument *now = self->wanted != NULL ? self->wanted : self->shown;
  UiDocument *document;
  int layer;

  if (now == NULL)
    return;

  layer = now->layer + step;
  while (layer >= 0 && layer < eng_trace_get_n_layers (self->trace, now->kind)
         && !eng_trace_has_layer (self->trace, now->kind, layer))
    layer += step;
  if (layer < 0 || layer >= eng_trace_get_n_layers (self->trace, now->kind))
    return;

  document = ui_document_copy (self->document);
  document->layer = layer;
  app_window_change (self, document);
}

static void
previous_layer (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  step_layer (data, -1);
}

static void
next_layer (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  step_layer (data, 1);
}

/* The digit of a head: what a click on its chip does, or on its number in the neuron view. */
static void
head (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       data)
{
  AppWindow *self = data;
  int index = g_variant_get_int32 (parameter);
  const UiDocument *now = self->wanted != NULL ? self->wanted : self->shown;
  UiDocument *document;
  int n_heads;

  if (now == NULL)
    return;
  n_heads = MIN (eng_trace_get_n_heads (self->trace, now->kind), UI_MAX_HEADS);
  if (index < 0 || index >= n_heads)
    return;

  document = ui_document_copy (self->document);
  document->heads = now->heads;
  if (document->view == UI_VIEW_NEURON)
    ui_head_set_only (&document->heads, index);
  else
    ui_head_set_toggle (&document->heads, index, n_heads);
  app_window_change (self, document);
}

static void
all_heads (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppWindow *self = data;
  UiDocument *document = ui_document_copy (self->document);

  document->heads = (UiHeadSet) { .all = TRUE };
  app_window_change (self, document);
}

static void
unpin (GSimpleAction *action,
       GVariant      *parameter,
       gpointer       data)
{
  AppWindow *self = data;
  UiDocument *document;

  if (app_window_cancel_drawing (self))
    return;

  document = ui_document_copy (self->document);
  ui_pins_clear (&document->pins);
  app_window_change (self, document);
}

static void
swap (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       data)
{
  AppWindow *self = data;
  UiDocument *document = ui_document_copy (self->document);
  char *text_a = document->text_a;

  document->text_a = document->text_b;
  document->text_b = text_a;
  app_window_change (self, document);
}

/* Other sentences: pins of the old ones would point anywhere. */
static void
example (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  AppWindow *self = data;
  int index = g_variant_get_int32 (parameter);
  int n_examples;
  const AppExample *examples = app_examples_get (&n_examples);
  UiDocument *document;

  if (index < 0 || index >= n_examples)
    return;

  document = ui_document_copy (self->document);
  g_free (document->text_a);
  g_free (document->text_b);
  document->text_a = g_strdup (examples[index].text_a);
  document->text_b = g_strdup (examples[index].text_b);
  ui_pins_clear (&document->pins);
  app_window_change (self, document);
}

static void
show_examples (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  gtk_menu_button_popup (APP_WINDOW (data)->examples_button);
}

static void
show_models (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  gtk_menu_button_popup (APP_WINDOW (data)->model_button);
}

static void
focus_a (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  gtk_widget_grab_focus (GTK_WIDGET (APP_WINDOW (data)->entry_a));
}

static void
focus_b (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  gtk_widget_grab_focus (GTK_WIDGET (APP_WINDOW (data)->entry_b));
}

static void
open_model (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  app_window_choose_model (data);
}

static void
open_trace (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  app_window_choose_trace (data);
}

static void
download_model (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  app_window_download_model (data, NULL);
}

static void
model_details (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  app_window_show_details (data);
}

static void
change_inspector (GSimpleAction *action,
                  GVariant      *value,
                  gpointer       data)
{
  AppWindow *self = data;
  gboolean is_wanted = g_variant_get_boolean (value);
  gboolean has_room = !adw_flap_get_folded (self->flap);

  g_simple_action_set_state (action, value);
  /* Where there is no room it folds away; who then asks for it gets it beside the picture, which
   * scrolls, and not on top of what is read. */
  adw_flap_set_fold_policy (self->flap, is_wanted && !has_room ? ADW_FLAP_FOLD_POLICY_NEVER
                                                               : ADW_FLAP_FOLD_POLICY_AUTO);
  adw_flap_set_reveal_flap (self->flap, is_wanted);
}

static void
change_table (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  AppWindow *self = data;
  gboolean is_table = g_variant_get_boolean (value);

  g_simple_action_set_state (action, value);
  gtk_stack_set_visible_child_name (self->stack, is_table ? "table" : "picture");
  app_window_refresh (self);
  gtk_widget_grab_focus (is_table ? GTK_WIDGET (self->table) : GTK_WIDGET (self->scene_view));
}

static void
show_shortcuts (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  gtk_window_present (GTK_WINDOW (app_shortcuts_window_new (data)));
}

static void
about (GSimpleAction *action,
       GVariant      *parameter,
       gpointer       data)
{
  static const char comments[] =
    "What every attention head of a transformer looks at.\n\n"
    "The bundled model was trained on sentences of tatoeba.org (CC BY 2.0), through "
    "manythings.org.";
  GtkWidget *window = g_object_new (ADW_TYPE_ABOUT_WINDOW,
                                    "transient-for", data,
                                    "application-name", "Headlight",
                                    "application-icon", HEADLIGHT_APP_ID,
                                    "version", HEADLIGHT_VERSION,
                                    "license-type", GTK_LICENSE_MIT_X11,
                                    "comments", comments,
                                    NULL);

  gtk_window_present (GTK_WINDOW (window));
}

/* A person may fold the flap by the keyboard, too: the button follows. */
static void
reveal_flap_cb (AppWindow *self)
{
  gboolean is_revealed = adw_flap_get_reveal_flap (self->flap);

  g_simple_action_set_state (find_action (self, "inspector"), g_variant_new_boolean (is_revealed));
  /* Folding for want of room is the window's doing, not a person's choice. */
  if (!adw_flap_get_folded (self->flap))
    self->settings->inspector = is_revealed;
}

static void
add_field_actions (AppWindow *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (flag_fields); i++) {
    const GActionEntry entry = { flag_fields[i], NULL, NULL, "false", change_field };

    g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (choice_fields); i++) {
    const GActionEntry entry = {
      choice_fields[i], NULL, "s", "''",
      g_str_equal (choice_fields[i], "kind")      ? change_kind
      : g_str_equal (choice_fields[i], "measure") ? change_measure
                                                  : change_field
    };

    g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (number_fields); i++) {
    const GActionEntry entry = { number_fields[i], NULL, "d", "0.0", change_field };

    g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
  }
}

void
app_window_install_class_actions (GtkWidgetClass *klass)
{
  /* Behind popovers and entries, which take Escape first; an accelerator would come before them. */
  gtk_widget_class_add_binding_action (klass, GDK_KEY_Escape, 0, "win.unpin", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_slash, 0, "win.find-pattern", NULL);
}

void
app_window_add_actions (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "previous-layer", previous_layer },
    { "next-layer", next_layer },
    { "head", head, "i" },
    { "all-heads", all_heads },
    { "unpin", unpin },
    { "swap", swap },
    { "example", example, "i" },
    { "examples", show_examples },
    { "models", show_models },
    { "focus-a", focus_a },
    { "focus-b", focus_b },
    { "open-model", open_model },
    { "open-trace", open_trace },
    { "download-model", download_model },
    { "model-details", model_details },
    { "inspector", NULL, NULL, "true", change_inspector },
    { "table", NULL, NULL, "false", change_table },
    { "shortcuts", show_shortcuts },
    { "about", about },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  add_field_actions (self);
  app_window_add_session (self);
  app_window_add_asking (self);
  app_window_add_writing (self);
  app_window_add_appearance (self);
  app_window_add_display (self);
  app_window_add_job (self);
  app_window_add_model_view (self);
  app_window_add_edits (self);
  app_window_add_edit_menus (self);
  app_window_add_compare (self);
  app_window_add_export (self);
  app_window_add_search (self);
  app_window_add_sweep (self);
  app_window_add_view (self);
  app_shortcuts_add_head_keys (GTK_WIDGET (self));

  adw_flap_set_reveal_flap (self->flap, self->settings->inspector);
  g_signal_connect_swapped (self->flap, "notify::reveal-flap", G_CALLBACK (reveal_flap_cb), self);
  reveal_flap_cb (self);
}

static void
set_enabled (AppWindow  *self,
             const char *name,
             gboolean    enabled)
{
  g_simple_action_set_enabled (find_action (self, name), enabled);
}

/* Without queries and keys the neuron view has one form, the collapsed one. */
static gboolean
has_vectors (AppWindow *self)
{
  const UiDocument *shown = self->shown;
  EngMatrix vectors;
  int head;

  if (shown == NULL)
    return FALSE;

  head = ui_head_set_first (&shown->heads, eng_trace_get_n_heads (self->trace, shown->kind));
  return eng_trace_get_queries (self->trace, shown->kind, shown->layer, head, &vectors)
         && eng_trace_get_keys (self->trace, shown->kind, shown->layer, head, &vectors);
}

void
app_window_update_actions (AppWindow *self)
{
  const UiDocument *document = self->shown != NULL ? self->shown : self->document;
  gboolean has_picture = self->shown != NULL;
  gboolean has_entries = app_window_has_entries (self);
  gboolean can_filter = has_picture && app_window_can_filter (self->trace, document->kind);
  gboolean is_neuron = document->view == UI_VIEW_NEURON;
  /* A difference is a matrix of the head. */
  gboolean can_expand =
    is_neuron && has_vectors (self) && document->compare != UI_COMPARE_DIFFERENCE;

  for (gsize i = 0; i < G_N_ELEMENTS (flag_fields); i++) {
    g_autofree char *value = ui_document_get (document, ui_fields_find (flag_fields[i]));

    g_simple_action_set_state (find_action (self, flag_fields[i]),
                               g_variant_new_boolean (g_str_equal (value, "true")));
  }
  for (gsize i = 0; i < G_N_ELEMENTS (choice_fields); i++) {
    g_autofree char *value = ui_document_get (document, ui_fields_find (choice_fields[i]));

    g_simple_action_set_state (find_action (self, choice_fields[i]),
                               g_variant_new_string (value));
  }

  for (gsize i = 0; i < G_N_ELEMENTS (number_fields); i++) {
    g_autofree char *value = ui_document_get (document, ui_fields_find (number_fields[i]));

    g_simple_action_set_state (find_action (self, number_fields[i]),
                               g_variant_new_double (g_ascii_strtod (value, NULL)));
  }

  set_enabled (self, "filter", !is_neuron && can_filter);
  set_enabled (self, "renormalise",
               has_picture && !is_neuron
               && (document->filter != UI_FILTER_ALL || document->hide_special));
  gtk_widget_set_visible (self->renormalise_button,
                          g_action_get_enabled (G_ACTION (find_action (self, "renormalise"))));
  set_enabled (self, "all-heads", has_picture && !is_neuron);
  set_enabled (self, "bands", can_expand && !document->collapsed);
  set_enabled (self, "sort", can_expand && !document->collapsed);
  set_enabled (self, "collapsed", can_expand);
  set_enabled (self, "unpin", self->wanted != NULL
                              || (has_picture && !ui_pins_is_empty (&document->pins)));
  set_enabled (self, "swap", has_entries);
  set_enabled (self, "truncate", has_entries);
  set_enabled (self, "pad-to", has_entries);
  set_enabled (self, "examples", has_entries);
  set_enabled (self, "example", has_entries);
  gtk_widget_set_sensitive (GTK_WIDGET (self->examples_button), has_entries);
  set_enabled (self, "find-heads", has_picture);
  set_enabled (self, "export", has_picture);
  set_enabled (self, "copy-picture", has_picture);
  set_enabled (self, "copy-numbers", has_picture);
  set_enabled (self, "copy-csv", has_picture);
  set_enabled (self, "copy-json", has_picture);
  set_enabled (self, "model-details", has_picture);
}
