/* SPDX-License-Identifier: MIT */
/* The page beside the picture where heads are looked for, and the search over a text file: which
 * heads follow a pattern or link two words, and in which lines most. */
#include "app/window-private.h"

#include <string.h>

#include "app/corpus-csv.h"
#include "app/corpus-rows.h"

#define NO_MODEL "A trace file has no model that could read a text; open a model"

struct _AppCorpus {
  char            *path;     /* NULL = none is chosen */
  UiDocument      *document; /* that was searched with; NULL = nothing was searched */
  AppCorpusResult *result;   /* NULL = none yet */
  guint            head;     /* whose lines are shown */
  gpointer         running;  /* data of the job that runs; borrowed, only compared */
  int              opened;   /* line of the head whose evidence is looked for; -1 = none */
  guint            pin_source;
};

typedef struct {
  AppWindow  *window;   /* borrowed; only while corpus->running is this */
  AppJob     *job;
  EngModel   *model;
  UiDocument *document;
  EngKind     kind;
  char       *path;
  AppCorpusQuestion question;
} Search;

static const AppCorpusHead *
get_head (const AppCorpus *corpus)
{
  return &g_array_index (corpus->result->heads, AppCorpusHead, corpus->head);
}

static void
forget_opened (AppCorpus *corpus)
{
  corpus->opened = -1;
  g_clear_handle_id (&corpus->pin_source, g_source_remove);
}

/* The page. */

gboolean
app_window_shows_side (AppWindow  *self,
                       const char *name)
{
  return g_str_equal (gtk_stack_get_visible_child_name (self->side), name);
}

/* In a narrow window, too, it stands beside the picture: words are clicked there. */
void
app_window_show_side (AppWindow  *self,
                      const char *name)
{
  if (!gtk_widget_get_visible (self->search_header)) {
    self->side_was_hidden = !adw_flap_get_reveal_flap (self->flap);
    self->side_policy = adw_flap_get_fold_policy (self->flap);
  }
  gtk_widget_set_visible (self->search_header, TRUE);
  gtk_stack_set_visible_child_name (self->side, name);
  adw_flap_set_fold_policy (self->flap, ADW_FLAP_FOLD_POLICY_NEVER);
  adw_flap_set_reveal_flap (self->flap, TRUE);
}

static void
close_search (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppWindow *self = data;

  app_window_end_links (self);
  gtk_widget_set_visible (self->search_header, FALSE);
  gtk_stack_set_visible_child_name (self->side, "inspector");
  if (self->side_was_hidden)
    g_action_group_change_action_state (G_ACTION_GROUP (self), "inspector",
                                        g_variant_new_boolean (FALSE));
  adw_flap_set_fold_policy (self->flap, self->side_policy);
  gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
}

static void
page_cb (AppWindow *self)
{
  if (!app_window_shows_side (self, "links"))
    app_window_end_links (self);
  app_window_sync_links (self);
  app_window_sync_search (self);
}

static gboolean
key_cb (AppWindow *self,
        guint      key)
{
  if (key != GDK_KEY_Escape || !gtk_widget_get_visible (self->search_header))
    return GDK_EVENT_PROPAGATE;

  if (!app_window_shows_side (self, "file") || !ui_search_results_go_back (self->search_results))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.close-search", NULL);
  return GDK_EVENT_STOP;
}

static void
show_result (AppWindow *self)
{
  const AppCorpusResult *result = self->corpus->result;
  g_autofree char *summary = app_corpus_rows_summarise (result, self->corpus->path);

  if (result->heads->len == 0)
    ui_search_results_set_message (self->search_results, summary, FALSE);
  else
    ui_search_results_take_heads (self->search_results, summary,
                                  app_corpus_rows_list_heads (result),
                                  app_corpus_rows_list_skipped (result), result->n_skipped);
}

/* The job. */

/* Also where another job took its place: then nobody else would say so. */
static void
search_free (gpointer data)
{
  Search *search = data;

  if (search->window->corpus != NULL && search->window->corpus->running == search) {
    search->window->corpus->running = NULL;
    ui_search_results_set_message (search->window->search_results,
                                   "Other work took the place of the search.", FALSE);
  }
  eng_model_unref (search->model);
  ui_document_free (search->document);
  app_corpus_question_clear (&search->question);
  g_free (search->path);
  g_free (search);
}

static void
report (double      fraction,
        const char *note,
        gpointer    data)
{
  app_job_report (data, fraction, note);
}

static gpointer
run_search (AppJob   *job,
            gpointer  data,
            GError  **error)
{
  const Search *search = data;

  return app_corpus_search (search->model, search->document, search->kind, &search->question,
                            search->path, app_job_get_cancel (job), report, job, error);
}

