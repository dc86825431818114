/* SPDX-License-Identifier: MIT */
#include "ui/sentences/compare-bar.h"

#include <string.h>

#include "ui/boxes/fit-box.h"
#include "ui/boxes/wrap-box.h"
#include "ui/controls/quiet.h"
#include "ui/document/fit.h"
#include "ui/sentences/sentence-entry.h"

#define SAME       "same"
#define SAME_TEXT  "same text"
#define SAME_MODEL "same model"
#define TEXT_CHARS    6 /* at least */
#define HEADS_CHARS   12
#define MODEL_CHARS   22
#define SUMMARY_CHARS 13 /* "without edits" */
#define LEAST_SUMMARY 9  /* before it stands in a line of its own */

struct _UiCompareBar {
  GtkWidget   parent_instance;

  GtkWidget  *box;
  GtkWidget  *row;        /* UiWrapBox */
  GtkWidget  *title;      /* ring or spinner, the name */
  GtkWidget  *ring;
  GtkWidget  *text_a;
  GtkWidget  *gap;        /* as wide as what stands between the sentences above */
  GtkWidget  *text_b;
  GtkWidget  *end;        /* the menu, the cross */
  GtkWidget  *menu;       /* GtkMenuButton of all that is no text */
  GtkWidget  *summary;
  GtkWidget  *model;      /* GtkMenuButton */
  GtkWidget  *model_name;
  GtkWidget  *layer;      /* GtkDropDown: "same", then the layers */
  GtkWidget  *heads;
  GtkWidget  *plain;      /* without edits */
  GtkWidget  *spinner;
  GtkWidget  *note;

  UiDocument *document;   /* NULL before the first one */
  EngTrace   *first;      /* of the first side; nullable */
  gboolean    is_setting; /* the controls follow the document, not a person */
};

enum { SIGNAL_CHANGED, SIGNAL_SHORTENED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiCompareBar, ui_compare_bar, GTK_TYPE_WIDGET)

/* Takes the document over. */
static void
hand_on (UiCompareBar *self,
         UiDocument   *document)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0, document);
  ui_document_free (document);
}

/* FALSE where the field does not take the value. */
static gboolean
change_field (UiCompareBar  *self,
              const char    *name,
              const char    *value,
              GError       **error)
{
  UiDocument *document = ui_document_copy (self->document);

  if (!ui_document_set (document, ui_fields_find (name), value, error)) {
    ui_document_free (document);
    return FALSE;
  }
  hand_on (self, document);
  return TRUE;
}

static void
set_text (UiDocument *document,
          const char *name,
          const char *text)
{
  gboolean is_taken = ui_document_set (document, ui_fields_find (name), text, NULL);

  g_assert (is_taken);
}

/* The two texts are the second side's own together: who types one keeps the first side's other, and
 * who empties A has the first side's texts again. */
static void
text_changed_cb (UiCompareBar *self,
                 GtkWidget    *entry)
{
  UiDocument *document;
  const char *text_a, *text_b;

  if (self->is_setting)
    return;

  document = ui_document_copy (self->document);
  text_a = gtk_editable_get_text (GTK_EDITABLE (self->text_a));
  text_b = gtk_editable_get_text (GTK_EDITABLE (self->text_b));
  if (*text_a == '\0' && entry == self->text_b && *text_b != '\0')
    text_a = ui_fit_get_text (document, self->first, FALSE);
  if (!document->compare_text_a_set && entry == self->text_a)
    text_b = ui_fit_get_text (document, self->first, TRUE);
  set_text (document, "compare-text-a", text_a);
  set_text (document, "compare-text-b", *text_a != '\0' ? text_b : "");
  hand_on (self, document);
}

static void
layer_selected_cb (UiCompareBar *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->layer));
  g_autofree char *value = NULL;

  if (self->is_setting || selected == GTK_INVALID_LIST_POSITION)
    return;

  value = selected == 0 ? g_strdup ("") : g_strdup_printf ("%u", selected - 1);
  change_field (self, "compare-layer", value, NULL);
}

static void
set_complaint (GtkWidget  *entry,
               const char *complaint)
{
  if (complaint != NULL)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_widget_set_tooltip_text (entry, complaint != NULL ? complaint
                                                        : "Heads of Other, such as 0,3");
}

