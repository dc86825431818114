/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/export-dialog.h"

#include <string.h>

#include "ui/controls/dialog-keys.h"
#include "ui/dialogs/export-words.h"
#include "ui/scene/base/scene-raster.h"
#include "ui/scene/export/export.h"
#include "ui/view/surface-node.h"

#define PREVIEW_WIDTH 420
#define PREVIEW_HEIGHT 460
/* Where one stands above the other. */
#define LEAST_PREVIEW 300
#define LEAST_COLUMN  340

enum { ROW_WIDTH, ROW_FONT_SIZE, ROW_PALETTE, ROW_CAPTION, N_PICTURE_ROWS };

struct _UiExportDialog {
  AdwWindow       parent_instance;

  EngTrace       *trace;
  EngTrace       *second;         /* NULL = none */
  UiDocument     *document;       /* the choices so far */
  gboolean        is_asked;       /* the picture holds back */
  UiExportFormat  format;
  int             step;           /* that is on show */
  guint           preview_idle;   /* 0 = the preview is up to date */

  GtkWidget      *preview;        /* GtkPicture */
  GtkWidget      *preview_note;   /* what the file will be, or why there is none */
  GtkWidget      *export_button;
  GtkWidget      *format_row;
  GtkWidget      *scale_row;
  GtkWidget      *all_row;        /* NULL where there are no steps, or all are on show */
  GtkWidget      *picture_rows[N_PICTURE_ROWS]; /* what only a picture has */
};

enum { SIGNAL_EXPORT, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiExportDialog, ui_export_dialog, ADW_TYPE_WINDOW)

typedef struct {
  const char *title;
  const char *ending;
  const char *hint; /* breaks its own lines: beside one that is long the title would be cut; NULL for
                     * the only one of its kind */
} Format;

static const Format formats[] = {
  [UI_EXPORT_SVG] = { "SVG", "svg", "Vector, text can be selected:\nweb, slides, Inkscape" },
  [UI_EXPORT_PDF] = { "PDF", "pdf", "Vector, fonts embedded: LaTeX" },
  [UI_EXPORT_PNG] = { "PNG", "png", "Pixels: chats, documents" },
  [UI_EXPORT_HTML] = { "Web page", "html", "In any browser:\nlinks to point at, steps that play" },
  [UI_EXPORT_CSV] = { "CSV", "csv", "A table for spreadsheets, R, pandas" },
  [UI_EXPORT_JSON] = { "JSON", "json", "Tokens and numbers: scripts, web" },
  [UI_EXPORT_NPY] = { "NPY", "npy", "float32 for numpy.load()" },
  [UI_EXPORT_TRACE] = { "safetensors", "safetensors", NULL },
};

typedef enum { KIND_PICTURE, KIND_NUMBERS, KIND_TRACE, N_KINDS } Kind;

static const char *const kind_names[] = { "Picture", "Numbers", "Trace", NULL };
/* The formats of a kind stand side by side. */
static const UiExportFormat first_formats[N_KINDS + 1] = {
  UI_EXPORT_SVG, UI_EXPORT_CSV, UI_EXPORT_TRACE, UI_EXPORT_TRACE + 1,
};
/* In the order of UiTheme. */
static const char *const theme_names[] = {
  "Light", "Dark", "Print, readable in grey", "Light, high contrast", "Dark, high contrast", NULL
};

static cairo_surface_t *
render_preview (UiScene *scene,
                int      scale_factor)
{
  UiRect area = { 0, 0, 0, 0 };
  double scale;

  ui_scene_get_size (scene, &area.width, &area.height);
  scale = MIN (PREVIEW_WIDTH / area.width, PREVIEW_HEIGHT / area.height) * scale_factor;
  return ui_scene_render (scene, &area, scale);
}

static Kind
find_kind (UiExportFormat format)
{
  Kind kind = KIND_PICTURE;

  while (format >= first_formats[kind + 1])
    kind++;
  return kind;
}

/* What cannot be written is not offered for export; the note says why. */
static gboolean
update_preview_cb (gpointer data)
{
  UiExportDialog *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = ui_figure_scene_new_asked (self->trace, self->second, self->document,
                                                         self->is_asked, &error);
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *note = NULL;
  g_autofree char *width = NULL;

  self->preview_idle = 0;
  if (scene != NULL) {
    texture = ui_surface_texture_new (
      render_preview (scene, gtk_widget_get_scale_factor (GTK_WIDGET (self))));
    note = ui_export_describe (scene, self->trace, self->second != NULL, self->format, &error);
    width = ui_export_describe_width (scene, self->format);
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->picture_rows[ROW_WIDTH]), width);
  }
  gtk_label_set_text (GTK_LABEL (self->preview_note), note != NULL ? note : error->message);
  if (note != NULL)
    gtk_widget_remove_css_class (self->preview_note, "error");
  else
    gtk_widget_add_css_class (self->preview_note, "error");
  gtk_picture_set_paintable (GTK_PICTURE (self->preview),
                             texture != NULL ? GDK_PAINTABLE (texture) : NULL);
  gtk_widget_set_sensitive (self->export_button, note != NULL);

  return G_SOURCE_REMOVE;
}

