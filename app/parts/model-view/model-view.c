/* SPDX-License-Identifier: MIT */
/* The model view in the window: opening and collecting heads, their order, and the finder of
 * patterns. What heads are sorted and found by is computed once for each trace, beside the window
 * where that takes longer than a moment. */
#include "app/parts/model-view/model-view-private.h"

#include <math.h>

#include "app/desk/shortcuts.h"
#include "engine/base/error.h"
#include "ui/document/fit.h"
#include "ui/scene/model/model-facts.h"

#define N_BEST 4 /* heads that the finder names of each pattern */
#define FINDING_CHARS 10 /* "11.11 0.86" */
/* Weights of a trace whose facts are there within a frame. */
#define LIGHT (1 << 19)

G_DEFINE_FINAL_TYPE (AppModelViewPart, app_model_view_part, APP_TYPE_PART)

typedef struct {
  EngTrace *trace;
  EngKind   kind;
} Preparation;

typedef struct {
  UiCell cell;
  float  score;
} Finding;

static void
free_preparation (gpointer data)
{
  Preparation *self = data;

  eng_trace_unref (self->trace);
  g_free (self);
}

static gpointer
prepare (AppJob    *job,
         gpointer   data,
         GError   **error)
{
  const Preparation *self = data;

  if (ui_model_prepare (self->trace, self->kind, app_job_get_cancel (job), app_job_report_parts,
                        job))
    return eng_trace_ref (self->trace);

  g_set_error (error, ENG_ERROR, ENG_ERROR_CANCELLED,
               "The patterns of the heads were not measured");
  return NULL;
}

static gboolean
has_facts (AppModelViewPart *self,
           EngKind           kind)
{
  return self->facts_trace == app_study_get_trace (self->study) && self->facts_kind == kind;
}

static void
keep_facts (AppModelViewPart *self,
            EngTrace         *trace,
            EngKind           kind)
{
  eng_trace_ref (trace);
  g_clear_pointer (&self->facts_trace, eng_trace_unref);
  self->facts_trace = trace;
  self->facts_kind = kind;
}

static void update_finder (AppModelViewPart *self);

/* A person who cancels wants the grid. */
static void
prepared (AppJob       *job,
          gpointer      result,
          const GError *error,
          gpointer      data)
{
  AppModelViewPart *self = data;
  EngKind kind = self->preparing_kind;
  g_autoptr (EngTrace) trace = result;

  app_desk_end_job (self->desk);
  if (trace != NULL) {
    if (trace == app_study_get_trace (self->study))
      keep_facts (self, trace, kind);
    app_desk_refresh (self->desk);
    update_finder (self);
    return;
  }
  if (app_study_get_document (self->study)->order != UI_ORDER_LAYER) {
    UiDocument *document = ui_document_copy (app_study_get_document (self->study));

    document->order = UI_ORDER_LAYER;
    app_study_change (self->study, document);
  }
}

static gboolean
is_light (EngTrace *trace,
          EngKind   kind)
{
  gsize n_layers = (gsize) eng_trace_get_n_layers (trace, kind);
  gsize n_pairs =
    (gsize) eng_trace_get_n_queries (trace, kind) * eng_trace_get_n_keys (trace, kind);

  return n_layers * eng_trace_get_n_heads (trace, kind) * n_pairs <= LIGHT;
}

/* Sees to it that the facts will be there; whether they are. */
static gboolean
ensure_facts (AppModelViewPart *self,
              EngKind           kind)
{
  static const AppJobClass klass = {
    .run = prepare,
    .done = prepared,
    .free_result = (GDestroyNotify) eng_trace_unref,
    .free_data = free_preparation,
  };
  Preparation *preparation;

  if (has_facts (self, kind))
    return TRUE;
  if (!eng_trace_is_complete (app_study_get_trace (self->study)))
    return FALSE;
  if (is_light (app_study_get_trace (self->study), kind)) {
    ui_model_prepare (app_study_get_trace (self->study), kind, NULL, NULL, NULL);
    keep_facts (self, app_study_get_trace (self->study), kind);
    return TRUE;
  }
  /* What runs already was asked for before. */
  if (app_desk_has_job (self->desk))
    return FALSE;
  preparation = g_new (Preparation, 1);
  *preparation = (Preparation) { eng_trace_ref (app_study_get_trace (self->study)), kind };
  self->preparing_kind = kind;
  app_desk_start_job (self->desk, "Measuring the patterns of the heads", &klass, preparation, self);
  return FALSE;
}

