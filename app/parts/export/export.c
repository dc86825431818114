/* SPDX-License-Identifier: MIT */
/* Figures and numbers out of the window. Files and pictures are made in a thread; the program stays
 * until they are done, even when the window closes meanwhile. */
#include "app/parts/export/export-private.h"

#include <string.h>

#include "app/run/job.h"
#include "engine/base/file-writer.h"
#include "engine/trace/trace-file.h"
#include "ui/dialogs/export-words.h"
#include "ui/scene/export/export.h"
#include "ui/scene/export/numbers.h"

#define PATIENCE_MS 500 /* how long nothing is said of what is being made */

G_DEFINE_FINAL_TYPE (AppExportPart, app_export_part, APP_TYPE_PART)

typedef struct {
  EngTrace        *trace;
  EngTrace        *second;   /* NULL = none */
  AppExportPart       *part;     /* borrowed; held while the job runs */
  UiDocument      *document;
  gboolean         is_asked; /* the picture holds back */
  UiExportFormat   format;
  char            *path;     /* NULL for the clipboard */
  AppJob          *job;      /* NULL = not begun */
  int              percent;  /* of a trace that is written */
  guint            patience; /* until something is said; 0 = it was */
  AdwToast        *toast;    /* that says that it is being made; NULL = not there */
} Figure;

typedef struct {
  GdkTexture *pixels;
  GBytes     *svg;
} Picture;

/* A second side that cannot be drawn is no part of the picture. */
static EngTrace *
get_second (AppExportPart *self)
{
  return app_picture_has_sides (self->picture) ? app_picture_get_second (self->picture) : NULL;
}

static Figure *
figure_new (AppExportPart    *part,
            const UiDocument *document,
            UiExportFormat    format)
{
  Figure *figure = g_new0 (Figure, 1);
  EngTrace *second = get_second (part);

  figure->part = part;
  figure->trace = eng_trace_ref (app_study_get_trace (part->study));
  if (second != NULL)
    figure->second = eng_trace_ref (second);
  figure->document = ui_document_copy (document);
  app_study_put_written (part->study, figure->document);
  figure->is_asked = app_picture_is_asked (part->picture);
  figure->format = format;

  return figure;
}

static void
figure_free (Figure *figure)
{
  g_clear_pointer (&figure->second, eng_trace_unref);
  eng_trace_unref (figure->trace);
  ui_document_free (figure->document);
  g_free (figure->path);
  g_free (figure);
}

static void
picture_free (Picture *picture)
{
  g_clear_object (&picture->pixels);
  g_clear_pointer (&picture->svg, g_bytes_unref);
  g_free (picture);
}

static gboolean
is_cancelled (AppJob  *job,
              GError **error)
{
  if (!g_atomic_int_get (app_job_get_cancel (job)))
    return FALSE;
  g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "Cancelled");
  return TRUE;
}

static void
cancel_cb (Figure *figure)
{
  app_job_cancel (figure->job);
}

static void
dismissed_cb (Figure *figure)
{
  g_clear_object (&figure->toast);
}

static gboolean
names_trace (const char *path)
{
  return g_str_has_suffix (path, ".safetensors");
}

/* Only a trace knows how far it is. */
static char *
describe_progress (Figure *figure)
{
  g_autofree char *name = figure->path != NULL ? g_path_get_basename (figure->path) : NULL;

  if (name == NULL)
    return g_strdup ("Copying…");
  if (!names_trace (name))
    return g_markup_printf_escaped ("Writing %s…", name);
  return g_markup_printf_escaped ("Writing %s… %d %%", name, figure->percent);
}

static void
progress_cb (const AppProgress *progress,
             gpointer           owner)
{
  Figure *figure = owner;
  g_autofree char *title = NULL;

  figure->percent = (int) (100 * progress->fraction);
  title = describe_progress (figure);
  if (figure->toast != NULL && g_strcmp0 (adw_toast_get_title (figure->toast), title) != 0)
    adw_toast_set_title (figure->toast, title);
}

