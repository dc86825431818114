/* SPDX-License-Identifier: MIT */
/* The road of the window: a changed document goes to the worker, the answer comes back, trace and
 * document are shown. Controls are set from the document, never the other way round outside of
 * their own signals. */
#include "app/window-private.h"

#include <string.h>

#include "app/timing.h"
#include "engine/error.h"
#include "engine/trace/measure.h"
#include "ui/scene/describe.h"
#include "ui/scene/model-facts.h"

/* A pass that is quicker than this is run at each keystroke. */
#define INSTANT_MS       15.0
#define TYPING_PAUSE_MS  60
/* Work that is done before a person notices needs no spinner. */
#define SPINNER_DELAY_MS 200

static gboolean
needs_pass (const UiDocument *a,
            const UiDocument *b)
{
  g_autofree char *pass_a = ui_document_describe_pass (a);
  g_autofree char *pass_b = ui_document_describe_pass (b);

  return !g_str_equal (pass_a, pass_b) || a->written != b->written;
}

static gboolean
show_spinner_cb (gpointer data)
{
  AppWindow *self = data;

  self->spinner_source = 0;
  gtk_spinner_start (self->spinner);
  return G_SOURCE_REMOVE;
}

static void
set_waiting (AppWindow *self,
             gboolean   waiting)
{
  self->waiting = waiting;
  app_window_sync_spinner (self);
}

static gboolean
submit_cb (gpointer data)
{
  AppWindow *self = data;

  self->submit_source = 0;
  app_window_submit (self, self->document,
                     self->document->written != 0 ? APP_WRITE_UP_TO : APP_WRITE_WHAT_LACKS);
  return G_SOURCE_REMOVE;
}

static gboolean
has_other_texts (const UiDocument *a,
                 const UiDocument *b)
{
  return !g_str_equal (a->text_a, b->text_a) || !g_str_equal (a->text_b, b->text_b);
}

static gboolean
has_other_source (const UiDocument *a,
                  const UiDocument *b)
{
  return g_strcmp0 (a->model, b->model) != 0 || g_strcmp0 (a->trace_file, b->trace_file) != 0
         || a->random_weights_set != b->random_weights_set
         || a->random_weights != b->random_weights;
}

/* A person who types on may be faster than a slow pass; whoever chose something waits for it. What
 * the model wrote is written again under other settings; a step back has what it had then. */
static void
submit (AppWindow        *self,
        const UiDocument *before)
{
  gboolean is_typing = has_other_texts (before, self->document);
  gboolean is_written = (self->written.is_running || self->written.n_tokens > 0)
                        && self->document->written == before->written;

  g_clear_handle_id (&self->submit_source, g_source_remove);
  if (is_typing && self->milliseconds >= INSTANT_MS)
    self->submit_source = g_timeout_add (TYPING_PAUSE_MS, submit_cb, self);
  else if (is_written && !is_typing && !has_other_source (before, self->document))
    app_window_submit (self, self->document, APP_WRITE_ALL);
  else
    submit_cb (self);
}

int
app_window_find_layer (const EngTrace *trace,
                       EngKind         kind,
                       int             layer)
{
  int n_layers = eng_trace_get_n_layers (trace, kind);

  layer = MIN (layer, n_layers - 1);
  for (int distance = 0; distance < n_layers; distance++) {
    if (eng_trace_has_layer (trace, kind, layer - distance))
      return layer - distance;
    if (eng_trace_has_layer (trace, kind, layer + distance))
      return layer + distance;
  }

  return -1;
}

/* A choice that the trace has not (a layer of a bigger model, a filter without a sentence B, a
 * token that was deleted) is put aside, not forgotten: typing or opening another model brings it
 * back. */
static UiDocument *
fit_document (const UiDocument *document,
              EngTrace         *trace)
{
  UiDocument *fitted = ui_document_copy (document);
  int n_heads;

  if (!fitted->kind_set || !eng_trace_has_kind (trace, fitted->kind))
    fitted->kind = eng_trace_get_default_kind (trace);
  fitted->kind_set = TRUE;
  fitted->layer = app_window_find_layer (trace, fitted->kind, fitted->layer);

  n_heads = eng_trace_get_n_heads (trace, fitted->kind);
  if (ui_head_set_count (&fitted->heads, n_heads) == 0)
    fitted->heads = (UiHeadSet) { .all = TRUE };
  if (!app_window_can_filter (trace, fitted->kind))
    fitted->filter = UI_FILTER_ALL;
  app_window_fit_display (fitted, trace);
  ui_pins_trim (&fitted->pins, eng_trace_get_n_queries (trace, fitted->kind),
                eng_trace_get_n_keys (trace, fitted->kind));

  return fitted;
}

