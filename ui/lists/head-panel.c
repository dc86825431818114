/* SPDX-License-Identifier: MIT */
#include "ui/lists/head-panel.h"

#include <math.h>

#include "ui/controls/bar-row.h"
#include "ui/controls/steady-label.h"
#include "ui/controls/words.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/model/model-facts.h"

#define MAP 256
#define SPACING 16

struct _UiHeadPanel {
  GtkWidget  parent_instance;

  int        layer;     /* that is shown; -1 = none */
  int        head;

  GtkWidget *empty;
  GtkWidget *content;
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *picture;
  GtkWidget *label;     /* pattern and evidence */
  GtkWidget *scores;    /* UiBarRow by pattern */
};

G_DEFINE_FINAL_TYPE (UiHeadPanel, ui_head_panel, GTK_TYPE_WIDGET)

static const struct {
  const char *keys;
  const char *does;
} keys[] = {
  { "Return", "opens the head, as a double click" },
  { "Space", "collects it" },
  { "Esc", "lets go of the one clicked" },
  { "/", "finds a pattern" },
  { "← ↑ ↓ →", "move" },
};

static gboolean
has_head (UiScene *scene,
          int      layer,
          int      head)
{
  UiItem item = { .type = UI_ITEM_HEAD, .layer = layer, .head = head };
  UiRect rect;

  return layer >= 0 && ui_scene_get_rect (scene, &item, &rect);
}

/* What is pointed at, else what was, else the head that is marked. */
static void
choose (UiHeadPanel  *self,
        UiScene      *scene,
        const UiItem *item)
{
  const UiDocument *document = ui_scene_get_document (scene);
  int n_heads = eng_trace_get_n_heads (ui_scene_get_trace (scene), ui_scene_get_kind (scene));

  if (item->type == UI_ITEM_HEAD) {
    self->layer = item->layer;
    self->head = item->head;
  } else if (!has_head (scene, self->layer, self->head)) {
    gboolean is_marked = ui_head_set_count (&document->heads, n_heads) < n_heads;

    self->layer = is_marked ? document->layer : -1;
    self->head = ui_head_set_first (&document->heads, n_heads);
  }
}

static void
show_map (UiHeadPanel *self,
          UiScene     *scene,
          UiTheme      theme)
{
  int size = MAP * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  UiThumbnail map;

  gtk_widget_set_visible (self->picture, FALSE);
  if (!ui_model_make_map (scene, self->layer, self->head, theme, size, &map))
    return;
  ui_thumbnail_enlarge (&map, size);
  bytes = g_bytes_new_take (map.pixels, (gsize) size * size * 4);
  texture = gdk_memory_texture_new (size, size, GDK_MEMORY_DEFAULT, bytes, (gsize) size * 4);
  gtk_picture_set_paintable (GTK_PICTURE (self->picture), GDK_PAINTABLE (texture));
  gtk_widget_set_visible (self->picture, TRUE);
}

/* "0.39 of its attention crosses", "entropy 1.04 bits" */
static char *
describe_facts (EngKind             kind,
                const EngHeadFacts *facts)
{
  g_autofree char *entropy = ui_words_number ("%.2f", facts->entropy);
  g_autofree char *share = NULL;

  if (kind == ENG_KIND_CROSS || isnan (facts->pair_share))
    return g_strdup_printf ("entropy %s bits", entropy);
  share = ui_words_number ("%.2f", facts->pair_share);
  return g_strdup_printf ("%s of its attention crosses\nentropy %s bits", share, entropy);
}