static void
heads_changed_cb (UiCompareBar *self)
{
  g_autoptr (GError) error = NULL;

  if (self->is_setting)
    return;

  change_field (self, "compare-heads", gtk_editable_get_text (GTK_EDITABLE (self->heads)), &error);
  set_complaint (self->heads, error != NULL ? error->message : NULL);
}

static void
plain_toggled_cb (UiCompareBar *self)
{
  gboolean is_plain = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->plain));

  if (!self->is_setting)
    change_field (self, "compare-edit", is_plain ? "none" : "", NULL);
}

static void
set_dim (GtkWidget *widget,
         gboolean   is_dim)
{
  if (is_dim)
    gtk_widget_add_css_class (widget, "dim-label");
  else
    gtk_widget_remove_css_class (widget, "dim-label");
}

/* Nothing is typed where the text is that of a trace file, and no cursor is left there. */
static void
sync_text (UiCompareBar *self,
           GtkWidget    *entry,
           const char   *text,
           const char   *placeholder)
{
  const gboolean can_type = !ui_document_has_second_trace (self->document);

  ui_sentence_entry_put_text (UI_SENTENCE_ENTRY (entry), text);
  if (!can_type && (gtk_widget_get_state_flags (entry) & GTK_STATE_FLAG_FOCUS_WITHIN))
    gtk_widget_grab_focus (self->menu);
  gtk_widget_set_sensitive (entry, can_type);
  ui_sentence_entry_set_placeholder (UI_SENTENCE_ENTRY (entry), can_type ? placeholder : "");
  ui_quiet_set_tooltip (entry, can_type ? NULL : UI_COMPARE_BAR_ONE_TEXT);
}

static void
sync_texts (UiCompareBar *self,
            EngTrace     *second)
{
  g_autoptr (UiDocument) side = ui_document_dup_second_side (self->document);
  const gboolean has_text = self->document->compare_text_a_set || side->trace_file != NULL;

  sync_text (self, self->text_a, has_text ? ui_fit_get_text (side, second, FALSE) : "", SAME_TEXT);
  /* A text of its own has no B unless one is typed. */
  sync_text (self, self->text_b, has_text ? ui_fit_get_text (side, second, TRUE) : "",
             has_text ? "nothing" : SAME_TEXT);
}

static void
sync_model (UiCompareBar *self)
{
  const char *file = self->document->compare_trace_file;
  const char *model = file != NULL ? file : self->document->compare_model;
  g_autofree char *name = model != NULL ? g_path_get_basename (model) : NULL;

  gtk_label_set_label (GTK_LABEL (self->model_name), name != NULL ? name : SAME_MODEL);
  set_dim (self->model_name, model == NULL);
  gtk_widget_set_tooltip_text (self->model, model != NULL ? model : "Model of Other");
}

static void
sync_layer (UiCompareBar *self,
            int           n_layers)
{
  gboolean is_set = self->document->compare_layer_set;
  int layer = self->document->compare_layer;
  GListModel *model = gtk_drop_down_get_model (GTK_DROP_DOWN (self->layer));

  /* A layer of a bigger model stays the choice. */
  n_layers = MAX (n_layers, is_set ? layer + 1 : 0);
  if ((int) g_list_model_get_n_items (model) != n_layers + 1) {
    g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

    gtk_string_list_append (list, SAME);
    for (int i = 0; i < n_layers; i++)
      gtk_string_list_take (list, g_strdup_printf ("%d", i));
    gtk_drop_down_set_model (GTK_DROP_DOWN (self->layer), G_LIST_MODEL (list));
  }
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->layer), is_set ? (guint) layer + 1 : 0);
  set_dim (self->layer, !is_set);
}

/* What is being typed is not written anew in the field's own spelling, and half a list stays. */
static void
sync_heads (UiCompareBar *self)
{
  const UiField *field = ui_fields_find ("compare-heads");
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->heads));
  g_autofree char *value = ui_document_get (self->document, field);
  g_autoptr (UiDocument) parsed = ui_document_copy (self->document);
  g_autofree char *meant = NULL;

  if (ui_document_set (parsed, field, typed, NULL))
    meant = ui_document_get (parsed, field);
  else if (gtk_widget_get_state_flags (self->heads) & GTK_STATE_FLAG_FOCUS_WITHIN)
    return;
  if (g_strcmp0 (meant, value) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->heads), value);
  set_complaint (self->heads, NULL);
}