/* Whether layers that are still being computed belong to what is to be drawn. */
static gboolean
needs_more_layers (AppWindow        *self,
                   const UiDocument *fitted)
{
  if (fitted->view == UI_VIEW_MODEL)
    return !app_window_shows_growing (self);
  return fitted->layer != self->document->layer || fitted->measure != self->document->measure
         || fitted->layers != UI_AGGREGATE_EACH || app_window_lacks_comparison (self, fitted);
}

/* While a pass runs, each layer is an answer; most of them change nothing that is drawn. */
static gboolean
is_drawn (AppWindow        *self,
          const UiDocument *fitted,
          EngTrace         *second)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);

  return scene != NULL && ui_scene_get_trace (scene) == self->trace && second == self->second_trace
         && ui_document_equal (fitted, self->shown)
         && !(fitted->view == UI_VIEW_MODEL && ui_model_has_grown (scene));
}

static void
keep_shown (AppWindow        *self,
            const UiDocument *fitted,
            EngTrace         *second)
{
  if (second != NULL)
    eng_trace_ref (second);
  g_clear_pointer (&self->second_trace, eng_trace_unref);
  self->second_trace = second;
  g_clear_pointer (&self->shown, ui_document_free);
  self->shown = ui_document_copy (fitted);
  app_window_sync_chips (self);
}

/* Draws what the traces have of the document. FALSE while the picture before it stays. */
static gboolean
draw (AppWindow        *self,
      EngTrace         *second,
      const UiDocument *fitted)
{
  g_autoptr (GError) error = NULL;

  if (is_drawn (self, fitted, second)) {
    app_window_leave_drawing (self);
    return TRUE;
  }
  switch (app_window_draw (self, second, fitted, &error)) {
  case APP_DRAWN:
    keep_shown (self, fitted, second);
    return TRUE;
  case APP_NOT_DRAWN:
    app_window_set_notice (self, error->message, FALSE);
    return FALSE;
  case APP_DRAWN_LATER:
  default:
    return FALSE;
  }
}

static void
show_trace (AppWindow *self)
{
  g_autoptr (UiDocument) fitted = fit_document (self->document, self->trace);
  EngTrace *second;

  app_window_fit_order (self, fitted);
  second = app_window_fit_comparison (self, fitted);

  /* A layer that is still being computed: the next answer brings it. A pass that was cancelled for
   * a text that was then refused brings none, so it is asked for again. */
  if (!app_window_has_drawing (self, second, fitted)
      && (fitted->layer < 0 || (!self->complete && needs_more_layers (self, fitted)))) {
    if (!self->waiting)
      app_window_submit (self, self->answered, APP_WRITE_WHAT_LACKS);
    return;
  }
  if (!draw (self, second, fitted))
    return;

  g_clear_pointer (&self->drawn, ui_document_free);
  self->drawn = ui_document_copy (self->document);
  app_window_sync_model_name (self);
  app_window_sync_pickers (self);
}

/* How many tokens the texts have before anything is cut off; 0 when they fit. */
static int
count_uncut (const EngModel   *model,
             const UiDocument *document)
{
  const EngTokenizeOptions options = { .no_special_tokens = document->no_special_tokens };
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  const EngModelInfo *info = eng_model_get_info (model);
  g_autoptr (EngTokens) tokens = NULL;

  if (tokenizer == NULL || !info->strict_positions)
    return 0;
  tokens = eng_tokenizer_encode (tokenizer, document->text_a, document->text_b, &options, NULL);

  return tokens != NULL && tokens->n > info->max_positions ? tokens->n : 0;
}

static void
report_first_picture (GdkFrameClock *clock,
                      AppWindow     *self)
{
  g_signal_handlers_disconnect_by_func (clock, report_first_picture, self);
  app_timing_report ("first picture");
}

/* A trace keeps its model in memory: what was computed of the last one lets go of it. */
static void
let_go_of_model (AppWindow *self)
{
  g_clear_pointer (&self->facts_trace, eng_trace_unref);
  app_before_clear (self->before);
  app_window_forget_links (self);
  if (!g_str_equal (gtk_stack_get_visible_child_name (self->stack), "table"))
    ui_token_table_set_scene (self->table, NULL);
}

