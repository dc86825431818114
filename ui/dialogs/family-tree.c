/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/family-tree.h"

#include "ui/boxes/stop-box.h"
#include "ui/dialogs/family-tree-layout.h"

#define YEAR_GAP 8
#define LINE 1.5
#define OPEN_LINE 2.5
#define STEM_TOP 3   /* below the name of a branch */
#define FAINT 0.3    /* of the text's colour */
#define FAMILY "headlight-family"

typedef struct {
  GtkWidget *button;
  EngBranch  branch;
  int        place;     /* along its branch */
  int        n_models;
} Leaf;

struct _UiFamilyTree {
  GtkWidget  parent_instance;

  GtkWidget *root;
  GtkWidget *headings[ENG_N_BRANCHES];
  GArray    *leaves;    /* of Leaf, by family */
  int        open;      /* family; -1 = none */
};

G_DEFINE_FINAL_TYPE (UiFamilyTree, ui_family_tree, GTK_TYPE_WIDGET)

enum { LEAF_ACTIVATED, N_SIGNALS };

static guint signals[N_SIGNALS];

static const struct { const char *name; const char *words; } branches[ENG_N_BRANCHES] = {
  [ENG_BRANCH_ENCODER] = { "Encoder-only", "every token reads all others" },
  [ENG_BRANCH_DECODER] = { "Decoder-only", "a token reads those before it" },
  [ENG_BRANCH_TWO_STACKS] = { "Encoder–decoder", "a decoder reads an encoder" },
};

static Leaf *
get_leaf (UiFamilyTree *self,
          int           family)
{
  return &g_array_index (self->leaves, Leaf, family);
}

/* Layout. */

static void
measure_natural (GtkWidget *widget,
                 int       *width,
                 int       *height)
{
  GtkRequisition natural;

  gtk_widget_get_preferred_size (widget, NULL, &natural);
  *width = MAX (*width, natural.width);
  *height = MAX (*height, natural.height);
}

/* Headings are as high as they are in a branch that is as wide as a leaf. */
static void
find_sizes (UiFamilyTree *self,
            UiTreeSizes  *sizes)
{
  *sizes = (UiTreeSizes) { 0 };
  measure_natural (self->root, &sizes->root_width, &sizes->root_height);
  for (int i = 0; i < ENG_N_BRANCHES; i++) {
    int least;

    gtk_widget_measure (self->headings[i], GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL,
                        NULL);
    sizes->heading_width = MAX (sizes->heading_width, least);
  }
  for (guint i = 0; i < self->leaves->len; i++) {
    Leaf *leaf = get_leaf (self, (int) i);

    measure_natural (leaf->button, &sizes->leaf_width, &sizes->leaf_height);
    sizes->n_leaves[leaf->branch]++;
  }
}

static UiTreeShape
find_shape (UiFamilyTree *self,
            int           width,
            UiTreeSizes  *sizes)
{
  UiTreeShape shape;

  find_sizes (self, sizes);
  shape = ui_tree_find_shape (sizes, width);
  for (int i = 0; i < ENG_N_BRANCHES; i++)
    gtk_widget_measure (self->headings[i], GTK_ORIENTATION_VERTICAL, shape.branch_width,
                        &sizes->heading_height[i], NULL, NULL, NULL);
  /* Side by side the stems begin at one height. */
  for (int i = 1; i < ENG_N_BRANCHES && !shape.is_stacked; i++)
    sizes->heading_height[0] = MAX (sizes->heading_height[0], sizes->heading_height[i]);
  for (int i = 1; i < ENG_N_BRANCHES && !shape.is_stacked; i++)
    sizes->heading_height[i] = sizes->heading_height[0];
  return shape;
}

static void
ui_family_tree_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  UiFamilyTree *self = UI_FAMILY_TREE (widget);
  UiTreeSizes sizes;
  UiTreeShape shape;

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    find_sizes (self, &sizes);
    *minimum = ui_tree_get_least_width (&sizes);
    *natural = ui_tree_get_full_width (&sizes);
    return;
  }
  find_sizes (self, &sizes);
  shape = find_shape (self, for_size >= 0 ? for_size : ui_tree_get_full_width (&sizes), &sizes);
  *minimum = *natural = ui_tree_get_height (&sizes, &shape);
}