/* What the heads will be sorted by. */
static void
prepare_order (AppPart *part)
{
  AppModelViewPart *self = APP_MODEL_VIEW_PART (part);
  const UiDocument *document = app_study_get_document (self->study);
  EngTrace *trace = app_study_get_trace (self->study);
  EngKind kind;

  if (self->facts_trace != trace)
    g_clear_pointer (&self->facts_trace, eng_trace_unref);
  if (trace == NULL || !app_picture_sorts_heads (document))
    return;
  kind = ui_fit_get_kind (document, trace);
  if (ensure_facts (self, kind))
    app_picture_allow_order (self->picture, trace, kind);
}

/* Takes the document over. Nothing stands beside each other once nothing is collected. */
static void
change_panels (AppModelViewPart *self,
               UiDocument       *document)
{
  if (document->panels.n == 0 && document->compare == UI_COMPARE_HEADS)
    document->compare = UI_COMPARE_OFF;
  app_study_change (self->study, document);
}

static void
click_head (AppModelViewPart *self,
            const UiItem     *item,
            gboolean          collect)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  if (collect) {
    ui_cells_toggle (&document->panels, item->layer, item->head);
  } else {
    document->view = UI_VIEW_HEAD;
    document->layer = item->layer;
    /* The head alone, whatever was collected. */
    if (document->compare == UI_COMPARE_HEADS)
      document->compare = UI_COMPARE_OFF;
    /* A rollout is of all heads together. */
    if (document->measure != ENG_MEASURE_ROLLOUT)
      ui_head_set_only (&document->heads, item->head);
  }
  change_panels (self, document);
}

static void
order_selected_cb (AppModelViewPart *self)
{
  UiDocument *document;

  if (app_desk_is_syncing (self->desk))
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  document->order = (UiOrder) gtk_drop_down_get_selected (self->order_choice);
  app_study_change (self->study, document);
}

/* The row of what was collected. */

static void
drop_panel_cb (AppModelViewPart *self,
               GtkWidget        *button)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  const UiCell *cell = g_object_get_data (G_OBJECT (button), "cell");

  ui_cells_toggle (&document->panels, cell->layer, cell->head);
  change_panels (self, document);
}

static void
drop_panels_cb (AppModelViewPart *self)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  ui_cells_clear (&document->panels);
  change_panels (self, document);
}

static GtkWidget *
new_panel_chip (AppModelViewPart *self,
                int               index,
                const UiCell     *cell)
{
  char letter[UI_MODEL_LETTER_SIZE];
  g_autofree char *name = g_strdup_printf ("%s  %d.%d", ui_model_format_letter (index, letter),
                                           cell->layer, cell->head);
  g_autofree char *tooltip = g_strdup_printf ("Take head %d of layer %d out", cell->head,
                                              cell->layer);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), gtk_label_new (name));
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("window-close-symbolic"));
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "collected");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_object_set_data_full (G_OBJECT (button), "cell", g_memdup2 (cell, sizeof *cell), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (drop_panel_cb), self, G_CONNECT_SWAPPED);
  return button;
}

static gboolean
shows_panels (AppModelViewPart *self,
              const UiCells    *panels)
{
  GtkWidget *child = gtk_widget_get_first_child (self->collected_row);

  for (int i = 0; i < panels->n; i++) {
    const UiCell *cell;

    child = child != NULL ? gtk_widget_get_next_sibling (child) : NULL;
    cell = child != NULL ? g_object_get_data (G_OBJECT (child), "cell") : NULL;
    if (cell == NULL || cell->layer != panels->cells[i].layer
        || cell->head != panels->cells[i].head)
      return FALSE;
  }
  child = child != NULL ? gtk_widget_get_next_sibling (child) : NULL;
  return child != NULL && g_object_get_data (G_OBJECT (child), "cell") == NULL;
}

