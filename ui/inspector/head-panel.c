/* SPDX-License-Identifier: MIT */
#include "ui/inspector/head-panel.h"

#include <math.h>
#include <string.h>

#include "ui/controls/bar-row.h"
#include "ui/controls/steady-label.h"
#include "ui/controls/words.h"
#include "ui/document/amount.h"
#include "ui/inspector/head-actions.h"
#include "ui/inspector/head-picture.h"
#include "ui/lists/reading-list.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/layer-words.h"
#include "ui/scene/base/readings.h"
#include "ui/scene/model/model-facts.h"
#include "ui/view/scene-facts.h"

#define SPACING 14
#define N_SCORES 7
#define N_LINKS 4
#define LIGHT (1 << 19)        /* weights whose strongest are found within a frame */
#define SHORTEST_FULL_BAR 0.05 /* of the unit: noise is not drawn large */

enum { SIGNAL_CLICKED, N_SIGNALS };

static guint signals[N_SIGNALS];

struct _UiHeadPanel {
  GtkWidget  parent_instance;

  int        layer;     /* that is shown; -1 = none */
  int        head;
  int        marked_layer; /* of the document when it was set; -1 = none */
  int        marked_head;
  gboolean   is_open;   /* links stand in place of the map */

  GtkWidget *empty;
  GtkWidget *content;
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *pattern;   /* GtkLabel */
  GtkWidget *choice;    /* map or links */
  GtkWidget *picture;   /* UiHeadPicture */
  GtkWidget *actions;   /* UiHeadActions */
  GtkWidget *label;     /* pattern and evidence */
  GtkWidget *scores;    /* UiBarRow, best first */
  GtkWidget *strongest; /* UiReadingList of links */
};

G_DEFINE_FINAL_TYPE (UiHeadPanel, ui_head_panel, GTK_TYPE_WIDGET)

static gboolean
has_head (UiScene *scene,
          int      layer,
          int      head)
{
  EngTrace *trace = ui_scene_get_trace (scene);
  const EngKind kind = ui_scene_get_kind (scene);

  return layer >= 0 && layer < eng_trace_get_n_layers (trace, kind) && head >= 0
         && head < eng_trace_get_n_heads (trace, kind);
}

/* Takes the head that the document marks: of several the first, of all of them none. FALSE = the same
 * as before. */
static gboolean
mark (UiHeadPanel *self,
      UiScene     *scene)
{
  const UiDocument *document = ui_scene_get_document (scene);
  const int n_heads = eng_trace_get_n_heads (ui_scene_get_trace (scene), ui_scene_get_kind (scene));
  const gboolean is_marked = ui_head_set_count (&document->heads, n_heads) < n_heads;
  const int layer = is_marked ? document->layer : -1;
  const int head = ui_head_set_first (&document->heads, n_heads);

  if (layer == self->marked_layer && head == self->marked_head)
    return FALSE;
  self->marked_layer = layer;
  self->marked_head = head;
  return TRUE;
}

/* What is pointed at, else what was since the last head was marked, else that. */
static void
choose (UiHeadPanel  *self,
        UiScene      *scene,
        const UiItem *item)
{
  const gboolean is_marked_anew = mark (self, scene);

  if (item->type == UI_ITEM_HEAD) {
    self->layer = item->layer;
    self->head = item->head;
  } else if (is_marked_anew || !has_head (scene, self->layer, self->head)) {
    self->layer = self->marked_layer;
    self->head = self->marked_head;
  }
}

/* "local: 128 tokens", "0.39 of its attention crosses", "entropy 1.04 bits" */
static char *
describe_facts (const EngTrace     *trace,
                EngKind             kind,
                int                 layer,
                const EngHeadFacts *facts)
{
  g_autofree char *reach = ui_layer_describe_reach (trace, kind, layer);
  g_autofree char *entropy = ui_words_number ("%.2f", facts->entropy);
  GString *text = g_string_new (NULL);

  if (reach != NULL)
    g_string_append_printf (text, "%s\n", reach);
  if (kind != ENG_KIND_CROSS && !isnan (facts->pair_share)) {
    g_autofree char *share = ui_words_number ("%.2f", facts->pair_share);

    g_string_append_printf (text, "%s of its attention crosses\n", share);
  }
  g_string_append_printf (text, "entropy %s bits", entropy);
  return g_string_free (text, FALSE);
}

