/* SPDX-License-Identifier: MIT */
#include "ui/controls/what-if.h"

#include "engine/steps/knobs.h"
#include "ui/controls/number-row.h"
#include "ui/document/assignments.h"

#define MARGIN 12

/* Tooltips of the buttons. */
#define FEED "Makes edits of it: all layers behind, all views and the answer follow"
#define RESET "Takes back what was tried here"
#define NO_WEIGHTS "A trace file ends here: to feed it forward, open its model"
#define FILE_LACKS "Not here: a trace file does not have what this changes"
#define NOTHING "Nothing is tried here yet"

#define MASK "if-mask"
#define HIDE "if-hide"

typedef struct {
  UiNumberSpec spec;
  EngKnob      knob;
} NumberKnob;

static const NumberKnob number_knobs[] = {
  { { "if-scale", "Scale", "Products times this instead of 1/√d; 1 leaves them as they are", 0.001,
      10, 0.05, 3, TRUE, 1 }, ENG_KNOB_SCALE },
  { { "if-temperature", "Temperature", "Below 1 the softmax is surer, above it less", 0.05, 20, 0.05,
      2, FALSE, 1 }, ENG_KNOB_TEMPERATURE },
  { { "if-dimension", "Dimension off", "One dimension of q and k becomes 0", 0, 1, 1, 0, TRUE, 0,
      FILE_LACKS }, ENG_KNOB_DIMENSION },
};
#define N_NUMBERS G_N_ELEMENTS (number_knobs)

typedef struct {
  const char *field;
  const char *label;
  const char *tooltip;
  /* Why it cannot be chosen, all NULL where it always can: */
  const char *model_lacks;   /* in the first layer */
  const char *layer_lacks;   /* behind it */
  const char *reading_lacks; /* where another stack is read */
  EngKnob     knob;
} FlagKnob;

static const FlagKnob flag_knobs[] = {
  { "if-no-projections", "q = k = v", "Without the projections each word fits itself best", NULL,
    NULL, NULL, ENG_KNOB_PROJECTIONS },
  { "if-no-positions", "No positions", "The model no longer knows the order of words",
    "Not here: this model adds no positions",
    "Not here: the steps of this layer add no positions; where words have vectors for theirs, these "
    "enter before layer 0", "Not here: what reads the other side adds no positions",
    ENG_KNOB_POSITIONS },
  { "if-no-segments", "All of sentence A", "All words are of segment 0",
    "Not here: this model has no segments",
    "Not here: where a model has segments, they enter before layer 0",
    "Not here: what reads the other side has no segments", ENG_KNOB_SEGMENTS },
};
#define N_FLAGS G_N_ELEMENTS (flag_knobs)

struct _UiWhatIf {
  GtkWidget    parent_instance;

  GtkWidget   *box;
  UiNumberRow *numbers[N_NUMBERS];
  GtkWidget   *flags[N_FLAGS];  /* GtkCheckButton */
  GtkWidget   *mask;            /* GtkDropDown */
  GtkLabel    *note;            /* how a mask of one's own is made */
  GtkWidget   *reset;
  GtkWidget   *feed;
  gboolean     is_setting;      /* the controls follow the document, not a person */
  GArray      *assignments;     /* of fields: what was chosen last */
};

enum { SIGNAL_CHANGED, SIGNAL_FED_FORWARD, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiWhatIf, ui_what_if, GTK_TYPE_WIDGET)

static void
emit_changed (UiWhatIf *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  g_array_set_size (self->assignments, 0);
}

static void
number_cb (UiNumberRow *row,
           UiWhatIf    *self)
{
  g_autofree char *text = ui_number_row_dup_text (row);

  ui_assignments_add (self->assignments, ui_number_row_get_field (row), text);
  emit_changed (self);
}

static void
flag_cb (GtkCheckButton *check,
         GParamSpec     *pspec,
         UiWhatIf       *self)
{
  if (self->is_setting)
    return;
  for (gsize i = 0; i < N_FLAGS; i++)
    if (self->flags[i] == GTK_WIDGET (check))
      ui_assignments_add (self->assignments, flag_knobs[i].field,
                          gtk_check_button_get_active (check) ? "true" : "false");
  emit_changed (self);
}

/* Another mask than one's own hides what it hides and nothing besides. */
static void
mask_cb (UiWhatIf *self)
{
  const guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->mask));

  if (self->is_setting)
    return;
  ui_assignments_add (self->assignments, MASK, ui_fields_find (MASK)->choices[chosen]);
  if (chosen != UI_IF_MASK_OWN)
    ui_assignments_add (self->assignments, HIDE, "");
  emit_changed (self);
}

