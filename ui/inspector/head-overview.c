/* SPDX-License-Identifier: MIT */
#include "ui/inspector/head-overview.h"

#include "ui/controls/words.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/edited-heads.h"
#include "ui/scene/base/plain-words.h"
#include "ui/scene/base/thumbnail.h"
#include "ui/scene/model/model-facts.h"
#include "ui/scene/views/panels.h"
#include "ui/view/scene-facts.h"

#define MAP 60
#define LEAST_CHARS 8
#define SPACING 12

enum { SIGNAL_CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

typedef struct {
  GtkWidget *widget;  /* GtkListBoxRow, of the list */
  GtkWidget *name;
  GtkWidget *pattern;
  int        layer;
  int        head;
} HeadRow;

struct _UiHeadOverview {
  GtkWidget  parent_instance;

  UiScene   *scene;    /* that is shown; NULL = none */
  gboolean   is_whole; /* what its head reads was known */
  UiTheme    theme;

  GtkWidget *head;
  GtkWidget *map;      /* GtkPicture */
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *evidence;
  GtkWidget *heads;    /* GtkListBox */
  GPtrArray *rows;     /* of HeadRow, in the list's order */
};

G_DEFINE_FINAL_TYPE (UiHeadOverview, ui_head_overview, GTK_TYPE_WIDGET)

static void
capitalize (char *text)
{
  *text = g_ascii_toupper (*text);
}

static void
show_text (GtkWidget  *label,
           const char *text)
{
  gtk_label_set_text (GTK_LABEL (label), text != NULL ? text : "");
  gtk_widget_set_visible (label, text != NULL);
}

gboolean
ui_head_overview_has_rows (const UiScene *scene)
{
  return ui_panels_count_heads (scene) > 1 || ui_scene_get_weights (scene)->n_heads > 1;
}

static void
show_title (UiHeadOverview *self)
{
  const gboolean is_mean = ui_view_get (ui_scene_get_document (self->scene)->view)->has_one_number;
  const int n_panels = ui_panels_count_heads (self->scene);
  g_autofree char *scope = n_panels > 1 ? g_strdup_printf ("%d heads", n_panels)
                                        : ui_describe_scope (self->scene, is_mean);

  capitalize (scope);
  show_text (self->title, scope);
}

static void
show_map (UiHeadOverview *self)
{
  const UiWeights *weights = ui_scene_get_weights (self->scene);
  const int size = MAP * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  UiThumbnail map;

  gtk_widget_set_visible (self->map, !ui_head_overview_has_rows (self->scene));
  if (ui_head_overview_has_rows (self->scene))
    return;
  ui_thumbnail_init (&map, weights, weights->heads[0], self->theme, size);
  ui_thumbnail_enlarge (&map, size);
  bytes = g_bytes_new_take (g_steal_pointer (&map.pixels), (gsize) size * size * 4);
  texture = gdk_memory_texture_new (size, size, GDK_MEMORY_DEFAULT, bytes, (gsize) size * 4);
  gtk_picture_set_paintable (GTK_PICTURE (self->map), GDK_PAINTABLE (texture));
  ui_thumbnail_clear (&map);
}

/* NULL where what is shown is no head of the trace. */
static void
show_pattern (UiHeadOverview *self)
{
  const int head = ui_head_overview_has_rows (self->scene) ? -1
                                                           : ui_scene_get_only_head (self->scene);
  const EngHeadFacts *facts = head >= 0 ? ui_plain_find_facts (self->scene) : NULL;
  g_autofree char *subtitle = NULL;
  g_autofree char *evidence = NULL;
  g_autofree char *sentence = NULL;
  UiSceneFacts scene;

  if (facts != NULL) {
    ui_scene_facts_init (&scene, self->scene);
    subtitle = g_strconcat (eng_pattern_get_title (facts[head].label),
                            ui_scene_is_edited (self->scene, head) ? ", edited" : "", NULL);
    evidence = ui_model_describe_evidence (scene.trace, scene.kind, scene.layer, head);
  }
  if (evidence != NULL) {
    capitalize (evidence);
    sentence = g_strconcat (evidence, ".", NULL);
  }
  show_text (self->subtitle, subtitle);
  show_text (self->evidence, sentence);
}

static HeadRow *
add_row (UiHeadOverview *self)
{
  HeadRow *row = g_new0 (HeadRow, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);

  row->widget = gtk_list_box_row_new ();
  row->name = gtk_label_new (NULL);
  row->pattern = g_object_new (GTK_TYPE_LABEL, "xalign", 1.0f, "hexpand", TRUE,
                               "ellipsize", PANGO_ELLIPSIZE_END, NULL);
  gtk_widget_add_css_class (row->pattern, "dim-label");
  gtk_box_append (GTK_BOX (box), row->name);
  gtk_box_append (GTK_BOX (box), row->pattern);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row->widget), box);
  gtk_list_box_append (GTK_LIST_BOX (self->heads), row->widget);
  g_ptr_array_add (self->rows, row);
  return row;
}