static void
sync_plain (UiCompareBar *self)
{
  char **edits = self->document->compare_edits;
  gboolean is_run = !ui_document_has_second_trace (self->document);
  gboolean is_set = is_run && self->document->compare_edits_set;
  gboolean is_plain = is_set && (edits == NULL || edits[0] == NULL);

  gtk_widget_set_sensitive (self->plain, is_run && (is_set || self->document->edits[0] != NULL));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->plain), is_plain);
  /* Edits of its own come from the command line or a session. */
  gtk_check_button_set_inconsistent (GTK_CHECK_BUTTON (self->plain), is_set && !is_plain);
}

static void
append_words (GString    *list,
              const char *format,
              const char *words)
{
  if (list->len > 0)
    g_string_append (list, ", ");
  g_string_append_printf (list, format, words);
}

/* "minilm, layer 4, without edits": what differs besides the texts, which stand beside it. */
static void
sync_summary (UiCompareBar *self)
{
  const UiDocument *document = self->document;
  const char *source = document->compare_trace_file != NULL ? document->compare_trace_file
                                                            : document->compare_model;
  g_autofree char *name = source != NULL ? g_path_get_basename (source) : NULL;
  g_autofree char *layer = ui_document_get (document, ui_fields_find ("compare-layer"));
  g_autofree char *heads = ui_document_get (document, ui_fields_find ("compare-heads"));
  const gboolean has_edits = document->compare_edits != NULL && document->compare_edits[0] != NULL;
  g_autoptr (GString) list = g_string_new (NULL);

  if (name != NULL)
    append_words (list, "%s", name);
  if (document->compare_layer_set)
    append_words (list, "layer %s", layer);
  if (document->compare_heads_set)
    append_words (list, strchr (heads, ',') != NULL ? "heads %s" : "head %s", heads);
  if (document->compare_edits_set && !ui_document_has_second_trace (document))
    append_words (list, "%s", has_edits ? "other edits" : "without edits");
  if (list->len == 0)
    g_string_append (list, SAME_MODEL);

  gtk_label_set_label (GTK_LABEL (self->summary), list->str);
  /* What cannot be read in the button. */
  gtk_widget_set_tooltip_text (self->menu, list->len > SUMMARY_CHARS ? list->str : NULL);
}

static void
set_name (GtkWidget  *widget,
          const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkWidget *
new_label (const char *text,
           const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, css_class);
  return label;
}

/* The ring turns into a spinner of its size, so that nothing moves. It stands alone where texts and
 * word have no room in a line. */
static void
build_title (UiCompareBar *self)
{
  GtkWidget *mark = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *word = g_object_new (UI_TYPE_FIT_BOX, NULL);

  self->title = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->ring = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->spinner = g_object_new (GTK_TYPE_SPINNER, "visible", FALSE, NULL);
  gtk_widget_add_css_class (self->title, "side-title");
  gtk_widget_add_css_class (self->title, "other");
  gtk_widget_add_css_class (mark, "side-mark");
  gtk_widget_add_css_class (self->ring, "side-dot");
  gtk_widget_set_valign (self->ring, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (mark), self->ring);
  gtk_box_append (GTK_BOX (mark), self->spinner);
  gtk_box_append (GTK_BOX (self->title), mark);
  gtk_widget_set_parent (gtk_label_new (ui_side_get_name (1)), word);
  gtk_box_append (GTK_BOX (self->title), word);
  gtk_widget_set_parent (self->title, self->row);
}

static void
shortened_cb (UiCompareBar *self,
              gboolean      is_long)
{
  g_signal_emit (self, signals[SIGNAL_SHORTENED], 0, is_long);
}