static void
take_back (UiWhatIf   *self,
           const char *field)
{
  ui_assignments_add (self->assignments, field, ui_fields_find (field)->fallback);
}

static void
reset_cb (UiWhatIf *self)
{
  for (gsize i = 0; i < N_NUMBERS; i++)
    take_back (self, number_knobs[i].spec.field);
  for (gsize i = 0; i < N_FLAGS; i++)
    take_back (self, flag_knobs[i].field);
  take_back (self, MASK);
  take_back (self, HIDE);
  emit_changed (self);
}

static void
feed_cb (UiWhatIf *self)
{
  g_signal_emit (self, signals[SIGNAL_FED_FORWARD], 0);
}

static void
append (UiWhatIf  *self,
        GtkWidget *child)
{
  gtk_box_append (GTK_BOX (self->box), child);
}

static GtkWidget *
build_button (UiWhatIf   *self,
              const char *label,
              void      (*clicked) (UiWhatIf *))
{
  GtkWidget *button = gtk_button_new_with_label (label);

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (clicked), self);
  append (self, button);
  return button;
}

static void
build_number (UiWhatIf     *self,
              gsize         i,
              GtkSizeGroup *values)
{
  GtkWidget *row = ui_number_row_new (&number_knobs[i].spec, values);

  g_signal_connect (row, "changed", G_CALLBACK (number_cb), self);
  self->numbers[i] = UI_NUMBER_ROW (row);
  append (self, row);
}

static void
build_flag (UiWhatIf *self,
            gsize     i)
{
  self->flags[i] = gtk_check_button_new_with_label (flag_knobs[i].label);
  g_signal_connect (self->flags[i], "notify::active", G_CALLBACK (flag_cb), self);
  append (self, self->flags[i]);
}

static void
build_mask (UiWhatIf     *self,
            GtkSizeGroup *values)
{
  static const char *const masks[] = { "As the model", "None", "Causal", "Padding", "Own", NULL };
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, MARGIN);
  GtkWidget *note = gtk_label_new (NULL), *name = gtk_label_new ("Mask");

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_set_tooltip_text (name, "What may not be read");
  self->mask = gtk_drop_down_new_from_strings (masks);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->mask), GTK_ACCESSIBLE_PROPERTY_LABEL, "Mask",
                                  -1);
  g_signal_connect_swapped (self->mask, "notify::selected", G_CALLBACK (mask_cb), self);
  gtk_size_group_add_widget (values, self->mask);
  gtk_box_append (GTK_BOX (row), name);
  gtk_box_append (GTK_BOX (row), self->mask);
  append (self, row);

  self->note = GTK_LABEL (note);
  gtk_label_set_xalign (self->note, 0);
  gtk_widget_add_css_class (note, "dim-label");
  append (self, note);
}

static void
ui_what_if_dispose (GObject *object)
{
  UiWhatIf *self = UI_WHAT_IF (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->assignments, g_array_unref);
  G_OBJECT_CLASS (ui_what_if_parent_class)->dispose (object);
}

static void
ui_what_if_class_init (UiWhatIfClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_what_if_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "whatif");
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", UI_TYPE_WHAT_IF, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FED_FORWARD] = g_signal_new ("fed-forward", UI_TYPE_WHAT_IF, G_SIGNAL_RUN_LAST, 0,
                                              NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ui_what_if_init (UiWhatIf *self)
{
  g_autoptr (GtkSizeGroup) values = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  GtkWidget *title = gtk_label_new ("What if, not fed forward");

  self->assignments = ui_assignments_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN / 2);
  gtk_widget_set_margin_start (self->box, MARGIN);
  gtk_widget_set_margin_end (self->box, MARGIN);
  gtk_widget_set_margin_top (self->box, MARGIN);
  gtk_widget_set_margin_bottom (self->box, MARGIN);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "heading");
  append (self, title);
  /* In the order of the steps. */
  build_number (self, 0, values);
  build_number (self, 1, values);
  build_mask (self, values);
  build_flag (self, 0);
  build_number (self, 2, values);
  build_flag (self, 1);
  build_flag (self, 2);
  self->feed = build_button (self, "Feed Forward", feed_cb);
  self->reset = build_button (self, "As the Model Is", reset_cb);

  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "What if", -1);
}

GtkWidget *
ui_what_if_new (void)
{
  return g_object_new (UI_TYPE_WHAT_IF, NULL);
}

static gboolean
is_set (const UiDocument *document,
        const char       *field)
{
  const UiField *found = ui_fields_find (field);
  g_autofree char *value = ui_document_get (document, found);

  return !g_str_equal (value, found->fallback);
}