static void
show_scores (UiHeadPanel        *self,
             const EngHeadFacts *facts,
             UiTheme             theme)
{
  GtkWidget *row = gtk_widget_get_first_child (self->scores);

  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++) {
    double score = facts->scores[pattern];
    UiBarPart part = { score, ui_palette_head (theme, self->head) };

    gtk_widget_set_visible (row, !isnan (score));
    if (!isnan (score)) {
      g_autofree char *number = ui_words_number ("%.2f", score);
      g_autofree char *sentence = g_strdup_printf ("%s: score %s",
                                                   eng_pattern_get_title ((EngPattern) pattern),
                                                   number);

      ui_bar_row_set (UI_BAR_ROW (row), eng_pattern_get_short ((EngPattern) pattern), number,
                      sentence);
      ui_bar_row_set_parts (UI_BAR_ROW (row), &part, 1, 0, 1);
    }
    row = gtk_widget_get_next_sibling (row);
  }
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

  show_map (self, scene, theme);
  gtk_widget_set_visible (self->subtitle, facts != NULL);
  gtk_widget_set_visible (self->scores, facts != NULL);
  if (facts == NULL) {
    ui_steady_label_take_text (UI_STEADY_LABEL (self->title),
                               g_strdup_printf ("Layer %d", self->layer));
    ui_steady_label_take_text (UI_STEADY_LABEL (self->label), ui_scene_describe (scene, &item));
    return;
  }
  facts += self->head;
  ui_steady_label_take_text (UI_STEADY_LABEL (self->title),
                             g_strdup_printf ("Head %d of layer %d", self->head, self->layer));
  ui_steady_label_take_text (UI_STEADY_LABEL (self->subtitle), describe_facts (kind, facts));
  ui_steady_label_take_text (UI_STEADY_LABEL (self->label),
                             ui_model_describe_pattern (trace, kind, self->layer, self->head));
  show_scores (self, facts, theme);
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

static GtkWidget *
new_section (const char *heading,
             GtkWidget  *child)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  gtk_box_append (GTK_BOX (box), new_label (heading, "dim-label"));
  gtk_box_append (GTK_BOX (box), child);
  return box;
}

static GtkWidget *
build_scores (void)
{
  GtkWidget *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
    gtk_box_append (GTK_BOX (list), ui_bar_row_new ());
  return list;
}

static GtkWidget *
build_keys (void)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  for (int i = 0; i < (int) G_N_ELEMENTS (keys); i++) {
    GtkWidget *key = new_label (keys[i].keys, "keycap");

    gtk_widget_set_halign (key, GTK_ALIGN_START);
    gtk_grid_attach (GTK_GRID (grid), key, 0, i, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), new_label (keys[i].does, NULL), 1, i, 1, 1);
  }
  return grid;
}

static GtkWidget *
build_content (UiHeadPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  GtkWidget *top = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  self->title = ui_steady_label_new ("heading");
  self->subtitle = ui_steady_label_new ("dim-label");
  self->label = ui_steady_label_new (NULL);
  self->scores = build_scores ();
  self->picture = g_object_new (GTK_TYPE_PICTURE,
                                "width-request", MAP,
                                "height-request", MAP,
                                "halign", GTK_ALIGN_START,
                                "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                                NULL);
  gtk_box_append (GTK_BOX (top), self->title);
  gtk_box_append (GTK_BOX (top), self->subtitle);
  gtk_box_append (GTK_BOX (box), top);
  gtk_box_append (GTK_BOX (box), self->picture);
  gtk_box_append (GTK_BOX (box), new_section ("Pattern", self->label));
  gtk_box_append (GTK_BOX (box), new_section ("Scores", self->scores));
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
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "headpanel");
}

static void
ui_head_panel_init (UiHeadPanel *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), SPACING);
  self->layer = -1;
  self->empty = new_label ("Point at a head to read here what it does. A click stays with it, a "
                           "double click opens it, with Control it is collected.", "dim-label");
  self->content = build_content (self);
  gtk_widget_set_parent (self->empty, GTK_WIDGET (self));
  gtk_widget_set_parent (self->content, GTK_WIDGET (self));
  gtk_widget_set_parent (new_section ("Keys", build_keys ()), GTK_WIDGET (self));
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
