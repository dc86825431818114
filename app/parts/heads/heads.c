/* SPDX-License-Identifier: MIT */
/* Which layer and which heads: the pickers and the chips, and the controls that a view has. */
#include "app/parts/heads/heads.h"

#include <stdlib.h>

#include "ui/controls/head-chip.h"
#include "ui/controls/head-chips.h"
#include "ui/controls/layer-picker.h"
#include "ui/controls/wrap-box.h"
#include "ui/dialogs/context-menu.h"
#include "ui/scene/base/describe.h"

#define CHIP_HINT "Click toggles, double click isolates."

struct _AppHeadsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkLabel      *chip_hint;
  GtkWidget     *kind_box;
  GtkWidget     *layer_box;
  UiLayerPicker *layer_picker;
  GtkWidget     *head_controls;
  GtkWidget     *neuron_controls;
  UiLayerPicker *head_picker;
  GtkWidget     *band_box;
  GtkWidget     *sort_button;
  GtkWidget     *chip_row;
  UiHeadChips   *chips;

  EngAttention *chip_attention; /* whose heads the chips show */
  UiScene      *chip_scene; /* that they are of */
};

G_DEFINE_FINAL_TYPE (AppHeadsPart, app_heads_part, APP_TYPE_PART)

/* A button for each kind that the trace has, where there are several. */
static void
sync_kinds (AppHeadsPart *self)
{
  GtkWidget *button = gtk_widget_get_first_child (self->kind_box);
  int n_kinds = 0;

  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    gboolean is_there = eng_trace_has_kind (app_study_get_trace (self->study), (EngKind) kind);

    gtk_widget_set_visible (button, is_there);
    button = gtk_widget_get_next_sibling (button);
    n_kinds += is_there;
  }
  gtk_widget_set_visible (self->kind_box, n_kinds > 1);
}

static void
show_pickers (AppHeadsPart *self)
{
  EngKind kind = app_picture_get_shown (self->picture)->kind;
  int n_layers = eng_trace_get_n_layers (app_study_get_trace (self->study), kind);
  int n_heads = eng_trace_get_n_heads (app_study_get_trace (self->study), kind);

  sync_kinds (self);
  ui_layer_picker_set_n_items (self->layer_picker, n_layers);
  for (int layer = 0; layer < n_layers; layer++) {
    gboolean is_there = eng_trace_has_layer (app_study_get_trace (self->study), kind, layer);

    ui_layer_picker_set_available (self->layer_picker, layer,
                                   !app_study_is_complete (self->study) || is_there);
  }
  ui_layer_picker_set_selected (self->layer_picker, app_picture_get_shown (self->picture)->layer);
  ui_layer_picker_set_n_items (self->head_picker, n_heads);
  ui_layer_picker_set_selected (
    self->head_picker, ui_head_set_first (&app_picture_get_shown (self->picture)->heads, n_heads));
}

static void
show_chips (AppHeadsPart *self)
{
  EngKind kind = app_picture_get_shown (self->picture)->kind;
  UiScene *scene = app_picture_get_scene (self->picture);
  g_autoptr (EngAttention) attention = NULL;

  /* What is on show already has its chips: of a long text weights are made anew when asked for. */
  if (scene == self->chip_scene)
    return;
  g_clear_pointer (&self->chip_scene, ui_scene_unref);
  self->chip_scene = scene != NULL ? ui_scene_ref (scene) : NULL;
  if (ui_view_get (app_picture_get_shown (self->picture)->view)->has_one_head)
    return;

  /* Twelve thumbnails need not be drawn again for a head that is turned off. */
  attention = eng_trace_dup_attention (app_study_get_trace (self->study), kind,
                                       app_picture_get_shown (self->picture)->layer);
  if (attention != self->chip_attention) {
    ui_head_chips_set_attention (
      self->chips, attention, eng_trace_get_query_tokens (app_study_get_trace (self->study), kind),
      eng_trace_get_key_tokens (app_study_get_trace (self->study), kind));
    g_clear_pointer (&self->chip_attention, eng_attention_unref);
    self->chip_attention = g_steal_pointer (&attention);
  }
  ui_head_chips_set_heads (self->chips, &app_picture_get_shown (self->picture)->heads);
  gtk_label_set_label (self->chip_hint, ui_head_chips_has_shares (self->chips)
                                        ? CHIP_HINT "\nNumber: share of attention between A and B."
                                        : CHIP_HINT);
}