/* In the thread that writes. */
static gboolean
written_so_far_cb (double   fraction,
                   gpointer data)
{
  app_job_report (&(AppProgress) { .fraction = fraction }, data);
  return !g_atomic_int_get (app_job_get_cancel (data));
}

/* The bar of long work may be taken by a search, which goes on. */
static gboolean
say_progress_cb (gpointer data)
{
  Figure *figure = data;
  AppExportPart *self = figure->part;
  g_autofree char *title = describe_progress (figure);

  figure->patience = 0;
  if (app_desk_get_window (self->desk) == NULL)
    return G_SOURCE_REMOVE;

  figure->toast = adw_toast_new (title);
  adw_toast_set_timeout (figure->toast, 0);
  adw_toast_set_button_label (figure->toast, "_Cancel");
  g_signal_connect_swapped (figure->toast, "button-clicked", G_CALLBACK (cancel_cb), figure);
  g_signal_connect_swapped (figure->toast, "dismissed", G_CALLBACK (dismissed_cb), figure);
  app_desk_add_toast (self->desk, g_object_ref (figure->toast));

  return G_SOURCE_REMOVE;
}

/* Holds program and part until end_figure(). */
static void
run_figure (Figure            *figure,
            const AppJobClass *klass)
{
  g_application_hold (g_application_get_default ());
  g_object_ref (figure->part);
  figure->patience = g_timeout_add (PATIENCE_MS, say_progress_cb, figure);
  figure->job = app_job_start (klass, figure, figure);
}

/* sentence: what was done; an error says what was not. The job frees its figure. */
static void
end_figure (Figure       *figure,
            const char   *sentence,
            const GError *error)
{
  AppExportPart *self = figure->part;

  g_clear_handle_id (&figure->patience, g_source_remove);
  if (figure->toast != NULL) {
    g_autoptr (AdwToast) toast = g_object_ref (figure->toast);

    app_desk_dismiss_toast (self->desk, toast);
    g_signal_handlers_disconnect_by_data (toast, figure);
    g_clear_object (&figure->toast);
  }
  if (error != NULL)
    app_desk_toast (self->desk, error->message);
  else
    app_desk_tell (self->desk, sentence);
  app_job_stop (figure->job);
  g_object_unref (self);
  g_application_release (g_application_get_default ());
}

static UiScene *
create_scene (const Figure  *figure,
              GError       **error)
{
  return ui_figure_scene_new_asked (figure->trace, figure->second, figure->document,
                                    figure->is_asked, error);
}

static gboolean
write_figure (AppJob        *job,
              const Figure  *figure,
              GError       **error)
{
  g_autoptr (UiScene) scene = create_scene (figure, error);
  g_autoptr (GBytes) bytes = NULL;

  if (scene == NULL || is_cancelled (job, error))
    return FALSE;
  bytes = ui_figure_scene_to_file (scene, figure->document, figure->path, error);
  return bytes != NULL && !is_cancelled (job, error)
         && eng_file_write (figure->path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                            error);
}

/* Returns what is said of it. */
static gpointer
write_file (AppJob    *job,
            gpointer   data,
            GError   **error)
{
  const Figure *figure = data;
  const gboolean is_written =
    names_trace (figure->path)
    ? eng_trace_file_write_watched (figure->trace, figure->path, written_so_far_cb, job, error)
    : write_figure (job, figure, error);

  return is_written ? g_strdup_printf ("Saved %s", figure->path) : NULL;
}

static void
written_cb (AppJob       *job,
            gpointer      result,
            const GError *error,
            gpointer      owner)
{
  g_autofree char *sentence = result;

  end_figure (owner, sentence, error);
}

static const AppJobClass file_class = {
  .run = write_file,
  .progress = progress_cb,
  .done = written_cb,
  .free_result = g_free,
  .free_data = (GDestroyNotify) figure_free,
};

