/* SPDX-License-Identifier: MIT */
/* The page beside the picture where heads are looked for, and the search over a text file: which
 * heads follow a pattern or link two words, and in which lines most. */
#include "app/parts/search/search.h"

#include <string.h>

#include "app/parts/search/corpus-rows.h"
#include "app/run/corpus-csv.h"
#include "ui/lists/search-results.h"

#define NO_MODEL "A trace file has no model that could read a text; open a model"

typedef struct {
  char            *path;     /* NULL = none is chosen */
  UiDocument      *document; /* that was searched with; NULL = nothing was searched */
  AppCorpusResult *result;   /* NULL = none yet */
  guint            head;     /* whose lines are shown */
  gpointer         running;  /* data of the job that runs; borrowed, only compared */
  int              opened;   /* line of the head whose evidence is looked for; -1 = none */
  guint            pin_source;
} AppCorpus;

struct _AppSearchPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  UiSearchResults *search_results;

  AppCorpus *corpus;
};

G_DEFINE_FINAL_TYPE (AppSearchPart, app_search_part, APP_TYPE_PART)

typedef struct {
  AppSearchPart *part;  /* borrowed; only while corpus->running is this */
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

static void
close_search (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppSearchPart *self = data;

  app_desk_close_side (self->desk);
}

static gboolean
key_cb (AppSearchPart *self,
        guint          key)
{
  if (key != GDK_KEY_Escape || !app_desk_has_search (self->desk))
    return GDK_EVENT_PROPAGATE;

  if (!app_desk_shows_side (self->desk, "file")
      || !ui_search_results_go_back (self->search_results))
    app_desk_activate (self->desk, "close-search", NULL);
  return GDK_EVENT_STOP;
}

static void
show_result (AppSearchPart *self)
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

  if (search->part->corpus != NULL && search->part->corpus->running == search) {
    search->part->corpus->running = NULL;
    ui_search_results_set_message (search->part->search_results,
                                   "Other work took the place of the search.", FALSE);
  }
  eng_model_unref (search->model);
  ui_document_free (search->document);
  app_corpus_question_clear (&search->question);
  g_free (search->path);
  g_free (search);
}

static gpointer
run_search (AppJob    *job,
            gpointer   data,
            GError   **error)
{
  const Search *search = data;

  return app_corpus_search (search->model, search->document, search->kind, &search->question,
                            search->path, app_job_get_cancel (job), app_job_report, job, error);
}

static void
search_done (AppJob       *job,
             gpointer      result,
             const GError *error,
             gpointer      data)
{
  AppSearchPart *self = data;
  AppCorpus *corpus = self->corpus;

  corpus->running = NULL;
  if (result != NULL) {
    corpus->result = result;
    show_result (self);
  } else {
    ui_search_results_set_message (self->search_results, error->message, FALSE);
  }
  app_desk_end_job (self->desk);
  /* A job that waited for its turn begins. */
  app_desk_refresh (self->desk);
}

static void
search_cb (AppSearchPart *self)
{
  static const AppJobClass klass = {
    .run = run_search,
    .done = search_done,
    .free_result = (GDestroyNotify) app_corpus_result_free,
    .free_data = search_free,
  };
  AppCorpus *corpus = self->corpus;
  Search *search;

  if (app_study_get_model (self->study) == NULL || app_picture_get_shown (self->picture) == NULL
      || corpus->path == NULL)
    return;

  search = g_new0 (Search, 1);
  search->part = self;
  search->model = eng_model_ref (app_study_get_model (self->study));
  search->document = ui_document_copy (app_study_get_answered (self->study));
  search->kind = app_picture_get_shown (self->picture)->kind;
  search->question.links_words =
    ui_search_results_get_words (self->search_results, &search->question.from,
                                 &search->question.to);
  search->question.pattern = ui_search_results_get_pattern (self->search_results);
  search->path = g_strdup (corpus->path);
  forget_opened (corpus);
  g_clear_pointer (&corpus->result, app_corpus_result_free);
  g_clear_pointer (&corpus->document, ui_document_free);
  corpus->document = ui_document_copy (app_study_get_answered (self->study));
  app_desk_start_job (self->desk, "Searching the text file", &klass, search, self);
  corpus->running = search;
  ui_search_results_set_message (self->search_results, "Running lines through the model…", TRUE);
}

