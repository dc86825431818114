/* SPDX-License-Identifier: MIT */
#include "ui/controls/compare-bar.h"

#include "ui/controls/wrap-box.h"

#define SAME       "same"
#define SAME_TEXT  "same text"
#define SAME_MODEL "same model"
#define TEXT_CHARS  12
#define HEADS_CHARS 8
#define MODEL_CHARS 22

struct _UiCompareBar {
  GtkWidget   parent_instance;

  GtkWidget  *box;
  GtkWidget  *row;        /* UiWrapBox */
  GtkWidget  *text_a;
  GtkWidget  *text_b;
  GtkWidget  *model;      /* GtkMenuButton */
  GtkWidget  *model_name;
  GtkWidget  *layer;      /* GtkDropDown: "same", then the layers */
  GtkWidget  *heads;
  GtkWidget  *plain;      /* without edits */
  GtkWidget  *spinner;
  GtkWidget  *note;

  UiDocument *document;   /* NULL before the first one */
  gboolean    is_setting; /* the controls follow the document, not a person */
};

enum { SIGNAL_CHANGED, N_SIGNALS };

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
    text_a = document->text_a;
  if (!document->compare_text_a_set && entry == self->text_a)
    text_b = document->text_b;
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
                                                        : "Heads of the second side, such as 0,3");
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

static void
sync_text (GtkWidget  *entry,
           const char *text)
{
  if (text == NULL)
    text = "";
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (entry)), text))
    gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

static void
sync_model (UiCompareBar *self)
{
  const char *file = self->document->compare_trace_file;
  const char *model = file != NULL ? file : self->document->compare_model;
  g_autofree char *name = model != NULL ? g_path_get_basename (model) : NULL;

  gtk_label_set_label (GTK_LABEL (self->model_name), name != NULL ? name : SAME_MODEL);
  set_dim (self->model_name, model == NULL);
  gtk_widget_set_tooltip_text (self->model, model != NULL ? model : "Model of the second side");
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
  else if (gtk_widget_get_focus_child (self->row) == self->heads)
    return;
  if (g_strcmp0 (meant, value) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->heads), value);
  set_complaint (self->heads, NULL);
}

static void
sync_plain (UiCompareBar *self)
{
  char **edits = self->document->compare_edits;
  gboolean is_set = self->document->compare_edits_set;
  gboolean is_plain = is_set && (edits == NULL || edits[0] == NULL);

  gtk_widget_set_visible (self->plain, is_set || self->document->edits[0] != NULL);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->plain), is_plain);
  /* Edits of its own come from the command line or a session. */
  gtk_check_button_set_inconsistent (GTK_CHECK_BUTTON (self->plain), is_set && !is_plain);
}

static void
set_name (GtkWidget  *widget,
          const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkWidget *
new_entry (const char *placeholder,
           int         width_chars)
{
  return g_object_new (GTK_TYPE_ENTRY,
                       "placeholder-text", placeholder,
                       "width-chars", width_chars,
                       "max-width-chars", width_chars,
                       "enable-undo", FALSE,
                       "input-hints", GTK_INPUT_HINT_NO_SPELLCHECK,
                       NULL);
}

static GtkWidget *
new_label (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

/* A control with a label before it; name: what a screen reader says. */
static void
append_labelled (UiCompareBar *self,
                 const char   *label,
                 GtkWidget    *control,
                 const char   *name)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  set_name (control, name);
  gtk_box_append (GTK_BOX (box), new_label (label));
  gtk_box_append (GTK_BOX (box), control);
  gtk_widget_set_parent (box, self->row);
}

static void
build_texts (UiCompareBar *self)
{
  self->text_a = new_entry (SAME_TEXT, TEXT_CHARS);
  self->text_b = new_entry (SAME_TEXT, TEXT_CHARS);
  gtk_widget_set_hexpand (self->text_a, TRUE);
  gtk_widget_set_hexpand (self->text_b, TRUE);
  append_labelled (self, "A", self->text_a, "Sentence A of the second side");
  append_labelled (self, "B", self->text_b, "Sentence B of the second side");
  g_signal_connect_swapped (self->text_a, "changed", G_CALLBACK (text_changed_cb), self);
  g_signal_connect_swapped (self->text_b, "changed", G_CALLBACK (text_changed_cb), self);
}

static void
build_model (UiCompareBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->model_name = gtk_label_new (SAME_MODEL);
  gtk_label_set_ellipsize (GTK_LABEL (self->model_name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->model_name), MODEL_CHARS);
  gtk_box_append (GTK_BOX (box), self->model_name);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("pan-down-symbolic"));
  self->model = gtk_menu_button_new ();
  gtk_menu_button_set_child (GTK_MENU_BUTTON (self->model), box);
  set_name (self->model, "Model of the second side");
  gtk_widget_set_parent (self->model, self->row);
}