static int
compare_scores (gconstpointer a,
                gconstpointer b,
                gpointer      scores)
{
  const float first = ((const float *) scores)[*(const int *) a];
  const float second = ((const float *) scores)[*(const int *) b];

  return first != second ? (first > second ? -1 : 1) : *(const int *) a - *(const int *) b;
}

/* The patterns that it follows best, [N_SCORES], and in any case the one that it is called after;
 * how many there are. */
static int
find_best (const EngHeadFacts *facts,
           int                *patterns)
{
  int sorted[ENG_N_PATTERNS];
  gboolean has_label = FALSE;
  int n = 0;

  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
    if (!isnan (facts->scores[pattern]))
      sorted[n++] = pattern;
  g_qsort_with_data (sorted, n, sizeof *sorted, compare_scores, (gpointer) facts->scores);
  n = MIN (n, N_SCORES);
  for (int i = 0; i < n; i++) {
    patterns[i] = sorted[i];
    has_label |= sorted[i] == (int) facts->label;
  }
  if (n > 0 && !has_label && !isnan (facts->scores[facts->label]))
    patterns[n - 1] = (int) facts->label;
  return n;
}

/* "same word, anywhere", for where the whole phrase has no room. */
static const char *
skip_article (const char *title)
{
  return g_str_has_prefix (title, "the ") ? title + strlen ("the ") : title;
}

/* The one that the head is called after has its colour. */
static void
show_scores (UiHeadPanel        *self,
             const EngHeadFacts *facts,
             UiTheme             theme)
{
  GtkWidget *row = gtk_widget_get_first_child (self->scores);
  int patterns[N_SCORES];
  const int n = find_best (facts, patterns);

  for (int i = 0; i < N_SCORES; i++) {
    gtk_widget_set_visible (row, i < n);
    if (i < n) {
      const double score = facts->scores[patterns[i]];
      const gboolean is_label = patterns[i] == (int) facts->label;
      const UiBarPart part = {
        score, is_label ? ui_palette_head (theme, self->head) : ui_palette_get (theme)->dim
      };
      const char *title = eng_pattern_get_title ((EngPattern) patterns[i]);
      g_autofree char *number = ui_words_number ("%.2f", score);
      g_autofree char *sentence = g_strdup_printf ("%s: %s of 1", title, number);

      ui_bar_row_set_brief (UI_BAR_ROW (row), skip_article (title));
      ui_bar_row_set (UI_BAR_ROW (row), title, number, sentence);
      ui_bar_row_set_parts (UI_BAR_ROW (row), &part, 1, 0, 1);
    }
    row = gtk_widget_get_next_sibling (row);
  }
}

static void
show_links (UiHeadPanel *self,
            UiTheme      theme)
{
  UiScene *links = ui_head_picture_get_links (UI_HEAD_PICTURE (self->picture));
  g_autoptr (GArray) strongest = NULL;
  UiSceneFacts facts;
  double full;

  gtk_widget_set_visible (self->strongest, FALSE);
  if (links == NULL)
    return;
  ui_scene_facts_init (&facts, links);
  if ((gint64) facts.queries->n * facts.keys->n > LIGHT)
    return;
  strongest = ui_readings_find_strongest (links, N_LINKS);
  if (strongest->len == 0)
    return;
  full = ui_amount_round_up (MAX (SHORTEST_FULL_BAR * facts.weights->block.unit,
                                  g_array_index (strongest, UiLinkReading, 0).weight));
  ui_reading_list_set_links (UI_READING_LIST (self->strongest), strongest, facts.weights,
                             facts.queries, facts.keys, full,
                             !ui_describe_has_two_stacks (facts.trace), theme);
  gtk_widget_set_visible (self->strongest, TRUE);
}

/* "● the same word in the other sentence" */
static void
show_pattern (UiHeadPanel        *self,
              const EngHeadFacts *facts,
              UiTheme             theme)
{
  const UiColor color = ui_palette_head (theme, self->head);
  g_autofree char *title = g_markup_escape_text (eng_pattern_get_title (facts->label), -1);
  g_autofree char *markup = g_strdup_printf ("<span foreground=\"#%02x%02x%02x\">●</span> %s",
                                             color.r, color.g, color.b, title);

  gtk_label_set_markup (GTK_LABEL (self->pattern), markup);
}