void
app_search_part_set_file (AppSearchPart *self,
                          const char    *path)
{
  g_free (self->corpus->path);
  self->corpus->path = g_strdup (path);
  ui_search_results_set_file (self->search_results, path);
}

/* What a person does in the lists. */

static void
head_cb (AppSearchPart *self,
         guint          index)
{
  const AppCorpusResult *result = self->corpus->result;
  const AppCorpusHead *head = &g_array_index (result->heads, AppCorpusHead, index);
  g_autofree char *title = app_corpus_rows_title (result, head);

  forget_opened (self->corpus);
  self->corpus->head = index;
  ui_search_results_take_lines (self->search_results, title,
                                app_corpus_rows_list_lines (head));
}

/* The pass of the line as it was searched: another model may be open by now. */
static void
take_pass (UiDocument       *document,
           const UiDocument *from)
{
  ui_replace_text (&document->model, from->model);
  ui_replace_text (&document->trace_file, NULL);
  ui_replace_text (&document->lang, from->lang);
  ui_replace_text (&document->prefix, from->prefix);
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
shows_opened (AppSearchPart *self)
{
  const AppCorpus *corpus = self->corpus;
  const AppCorpusLine *line;

  if (corpus->opened < 0 || !app_study_is_complete (self->study)
      || app_picture_get_shown (self->picture) == NULL)
    return FALSE;

  line = &g_array_index (get_head (corpus)->lines, AppCorpusLine, (guint) corpus->opened);
  return g_str_equal (app_study_get_answered (self->study)->text_a, line->text_a)
         && g_str_equal (app_study_get_answered (self->study)->text_b, line->text_b)
         && app_picture_get_shown (self->picture)->kind == corpus->result->kind
         && app_picture_get_shown (self->picture)->layer == get_head (corpus)->layer;
}

/* Of a long line the search keeps no evidence: it is found in the one that was opened. */
static gboolean
pin_opened_cb (gpointer data)
{
  AppSearchPart *self = data;
  AppCorpus *corpus = self->corpus;
  const EngKind kind = corpus->result->kind;
  g_autoptr (EngAttention) attention = NULL;
  EngPatternEvidence evidence;
  UiDocument *document;

  corpus->pin_source = 0;
  if (!shows_opened (self))
    return G_SOURCE_REMOVE;

  corpus->opened = -1;
  attention = eng_trace_dup_attention (app_study_get_trace (self->study), kind,
                                       app_picture_get_shown (self->picture)->layer);
  evidence = eng_patterns_find_evidence (
    attention, eng_trace_get_query_tokens (app_study_get_trace (self->study), kind),
    eng_trace_get_key_tokens (app_study_get_trace (self->study), kind), get_head (corpus)->head,
    corpus->result->question.pattern);
  document = ui_document_copy (app_study_get_document (self->study));
  pin_link (document, evidence.query, evidence.key);
  app_study_amend (self->study, document);

  return G_SOURCE_REMOVE;
}

static void
line_cb (AppSearchPart *self,
         guint          index)
{
  AppCorpus *corpus = self->corpus;
  const AppCorpusHead *head = get_head (corpus);
  const AppCorpusLine *line = &g_array_index (head->lines, AppCorpusLine, index);
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  take_pass (document, corpus->document);
  take_head (document, corpus->result->kind, head, line);
  ui_replace_text (&document->text_a, line->text_a);
  ui_replace_text (&document->text_b, line->text_b);
  pin_link (document, line->query, line->key);
  forget_opened (corpus);
  corpus->opened = line->query < 0 ? (int) index : -1;
  app_study_change (self->study, document);
}

static void
file_cb (gpointer    owner,
         const char *path,
         gpointer    data)
{
  app_search_part_set_file (owner, path);
}

static void
choose_file_cb (AppSearchPart *self)
{
  AppFileQuestion question = { "Choose a Text File", GTK_FILE_CHOOSER_ACTION_OPEN };

  app_desk_choose_file (self->desk, &question, self, file_cb, NULL, NULL);
}

static void
save_cb (AppSearchPart *self,
         gboolean       saves_lines)
{
  const AppCorpus *corpus = self->corpus;

  if (corpus->result == NULL)
    return;
  if (saves_lines)
    app_desk_save_csv (self->desk, app_desk_get_window (self->desk),
                         app_corpus_lines_to_csv (get_head (corpus), &corpus->result->question),
                         "lines.csv");
  else
    app_desk_save_csv (self->desk, app_desk_get_window (self->desk),
                       app_corpus_heads_to_csv (corpus->result), "heads.csv");
}

static void
focus_form (AppSearchPart *self)
{
  g_signal_handlers_disconnect_by_func (self->search_results, focus_form, self);
  ui_search_results_focus (self->search_results);
}

static void
search_file (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppSearchPart *self = data;

  if (!app_desk_may_tell (self->desk))
    return;
  app_desk_show_side (self->desk, "file");
  /* A side that was hidden takes the focus once it is in sight. */
  if (gtk_widget_get_mapped (GTK_WIDGET (self->search_results)))
    focus_form (self);
  else
    g_signal_connect_object (self->search_results, "map", G_CALLBACK (focus_form), self,
                             G_CONNECT_SWAPPED);
}

static void
theme (AppPart *part)
{
  AppSearchPart *self = APP_SEARCH_PART (part);

  if (self->search_results != NULL)
    ui_search_results_set_theme (self->search_results,
                                 ui_scene_view_get_theme (app_picture_get_view (self->picture)));
}

static void
sync_search (AppPart *part)
{
  AppSearchPart *self = APP_SEARCH_PART (part);

  if (self->search_results == NULL)
    return;

  ui_search_results_set_obstacle (self->search_results,
                                  app_study_get_answered (self->study) != NULL
                                      && app_study_get_model (self->study) == NULL
                                    ? NO_MODEL
                                    : NULL);
  ui_search_results_hold_back (self->search_results, app_picture_is_asked (self->picture)
                                                     ? APP_DESK_HELD_BACK : NULL);
}

/* With the first search: a start needs no page of it. */
static void
make_page (AppSearchPart *self)
{
  if (self->search_results != NULL)
    return;

  app_part_load_ui (self, "search");
  app_part_place (self, "search_results", "page_file");
  self->search_results = app_part_get_object (self, "search_results");
  g_signal_connect_object (self->search_results, "choose-file", G_CALLBACK (choose_file_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_results, "search", G_CALLBACK (search_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_results, "head-chosen", G_CALLBACK (head_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_results, "line-opened", G_CALLBACK (line_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_results, "save", G_CALLBACK (save_cb), self,
                           G_CONNECT_SWAPPED);
  theme (APP_PART (self));
}

static void
page_cb (AppSearchPart *self)
{
  if (app_desk_has_search (self->desk))
    make_page (self);
  app_part_refresh (APP_PART (self));
}

static void
add_actions (AppSearchPart *self)
{
  static const GActionEntry entries[] = {
    { "search-file", search_file },
    { "close-search", close_search },
  };
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->corpus = g_new0 (AppCorpus, 1);
  self->corpus->opened = -1;
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->desk, "side-changed", G_CALLBACK (page_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_cb), self, G_CONNECT_SWAPPED);
  app_desk_add_side_keys (self->desk, keys);
}

static void
end_search (AppPart *part)
{
  AppSearchPart *self = APP_SEARCH_PART (part);
  AppCorpus *corpus = g_steal_pointer (&self->corpus);

  if (corpus == NULL)
    return;

  forget_opened (corpus);
  g_clear_pointer (&corpus->result, app_corpus_result_free);
  g_clear_pointer (&corpus->document, ui_document_free);
  g_free (corpus->path);
  g_free (corpus);
}

/* In its turn: the document is not changed while the window is set to it. */
static void
pin_opened (AppPart *part)
{
  AppSearchPart *self = APP_SEARCH_PART (part);

  if (self->corpus->pin_source == 0 && shows_opened (self))
    self->corpus->pin_source = g_idle_add (pin_opened_cb, self);
}

static void
begin (AppPart *part)
{
  AppSearchPart *self = APP_SEARCH_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  add_actions (self);
}

static void
app_search_part_class_init (AppSearchPartClass *klass)
{
  g_type_ensure (UI_TYPE_SEARCH_RESULTS);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_search;
  APP_PART_CLASS (klass)->work = pin_opened;
  APP_PART_CLASS (klass)->theme = theme;
  APP_PART_CLASS (klass)->end = end_search;
}

static void
app_search_part_init (AppSearchPart *self)
{
}