static gboolean
draw_picture (AppJob        *job,
              const Figure  *figure,
              Picture       *picture,
              GError       **error)
{
  g_autoptr (UiScene) scene = create_scene (figure, error);
  g_autoptr (GBytes) png = NULL;

  if (scene == NULL || is_cancelled (job, error))
    return FALSE;
  png = ui_figure_scene_to_bytes (scene, UI_FIGURE_PNG, error);
  if (png == NULL || is_cancelled (job, error))
    return FALSE;
  picture->pixels = gdk_texture_new_from_bytes (png, error);
  if (picture->pixels == NULL || is_cancelled (job, error))
    return FALSE;
  picture->svg = ui_figure_scene_to_bytes (scene, UI_FIGURE_SVG, error);
  return picture->svg != NULL && !is_cancelled (job, error);
}

static gpointer
make_picture (AppJob    *job,
              gpointer   data,
              GError   **error)
{
  Picture *picture = g_new0 (Picture, 1);

  if (draw_picture (job, data, picture, error))
    return picture;
  picture_free (picture);
  return NULL;
}

/* A texture for programs that take pixels, SVG for those that take drawings. */
static GdkContentProvider *
content_new (const Picture *picture)
{
  GdkContentProvider *providers[] = {
    gdk_content_provider_new_typed (GDK_TYPE_TEXTURE, picture->pixels),
    gdk_content_provider_new_for_bytes ("image/svg+xml", picture->svg),
  };

  return gdk_content_provider_new_union (providers, G_N_ELEMENTS (providers));
}

static void
copied_cb (AppJob       *job,
           gpointer      result,
           const GError *error,
           gpointer      owner)
{
  Figure *figure = owner;
  g_autoptr (GdkContentProvider) content = result != NULL ? content_new (result) : NULL;

  if (content != NULL)
    gdk_clipboard_set_content (app_desk_get_clipboard (figure->part->desk), content);
  g_clear_pointer (&result, picture_free);
  end_figure (figure, figure->is_asked ? "Picture copied; its numbers come with the answer"
                                       : "Picture copied", error);
}

static const AppJobClass picture_class = {
  .run = make_picture,
  .done = copied_cb,
  .free_result = (GDestroyNotify) picture_free,
  .free_data = (GDestroyNotify) figure_free,
};

static gpointer
write_text (AppJob    *job,
            gpointer   data,
            GError   **error)
{
  const Figure *figure = data;
  g_autoptr (UiScene) scene = create_scene (figure, error);
  g_autoptr (GBytes) bytes = NULL;

  if (scene == NULL || is_cancelled (job, error))
    return NULL;
  bytes = ui_numbers_to_bytes (scene, figure->format == UI_EXPORT_JSON ? UI_NUMBERS_JSON
                                                                       : UI_NUMBERS_CSV, error);
  if (bytes == NULL || is_cancelled (job, error))
    return NULL;
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
text_copied_cb (AppJob       *job,
                gpointer      result,
                const GError *error,
                gpointer      owner)
{
  Figure *figure = owner;
  g_autofree char *text = result;

  if (text != NULL)
    gdk_clipboard_set_text (app_desk_get_clipboard (figure->part->desk), text);
  end_figure (figure, figure->format == UI_EXPORT_JSON ? "Numbers copied as JSON"
                                                       : "Numbers copied as CSV", error);
}

static const AppJobClass text_class = {
  .run = write_text,
  .done = text_copied_cb,
  .free_result = g_free,
  .free_data = (GDestroyNotify) figure_free,
};

/* How figures look is a choice of the person like any other. */
static void
keep_figure_fields (AppExportPart    *self,
                    const UiDocument *chosen)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  document->theme = chosen->theme;
  document->width_cm = chosen->width_cm;
  document->font_pt = chosen->font_pt;
  document->png_scale = chosen->png_scale;
  document->no_caption = chosen->no_caption;
  app_study_change (self->study, document);
}

/* A name without an ending gets that of the chosen format; one that was typed decides. */
static char *
complete_path (const char     *path,
               UiExportFormat  format)
{
  g_autofree char *name = g_path_get_basename (path);

  return strchr (name, '.') != NULL
         ? g_strdup (path)
         : g_strconcat (path, ".", ui_export_format_get_ending (format), NULL);
}

/* Why a trace is not written now; NULL = it can be. */
static const char *
find_obstacle (const Figure *figure)
{
  if (figure->is_asked)
    return UI_SCENE_HELD_BACK;
  return app_study_is_complete (figure->part->study)
         ? NULL : "The trace has not all layers yet: the model still runs";
}