static void
build_heads (UiCompareBar *self)
{
  const char *const same[] = { SAME, NULL };

  self->layer = gtk_drop_down_new_from_strings (same);
  self->heads = new_entry (SAME, HEADS_CHARS);
  gtk_widget_set_tooltip_text (self->layer, "Layer of the second side");
  set_complaint (self->heads, NULL);
  append_labelled (self, "Layer", self->layer, "Layer of the second side");
  append_labelled (self, "Heads", self->heads, "Heads of the second side");
  g_signal_connect_swapped (self->layer, "notify::selected", G_CALLBACK (layer_selected_cb), self);
  g_signal_connect_swapped (self->heads, "changed", G_CALLBACK (heads_changed_cb), self);
}

static void
build_end (UiCompareBar *self)
{
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  self->plain = gtk_check_button_new_with_label ("Without edits");
  g_signal_connect_swapped (self->plain, "toggled", G_CALLBACK (plain_toggled_cb), self);
  gtk_widget_set_parent (self->plain, self->row);

  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_tooltip_text (close, "Compare no more");
  set_name (close, "Compare no more");
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (close), "win.compare::off");
  gtk_widget_set_parent (close, self->row);

  self->spinner = g_object_new (GTK_TYPE_SPINNER, "visible", FALSE, NULL);
  gtk_widget_set_parent (self->spinner, self->row);
}

static void
ui_compare_bar_dispose (GObject *object)
{
  UiCompareBar *self = UI_COMPARE_BAR (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->document, ui_document_free);
  G_OBJECT_CLASS (ui_compare_bar_parent_class)->dispose (object);
}

static void
ui_compare_bar_class_init (UiCompareBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_compare_bar_dispose;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "comparebar");
}

static void
ui_compare_bar_init (UiCompareBar *self)
{
  set_name (GTK_WIDGET (self), "Second side of the comparison");
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->row = g_object_new (UI_TYPE_WRAP_BOX, NULL);
  gtk_box_append (GTK_BOX (self->box), self->row);

  gtk_widget_set_parent (new_label ("(b)"), self->row);
  build_texts (self);
  build_model (self);
  build_heads (self);
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
                             int               n_layers)
{
  g_return_if_fail (UI_IS_COMPARE_BAR (self));

  g_clear_pointer (&self->document, ui_document_free);
  self->document = ui_document_copy (document);
  self->is_setting = TRUE;
  sync_text (self->text_a, document->compare_text_a_set ? document->compare_text_a : "");
  sync_text (self->text_b, document->compare_text_a_set ? document->compare_text_b : "");
  /* A text of its own has no B unless one is typed. */
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->text_b),
                                  document->compare_text_a_set ? "nothing" : SAME_TEXT);
  sync_model (self);
  sync_layer (self, n_layers);
  sync_heads (self);
  sync_plain (self);
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
}

GtkMenuButton *
ui_compare_bar_get_model_button (UiCompareBar *self)
{
  g_return_val_if_fail (UI_IS_COMPARE_BAR (self), NULL);

  return GTK_MENU_BUTTON (self->model);
}