/* Behind the chips; the last button leads from the grid to the heads. */
static void
append_panel_buttons (AppModelViewPart *self)
{
  GtkWidget *clear = gtk_button_new_with_label ("Clear");
  GtkWidget *side_by_side = gtk_button_new_with_label ("Side by Side");

  gtk_widget_add_css_class (clear, "flat");
  gtk_widget_set_tooltip_text (clear, "Take all collected heads out");
  g_signal_connect_object (clear, "clicked", G_CALLBACK (drop_panels_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (clear, self->collected_row);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (side_by_side), "win.compare::heads");
  app_shortcuts_explain (side_by_side);
  gtk_widget_set_parent (side_by_side, self->collected_row);
}

static void
fill_panels (AppModelViewPart *self,
             const UiCells    *panels)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->collected_row)) != NULL)
    gtk_widget_unparent (child);
  child = gtk_label_new ("Collected");
  gtk_widget_add_css_class (child, "dim-label");
  gtk_widget_set_parent (child, self->collected_row);
  for (int i = 0; i < panels->n; i++)
    gtk_widget_set_parent (new_panel_chip (self, i, &panels->cells[i]), self->collected_row);
  append_panel_buttons (self);
}

static void
sync_panels (AppModelViewPart *self)
{
  const UiCells *panels = &app_study_get_document (self->study)->panels;
  gboolean is_grid = ui_view_get (app_study_get_document (self->study)->view)->has_all_heads;
  gboolean is_compared = app_study_get_document (self->study)->compare == UI_COMPARE_HEADS;
  GtkWidget *child;

  gtk_widget_set_visible (self->collected_row, panels->n > 0 && (is_grid || is_compared));
  if (panels->n > 0 && !shows_panels (self, panels))
    fill_panels (self, panels);
  child = gtk_widget_get_last_child (self->collected_row);
  if (child != NULL)
    gtk_widget_set_visible (child, is_grid);
}

/* The finder. */

static int
compare_findings (gconstpointer a,
                  gconstpointer b)
{
  float first = ((const Finding *) a)->score, second = ((const Finding *) b)->score;

  return (first < second) - (first > second);
}

/* The heads with the highest scores; scores that are no number do not take part. */
static int
find_best (AppModelViewPart *self,
           EngPattern        pattern,
           Finding          *best)
{
  EngKind kind = app_picture_get_shown (self->picture)->kind;
  g_autoptr (GArray) findings = g_array_new (FALSE, FALSE, sizeof (Finding));

  for (int layer = 0; layer < eng_trace_get_n_layers (app_study_get_trace (self->study), kind);
       layer++) {
    const EngHeadFacts *facts =
      eng_trace_get_head_facts (app_study_get_trace (self->study), kind, layer);

    for (int head = 0;
         head < eng_trace_get_n_heads (app_study_get_trace (self->study), kind) && facts != NULL;
         head++) {
      Finding finding = { { layer, head }, facts[head].scores[pattern] };

      if (!isnan (finding.score))
        g_array_append_val (findings, finding);
    }
  }
  g_array_sort (findings, compare_findings);
  for (guint i = 0; i < MIN (findings->len, N_BEST); i++)
    best[i] = g_array_index (findings, Finding, i);
  return (int) MIN (findings->len, N_BEST);
}

static void
go_to_head_cb (AppModelViewPart *self,
               GtkWidget        *button)
{
  const UiCell *cell = g_object_get_data (G_OBJECT (button), "cell");
  UiItem item = { .type = UI_ITEM_HEAD, .layer = cell->layer, .head = cell->head };

  gtk_menu_button_popdown (self->find_button);
  gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
  ui_scene_view_set_cursor (app_picture_get_view (self->picture), &item);
}