static GtkSizeRequestMode
ui_family_tree_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
allocate (GtkWidget   *widget,
          UiTreePlace  place)
{
  const GtkAllocation allocation = { place.x, place.y, place.width, place.height };

  gtk_widget_size_allocate (widget, &allocation, -1);
}

static void
ui_family_tree_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  UiFamilyTree *self = UI_FAMILY_TREE (widget);
  UiTreeSizes sizes;
  const UiTreeShape shape = find_shape (self, width, &sizes);

  allocate (self->root, ui_tree_place_root (&sizes, &shape, width));
  for (int i = 0; i < ENG_N_BRANCHES; i++) {
    const gboolean is_centred = shape.n_columns == 2;

    gtk_label_set_xalign (GTK_LABEL (self->headings[i]), is_centred ? 0.5f : 0);
    gtk_label_set_justify (GTK_LABEL (self->headings[i]),
                           is_centred ? GTK_JUSTIFY_CENTER : GTK_JUSTIFY_LEFT);
    allocate (self->headings[i], ui_tree_place_heading (&sizes, &shape, width, (EngBranch) i));
  }
  for (guint i = 0; i < self->leaves->len; i++) {
    const Leaf *leaf = get_leaf (self, (int) i);

    allocate (leaf->button, ui_tree_place_leaf (&sizes, &shape, width, leaf->branch,
                                                leaf->place));
  }
}

/* Drawing. */

typedef struct {
  UiFamilyTree      *self;
  const UiTreeSizes *sizes;
  const UiTreeShape *shape;
  int                width;
  cairo_t           *cr;
} Drawing;

/* From the root to the name of a branch, or along a trunk at the left to the stem below it. */
static void
trace_bough (const Drawing *drawing,
             EngBranch      branch)
{
  const UiTreePlace root = ui_tree_place_root (drawing->sizes, drawing->shape, drawing->width);
  const UiTreePlace heading = ui_tree_place_heading (drawing->sizes, drawing->shape,
                                                     drawing->width, branch);
  const double bottom = root.y + root.height;

  if (drawing->shape->is_stacked) {
    const double x = heading.x / 3.0;
    const double y = heading.y + heading.height + STEM_TOP;

    cairo_move_to (drawing->cr, x, bottom);
    cairo_line_to (drawing->cr, x, y - heading.x / 2.0);
    cairo_curve_to (drawing->cr, x, y, x, y, heading.x, y);
    cairo_line_to (drawing->cr, ui_tree_get_stem (drawing->sizes, drawing->shape, drawing->width,
                                                  branch), y);
  } else {
    const double from = root.x + root.width / 2.0;
    const double to = drawing->shape->n_columns == 2
                      ? heading.x + heading.width / 2.0
                      : ui_tree_get_stem (drawing->sizes, drawing->shape, drawing->width, branch);
    const double middle = (bottom + heading.y) / 2.0;

    cairo_move_to (drawing->cr, from, bottom);
    cairo_curve_to (drawing->cr, from, middle, to, middle, to, heading.y - 2);
  }
}

/* From the foot of a branch's name to a leaf: along the stem, then to the side. */
static void
trace_twig (const Drawing *drawing,
            const Leaf    *leaf,
            gboolean       from_above)
{
  const UiTreePlace heading = ui_tree_place_heading (drawing->sizes, drawing->shape,
                                                     drawing->width, leaf->branch);
  const UiTreePlace place = ui_tree_place_leaf (drawing->sizes, drawing->shape, drawing->width,
                                                leaf->branch, leaf->place);
  const double stem = ui_tree_get_stem (drawing->sizes, drawing->shape, drawing->width,
                                        leaf->branch);
  const double to = place.x > stem ? place.x : place.x + place.width;
  const double y = place.y + place.height / 2.0;
  const double bend = place.height / 2.0;

  if (from_above) {
    cairo_move_to (drawing->cr, stem, heading.y + heading.height + STEM_TOP);
    cairo_line_to (drawing->cr, stem, y - bend);
  } else {
    cairo_move_to (drawing->cr, stem, y - bend);
  }
  cairo_curve_to (drawing->cr, stem, y - bend / 4, stem + (to - stem) / 4, y, to, y);
}