/* The hint explains a number that low chips have not, and is too high itself. */
static void
sync_room (AppHeadsPart *self)
{
  const gboolean is_compact = app_desk_is_compact (self->desk);

  ui_head_chips_set_compact (self->chips, is_compact);
  gtk_widget_set_visible (GTK_WIDGET (self->chip_hint),
                          gtk_widget_get_visible (self->chip_row) && !is_compact);
}

static void
show_controls (AppHeadsPart *self)
{
  const UiView *view = ui_view_get (app_study_get_document (self->study)->view);
  gboolean is_table = app_desk_shows_table (self->desk);
  gboolean has_panels = ui_document_has_panels (app_study_get_document (self->study));
  gboolean has_two_stacks = app_study_get_trace (self->study) != NULL
                            && ui_describe_has_two_stacks (app_study_get_trace (self->study));

  /* No block of two stacks has links both within and between its sentences. */
  gtk_widget_set_visible (self->head_controls, view->no_selection == NULL && !has_two_stacks);
  gtk_widget_set_visible (self->chip_row,
                          !view->has_one_head && !view->has_all_heads && !has_panels);
  sync_room (self);
  /* The grid has all layers, the table of tokens beside it has one. Heads that were collected are
   * of their own. */
  gtk_widget_set_visible (self->layer_box, (!view->has_all_heads || is_table) && !has_panels);
  gtk_widget_set_visible (self->neuron_controls, view->has_vectors);
  gtk_widget_set_visible (self->band_box, !app_study_get_document (self->study)->collapsed);
  gtk_widget_set_visible (self->sort_button, !app_study_get_document (self->study)->collapsed);
}

static void
layer_selected_cb (AppHeadsPart *self)
{
  UiDocument *document;

  if (app_desk_is_syncing (self->desk))
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  document->layer = ui_layer_picker_get_selected (self->layer_picker);
  app_study_change (self->study, document);
}

static void
head_selected_cb (AppHeadsPart *self)
{
  UiDocument *document;

  if (app_desk_is_syncing (self->desk))
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  ui_head_set_only (&document->heads, ui_layer_picker_get_selected (self->head_picker));
  app_study_change (self->study, document);
}

static void
heads_changed_cb (AppHeadsPart *self)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  document->heads = *ui_head_chips_get_heads (self->chips);
  app_study_change (self->study, document);
}

static void
step_layer (AppHeadsPart *self,
            int           step)
{
  const UiDocument *now = app_picture_get_newest (self->picture);
  UiDocument *document;
  int layer;

  if (now == NULL)
    return;

  layer = now->layer + step;
  while (layer >= 0 && layer < eng_trace_get_n_layers (app_study_get_trace (self->study), now->kind)
         && !eng_trace_has_layer (app_study_get_trace (self->study), now->kind, layer))
    layer += step;
  if (layer < 0 || layer >= eng_trace_get_n_layers (app_study_get_trace (self->study), now->kind))
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  document->layer = layer;
  app_study_change (self->study, document);
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
  AppHeadsPart *self = data;
  int index = g_variant_get_int32 (parameter);
  const UiDocument *now = app_picture_get_newest (self->picture);
  UiDocument *document;
  int n_heads;

  if (now == NULL)
    return;
  n_heads =
    MIN (eng_trace_get_n_heads (app_study_get_trace (self->study), now->kind), UI_MAX_HEADS);
  if (index < 0 || index >= n_heads)
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  document->heads = now->heads;
  if (ui_view_get (document->view)->has_one_head)
    ui_head_set_only (&document->heads, index);
  else
    ui_head_set_toggle (&document->heads, index, n_heads);
  app_study_change (self->study, document);
}

static void
all_heads (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppHeadsPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  document->heads = (UiHeadSet) { .all = TRUE };
  app_study_change (self->study, document);
}

/* What can be done to what is pointed at. */

/* The ancestor of that type of what is pointed at, or of what has the focus. */
static GtkWidget *
find_part (GtkWidget    *widget,
           double        x,
           double        y,
           GType         type,
           GdkRectangle *at)
{
  GtkWidget *part = x >= 0 ? gtk_widget_pick (widget, x, y, GTK_PICK_DEFAULT)
                           : gtk_root_get_focus (gtk_widget_get_root (widget));
  graphene_rect_t bounds;

  part = part != NULL ? gtk_widget_get_ancestor (part, type) : NULL;
  if (part == NULL || !gtk_widget_compute_bounds (part, widget, &bounds))
    return NULL;

  *at = (GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width,
                         (int) bounds.size.height };
  return part;
}