static GtkWidget *
new_finding (AppModelViewPart *self,
             const Finding    *finding)
{
  char score[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = NULL;
  g_autofree char *tooltip = g_strdup_printf ("Go to head %d of layer %d", finding->cell.head,
                                              finding->cell.layer);
  GtkWidget *button;
  GtkLabel *label;

  g_ascii_formatd (score, sizeof score, "%.2f", finding->score);
  text = g_strdup_printf ("%d.%d <span alpha='60%%'>%s</span>", finding->cell.layer,
                          finding->cell.head, score);
  button = gtk_button_new_with_label ("");
  label = GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button)));
  gtk_label_set_markup (label, text);
  gtk_label_set_width_chars (label, FINDING_CHARS);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "finding");
  gtk_widget_set_tooltip_text (button, tooltip);
  g_object_set_data_full (G_OBJECT (button), "cell",
                          g_memdup2 (&finding->cell, sizeof finding->cell), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (go_to_head_cb), self, G_CONNECT_SWAPPED);
  return button;
}

/* NULL where no head has a score. */
static GtkWidget *
new_pattern_row (AppModelViewPart *self,
                 EngPattern        pattern)
{
  Finding best[N_BEST];
  int n = find_best (self, pattern, best);
  GtkWidget *row, *box, *label;

  if (n == 0)
    return NULL;
  row = gtk_list_box_row_new ();
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  label = g_object_new (GTK_TYPE_LABEL,
                        "label", eng_pattern_get_title (pattern),
                        "xalign", 0.0f,
                        "hexpand", TRUE,
                        "margin-end", 12,
                        NULL);
  gtk_box_append (GTK_BOX (box), label);
  for (int i = 0; i < n; i++)
    gtk_box_append (GTK_BOX (box), new_finding (self, &best[i]));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "pattern", GINT_TO_POINTER (pattern));
  g_object_set_data_full (G_OBJECT (row), "cell", g_memdup2 (&best[0].cell, sizeof best[0].cell),
                          g_free);
  return row;
}

/* What stands there while no row does. */
static void
set_finder_hint (AppModelViewPart *self,
                 const char       *sentence)
{
  GtkWidget *hint = gtk_label_new (sentence);

  gtk_widget_add_css_class (hint, "dim-label");
  gtk_list_box_set_placeholder (self->finder_list, hint);
}

static void
update_finder (AppModelViewPart *self)
{
  GtkWidget *row;

  if (!gtk_widget_get_visible (GTK_WIDGET (gtk_menu_button_get_popover (self->find_button))))
    return;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->finder_list))) != NULL
         && GTK_IS_LIST_BOX_ROW (row))
    gtk_list_box_remove (self->finder_list, row);
  set_finder_hint (self, "Measuring the heads…");
  if (app_picture_get_shown (self->picture) == NULL
      || !ensure_facts (self, app_picture_get_shown (self->picture)->kind))
    return;
  set_finder_hint (self, "No pattern of this name");
  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++) {
    row = new_pattern_row (self, (EngPattern) pattern);
    if (row != NULL)
      gtk_list_box_append (self->finder_list, row);
  }
}

/* By the beginning of the name or of any word of the title. */
static gboolean
matches (GtkListBoxRow *row,
         gpointer       data)
{
  AppModelViewPart *self = data;
  EngPattern pattern =
    (EngPattern) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), "pattern"));
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->finder_entry));

  return *text == '\0' || g_str_match_string (text, eng_pattern_get_title (pattern), TRUE)
         || g_str_match_string (text, eng_pattern_get_name (pattern), TRUE);
}

static void
row_activated_cb (AppModelViewPart *self,
                  GtkListBoxRow    *row)
{
  go_to_head_cb (self, GTK_WIDGET (row));
}

/* Return in the entry takes the first row that is left. */
static void
finder_activated_cb (AppModelViewPart *self)
{
  for (int i = 0; ; i++) {
    GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->finder_list, i);

    if (row == NULL)
      return;
    if (gtk_widget_get_child_visible (GTK_WIDGET (row))) {
      row_activated_cb (self, row);
      return;
    }
  }
}

static void
finder_shown_cb (AppModelViewPart *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->finder_entry), "");
  update_finder (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->finder_entry));
}