static void
chosen_cb (gpointer    owner,
           const char *path,
           gpointer    data)
{
  AppExportPart *self = owner;
  Figure *figure = data;
  const char *obstacle;

  figure->path = complete_path (path, figure->format);
  obstacle = names_trace (figure->path) ? find_obstacle (figure) : NULL;
  if (obstacle != NULL) {
    app_desk_toast (self->desk, obstacle);
    figure_free (figure);
  } else
    run_figure (figure, &file_class);
}

static void
export_cb (AppExportPart *self,
           UiDocument    *document,
           int            format,
           GtkWidget     *dialog)
{
  g_autofree char *name = ui_export_suggest_name (app_study_get_trace (self->study), document,
                                                  format);
  AppFileQuestion question = { "Export", GTK_FILE_CHOOSER_ACTION_SAVE, name };

  app_desk_choose_file (self->desk, &question, self, chosen_cb,
                        figure_new (self, document, format), (GDestroyNotify) figure_free);

  self->export_format = format;
  keep_figure_fields (self, document);
}

/* Opens with the format and the look of figures that were chosen last. */
static void
export (GSimpleAction *action,
        GVariant      *parameter,
        gpointer       data)
{
  AppExportPart *self = data;
  GtkWidget *dialog = ui_export_dialog_new (
    app_desk_get_window (self->desk), app_study_get_trace (self->study), get_second (self),
    app_picture_get_shown (self->picture), app_picture_is_asked (self->picture),
    self->export_format);

  g_signal_connect_object (dialog, "export", G_CALLBACK (export_cb), self, G_CONNECT_SWAPPED);
  /* Else Return would press what comes first, which is Cancel. */
  gtk_window_set_focus (GTK_WINDOW (dialog), gtk_window_get_default_widget (GTK_WINDOW (dialog)));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
copy_picture (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppExportPart *self = data;
  g_autoptr (UiDocument) document = ui_document_copy (app_picture_get_shown (self->picture));

  /* As it is on the screen. */
  document->theme = ui_scene_view_get_theme (app_picture_get_view (self->picture));
  run_figure (figure_new (self, document, UI_EXPORT_SVG), &picture_class);
}

static void
copy_numbers (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppExportPart *self = data;
  UiScene *scene = app_picture_get_scene (self->picture);
  g_autofree char *numbers = scene != NULL && app_desk_may_tell (self->desk)
                             ? ui_scene_numbers (scene) : NULL;

  if (numbers == NULL)
    return;

  gdk_clipboard_set_text (app_desk_get_clipboard (self->desk), numbers);
  app_desk_tell (self->desk, "Numbers copied");
}

static void
copy_text (AppExportPart  *self,
           UiExportFormat  format)
{
  if (app_desk_may_tell (self->desk))
    run_figure (figure_new (self, app_picture_get_shown (self->picture), format), &text_class);
}

static void
copy_as_csv (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  copy_text (data, UI_EXPORT_CSV);
}

static void
copy_as_json (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  copy_text (data, UI_EXPORT_JSON);
}

static void
add_actions (AppExportPart *self)
{
  static const GActionEntry entries[] = {
    { "export", export },
    { "copy-picture", copy_picture },
    { "copy-numbers", copy_numbers },
    { "copy-csv", copy_as_csv },
    { "copy-json", copy_as_json },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

static void
sync_part (AppPart *part)
{
  static const char *const names[] = {
    "export", "copy-picture", "copy-numbers", "copy-csv", "copy-json"
  };
  AppExportPart *self = APP_EXPORT_PART (part);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    app_desk_set_enabled (self->desk, names[i], app_picture_get_shown (self->picture) != NULL);
}

static void
begin (AppPart *part)
{
  AppExportPart *self = APP_EXPORT_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "export");
  app_part_place (self, "export_button", "header_export");
  add_actions (self);
}

static void
app_export_part_class_init (AppExportPartClass *klass)
{
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_export_part_init (AppExportPart *self)
{
}