static void
queue_preview (UiExportDialog *self)
{
  if (self->preview_idle == 0)
    self->preview_idle = g_idle_add (update_preview_cb, self);
}

static void
export_cb (UiExportDialog *self)
{
  g_signal_emit (self, signals[SIGNAL_EXPORT], 0, self->document, (int) self->format);
  gtk_window_close (GTK_WINDOW (self));
}

/* The last row of a list has no line below it and is lower. GTK keeps the height of a row that is
 * the last one no longer for some widths only, and then seeks a width at which the two agree. */
static void
measure_rows_anew (GtkWidget *list)
{
  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    gtk_widget_queue_resize (row);
}

/* The options that the format has; one that has no choice beside it is none. */
static void
show_options (UiExportDialog *self)
{
  Kind kind = find_kind (self->format);

  gtk_widget_set_visible (self->format_row, first_formats[kind + 1] - first_formats[kind] > 1);
  for (int i = 0; i < N_PICTURE_ROWS; i++)
    gtk_widget_set_visible (self->picture_rows[i], kind == KIND_PICTURE);
  gtk_widget_set_visible (self->scale_row, self->format == UI_EXPORT_PNG);
  if (self->all_row != NULL)
    gtk_widget_set_visible (self->all_row, kind != KIND_TRACE);
  measure_rows_anew (gtk_widget_get_parent (self->format_row));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->format_row), formats[self->format].hint);
  queue_preview (self);
}

static void
format_cb (UiExportDialog *self,
           GParamSpec     *pspec,
           AdwComboRow    *row)
{
  guint selected = adw_combo_row_get_selected (row);

  /* A list that is being replaced has none for a moment. */
  if (selected == GTK_INVALID_LIST_POSITION)
    return;
  self->format = first_formats[find_kind (self->format)] + selected;
  show_options (self);
}

static GtkStringList *
list_formats (Kind kind)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  for (UiExportFormat i = first_formats[kind]; i < first_formats[kind + 1]; i++)
    gtk_string_list_append (list, formats[i].title);
  return list;
}

static void
kind_cb (UiExportDialog *self,
         GParamSpec     *pspec,
         AdwComboRow    *row)
{
  Kind kind = adw_combo_row_get_selected (row);
  g_autoptr (GtkStringList) list = list_formats (kind);

  self->format = first_formats[kind];
  adw_combo_row_set_model (ADW_COMBO_ROW (self->format_row), G_LIST_MODEL (list));
  show_options (self);
}

static void
theme_cb (UiExportDialog *self,
          GParamSpec     *pspec,
          AdwComboRow    *row)
{
  self->document->theme = adw_combo_row_get_selected (row);
  queue_preview (self);
}

static void
caption_cb (UiExportDialog *self,
            GParamSpec     *pspec,
            GtkSwitch      *caption)
{
  self->document->no_caption = !gtk_switch_get_active (caption);
  queue_preview (self);
}

static void
all_cb (UiExportDialog *self,
        GParamSpec     *pspec,
        GtkSwitch      *all)
{
  self->document->step = gtk_switch_get_active (all) ? UI_STEP_ALL : self->step;
  queue_preview (self);
}

/* The member of the document that a spin button edits. */
static double *
find_number (UiExportDialog *self,
             GtkSpinButton  *spin)
{
  const UiField *field = g_object_get_data (G_OBJECT (spin), "field");

  return G_STRUCT_MEMBER_P (self->document, field->offset);
}

static void
number_cb (UiExportDialog *self,
           GtkSpinButton  *spin)
{
  *find_number (self, spin) = gtk_spin_button_get_value (spin);
  queue_preview (self);
}

/* Numbers have a point in every locale. */
static gboolean
output_cb (GtkSpinButton *spin)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.1f", gtk_spin_button_get_value (spin));
  if (strcmp (text, gtk_editable_get_text (GTK_EDITABLE (spin))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

static int
input_cb (GtkSpinButton *spin,
          double        *value)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));
  char *end;

  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' ? TRUE : GTK_INPUT_ERROR;
}