static GtkWidget *
build_finder (AppModelViewPart *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  self->finder_entry = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  g_object_set (self->finder_entry, "placeholder-text", "Pattern: next, separator, …", NULL);
  self->finder_list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->finder_list, GTK_SELECTION_NONE);
  gtk_list_box_set_filter_func (self->finder_list, matches, self, NULL);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->finder_entry));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->finder_list));
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  g_signal_connect_swapped (self->finder_entry, "changed",
                            G_CALLBACK (gtk_list_box_invalidate_filter), self->finder_list);
  g_signal_connect_object (self->finder_entry, "activate", G_CALLBACK (finder_activated_cb), self,
                           G_CONNECT_SWAPPED);
  /* The entry takes Escape for itself. */
  g_signal_connect_swapped (self->finder_entry, "stop-search",
                            G_CALLBACK (gtk_menu_button_popdown), self->find_button);
  g_signal_connect_swapped (self->finder_list, "row-activated", G_CALLBACK (row_activated_cb),
                            self);
  g_signal_connect_object (popover, "show", G_CALLBACK (finder_shown_cb), self, G_CONNECT_SWAPPED);
  return popover;
}

static void
find_pattern (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppModelViewPart *self = data;

  if (app_picture_get_shown (self->picture) == NULL)
    return;
  if (!ui_view_get (app_study_get_document (self->study)->view)->has_all_heads) {
    UiDocument *document = ui_document_copy (app_study_get_document (self->study));

    document->view = UI_VIEW_MODEL;
    app_study_change (self->study, document);
  }
  gtk_menu_button_popup (self->find_button);
}

static void
init_controls (AppModelViewPart *self)
{
  gtk_menu_button_set_popover (self->find_button, build_finder (self));
  g_signal_connect_swapped (self->order_choice, "notify::selected", G_CALLBACK (order_selected_cb),
                            self);
  app_shortcuts_explain_as (GTK_WIDGET (self->find_button), "win.find-pattern");
  app_shortcuts_explain_as (GTK_WIDGET (self->order_choice), "win.order::pattern");
}

static void
add_actions (AppModelViewPart *self)
{
  static const GActionEntry entries[] = { { "find-pattern", find_pattern } };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

static void
sync_model_view (AppModelViewPart *self)
{
  gboolean is_grid = ui_view_get (app_study_get_document (self->study)->view)->has_all_heads;

  gtk_widget_set_visible (self->model_controls, is_grid);
  gtk_drop_down_set_selected (self->order_choice, app_study_get_document (self->study)->order);
  /* Of a rollout every layer has but one map. */
  gtk_widget_set_sensitive (GTK_WIDGET (self->order_choice),
                            app_study_get_document (self->study)->measure != ENG_MEASURE_ROLLOUT);
  sync_panels (self);
}

static void
begin (AppPart *part)
{
  AppModelViewPart *self = APP_MODEL_VIEW_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  self->model_controls = app_desk_get_widget (self->desk, "model_controls");
  self->order_choice = app_desk_get_widget (self->desk, "order_choice");
  self->find_button = app_desk_get_widget (self->desk, "find_button");
  self->collected_row = app_desk_get_widget (self->desk, "collected_row");
  init_controls (self);
  add_actions (self);
}

static void
sync_part (AppPart *part)
{
  sync_model_view (APP_MODEL_VIEW_PART (part));
}

static gboolean
click_part (AppPart      *part,
            const UiItem *item,
            gboolean      extend)
{
  if (item->type != UI_ITEM_HEAD)
    return FALSE;

  click_head (APP_MODEL_VIEW_PART (part), item, extend);
  return TRUE;
}

static void
app_model_view_part_finalize (GObject *object)
{
  AppModelViewPart *self = APP_MODEL_VIEW_PART (object);

  g_clear_pointer (&self->facts_trace, eng_trace_unref);
  G_OBJECT_CLASS (app_model_view_part_parent_class)->finalize (object);
}

static void
app_model_view_part_class_init (AppModelViewPartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = app_model_view_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->prepare = prepare_order;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->click = click_part;
}

static void
app_model_view_part_init (AppModelViewPart *self)
{
}
