/* SPDX-License-Identifier: MIT */
/* How much of the heads is shown, and how: the button of the toolbar that says it, and what a view
 * has to choose in its popover. */
#include "app/parts/show/show.h"

#include "app/desk/shortcuts.h"
#include "ui/boxes/stop-box.h"
#include "ui/controls/state-label.h"
#include "ui/document/fit.h"
#include "ui/scene/base/describe.h"

struct _AppShowPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkWidget    *button;
  UiStateLabel *label;
  GtkWidget    *filter_box;
  GtkWidget    *neuron_box;
  GtkWidget    *band_box;
  GtkWidget    *sort_button;
};

G_DEFINE_FINAL_TYPE (AppShowPart, app_show_part, APP_TYPE_PART)

/* Between the sentences: no block of two stacks has links both within and between them. */
static gboolean
can_filter (AppShowPart *self)
{
  EngTrace *trace = app_study_get_trace (self->study);

  return ui_view_get (app_study_get_document (self->study)->view)->no_selection == NULL
         && !(trace != NULL && ui_describe_has_two_stacks (trace));
}

static const char *
describe_order (UiOrder order)
{
  static const char *const words[] = {
    [UI_ORDER_LAYER] = "by layer",
    [UI_ORDER_PATTERN] = "by pattern",
    [UI_ORDER_ENTROPY] = "by entropy",
    [UI_ORDER_TRAFFIC] = "by traffic A→B",
  };

  return words[order];
}

static const char *
describe_filter (UiFilter filter)
{
  static const char *const words[] = {
    [UI_FILTER_ALL] = "all links",
    [UI_FILTER_AA] = "A→A",
    [UI_FILTER_AB] = "A→B",
    [UI_FILTER_BA] = "B→A",
    [UI_FILTER_BB] = "B→B",
  };

  return words[filter];
}

/* Of the links, those of "A→B ≥ 2 %". (transfer full) */
static char *
describe_links (const UiDocument *document)
{
  g_autofree char *threshold = ui_describe_part (document->threshold);
  g_autoptr (UiDocument) plain = ui_document_new ();

  if (document->threshold == plain->threshold)
    return g_strdup (describe_filter (document->filter));
  return g_strdup_printf ("%s ≥ %s", describe_filter (document->filter), threshold);
}

/* What the button says that is shown. (transfer full) */
static char *
describe_state (const UiDocument *document,
                const EngTrace   *trace)
{
  const UiView *view = ui_view_get (document->view);

  if (view->has_all_heads)
    return g_strdup (describe_order (ui_fit_get_order (document, trace)));
  if (!view->has_vectors)
    return describe_links (document);
  if (document->collapsed)
    return g_strdup ("links only");
  return g_strdup (document->bands == UI_BANDS_BARS ? "bars" : "stripes");
}

/* What the popover has, in any view. */
static const char *const plain_fields[] = {
  "filter", "threshold", "mass", "gain", "hide-special", "renormalise", "words", "order",
  "collapsed", "bands", "sort",
};

/* (transfer full) */
static UiDocument *
make_plain (const UiDocument *document)
{
  UiDocument *plain = ui_document_copy (document);

  for (gsize i = 0; i < G_N_ELEMENTS (plain_fields); i++) {
    const UiField *field = ui_fields_find (plain_fields[i]);
    const gboolean is_taken = ui_document_set (
      plain, field, field->type == UI_FIELD_FLAG ? "false" : field->fallback, NULL);

    g_assert (is_taken);
  }
  return plain;
}

static void
show_plain (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppShowPart *self = data;

  app_study_change (self->study, make_plain (app_study_get_document (self->study)));
}

/* While a lesson asks heads stand in another order than a person chose. */
static const UiDocument *
get_drawn (AppShowPart *self)
{
  const UiDocument *shown = app_picture_get_shown (self->picture);

  return app_picture_is_asked (self->picture) && shown != NULL
         ? shown : app_study_get_document (self->study);
}

static void
sync_part (AppPart *part)
{
  AppShowPart *self = APP_SHOW_PART (part);
  const UiDocument *document = app_study_get_document (self->study);
  g_autoptr (UiDocument) plain = make_plain (document);
  g_autofree char *state = describe_state (get_drawn (self), app_study_get_trace (self->study));

  gtk_widget_set_visible (self->filter_box, can_filter (self));
  gtk_widget_set_visible (self->neuron_box, ui_view_get (document->view)->has_vectors);
  gtk_widget_set_visible (self->band_box, !document->collapsed);
  gtk_widget_set_visible (self->sort_button, !document->collapsed);
  ui_state_label_set_state (self->label, state);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  ui_state_label_get_text (self->label), -1);
  app_desk_set_enabled (self->desk, "plain", !ui_document_equal (document, plain));
}

static void
show_menu (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  gtk_menu_button_popup (GTK_MENU_BUTTON (APP_SHOW_PART (data)->button));
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = {
    { "show-menu", show_menu },
    { "plain", show_plain },
  };
  AppShowPart *self = APP_SHOW_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "show");
  app_part_place (self, "show_button", "toolbar_show");
  self->button = app_part_get_object (self, "show_button");
  self->label = app_part_get_object (self, "show_label");
  self->filter_box = app_part_get_object (self, "filter_box");
  self->neuron_box = app_part_get_object (self, "neuron_box");
  self->band_box = app_part_get_object (self, "band_box");
  self->sort_button = app_part_get_object (self, "sort_button");
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  app_shortcuts_explain_as (self->button, "win.show-menu");
}

static void
app_show_part_class_init (AppShowPartClass *klass)
{
  g_type_ensure (UI_TYPE_CHOICE_BOX);
  g_type_ensure (UI_TYPE_STATE_LABEL);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_show_part_init (AppShowPart *self)
{
}