static void
draw_lines (const Drawing *drawing)
{
  UiFamilyTree *self = drawing->self;
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (self->root), &color);
  color.alpha *= (float) FAINT;
  gdk_cairo_set_source_rgba (drawing->cr, &color);
  cairo_set_line_width (drawing->cr, LINE);
  for (int i = 0; i < ENG_N_BRANCHES; i++)
    trace_bough (drawing, (EngBranch) i);
  for (guint i = 0; i < self->leaves->len; i++) {
    const Leaf *leaf = get_leaf (self, (int) i);

    /* The last of a branch brings its whole stem. */
    trace_twig (drawing, leaf, leaf->place == drawing->sizes->n_leaves[leaf->branch] - 1);
  }
  cairo_stroke (drawing->cr);
}

static void
draw_way_to_open (const Drawing *drawing)
{
  UiFamilyTree *self = drawing->self;
  const Leaf *leaf;
  GdkRGBA color;

  if (self->open < 0)
    return;
  leaf = get_leaf (self, self->open);
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  gdk_cairo_set_source_rgba (drawing->cr, &color);
  cairo_set_line_width (drawing->cr, OPEN_LINE);
  trace_bough (drawing, leaf->branch);
  trace_twig (drawing, leaf, TRUE);
  cairo_stroke (drawing->cr);
}

static void
ui_family_tree_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  UiFamilyTree *self = UI_FAMILY_TREE (widget);
  const int width = gtk_widget_get_width (widget);
  UiTreeSizes sizes;
  const UiTreeShape shape = find_shape (self, width, &sizes);
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) width,
                                                     (float) gtk_widget_get_height (widget));
  const Drawing drawing = {
    self, &sizes, &shape, width, gtk_snapshot_append_cairo (snapshot, &bounds)
  };

  draw_lines (&drawing);
  draw_way_to_open (&drawing);
  cairo_destroy (drawing.cr);
  GTK_WIDGET_CLASS (ui_family_tree_parent_class)->snapshot (widget, snapshot);
}

/* Leaves. */

static void
clicked_cb (GtkWidget    *button,
            UiFamilyTree *self)
{
  g_signal_emit (self, signals[LEAF_ACTIVATED], 0,
                 GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), FAMILY)), button);
}

static void
set_class (GtkWidget  *widget,
           const char *name,
           gboolean    is_set)
{
  if (is_set)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

static void
sync_leaf (UiFamilyTree *self,
           int           family)
{
  const EngFamily *of = eng_family_get_nth (family);
  const Leaf *leaf = get_leaf (self, family);
  g_autofree char *models = leaf->n_models == 1 ? g_strdup ("1 model on this computer")
                            : leaf->n_models > 1
                            ? g_strdup_printf ("%d models on this computer", leaf->n_models)
                            : g_strdup ("none on this computer");
  g_autofree char *state = g_strdup_printf ("%s, %d: %s%s", of->title, of->year,
                                            family == self->open ? "of the open model; " : "",
                                            models);

  set_class (leaf->button, "here", leaf->n_models > 0);
  set_class (leaf->button, "open", family == self->open);
  gtk_widget_set_tooltip_text (leaf->button, state);
  gtk_accessible_update_property (GTK_ACCESSIBLE (leaf->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  state, -1);
}

static GtkWidget *
leaf_new (const EngFamily *family)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, YEAR_GAP);
  GtkWidget *title = gtk_label_new (family->title);
  g_autofree char *year = g_strdup_printf ("%d", family->year);
  GtkWidget *when = gtk_label_new (year);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (when, "year");
  gtk_widget_add_css_class (when, "numeric");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), when);
  return g_object_new (GTK_TYPE_BUTTON, "child", box, NULL);
}

/* How many of a branch stand before it: those of earlier years, and of its own year those that the
 * registry has before it. */
static int
find_place (int family)
{
  const EngFamily *of = eng_family_get_nth (family);
  int n = 0;

  for (int i = 0; i < eng_family_get_n_families (); i++) {
    const EngFamily *other = eng_family_get_nth (i);

    if (eng_family_get_branch (other) == eng_family_get_branch (of)
        && (other->year < of->year || (other->year == of->year && i < family)))
      n++;
  }
  return n;
}