/* names_layer: rows are of several. */
static void
fill_row (UiHeadOverview *self,
          HeadRow        *row,
          const UiScene  *scene,
          int             head,
          gboolean        names_layer)
{
  const UiWeights *weights = ui_scene_get_weights (scene);
  const EngHeadFacts *facts =
    weights->block.layers == UI_AGGREGATE_EACH ? ui_plain_find_facts (scene) : NULL;
  const UiColor color = ui_palette_head (self->theme, head);
  const char *title = facts != NULL ? eng_pattern_get_title (facts[head].label) : "";
  g_autofree char *edited = g_strconcat (title, ui_scene_is_edited (scene, head) ? ", edited" : "",
                                         NULL);
  const int layer = ui_scene_get_document (scene)->layer;
  g_autofree char *number = names_layer ? g_strdup_printf ("%d.%d", layer, head)
                                        : g_strdup_printf ("%d", head);
  g_autofree char *markup = g_strdup_printf ("<span foreground=\"#%02x%02x%02x\">●</span> Head %s",
                                             color.r, color.g, color.b, number);
  g_autofree char *sentence = g_strdup_printf ("Show head %s alone, %s", number, edited);

  row->layer = layer;
  row->head = head;
  gtk_label_set_markup (GTK_LABEL (row->name), markup);
  gtk_label_set_text (GTK_LABEL (row->pattern), edited);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  sentence, -1);
}

/* Rows are filled anew, not made anew: a key that is typed changes a few words of them. */
static void
fill_rows (UiHeadOverview *self,
           const UiScene  *scene,
           gboolean        names_layer,
           guint          *n)
{
  const UiWeights *weights = ui_scene_get_weights (scene);

  for (int i = 0; i < weights->n_heads; i++, (*n)++) {
    HeadRow *row = *n < self->rows->len ? self->rows->pdata[*n] : add_row (self);

    fill_row (self, row, scene, weights->heads[i], names_layer);
  }
}

static void
drop_rows (UiHeadOverview *self,
           guint           n)
{
  while (self->rows->len > n) {
    const HeadRow *row = self->rows->pdata[self->rows->len - 1];

    gtk_list_box_remove (GTK_LIST_BOX (self->heads), row->widget);
    g_ptr_array_remove_index (self->rows, self->rows->len - 1);
  }
}

static void
show_heads (UiHeadOverview *self)
{
  const gboolean has_rows = ui_head_overview_has_rows (self->scene);
  const int n_panels = ui_panels_count_heads (self->scene);
  guint n = 0;

  gtk_widget_set_visible (self->heads, has_rows);
  for (int i = 0; i < n_panels && has_rows; i++)
    fill_rows (self, ui_panels_get_head (self->scene, i), TRUE, &n);
  if (n_panels == 0 && has_rows)
    fill_rows (self, self->scene, FALSE, &n);
  drop_rows (self, n);
}

static const HeadRow *
find_row (UiHeadOverview *self,
          GtkWidget      *widget)
{
  for (guint i = 0; i < self->rows->len; i++) {
    const HeadRow *row = self->rows->pdata[i];

    if (row->widget == widget)
      return row;
  }
  return NULL;
}

gboolean
ui_head_overview_find_row (UiHeadOverview  *self,
                           double           x,
                           double           y,
                           UiItem          *item,
                           GtkWidget      **row)
{
  double list_x, list_y;
  const HeadRow *found;

  g_return_val_if_fail (UI_IS_HEAD_OVERVIEW (self), FALSE);

  if (!gtk_widget_get_mapped (self->heads))
    return FALSE;
  *row = gtk_widget_get_focus_child (self->heads);
  if (x >= 0) {
    gtk_widget_translate_coordinates (GTK_WIDGET (self), self->heads, x, y, &list_x, &list_y);
    *row = gtk_widget_contains (self->heads, list_x, list_y)
           ? GTK_WIDGET (gtk_list_box_get_row_at_y (GTK_LIST_BOX (self->heads), (int) list_y))
           : NULL;
  }
  found = find_row (self, *row);
  if (found == NULL)
    return FALSE;
  *item = (UiItem) { .type = UI_ITEM_HEAD, .layer = found->layer, .head = found->head };
  return TRUE;
}

