/* SPDX-License-Identifier: MIT */
/* Figures and numbers out of the window. Files and pictures are made in a thread; the program stays
 * until they are done, even when the window closes meanwhile. */
#include "app/window-private.h"

#include <string.h>

#include "ui/export-dialog.h"
#include "ui/scene/export.h"

static const char *const endings[] = {
  [UI_FIGURE_SVG] = "svg",
  [UI_FIGURE_PDF] = "pdf",
  [UI_FIGURE_PNG] = "png",
};

typedef struct {
  EngTrace   *trace;
  UiDocument *document;
  char       *path; /* NULL for the clipboard */
} Figure;

typedef struct {
  GBytes *png;
  GBytes *svg;
} Picture;

static Figure *
figure_new (EngTrace         *trace,
            const UiDocument *document,
            const char       *path)
{
  Figure *figure = g_new0 (Figure, 1);

  figure->trace = eng_trace_ref (trace);
  figure->document = ui_document_copy (document);
  figure->path = g_strdup (path);

  return figure;
}

static void
figure_free (Figure *figure)
{
  eng_trace_unref (figure->trace);
  ui_document_free (figure->document);
  g_free (figure->path);
  g_free (figure);
}

static void
picture_free (Picture *picture)
{
  g_clear_pointer (&picture->png, g_bytes_unref);
  g_clear_pointer (&picture->svg, g_bytes_unref);
  g_free (picture);
}

/* Holds the program until callback was called. */
static void
run_figure (AppWindow           *self,
            Figure              *figure,
            GTaskThreadFunc      func,
            GAsyncReadyCallback  callback)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, g_application_get_default ());

  g_application_hold (g_application_get_default ());
  g_task_set_task_data (task, figure, (GDestroyNotify) figure_free);
  g_task_run_in_thread (task, func);
}

static void
write_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  const Figure *figure = data;
  GError *error = NULL;

  if (ui_figure_write (figure->trace, figure->document, figure->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
written_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      application)
{
  AppWindow *self = APP_WINDOW (source);
  const Figure *figure = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    sentence = g_strdup_printf ("Saved %s", figure->path);
  app_window_toast (self, error != NULL ? error->message : sentence);
  g_application_release (application);
}

static void
copy_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  const Figure *figure = data;
  Picture *picture = g_new0 (Picture, 1);
  GError *error = NULL;

  picture->png = ui_figure_to_bytes (figure->trace, figure->document, UI_FIGURE_PNG, &error);
  if (picture->png != NULL)
    picture->svg = ui_figure_to_bytes (figure->trace, figure->document, UI_FIGURE_SVG, &error);
  if (picture->svg != NULL)
    g_task_return_pointer (task, picture, (GDestroyNotify) picture_free);
  else {
    picture_free (picture);
    g_task_return_error (task, error);
  }
}

/* A texture for programs that take pixels, SVG for those that take drawings. */
static GdkContentProvider *
content_new (const Picture  *picture,
             GError        **error)
{
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (picture->png, error);
  GdkContentProvider *providers[2];

  if (texture == NULL)
    return NULL;

  providers[0] = gdk_content_provider_new_typed (GDK_TYPE_TEXTURE, texture);
  providers[1] = gdk_content_provider_new_for_bytes ("image/svg+xml", picture->svg);
  return gdk_content_provider_new_union (providers, G_N_ELEMENTS (providers));
}

static void
copied_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      application)
{
  AppWindow *self = APP_WINDOW (source);
  g_autoptr (GError) error = NULL;
  Picture *picture = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GdkContentProvider) content = picture != NULL ? content_new (picture, &error) : NULL;

  if (content != NULL)
    gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (self)), content);
  app_window_toast (self, error != NULL ? error->message : "Picture copied");
  g_clear_pointer (&picture, picture_free);
  g_application_release (application);
}

/* How figures look is a choice of the person like any other. */
static void
keep_figure_fields (AppWindow        *self,
                    const UiDocument *chosen)
{
  UiDocument *document = ui_document_copy (self->document);

  document->theme = chosen->theme;
  document->width_cm = chosen->width_cm;
  document->font_pt = chosen->font_pt;
  document->png_scale = chosen->png_scale;
  document->no_caption = chosen->no_caption;
  app_window_change (self, document);
}

/* A name without an ending gets that of the chosen format; one that was typed decides. */
static void
save_cb (AppWindow            *self,
         int                   response,
         GtkFileChooserNative *chooser)
{
  Figure *figure = g_object_steal_data (G_OBJECT (chooser), "figure");
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (response == GTK_RESPONSE_ACCEPT && path != NULL) {
    g_autofree char *name = g_path_get_basename (path);
    const char *ending = g_object_get_data (G_OBJECT (chooser), "ending");

    figure->path = strchr (name, '.') != NULL
                   ? g_steal_pointer (&path) : g_strconcat (path, ".", ending, NULL);
    run_figure (self, figure, write_thread, written_cb);
  } else
    figure_free (figure);
  g_object_unref (chooser);
}

/* "headlight-mini layer 2.svg" */
static char *
suggest_name (AppWindow *self,
              int        format)
{
  const char *model = eng_trace_get_model_name (self->trace);
  g_autofree char *name = g_strdelimit (g_strdup (model != NULL ? model : "attention"), "/", '-');

  return g_strdup_printf ("%s layer %d.%s", name, self->shown->layer, endings[format]);
}

static void
export_cb (AppWindow  *self,
           UiDocument *document,
           int         format,
           GtkWidget  *dialog)
{
  GtkFileChooserNative *chooser;
  g_autofree char *name = suggest_name (self, format);

  chooser = gtk_file_chooser_native_new ("Export Figure", GTK_WINDOW (self),
                                         GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_object_set_data (G_OBJECT (chooser), "ending", (gpointer) endings[format]);
  g_object_set_data_full (G_OBJECT (chooser), "figure", figure_new (self->trace, document, NULL),
                          (GDestroyNotify) figure_free);
  g_signal_connect_object (chooser, "response", G_CALLBACK (save_cb), self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));

  keep_figure_fields (self, document);
}

/* The document of the picture with the look of figures that was chosen last. */
void
app_window_export (AppWindow *self)
{
  GtkWidget *dialog = ui_export_dialog_new (GTK_WINDOW (self), self->trace, self->shown,
                                            UI_FIGURE_SVG);

  g_signal_connect_object (dialog, "export", G_CALLBACK (export_cb), self, G_CONNECT_SWAPPED);
  /* Else Return would press what comes first, which is Cancel. */
  gtk_window_set_focus (GTK_WINDOW (dialog), gtk_window_get_default_widget (GTK_WINDOW (dialog)));
  gtk_window_present (GTK_WINDOW (dialog));
}

void
app_window_copy_picture (AppWindow *self)
{
  g_autoptr (UiDocument) document = ui_document_copy (self->shown);

  /* As it is on the screen. */
  document->theme = adw_style_manager_get_dark (adw_style_manager_get_default ())
                    ? UI_THEME_DARK : UI_THEME_LIGHT;
  run_figure (self, figure_new (self->trace, document, NULL), copy_thread, copied_cb);
}

void
app_window_copy_numbers (AppWindow *self)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);
  g_autofree char *numbers = scene != NULL ? ui_scene_numbers (scene) : NULL;

  if (numbers == NULL)
    return;

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), numbers);
  app_window_toast (self, "Numbers copied");
}