static void
add_leaf (UiFamilyTree *self,
          int           family)
{
  const EngFamily *of = eng_family_get_nth (family);
  const Leaf leaf = { leaf_new (of), eng_family_get_branch (of), find_place (family), 0 };

  g_array_append_val (self->leaves, leaf);
  g_object_set_data (G_OBJECT (leaf.button), FAMILY, GINT_TO_POINTER (family));
  g_signal_connect (leaf.button, "clicked", G_CALLBACK (clicked_cb), self);
  sync_leaf (self, family);
}

/* Keys go through a branch from its beginning on. */
static void
append_leaves (UiFamilyTree *self,
               EngBranch     branch)
{
  for (guint place = 0; place < self->leaves->len; place++)
    for (guint i = 0; i < self->leaves->len; i++) {
      const Leaf *leaf = get_leaf (self, (int) i);

      if (leaf->branch == branch && leaf->place == (int) place)
        gtk_widget_set_parent (leaf->button, GTK_WIDGET (self));
    }
}

static GtkWidget *
heading_new (EngBranch branch)
{
  g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b>\n<small>%s</small>",
                                                     branches[branch].name,
                                                     branches[branch].words);
  GtkWidget *heading = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (heading), markup);
  gtk_label_set_wrap (GTK_LABEL (heading), TRUE);
  return heading;
}

static gboolean
ui_family_tree_focus (GtkWidget        *widget,
                      GtkDirectionType  direction)
{
  UiFamilyTree *self = UI_FAMILY_TREE (widget);

  return ui_stop_box_move (widget, direction,
                           self->open >= 0 ? get_leaf (self, self->open)->button : NULL,
                           GTK_WIDGET_CLASS (ui_family_tree_parent_class));
}

static void
ui_family_tree_dispose (GObject *object)
{
  UiFamilyTree *self = UI_FAMILY_TREE (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->leaves, g_array_unref);
  G_OBJECT_CLASS (ui_family_tree_parent_class)->dispose (object);
}

static void
ui_family_tree_class_init (UiFamilyTreeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_family_tree_dispose;
  widget_class->measure = ui_family_tree_measure;
  widget_class->get_request_mode = ui_family_tree_get_request_mode;
  widget_class->size_allocate = ui_family_tree_size_allocate;
  widget_class->snapshot = ui_family_tree_snapshot;
  widget_class->focus = ui_family_tree_focus;
  gtk_widget_class_set_css_name (widget_class, "familytree");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);

  signals[LEAF_ACTIVATED] = g_signal_new ("leaf-activated", UI_TYPE_FAMILY_TREE,
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                          G_TYPE_INT, GTK_TYPE_WIDGET);
}

static void
ui_family_tree_init (UiFamilyTree *self)
{
  self->open = -1;
  self->leaves = g_array_new (FALSE, FALSE, sizeof (Leaf));
  self->root = gtk_label_new ("Transformer, 2017");
  gtk_widget_add_css_class (self->root, "root");
  gtk_widget_set_parent (self->root, GTK_WIDGET (self));
  for (int i = 0; i < eng_family_get_n_families (); i++)
    add_leaf (self, i);
  for (int i = 0; i < ENG_N_BRANCHES; i++) {
    self->headings[i] = heading_new ((EngBranch) i);
    gtk_widget_set_parent (self->headings[i], GTK_WIDGET (self));
    append_leaves (self, (EngBranch) i);
  }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Families of models", -1);
}

GtkWidget *
ui_family_tree_new (void)
{
  return g_object_new (UI_TYPE_FAMILY_TREE, NULL);
}

void
ui_family_tree_set_here (UiFamilyTree *self,
                         int           family,
                         int           n_models)
{
  g_return_if_fail (UI_IS_FAMILY_TREE (self));

  get_leaf (self, family)->n_models = n_models;
  sync_leaf (self, family);
}

void
ui_family_tree_set_open (UiFamilyTree *self,
                         int           family)
{
  const int before = self->open;

  g_return_if_fail (UI_IS_FAMILY_TREE (self));

  self->open = family;
  if (before >= 0)
    sync_leaf (self, before);
  if (family >= 0)
    sync_leaf (self, family);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GtkWidget *
ui_family_tree_get_leaf (UiFamilyTree *self,
                         int           family)
{
  g_return_val_if_fail (UI_IS_FAMILY_TREE (self), NULL);

  return get_leaf (self, family)->button;
}