static void
show_head (UiHeadPanel *self,
           UiScene     *scene,
           UiTheme      theme)
{
  EngTrace *trace = ui_scene_get_trace (scene);
  EngKind kind = ui_scene_get_kind (scene);
  UiItem item = { .type = UI_ITEM_HEAD, .layer = self->layer, .head = self->head };
  gboolean is_rollout = ui_scene_get_document (scene)->measure == ENG_MEASURE_ROLLOUT;
  const EngHeadFacts *facts =
    is_rollout ? NULL : eng_trace_get_head_facts (trace, kind, self->layer);

  ui_head_picture_set (UI_HEAD_PICTURE (self->picture), scene, self->layer, self->head, theme);
  show_links (self, theme);
  ui_head_actions_set (UI_HEAD_ACTIONS (self->actions), self->layer, self->head, self->is_open,
                       ui_cells_has (&ui_scene_get_document (scene)->panels, self->layer,
                                     self->head),
                       ui_edit_find_zero (trace, kind, self->layer, self->head));
  gtk_widget_set_visible (self->pattern, facts != NULL);
  gtk_widget_set_visible (self->choice, facts != NULL);
  gtk_widget_set_visible (self->actions, facts != NULL);
  gtk_widget_set_visible (self->subtitle, facts != NULL);
  gtk_widget_set_visible (gtk_widget_get_parent (self->scores), facts != NULL);
  if (facts == NULL) {
    ui_steady_label_take_text (UI_STEADY_LABEL (self->title),
                               g_strdup_printf ("Layer %d", self->layer));
    ui_steady_label_take_text (UI_STEADY_LABEL (self->label), ui_scene_describe (scene, &item));
    return;
  }
  facts += self->head;
  ui_steady_label_take_text (UI_STEADY_LABEL (self->title),
                             g_strdup_printf ("Head %d of layer %d", self->head, self->layer));
  show_pattern (self, facts, theme);
  ui_steady_label_take_text (UI_STEADY_LABEL (self->subtitle),
                             describe_facts (trace, kind, self->layer, facts));
  ui_steady_label_take_text (UI_STEADY_LABEL (self->label),
                             ui_model_describe_pattern (trace, kind, self->layer, self->head));
  show_scores (self, facts, theme);
}

/* The link of a row. FALSE = there is no such row. */
static gboolean
find_link (UiHeadPanel *self,
           int          row,
           UiItem      *item)
{
  UiReadingList *list = UI_READING_LIST (self->strongest);
  int key, head;

  if (!ui_reading_list_get_row (list, row, &key, &head))
    return FALSE;
  *item = (UiItem) {
    .type = UI_ITEM_LINK, .head = head, .query = ui_reading_list_get_query (list, row), .key = key
  };
  return TRUE;
}

static void
aimed_cb (UiHeadPanel *self)
{
  UiItem item = { .type = UI_ITEM_NONE };

  find_link (self, ui_row_list_get_aim (UI_ROW_LIST (self->strongest)), &item);
  ui_head_picture_set_aim (UI_HEAD_PICTURE (self->picture), &item);
}

static void
row_clicked_cb (UiHeadPanel *self,
                int          row,
                gboolean     extend)
{
  UiItem item;

  if (find_link (self, row, &item))
    g_signal_emit (self, signals[SIGNAL_CLICKED], 0, &item, extend);
}

static void
row_opened_cb (UiHeadPanel *self,
               int          row)
{
  row_clicked_cb (self, row, FALSE);
}

static void
picture_clicked_cb (UiHeadPanel  *self,
                    const UiItem *item,
                    gboolean      extend)
{
  g_signal_emit (self, signals[SIGNAL_CLICKED], 0, item, extend);
}

static GtkWidget *
new_label (const char *text,
           const char *css_class)
{
  return g_object_new (GTK_TYPE_LABEL,
                       "label", text,
                       "xalign", 0.0f,
                       "wrap", TRUE,
                       "css-classes", (const char *[]) { css_class, NULL },
                       NULL);
}