/* Looks as the sentence above it, and is as high as its text. */
static GtkWidget *
add_text (UiCompareBar *self,
          const char   *letter,
          const char   *css_class,
          const char   *name)
{
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *entry = g_object_new (UI_TYPE_SENTENCE_ENTRY, "width-chars", TEXT_CHARS, NULL);
  GtkWidget *badge = new_label (letter, "badge");

  gtk_widget_add_css_class (badge, css_class);
  gtk_widget_set_halign (badge, GTK_ALIGN_START);
  gtk_widget_set_valign (badge, GTK_ALIGN_START);
  gtk_widget_set_can_target (badge, FALSE);
  gtk_widget_add_css_class (entry, "sentence");
  set_name (entry, name);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), entry);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), badge);
  gtk_widget_set_hexpand (overlay, TRUE);
  gtk_widget_set_parent (overlay, self->row);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (text_changed_cb), self);
  g_signal_connect_swapped (entry, "shortened", G_CALLBACK (shortened_cb), self);
  return entry;
}

static void
build_texts (UiCompareBar *self)
{
  self->text_a = add_text (self, "A", "sentence-a", "Sentence A of Other");
  self->gap = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_parent (self->gap, self->row);
  self->text_b = add_text (self, "B", "sentence-b", "Sentence B of Other");
}

/* A label that is shortened, with an arrow behind it. */
static GtkWidget *
menu_button_new (GtkWidget         **label,
                 PangoEllipsizeMode  mode,
                 int                 most_chars)
{
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  *label = g_object_new (GTK_TYPE_LABEL,
                         "label", SAME_MODEL,
                         "ellipsize", mode,
                         "max-width-chars", most_chars,
                         "hexpand", TRUE,
                         "xalign", 0.0f,
                         NULL);
  gtk_box_append (GTK_BOX (box), *label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("pan-down-symbolic"));
  gtk_menu_button_set_child (GTK_MENU_BUTTON (button), box);
  return button;
}

/* A control with a label before it; name: what a screen reader says. */
static void
attach (GtkWidget  *grid,
        int         line,
        const char *label,
        GtkWidget  *control,
        const char *name)
{
  GtkWidget *before = new_label (label, "dim-label");

  set_name (control, name);
  gtk_label_set_xalign (GTK_LABEL (before), 0);
  gtk_widget_set_hexpand (control, TRUE);
  gtk_grid_attach (GTK_GRID (grid), before, 0, line, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), control, 1, line, 1, 1);
}

static GtkWidget *
create_choices (UiCompareBar *self)
{
  const char *const same[] = { SAME, NULL };
  GtkWidget *grid = g_object_new (GTK_TYPE_GRID, "row-spacing", 6, "column-spacing", 12, NULL);

  self->model = menu_button_new (&self->model_name, PANGO_ELLIPSIZE_MIDDLE, MODEL_CHARS);
  self->layer = gtk_drop_down_new_from_strings (same);
  self->heads = g_object_new (GTK_TYPE_ENTRY, "placeholder-text", SAME,
                              "width-chars", HEADS_CHARS, "max-width-chars", HEADS_CHARS,
                              "enable-undo", FALSE, "input-hints", GTK_INPUT_HINT_NO_SPELLCHECK,
                              NULL);
  self->plain = gtk_check_button_new_with_label ("Without edits");
  gtk_widget_set_tooltip_text (self->layer, "Layer of Other");
  set_complaint (self->heads, NULL);
  gtk_widget_add_css_class (grid, "choices");
  attach (grid, 0, "Model", self->model, "Model of Other");
  attach (grid, 1, "Layer", self->layer, "Layer of Other");
  attach (grid, 2, "Heads", self->heads, "Heads of Other");
  gtk_grid_attach (GTK_GRID (grid), self->plain, 1, 3, 1, 1);
  g_signal_connect_swapped (self->layer, "notify::selected", G_CALLBACK (layer_selected_cb), self);
  g_signal_connect_swapped (self->heads, "changed", G_CALLBACK (heads_changed_cb), self);
  g_signal_connect_swapped (self->plain, "toggled", G_CALLBACK (plain_toggled_cb), self);
  return grid;
}