/* A row that edits a number of the document; its range is the field's. */
static GtkWidget *
new_number_row (UiExportDialog *self,
                const char     *field_name,
                const char     *title,
                const char     *subtitle,
                double          step)
{
  const UiField *field = ui_fields_find (field_name);
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *spin = gtk_spin_button_new_with_range (field->min, field->max, step);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (spin, field->help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_object_set_data (G_OBJECT (spin), "field", (gpointer) field);
  /* A numeric one would swallow a text with another point than the locale's. */
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), FALSE);
  gtk_spin_button_set_update_policy (GTK_SPIN_BUTTON (spin), GTK_UPDATE_IF_VALID);
  g_signal_connect (spin, "output", G_CALLBACK (output_cb), NULL);
  g_signal_connect (spin, "input", G_CALLBACK (input_cb), NULL);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), *find_number (self, GTK_SPIN_BUTTON (spin)));
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (number_cb), self, G_CONNECT_SWAPPED);

  adw_action_row_add_suffix (ADW_ACTION_ROW (row), spin);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), spin);
  return row;
}

static GtkWidget *
new_choice_row (UiExportDialog    *self,
                const char        *title,
                const char *const *choices,
                guint              selected,
                GCallback          callback)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (choices);
  GtkWidget *row = adw_combo_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), selected);
  g_signal_connect_object (row, "notify::selected", callback, self, G_CONNECT_SWAPPED);
  return row;
}

typedef struct {
  const char *title;
  const char *subtitle;
  const char *tooltip;
  GCallback   callback;
} Switch;

static GtkWidget *
new_switch_row (UiExportDialog *self,
                const Switch   *of,
                gboolean        is_active)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *toggle = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), of->title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), of->subtitle);
  gtk_switch_set_active (GTK_SWITCH (toggle), is_active);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (toggle, of->tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  of->title, -1);
  g_signal_connect_object (toggle, "notify::active", of->callback, self, G_CONNECT_SWAPPED);

  adw_action_row_add_suffix (ADW_ACTION_ROW (row), toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), toggle);
  return row;
}

static GtkWidget *
new_caption_row (UiExportDialog *self)
{
  const Switch caption = { "Caption", "Model, layer, heads, texts and legend",
                           "Write a caption below the drawing", G_CALLBACK (caption_cb) };

  return new_switch_row (self, &caption, !self->document->no_caption);
}

/* Where one step is on show, the way to all of them. */
static void
add_all_row (UiExportDialog      *self,
             AdwPreferencesGroup *group)
{
  const Switch all = { "All steps", "The whole way as a poster, or a page that plays it",
                       "Write all steps, not only this one", G_CALLBACK (all_cb) };

  self->step = self->document->step;
  if (!ui_view_get (self->document->view)->has_steps || self->step == UI_STEP_ALL)
    return;
  self->all_row = new_switch_row (self, &all, FALSE);
  adw_preferences_group_add (group, self->all_row);
}

static GtkWidget *
new_format_row (UiExportDialog *self)
{
  Kind kind = find_kind (self->format);
  g_autoptr (GtkStringList) list = list_formats (kind);
  GtkWidget *row = new_choice_row (self, "Format", NULL, 0, G_CALLBACK (format_cb));

  self->format_row = row;
  /* The first one is selected on the way. */
  g_signal_handlers_block_by_func (row, format_cb, self);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), self->format - first_formats[kind]);
  g_signal_handlers_unblock_by_func (row, format_cb, self);
  return row;
}

static GtkWidget *
build_choices (UiExportDialog *self)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  adw_preferences_group_add (group, new_choice_row (self, "What", kind_names,
                                                    find_kind (self->format),
                                                    G_CALLBACK (kind_cb)));
  adw_preferences_group_add (group, new_format_row (self));
  add_all_row (self, group);
  self->picture_rows[ROW_WIDTH] = new_number_row (self, "width", "Width", "Centimetres on paper",
                                                  0.5);
  self->picture_rows[ROW_FONT_SIZE] = new_number_row (self, "font-size", "Font size",
                                                      "Points on paper", 0.5);
  self->picture_rows[ROW_PALETTE] = new_choice_row (self, "Palette", theme_names,
                                                    self->document->theme, G_CALLBACK (theme_cb));
  self->picture_rows[ROW_CAPTION] = new_caption_row (self);
  self->scale_row = new_number_row (self, "scale", "Scale", "Pixels for each unit of the drawing",
                                    0.5);
  for (int i = 0; i < N_PICTURE_ROWS; i++)
    adw_preferences_group_add (group, self->picture_rows[i]);
  adw_preferences_group_add (group, self->scale_row);
  show_options (self);
  gtk_widget_set_size_request (GTK_WIDGET (group), LEAST_COLUMN, -1);
  return GTK_WIDGET (group);
}