/* "How clearly it follows", and of what the numbers are. */
static GtkWidget *
build_scores (UiHeadPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *heading = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *name = new_label ("How clearly it follows", "dim-label");

  self->scores = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (heading), name);
  gtk_box_append (GTK_BOX (heading), new_label ("of 1", "dim-label"));
  gtk_box_append (GTK_BOX (box), heading);
  gtk_box_append (GTK_BOX (box), self->scores);
  for (int i = 0; i < N_SCORES; i++)
    gtk_box_append (GTK_BOX (self->scores), ui_bar_row_new_for_phrase ());
  return box;
}

static GtkWidget *
build_choice (void)
{
  static const char *const names[][2] = {
    { "Map", "win.head-picture::map" }, { "Links", "win.head-picture::links" },
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "linked");
  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    GtkWidget *button = gtk_toggle_button_new_with_label (names[i][0]);

    gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), names[i][1]);
    gtk_widget_set_hexpand (button, TRUE);
    gtk_box_append (GTK_BOX (box), button);
  }
  return box;
}

static GtkWidget *
build_content (UiHeadPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  GtkWidget *top = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  self->title = ui_steady_label_new ("heading");
  self->pattern = new_label (NULL, "dim-label");
  self->subtitle = ui_steady_label_new ("dim-label");
  self->label = ui_steady_label_new (NULL);
  self->choice = build_choice ();
  self->picture = ui_head_picture_new ();
  self->actions = ui_head_actions_new ();
  self->strongest = ui_reading_list_new_links ("Strongest links");
  gtk_box_append (GTK_BOX (top), self->title);
  gtk_box_append (GTK_BOX (top), self->pattern);
  gtk_box_append (GTK_BOX (top), self->subtitle);
  gtk_box_append (GTK_BOX (box), top);
  gtk_box_append (GTK_BOX (box), self->choice);
  gtk_box_append (GTK_BOX (box), self->picture);
  gtk_box_append (GTK_BOX (box), self->actions);
  gtk_box_append (GTK_BOX (box), self->label);
  gtk_box_append (GTK_BOX (box), build_scores (self));
  gtk_box_append (GTK_BOX (box), self->strongest);
  g_signal_connect_swapped (self->picture, "clicked", G_CALLBACK (picture_clicked_cb), self);
  g_signal_connect_swapped (self->strongest, "aimed", G_CALLBACK (aimed_cb), self);
  g_signal_connect_swapped (self->strongest, "clicked", G_CALLBACK (row_clicked_cb), self);
  g_signal_connect_swapped (self->strongest, "opened", G_CALLBACK (row_opened_cb), self);
  return box;
}

static void
ui_head_panel_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ui_head_panel_parent_class)->dispose (object);
}

static void
ui_head_panel_class_init (UiHeadPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_head_panel_dispose;
  signals[SIGNAL_CLICKED] =
    g_signal_new ("clicked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "headpanel");
}

static void
ui_head_panel_init (UiHeadPanel *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), SPACING);
  self->layer = self->marked_layer = -1;
  self->empty = new_label ("Point at a head to read here what it does. A click stays with it, a "
                           "double click or Return shows its links here, Return once more opens it "
                           "in Heads. With Control or Space it is added to the picture.",
                           "dim-label");
  self->content = build_content (self);
  gtk_widget_set_parent (self->empty, GTK_WIDGET (self));
  gtk_widget_set_parent (self->content, GTK_WIDGET (self));
}

GtkWidget *
ui_head_panel_new (void)
{
  return g_object_new (UI_TYPE_HEAD_PANEL, NULL);
}

void
ui_head_panel_set (UiHeadPanel  *self,
                   UiScene      *scene,
                   const UiItem *item,
                   UiTheme       theme)
{
  gboolean is_shown;

  g_return_if_fail (UI_IS_HEAD_PANEL (self));

  choose (self, scene, item);
  is_shown = has_head (scene, self->layer, self->head) &&
             eng_trace_has_layer (ui_scene_get_trace (scene), ui_scene_get_kind (scene),
                                  self->layer);
  gtk_widget_set_visible (self->empty, !is_shown);
  gtk_widget_set_visible (self->content, is_shown);
  if (is_shown)
    show_head (self, scene, theme);
}

void
ui_head_panel_set_open (UiHeadPanel *self,
                        gboolean     is_open)
{
  g_return_if_fail (UI_IS_HEAD_PANEL (self));

  self->is_open = is_open;
  ui_head_picture_set_open (UI_HEAD_PICTURE (self->picture), is_open);
}