static void
take_trace (AppWindow       *self,
            const AppAnswer *answer)
{
  if (self->trace == NULL) {
    app_timing_mark ("model's first answer");
    if (gtk_widget_get_realized (GTK_WIDGET (self)))
      g_signal_connect_object (gtk_widget_get_frame_clock (GTK_WIDGET (self)), "after-paint",
                               G_CALLBACK (report_first_picture), self, 0);
  }

  eng_trace_ref (answer->trace);
  g_clear_pointer (&self->trace, eng_trace_unref);
  self->trace = answer->trace;
  if (self->facts_trace != self->trace)
    g_clear_pointer (&self->facts_trace, eng_trace_unref);
  if (answer->model != self->model)
    let_go_of_model (self);
  g_clear_pointer (&self->model, eng_model_unref);
  self->model = answer->model != NULL ? eng_model_ref (answer->model) : NULL;
  g_clear_pointer (&self->answered, ui_document_free);
  self->answered = ui_document_copy (answer->document);
  app_window_take_recent (self, self->answered);
  self->complete = answer->complete;
  app_window_take_written (self, answer);
  if (answer->complete) {
    self->milliseconds = answer->milliseconds;
    self->n_uncut = self->model != NULL && answer->document->truncate
                    ? count_uncut (self->model, answer->document) : 0;
    app_window_take_predictions (self, &answer->predictions);
  }
  /* The next start opens it as one that was trained. */
  if (answer->complete && self->model != NULL && !answer->document->random_weights_set)
    app_settings_set_last_model (self->settings, answer->document->model);
}

/* Back to what is on show, or to the bundled model when that is nothing yet. */
static void
take_back_opening (AppWindow       *self,
                   const AppAnswer *answer)
{
  UiDocument *document;
  gboolean is_bundled = answer->document->model == NULL && answer->document->trace_file == NULL;

  g_clear_pointer (&self->awaited_recent, g_free);
  if (self->answered == NULL && is_bundled) {
    app_window_set_notice (self, answer->error->message, FALSE);
    return;
  }

  if (!app_window_offer_download (self, answer->document->model, answer->error)
      && !app_window_offer_untrained (self, answer->document->model))
    app_window_toast (self, answer->error->message);
  document = ui_document_copy (self->document);
  g_free (document->model);
  g_free (document->trace_file);
  document->model = self->answered != NULL ? g_strdup (self->answered->model) : NULL;
  document->trace_file = self->answered != NULL ? g_strdup (self->answered->trace_file) : NULL;
  document->random_weights_set = self->answered != NULL && self->answered->random_weights_set;
  document->random_weights = self->answered != NULL ? self->answered->random_weights : 0;
  app_window_amend (self, document);
  app_window_set_document (self, document);
}

/* The text that was refused by a model that is not in the title yet is refused in its name. */
static void
take_refused_text (AppWindow       *self,
                   const AppAnswer *answer)
{
  g_autofree char *message = NULL;

  if (answer->model != self->model)
    message = g_strdup_printf ("%s: %s", eng_model_get_info (answer->model)->name,
                               answer->error->message);
  app_window_set_notice (self, message != NULL ? message : answer->error->message,
                         count_uncut (answer->model, answer->document) > 0);
}

static void
take_error (AppWindow       *self,
            const AppAnswer *answer)
{
  /* Something else was asked for meanwhile: its answer is what counts. */
  if (needs_pass (answer->document, self->document))
    return;

  if (answer->model == NULL)
    take_back_opening (self, answer);
  else
    take_refused_text (self, answer);
}

/* In cross attention every link is B→A. While the picture of another model is still there, the trace
 * may lack its kind. */
gboolean
app_window_can_filter (const EngTrace *trace,
                       EngKind         kind)
{
  return kind != ENG_KIND_CROSS && eng_trace_has_kind (trace, kind)
         && eng_measure_has_pair (eng_trace_get_query_tokens (trace, kind),
                                  eng_trace_get_key_tokens (trace, kind));
}

gboolean
app_window_has_entries (AppWindow *self)
{
  return self->document->trace_file == NULL;
}

void
app_window_sync_spinner (AppWindow *self)
{
  if (!self->waiting && self->wanted == NULL) {
    g_clear_handle_id (&self->spinner_source, g_source_remove);
    gtk_spinner_stop (self->spinner);
  } else if (self->spinner_source == 0 && !gtk_spinner_get_spinning (self->spinner)) {
    self->spinner_source = g_timeout_add (SPINNER_DELAY_MS, show_spinner_cb, self);
  }
}