static void
search_done (AppJob       *job,
             gpointer      result,
             const GError *error,
             gpointer      data)
{
  AppWindow *self = data;
  AppCorpus *corpus = self->corpus;

  corpus->running = NULL;
  if (result != NULL) {
    corpus->result = result;
    show_result (self);
  } else {
    ui_search_results_set_message (self->search_results, error->message, FALSE);
  }
  app_window_end_job (self);
}

static void
search_cb (AppWindow *self)
{
  static const AppJobClass klass = {
    .run = run_search,
    .progress = app_window_job_progress,
    .done = search_done,
    .free_result = (GDestroyNotify) app_corpus_result_free,
    .free_data = search_free,
  };
  AppCorpus *corpus = self->corpus;
  Search *search;

  if (self->model == NULL || self->shown == NULL || corpus->path == NULL)
    return;

  search = g_new0 (Search, 1);
  search->window = self;
  search->model = eng_model_ref (self->model);
  search->document = ui_document_copy (self->answered);
  search->kind = self->shown->kind;
  search->question.links_words =
    ui_search_results_get_words (self->search_results, &search->question.from,
                                 &search->question.to);
  search->question.pattern = ui_search_results_get_pattern (self->search_results);
  search->path = g_strdup (corpus->path);
  forget_opened (corpus);
  g_clear_pointer (&corpus->result, app_corpus_result_free);
  g_clear_pointer (&corpus->document, ui_document_free);
  corpus->document = ui_document_copy (self->answered);
  app_window_start_job (self, "Searching the text file", &klass, search);
  corpus->running = search;
  ui_search_results_set_message (self->search_results, "Running lines through the model…", TRUE);
}

void
app_window_search_file (AppWindow  *self,
                        const char *path)
{
  g_free (self->corpus->path);
  self->corpus->path = g_strdup (path);
  ui_search_results_set_file (self->search_results, path);
}

/* What a person does in the lists. */

static void
head_cb (AppWindow *self,
         guint      index)
{
  const AppCorpusResult *result = self->corpus->result;
  const AppCorpusHead *head = &g_array_index (result->heads, AppCorpusHead, index);
  g_autofree char *title = app_corpus_rows_title (result, head);

  forget_opened (self->corpus);
  self->corpus->head = index;
  ui_search_results_take_lines (self->search_results, title,
                                app_corpus_rows_list_lines (head));
}

static void
set_text (char       **target,
          const char  *text)
{
  g_free (*target);
  *target = g_strdup (text);
}

/* The pass of the line as it was searched: another model may be open by now. */
static void
take_pass (UiDocument       *document,
           const UiDocument *from)
{
  set_text (&document->model, from->model);
  set_text (&document->trace_file, NULL);
  set_text (&document->lang, from->lang);
  set_text (&document->prefix, from->prefix);
  document->no_special_tokens = from->no_special_tokens;
  document->truncate = from->truncate;
  document->pad_to = from->pad_to;
  document->random_weights_set = from->random_weights_set;
  document->random_weights = from->random_weights;
  g_strfreev (document->edits);
  document->edits = g_strdupv (from->edits);
}

/* That head alone, as it was scored: plain weights, nothing left out, and a word of several pieces
 * as one. */
static void
take_head (UiDocument          *document,
           EngKind              kind,
           const AppCorpusHead *head,
           const AppCorpusLine *line)
{
  document->view = UI_VIEW_HEAD;
  document->kind_set = TRUE;
  document->kind = kind;
  document->layer = head->layer;
  ui_head_set_only (&document->heads, head->head);
  document->measure = ENG_MEASURE_WEIGHT;
  document->aggregate = UI_AGGREGATE_EACH;
  document->layers = UI_AGGREGATE_EACH;
  document->compare = UI_COMPARE_OFF;
  ui_document_show_all_links (document);
  document->hide_special = FALSE;
  document->words = document->words || line->has_pieces;
}

static void
pin_link (UiDocument *document,
          int         query,
          int         key)
{
  ui_pins_clear (&document->pins);
  if (query < 0)
    return;
  ui_pins_click (&document->pins, FALSE, query, TRUE);
  ui_pins_click (&document->pins, TRUE, key, TRUE);
}

/* Whether the line that was opened is what the picture shows. */
static gboolean
shows_opened (AppWindow *self)
{
  const AppCorpus *corpus = self->corpus;
  const AppCorpusLine *line;

  if (corpus->opened < 0 || !self->complete || self->shown == NULL)
    return FALSE;

  line = &g_array_index (get_head (corpus)->lines, AppCorpusLine, (guint) corpus->opened);
  return g_str_equal (self->answered->text_a, line->text_a)
         && g_str_equal (self->answered->text_b, line->text_b)
         && self->shown->kind == corpus->result->kind
         && self->shown->layer == get_head (corpus)->layer;
}