static void
activated_cb (UiHeadOverview *self,
              GtkListBoxRow  *row)
{
  const HeadRow *found = find_row (self, GTK_WIDGET (row));

  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, found->layer, found->head);
}

static void
ui_head_overview_dispose (GObject *object)
{
  UiHeadOverview *self = UI_HEAD_OVERVIEW (object);

  g_clear_pointer (&self->head, gtk_widget_unparent);
  g_clear_pointer (&self->evidence, gtk_widget_unparent);
  g_clear_pointer (&self->heads, gtk_widget_unparent);
  g_clear_pointer (&self->scene, ui_scene_unref);
  G_OBJECT_CLASS (ui_head_overview_parent_class)->dispose (object);
}

static void
ui_head_overview_finalize (GObject *object)
{
  g_ptr_array_unref (UI_HEAD_OVERVIEW (object)->rows);
  G_OBJECT_CLASS (ui_head_overview_parent_class)->finalize (object);
}

static void
ui_head_overview_class_init (UiHeadOverviewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_head_overview_dispose;
  G_OBJECT_CLASS (klass)->finalize = ui_head_overview_finalize;
  signals[SIGNAL_CHOSEN] =
    g_signal_new ("head-chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "headoverview");
}

/* Its least width is said: to find that of a text costs as much as to lay it out. */
static GtkWidget *
build_text (const char *css_class)
{
  GtkWidget *label = ui_words_label_new (NULL, css_class);

  gtk_label_set_width_chars (GTK_LABEL (label), LEAST_CHARS);
  return label;
}

static GtkWidget *
build_head (UiHeadOverview *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  self->map = g_object_new (GTK_TYPE_PICTURE, "can-shrink", FALSE, "valign", GTK_ALIGN_START,
                            "width-request", MAP, "height-request", MAP, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->map), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Map of the head", -1);
  self->title = build_text ("title-4");
  self->subtitle = build_text ("dim-label");
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (texts), self->title);
  gtk_box_append (GTK_BOX (texts), self->subtitle);
  gtk_box_append (GTK_BOX (box), self->map);
  gtk_box_append (GTK_BOX (box), texts);
  return box;
}

static void
ui_head_overview_init (UiHeadOverview *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), SPACING);
  self->head = build_head (self);
  self->evidence = build_text ("body");
  self->heads = gtk_list_box_new ();
  self->rows = g_ptr_array_new_with_free_func (g_free);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->heads), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->heads), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Heads that are drawn", -1);
  g_signal_connect_swapped (self->heads, "row-activated", G_CALLBACK (activated_cb), self);
  gtk_widget_set_parent (self->head, GTK_WIDGET (self));
  gtk_widget_set_parent (self->evidence, GTK_WIDGET (self));
  gtk_widget_set_parent (self->heads, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ui_head_overview_new (void)
{
  return g_object_new (UI_TYPE_HEAD_OVERVIEW, NULL);
}

static void
forget (UiHeadOverview *self)
{
  g_clear_pointer (&self->scene, ui_scene_unref);
}

/* Whether what its heads read was known. */
static gboolean
is_known (UiScene *scene)
{
  const int n_panels = ui_panels_count_heads (scene);

  for (int i = 0; i < n_panels; i++)
    if (ui_plain_find_facts (ui_panels_get_head (scene, i)) == NULL)
      return FALSE;
  return n_panels > 0 || ui_scene_get_only_head (scene) < 0 || ui_plain_find_facts (scene) != NULL;
}

static void
show (UiHeadOverview *self,
      UiScene        *scene)
{
  self->scene = ui_scene_ref (scene);
  self->is_whole = is_known (scene);
  show_title (self);
  show_map (self);
  show_pattern (self);
  show_heads (self);
}

void
ui_head_overview_set (UiHeadOverview *self,
                      UiScene        *scene,
                      gboolean        is_shown,
                      UiTheme         theme)
{
  g_return_if_fail (UI_IS_HEAD_OVERVIEW (self));

  if (scene != self->scene || theme != self->theme || !self->is_whole)
    forget (self);
  self->theme = theme;
  is_shown = is_shown && scene != NULL;
  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (is_shown && self->scene == NULL)
    show (self, scene);
}