static GtkWidget *
build_preview (UiExportDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  self->preview = gtk_picture_new ();
  gtk_picture_set_alternative_text (GTK_PICTURE (self->preview), "Preview of the figure");
  gtk_widget_set_size_request (self->preview, PREVIEW_WIDTH, PREVIEW_HEIGHT);
  gtk_widget_set_vexpand (self->preview, TRUE);
  gtk_widget_set_hexpand (self->preview, TRUE);
  gtk_widget_add_css_class (self->preview, "figure-preview");
  self->preview_note = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->preview_note), TRUE);
  gtk_widget_add_css_class (self->preview_note, "numeric");
  gtk_box_append (GTK_BOX (box), self->preview);
  gtk_box_append (GTK_BOX (box), self->preview_note);
  return box;
}

static GtkWidget *
build_header_bar (UiExportDialog *self)
{
  GtkWidget *bar = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic ("_Cancel");

  self->export_button = gtk_button_new_with_mnemonic ("_Export…");
  gtk_widget_add_css_class (self->export_button, "suggested-action");
  gtk_widget_set_tooltip_text (self->export_button, "Choose a file and write it (Return)");
  gtk_widget_set_tooltip_text (cancel, "Close without writing (Escape)");
  g_signal_connect_object (self->export_button, "clicked", G_CALLBACK (export_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (cancel, "clicked", G_CALLBACK (gtk_window_close), self,
                           G_CONNECT_SWAPPED);

  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->export_button);
  return bar;
}

/* Preview and options beside each other; over a window without room for that, the options below. */
static GtkWidget *
build_columns (UiExportDialog *self)
{
  GtkWidget *parent = GTK_WIDGET (gtk_window_get_transient_for (GTK_WINDOW (self)));
  GtkWidget *columns = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 24);
  int least;

  gtk_widget_set_margin_start (columns, 18);
  gtk_widget_set_margin_end (columns, 18);
  gtk_widget_set_margin_top (columns, 12);
  gtk_widget_set_margin_bottom (columns, 18);
  gtk_box_append (GTK_BOX (columns), build_preview (self));
  gtk_box_append (GTK_BOX (columns), build_choices (self));
  gtk_widget_measure (columns, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  if (parent != NULL && least > gtk_widget_get_width (parent)) {
    gtk_orientable_set_orientation (GTK_ORIENTABLE (columns), GTK_ORIENTATION_VERTICAL);
    gtk_widget_set_size_request (self->preview, LEAST_COLUMN, LEAST_PREVIEW);
  }
  return columns;
}

static void
build (UiExportDialog *self)
{
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                      "child", build_columns (self),
                                      "hscrollbar-policy", GTK_POLICY_NEVER,
                                      "css-classes", (const char *[]) { "dialog-content", NULL },
                                      "propagate-natural-width", TRUE,
                                      "propagate-natural-height", TRUE,
                                      "vexpand", TRUE,
                                      NULL);

  gtk_box_append (GTK_BOX (content), build_header_bar (self));
  gtk_box_append (GTK_BOX (content), scroller);
  adw_window_set_content (ADW_WINDOW (self), content);
  gtk_window_set_default_widget (GTK_WINDOW (self), self->export_button);
}

static void
ui_export_dialog_dispose (GObject *object)
{
  UiExportDialog *self = UI_EXPORT_DIALOG (object);

  /* A spin button that loses the focus as it goes still says what was typed. */
  G_OBJECT_CLASS (ui_export_dialog_parent_class)->dispose (object);
  g_clear_handle_id (&self->preview_idle, g_source_remove);
  g_clear_pointer (&self->trace, eng_trace_unref);
  g_clear_pointer (&self->second, eng_trace_unref);
  g_clear_pointer (&self->document, ui_document_free);
}

static void
ui_export_dialog_class_init (UiExportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_export_dialog_dispose;
  signals[SIGNAL_EXPORT] =
    g_signal_new ("export", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_INT);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
ui_export_dialog_init (UiExportDialog *self)
{
  gtk_window_set_title (GTK_WINDOW (self), "Export");
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
}

const char *
ui_export_format_get_ending (UiExportFormat format)
{
  return formats[format].ending;
}

GtkWidget *
ui_export_dialog_new (GtkWindow        *parent,
                      EngTrace         *trace,
                      EngTrace         *second,
                      const UiDocument *document,
                      gboolean          is_asked,
                      UiExportFormat    format)
{
  UiExportDialog *self = g_object_new (UI_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);

  ui_dialog_share_keys (GTK_WINDOW (self));
  self->trace = eng_trace_ref (trace);
  if (second != NULL)
    self->second = eng_trace_ref (second);
  self->document = ui_document_copy (document);
  self->is_asked = is_asked;
  self->format = format;
  build (self);
  return GTK_WIDGET (self);
}