/* Of a long line the search keeps no evidence: it is found in the one that was opened. */
static gboolean
pin_opened_cb (gpointer data)
{
  AppWindow *self = data;
  AppCorpus *corpus = self->corpus;
  const EngKind kind = corpus->result->kind;
  g_autoptr (EngAttention) attention = NULL;
  EngPatternEvidence evidence;
  UiDocument *document;

  corpus->pin_source = 0;
  if (!shows_opened (self))
    return G_SOURCE_REMOVE;

  corpus->opened = -1;
  attention = eng_trace_dup_attention (self->trace, kind, self->shown->layer);
  evidence = eng_patterns_find_evidence (attention, eng_trace_get_query_tokens (self->trace, kind),
                                         eng_trace_get_key_tokens (self->trace, kind),
                                         get_head (corpus)->head,
                                         corpus->result->question.pattern);
  document = ui_document_copy (self->document);
  pin_link (document, evidence.query, evidence.key);
  app_window_amend (self, document);
  app_window_set_document (self, document);

  return G_SOURCE_REMOVE;
}

static void
line_cb (AppWindow *self,
         guint      index)
{
  AppCorpus *corpus = self->corpus;
  const AppCorpusHead *head = get_head (corpus);
  const AppCorpusLine *line = &g_array_index (head->lines, AppCorpusLine, index);
  UiDocument *document = ui_document_copy (self->document);

  take_pass (document, corpus->document);
  take_head (document, corpus->result->kind, head, line);
  set_text (&document->text_a, line->text_a);
  set_text (&document->text_b, line->text_b);
  pin_link (document, line->query, line->key);
  forget_opened (corpus);
  corpus->opened = line->query < 0 ? (int) index : -1;
  app_window_change (self, document);
}

static void
file_cb (AppWindow            *self,
         int                   response,
         GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (response == GTK_RESPONSE_ACCEPT && path != NULL)
    app_window_search_file (self, path);
  g_object_unref (chooser);
}

static void
choose_file_cb (AppWindow *self)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new ("Choose a Text File", GTK_WINDOW (self),
                                 GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (file_cb), self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
save_cb (AppWindow *self,
         gboolean   saves_lines)
{
  const AppCorpus *corpus = self->corpus;

  if (corpus->result == NULL)
    return;
  if (saves_lines)
    app_window_save_csv (self, GTK_WINDOW (self),
                         app_corpus_lines_to_csv (get_head (corpus), &corpus->result->question),
                         "lines.csv");
  else
    app_window_save_csv (self, GTK_WINDOW (self), app_corpus_heads_to_csv (corpus->result),
                         "heads.csv");
}

static void
focus_form (AppWindow *self)
{
  g_signal_handlers_disconnect_by_func (self->search_results, focus_form, self);
  ui_search_results_focus (self->search_results);
}

static void
search_file (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppWindow *self = data;

  app_window_show_side (self, "file");
  /* A side that was hidden takes the focus once it is in sight. */
  if (gtk_widget_get_mapped (GTK_WIDGET (self->search_results)))
    focus_form (self);
  else
    g_signal_connect_swapped (self->search_results, "map", G_CALLBACK (focus_form), self);
}

void
app_window_add_search (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "search-file", search_file },
    { "close-search", close_search },
  };
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->corpus = g_new0 (AppCorpus, 1);
  self->corpus->opened = -1;
  app_window_add_links (self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (self->side, "notify::visible-child", G_CALLBACK (page_cb), self);
  g_signal_connect_swapped (self->search_results, "choose-file", G_CALLBACK (choose_file_cb), self);
  g_signal_connect_swapped (self->search_results, "search", G_CALLBACK (search_cb), self);
  g_signal_connect_swapped (self->search_results, "head-chosen", G_CALLBACK (head_cb), self);
  g_signal_connect_swapped (self->search_results, "line-opened", G_CALLBACK (line_cb), self);
  g_signal_connect_swapped (self->search_results, "save", G_CALLBACK (save_cb), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (gtk_widget_get_parent (self->search_header), keys);
  gtk_stack_set_visible_child_name (self->side, "inspector");
}

void
app_window_end_search (AppWindow *self)
{
  AppCorpus *corpus = g_steal_pointer (&self->corpus);

  if (corpus == NULL)
    return;

  self->picks_words = FALSE;
  app_window_end_links (self);
  forget_opened (corpus);
  g_clear_pointer (&corpus->result, app_corpus_result_free);
  g_clear_pointer (&corpus->document, ui_document_free);
  g_free (corpus->path);
  g_free (corpus);
}

void
app_window_sync_search (AppWindow *self)
{
  AppCorpus *corpus = self->corpus;

  if (corpus->pin_source == 0 && shows_opened (self))
    corpus->pin_source = g_idle_add (pin_opened_cb, self);
  ui_search_results_set_obstacle (self->search_results,
                                  self->answered != NULL && self->model == NULL ? NO_MODEL : NULL);
}