gboolean
ui_what_if_is_on (const UiDocument *document)
{
  for (gsize i = 0; i < N_NUMBERS; i++)
    if (is_set (document, number_knobs[i].spec.field))
      return TRUE;
  for (gsize i = 0; i < N_FLAGS; i++)
    if (is_set (document, flag_knobs[i].field))
      return TRUE;
  return is_set (document, MASK) || is_set (document, HIDE);
}

gboolean
ui_what_if_has_own_mask (const UiDocument *document)
{
  return document->if_mask == UI_IF_MASK_OWN || document->if_hidden != NULL;
}

/* models: the number where the document has none. */
static void
set_number (UiWhatIf         *self,
            const UiDocument *document,
            gsize             i,
            gboolean          is_useful,
            double            models)
{
  const char *field = number_knobs[i].spec.field;
  g_autofree char *value = ui_document_get (document, ui_fields_find (field));

  ui_number_row_set (self->numbers[i], *value != '\0' ? g_ascii_strtod (value, NULL) : models,
                     is_set (document, field), is_useful);
}

static const char *
explain_lack (const FlagKnob   *knob,
              const UiWhatIfOf *of)
{
  if (!of->has_weights)
    return FILE_LACKS;
  if (of->kind == ENG_KIND_CROSS)
    return knob->reading_lacks;
  return of->layer == 0 ? knob->model_lacks : knob->layer_lacks;
}

static void
set_flag (UiWhatIf         *self,
          const UiDocument *document,
          gsize             i,
          const UiWhatIfOf *of)
{
  const FlagKnob *knob = &flag_knobs[i];
  const gboolean is_on = is_set (document, knob->field);
  const gboolean is_free = is_on || (of->useful & (1u << knob->knob)) != 0;

  gtk_widget_set_sensitive (self->flags[i], is_free);
  gtk_widget_set_tooltip_text (self->flags[i], is_free ? knob->tooltip : explain_lack (knob, of));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->flags[i]), is_on);
}

/* n: links that are hidden. The note breaks its own lines: a popover is measured before it wraps. */
static void
set_mask (UiWhatIf         *self,
          const UiDocument *document,
          int               n)
{
  const gboolean is_own = ui_what_if_has_own_mask (document);
  const UiIfMask shown = is_own && document->if_mask == UI_IF_MASK_MODEL ? UI_IF_MASK_OWN
                                                                          : document->if_mask;
  g_autofree char *note = g_strdup_printf (
    "Click numbers of the step “Mask”:\neach hides a key from a query,\nagain shows it. %d %s "
    "hidden;\nfed forward, they are cut links.", n, n == 1 ? "link is" : "links are");

  gtk_widget_set_visible (GTK_WIDGET (self->note), is_own);
  gtk_label_set_label (self->note, note);
  if (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->mask)) != (guint) shown)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->mask), shown);
}

/* Both act on what is tried. */
static void
set_buttons (UiWhatIf *self,
             gboolean  is_on,
             gboolean  has_weights)
{
  gtk_widget_set_sensitive (self->reset, is_on);
  gtk_widget_set_sensitive (self->feed, is_on && has_weights);
  gtk_widget_set_tooltip_text (self->reset, is_on ? RESET : NOTHING);
  gtk_widget_set_tooltip_text (self->feed, !has_weights ? NO_WEIGHTS : is_on ? FEED : NOTHING);
}

void
ui_what_if_set (UiWhatIf         *self,
                const UiDocument *document,
                const UiWhatIfOf *of)
{
  g_return_if_fail (UI_IS_WHAT_IF (self));

  self->is_setting = TRUE;
  for (gsize i = 0; i < N_NUMBERS; i++) {
    const EngKnob knob = number_knobs[i].knob;

    if (knob == ENG_KNOB_DIMENSION)
      ui_number_row_set_max (self->numbers[i], of->n_dimensions - 1);
    set_number (self, document, i, (of->useful & (1u << knob)) != 0,
                knob == ENG_KNOB_SCALE ? of->scale : 0);
  }
  for (gsize i = 0; i < N_FLAGS; i++)
    set_flag (self, document, i, of);
  set_mask (self, document, of->n_hidden);
  set_buttons (self, ui_what_if_is_on (document), of->has_weights);
  self->is_setting = FALSE;
}

void
ui_what_if_apply (UiWhatIf   *self,
                  UiDocument *document)
{
  g_return_if_fail (UI_IS_WHAT_IF (self));

  ui_assignments_apply (self->assignments, document);
}