static void
build_end (UiCompareBar *self)
{
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");
  GtkWidget *popover = gtk_popover_new ();

  gtk_popover_set_child (GTK_POPOVER (popover), create_choices (self));
  self->menu = menu_button_new (&self->summary, PANGO_ELLIPSIZE_END, SUMMARY_CHARS);
  gtk_label_set_width_chars (GTK_LABEL (self->summary), LEAST_SUMMARY);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->menu), popover);
  gtk_widget_set_hexpand (self->menu, TRUE);
  set_name (self->menu, "What differs in Other");

  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_tooltip_text (close, "Compare no more");
  set_name (close, "Compare no more");
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (close), "win.compare::off");

  self->end = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_box_append (GTK_BOX (self->end), self->menu);
  gtk_box_append (GTK_BOX (self->end), close);
  gtk_widget_set_hexpand (self->end, FALSE);
  gtk_widget_set_valign (self->end, GTK_ALIGN_START);
  gtk_widget_set_parent (self->end, self->row);
}

static void
ui_compare_bar_dispose (GObject *object)
{
  UiCompareBar *self = UI_COMPARE_BAR (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->document, ui_document_free);
  g_clear_pointer (&self->first, eng_trace_unref);
  G_OBJECT_CLASS (ui_compare_bar_parent_class)->dispose (object);
}

static void
ui_compare_bar_class_init (UiCompareBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_compare_bar_dispose;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_SHORTENED] = g_signal_new ("shortened", G_TYPE_FROM_CLASS (klass),
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "comparebar");
}

static void
ui_compare_bar_init (UiCompareBar *self)
{
  set_name (GTK_WIDGET (self), "Other side of the comparison");
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->row = g_object_new (UI_TYPE_WRAP_BOX, NULL);
  gtk_box_append (GTK_BOX (self->box), self->row);

  build_title (self);
  build_texts (self);
  build_end (self);

  self->note = g_object_new (GTK_TYPE_LABEL,
                             "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS,
                             "wrap", TRUE,
                             "wrap-mode", PANGO_WRAP_WORD_CHAR,
                             "xalign", 0.0f,
                             "visible", FALSE,
                             "css-classes", (const char *[]) { "error", NULL },
                             NULL);
  gtk_box_append (GTK_BOX (self->box), self->note);
}

void
ui_compare_bar_set_document (UiCompareBar     *self,
                             const UiDocument *document,
                             EngTrace         *first,
                             EngTrace         *second,
                             int               n_layers)
{
  g_return_if_fail (UI_IS_COMPARE_BAR (self));

  g_clear_pointer (&self->document, ui_document_free);
  self->document = ui_document_copy (document);
  g_clear_pointer (&self->first, eng_trace_unref);
  self->first = first != NULL ? eng_trace_ref (first) : NULL;
  self->is_setting = TRUE;
  sync_texts (self, second);
  sync_model (self);
  sync_layer (self, n_layers);
  sync_heads (self);
  sync_plain (self);
  sync_summary (self);
  self->is_setting = FALSE;
}

void
ui_compare_bar_set_note (UiCompareBar *self,
                         const char   *sentence)
{
  g_return_if_fail (UI_IS_COMPARE_BAR (self));

  gtk_widget_set_visible (self->note, sentence != NULL);
  gtk_label_set_label (GTK_LABEL (self->note), sentence != NULL ? sentence : "");
}

void
ui_compare_bar_set_busy (UiCompareBar *self,
                         gboolean      is_busy)
{
  g_return_if_fail (UI_IS_COMPARE_BAR (self));

  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), is_busy);
  gtk_widget_set_visible (self->spinner, is_busy);
  gtk_widget_set_visible (self->ring, !is_busy);
}

GtkMenuButton *
ui_compare_bar_get_model_button (UiCompareBar *self)
{
  g_return_val_if_fail (UI_IS_COMPARE_BAR (self), NULL);

  return GTK_MENU_BUTTON (self->model);
}

GtkWidget *
ui_compare_bar_get_column (UiCompareBar       *self,
                           UiCompareBarColumn  column)
{
  g_return_val_if_fail (UI_IS_COMPARE_BAR (self), NULL);

  return column == UI_COMPARE_BAR_TITLE ? self->title
         : column == UI_COMPARE_BAR_GAP ? self->gap : self->end;
}

void
ui_compare_bar_choose (UiCompareBar *self,
                       gboolean      is_model)
{
  g_return_if_fail (UI_IS_COMPARE_BAR (self));

  gtk_menu_button_popup (GTK_MENU_BUTTON (self->menu));
  gtk_widget_grab_focus (is_model ? self->model : self->layer);
}