static GMenuModel *
chip_menu (GtkWidget    *widget,
           double        x,
           double        y,
           GdkRectangle *at,
           gpointer      data)
{
  AppHeadsPart *self = data;
  GtkWidget *chip = find_part (widget, x, y, UI_TYPE_HEAD_CHIP, at);

  if (chip == NULL || app_picture_get_shown (self->picture) == NULL)
    return NULL;

  return app_desk_new_head_menu (self->desk, app_picture_get_shown (self->picture)->layer,
                                 ui_head_chip_get_head (UI_HEAD_CHIP (chip)));
}

static GMenuModel *
layer_menu (GtkWidget    *widget,
            double        x,
            double        y,
            GdkRectangle *at,
            gpointer      data)
{
  AppHeadsPart *self = data;
  GtkWidget *button = find_part (widget, x, y, GTK_TYPE_TOGGLE_BUTTON, at);

  if (button == NULL)
    return NULL;

  return app_desk_new_head_menu (self->desk, atoi (gtk_button_get_label (GTK_BUTTON (button))), -1);
}

static void
add_actions (AppHeadsPart *self)
{
  static const GActionEntry entries[] = {
    { "previous-layer", previous_layer },
    { "next-layer", next_layer },
    { "head", head, "i" },
    { "all-heads", all_heads },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->layer_picker, "notify::selected",
                            G_CALLBACK (layer_selected_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->head_picker, "notify::selected",
                            G_CALLBACK (head_selected_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->chips, "changed", G_CALLBACK (heads_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->desk, "compact-changed", G_CALLBACK (sync_room), self,
                           G_CONNECT_SWAPPED);
  ui_context_menu_attach (GTK_WIDGET (self->chips), chip_menu, self);
  ui_context_menu_attach (GTK_WIDGET (self->layer_picker), layer_menu, self);
}

/* Until the trace is drawn the pickers are those of the picture that is on show. */
static void
sync_heads (AppPart *part)
{
  AppHeadsPart *self = APP_HEADS_PART (part);
  const UiDocument *shown = app_picture_get_shown (self->picture);

  show_controls (self);
  if (app_picture_is_current (self->picture)) {
    show_pickers (self);
    show_chips (self);
  }
  app_desk_set_enabled (self->desk, "all-heads",
                        shown != NULL && !ui_view_get (shown->view)->has_one_head);
}

static void
load_widgets (AppHeadsPart *self)
{
  app_part_load_ui (self, "heads");
  app_part_place (self, "kind_box", "pickers_heads");
  app_part_place (self, "layer_box", "pickers_heads");
  app_part_place (self, "head_controls", "pickers_heads");
  app_part_place (self, "neuron_controls", "pickers_neurons");
  app_part_place (self, "chip_row", "row_heads");
  app_part_place (self, "chip_hint", "pickers_hint");
  self->chip_hint = app_part_get_object (self, "chip_hint");
  self->kind_box = app_part_get_object (self, "kind_box");
  self->layer_box = app_part_get_object (self, "layer_box");
  self->layer_picker = app_part_get_object (self, "layer_picker");
  self->head_controls = app_part_get_object (self, "head_controls");
  self->neuron_controls = app_part_get_object (self, "neuron_controls");
  self->head_picker = app_part_get_object (self, "head_picker");
  self->band_box = app_part_get_object (self, "band_box");
  self->sort_button = app_part_get_object (self, "sort_button");
  self->chip_row = app_part_get_object (self, "chip_row");
  self->chips = app_part_get_object (self, "chips");
}

static void
begin (AppPart *part)
{
  AppHeadsPart *self = APP_HEADS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  load_widgets (self);
  add_actions (self);
}

static void
theme (AppPart *part)
{
  AppHeadsPart *self = APP_HEADS_PART (part);

  ui_head_chips_set_theme (self->chips,
                           ui_scene_view_get_theme (app_picture_get_view (self->picture)));
}

static void
app_heads_part_finalize (GObject *object)
{
  AppHeadsPart *self = APP_HEADS_PART (object);

  g_clear_pointer (&self->chip_attention, eng_attention_unref);
  g_clear_pointer (&self->chip_scene, ui_scene_unref);
  G_OBJECT_CLASS (app_heads_part_parent_class)->finalize (object);
}

static void
app_heads_part_class_init (AppHeadsPartClass *klass)
{
  g_type_ensure (UI_TYPE_HEAD_CHIPS);
  g_type_ensure (UI_TYPE_LAYER_PICKER);
  g_type_ensure (UI_TYPE_WRAP_BOX);
  G_OBJECT_CLASS (klass)->finalize = app_heads_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->theme = theme;
  APP_PART_CLASS (klass)->sync = sync_heads;
}

static void
app_heads_part_init (AppHeadsPart *self)
{
}