void
app_window_submit (AppWindow        *self,
                   const UiDocument *document,
                   AppWriting        writing)
{
  self->serial = app_worker_write (self->worker, document, writing);
  set_waiting (self, TRUE);
}

void
app_window_choose_kind (AppWindow  *self,
                        UiDocument *document,
                        EngKind     kind)
{
  EngKind from = self->shown->kind;
  const AppPlace *place = &self->places[kind];

  document->kind_set = TRUE;
  document->kind = kind;
  if (kind == from)
    return;

  self->places[from] = (AppPlace) { TRUE, document->layer, document->heads };
  if (place->is_known && eng_trace_get_n_layers (self->trace, kind)
                         != eng_trace_get_n_layers (self->trace, from))
    document->layer = place->layer;
  if (place->is_known && eng_trace_get_n_heads (self->trace, kind)
                         != eng_trace_get_n_heads (self->trace, from))
    document->heads = place->heads;

  /* The encoder reads in its own block alone; the decoder is read in its own block alone. */
  if ((kind == ENG_KIND_ENCODER) != (from == ENG_KIND_ENCODER))
    ui_pins_trim (&document->pins, 0, G_MAXINT);
  if ((kind == ENG_KIND_DECODER) != (from == ENG_KIND_DECODER))
    ui_pins_trim (&document->pins, G_MAXINT, 0);
}

void
app_window_refresh (AppWindow *self)
{
  self->syncing = TRUE;
  app_window_sync_entries (self);
  app_window_sync_view (self);
  if (self->trace != NULL)
    show_trace (self);
  app_window_sync_compare (self);
  app_window_sync_asking (self);
  app_window_sync_marks (self);
  app_window_sync_writing (self);
  app_window_sync_model_view (self);
  app_window_sync_display (self);
  app_window_sync_edits (self);
  app_window_sync_room (self);
  app_window_sync_links (self);
  app_window_sync_search (self);
  app_window_sync_sweep (self);
  app_window_sync_changes (self);
  app_window_update_actions (self);
  app_window_sync_history (self);
  app_window_sync_session (self);
  app_window_update_status (self);
  self->syncing = FALSE;
}

void
app_window_change (AppWindow  *self,
                   UiDocument *document)
{
  /* It stood behind another text. */
  if (has_other_texts (self->document, document) || has_other_source (self->document, document))
    document->written = 0;
  app_window_record (self, document);
  app_window_set_document (self, document);
}

void
app_window_keep_document (AppWindow  *self,
                          UiDocument *document)
{
  g_clear_pointer (&self->document, ui_document_free);
  self->document = document;
  app_autosave_change (self->autosave, self->history);
}

void
app_window_set_document (AppWindow  *self,
                         UiDocument *document)
{
  g_autoptr (UiDocument) before = g_steal_pointer (&self->document);

  app_window_keep_document (self, document);
  if (has_other_source (before, document))
    memset (self->places, 0, sizeof self->places);
  if (needs_pass (before, document))
    submit (self, before);
  app_window_refresh (self);
}

/* Layers of another model of which nothing can be drawn yet: until they can, window and controls are
 * those of the picture that is on show. */
static gboolean
comes_too_early (AppWindow       *self,
                 const AppAnswer *answer)
{
  g_autoptr (UiDocument) fitted = NULL;

  if (answer->complete || self->shown == NULL || answer->model == self->model)
    return FALSE;

  fitted = fit_document (self->document, answer->trace);
  return fitted->layer < 0 || needs_more_layers (self, fitted);
}

void
app_window_take_answer (AppWindow       *self,
                        const AppAnswer *answer)
{
  g_return_if_fail (APP_IS_WINDOW (self));

  if (answer->serial >= self->serial && (answer->complete || answer->error != NULL))
    set_waiting (self, FALSE);

  if (answer->error != NULL) {
    if (answer->serial >= self->serial)
      self->written.is_running = FALSE;
    take_error (self, answer);
    app_window_refresh (self);
    return;
  }

  if (comes_too_early (self, answer))
    return;

  take_trace (self, answer);
  if (!needs_pass (answer->document, self->document))
    app_window_set_notice (self, NULL, FALSE);
  app_window_refresh (self);
}
