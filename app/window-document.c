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

#define CHIP_HINT "Click toggles, double click isolates."
#define HINT_B "Second sentence, or nothing"
#define HINT_CONTEXT "Text that has the answer"
#define HINT_TARGET "Text to write, or nothing: the model writes"

static gboolean
needs_pass (const UiDocument *a,
            const UiDocument *b)
{
  g_autofree char *pass_a = ui_document_describe_pass (a);
  g_autofree char *pass_b = ui_document_describe_pass (b);

  return !g_str_equal (pass_a, pass_b);
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
  g_clear_handle_id (&self->spinner_source, g_source_remove);
  if (waiting)
    self->spinner_source = g_timeout_add (SPINNER_DELAY_MS, show_spinner_cb, self);
  else
    gtk_spinner_stop (self->spinner);
}

static gboolean
submit_cb (gpointer data)
{
  AppWindow *self = data;

  self->submit_source = 0;
  app_window_submit (self, self->document, APP_WRITE_WHAT_LACKS);
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
 * the model wrote is written again under other settings. */
static void
submit (AppWindow        *self,
        const UiDocument *before)
{
  gboolean is_typing = has_other_texts (before, self->document);
  gboolean was_writing = self->written.is_running || self->written.n_tokens > 0;

  g_clear_handle_id (&self->submit_source, g_source_remove);
  if (is_typing && self->milliseconds >= INSTANT_MS)
    self->submit_source = g_timeout_add (TYPING_PAUSE_MS, submit_cb, self);
  else if (was_writing && !is_typing && !has_other_source (before, self->document))
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

/* Only what differs is replaced, so that the cursor stays where something changed: Ctrl+Z in an
 * entry, whose own undo is off, undoes a step of the document like anywhere else. */
static void
sync_entry (GtkEntry   *entry,
            const char *text)
{
  GtkEditable *editable = GTK_EDITABLE (entry);
  g_autofree char *old = g_strdup (gtk_editable_get_text (editable));
  const char *old_end = old + strlen (old);
  const char *new_end = text + strlen (text);
  gsize same = 0;
  int position;

  if (g_str_equal (old, text))
    return;
  while (old[same] != '\0' && old[same] == text[same])
    same++;
  /* Not in the middle of a letter. */
  while (same > 0 && ((guchar) old[same] & 0xc0) == 0x80)
    same--;
  while (old_end > old + same && new_end > text + same && old_end[-1] == new_end[-1])
    old_end--, new_end--;
  while (*old_end != '\0' && ((guchar) *old_end & 0xc0) == 0x80)
    old_end++, new_end++;

  position = (int) g_utf8_strlen (old, (gssize) same);
  gtk_editable_delete_text (editable, position,
                            (int) g_utf8_strlen (old, old_end - old));
  gtk_editable_insert_text (editable, text + same, (int) (new_end - text - same), &position);
  gtk_editable_set_position (editable, position);
}

static gboolean
is_asked_questions (AppWindow *self)
{
  return self->model != NULL && eng_model_has_task (self->model, ENG_TASK_QUESTION_ANSWERING);
}

/* "Sentence; [MASK] asks for a word", in the model's own spelling. */
static char *
describe_a (AppWindow *self)
{
  const EngTokenizer *tokenizer =
    self->model != NULL ? eng_model_get_tokenizer (self->model) : NULL;

  if (is_asked_questions (self))
    return g_strdup ("Question");
  if (self->model != NULL && tokenizer == NULL)
    return g_strdup ("Token ids with spaces: the model has no tokenizer");
  if (tokenizer == NULL || !eng_model_has_task (self->model, ENG_TASK_FILL_MASK)
      || eng_tokenizer_get_mask_id (tokenizer) < 0)
    return g_strdup ("Sentence");

  return g_strdup_printf ("Sentence; %s asks for a word",
                          eng_tokenizer_get_piece (tokenizer,
                                                   eng_tokenizer_get_mask_id (tokenizer)));
}

/* A file that says no text asks for none. */
static void
sync_hints (AppWindow *self,
            gboolean   has_entries)
{
  g_autofree char *hint_a = describe_a (self);
  const char *hint_b = HINT_B;

  if (is_asked_questions (self))
    hint_b = HINT_CONTEXT;
  else if (self->can_write && eng_model_has_two_stacks (self->model))
    hint_b = HINT_TARGET;
  gtk_entry_set_placeholder_text (self->entry_a, has_entries ? hint_a : "");
  gtk_entry_set_placeholder_text (self->entry_b, has_entries ? hint_b : "");
}

/* GTK 4.8 warns of a cursor that goes on blinking in an entry which cannot be typed in. */
static void
set_typing (AppWindow *self,
            GtkEntry  *entry,
            gboolean   can_type)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (!can_type && focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (entry)))
    gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
  gtk_widget_set_sensitive (GTK_WIDGET (entry), can_type);
}

static void
sync_entries (AppWindow *self)
{
  gboolean has_entries = app_window_has_entries (self);
  const char *text_a = self->document->text_a;
  const char *text_b = self->document->text_b;

  if (!has_entries) {
    gboolean is_shown = self->trace != NULL && self->answered->trace_file != NULL;

    text_a = is_shown ? eng_trace_get_text_a (self->trace) : NULL;
    text_b = is_shown ? eng_trace_get_text_b (self->trace) : NULL;
  }
  sync_entry (self->entry_a, text_a != NULL ? text_a : "");
  sync_entry (self->entry_b, text_b != NULL ? text_b : "");
  sync_hints (self, has_entries);
  set_typing (self, self->entry_a, has_entries);
  set_typing (self, self->entry_b, has_entries);
}

static void
sync_model_name (AppWindow *self)
{
  const char *name = eng_trace_get_model_name (self->trace);
  g_autofree char *file = NULL;
  g_autofree char *size = NULL;

  if (self->answered->trace_file != NULL && name == NULL)
    name = file = g_path_get_basename (self->answered->trace_file);
  if (self->model != NULL)
    name = eng_model_get_info (self->model)->name;
  size = g_strdup_printf ("%d × %d", eng_trace_get_n_layers (self->trace, self->shown->kind),
                          eng_trace_get_n_heads (self->trace, self->shown->kind));
  gtk_label_set_label (self->model_name, name);
  gtk_label_set_label (self->model_size, size);
}

/* A button for each kind that the trace has, where there are several. */
static void
sync_kinds (AppWindow *self)
{
  GtkWidget *button = gtk_widget_get_first_child (self->kind_box);
  int n_kinds = 0;

  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    gboolean is_there = eng_trace_has_kind (self->trace, (EngKind) kind);

    gtk_widget_set_visible (button, is_there);
    button = gtk_widget_get_next_sibling (button);
    n_kinds += is_there;
  }
  gtk_widget_set_visible (self->kind_box, n_kinds > 1);
}

static void
sync_pickers (AppWindow *self)
{
  EngKind kind = self->shown->kind;
  int n_layers = eng_trace_get_n_layers (self->trace, kind);
  int n_heads = eng_trace_get_n_heads (self->trace, kind);

  sync_kinds (self);
  ui_layer_picker_set_n_items (self->layer_picker, n_layers);
  for (int layer = 0; layer < n_layers; layer++) {
    gboolean is_there = eng_trace_has_layer (self->trace, kind, layer);

    ui_layer_picker_set_available (self->layer_picker, layer, !self->complete || is_there);
  }
  ui_layer_picker_set_selected (self->layer_picker, self->shown->layer);
  ui_layer_picker_set_n_items (self->head_picker, n_heads);
  ui_layer_picker_set_selected (self->head_picker,
                                ui_head_set_first (&self->shown->heads, n_heads));
}

static void
sync_chips (AppWindow *self)
{
  EngKind kind = self->shown->kind;
  g_autoptr (EngAttention) attention = NULL;

  if (self->shown->view == UI_VIEW_NEURON)
    return;

  /* Twelve thumbnails need not be drawn again for a head that is turned off. */
  attention = eng_trace_dup_attention (self->trace, kind, self->shown->layer);
  if (attention != self->chip_attention) {
    ui_head_chips_set_attention (self->chips, attention,
                                 eng_trace_get_query_tokens (self->trace, kind),
                                 eng_trace_get_key_tokens (self->trace, kind));
    g_clear_pointer (&self->chip_attention, eng_attention_unref);
    self->chip_attention = g_steal_pointer (&attention);
  }
  ui_head_chips_set_heads (self->chips, &self->shown->heads);
  gtk_label_set_label (self->chip_hint, ui_head_chips_has_shares (self->chips)
                                        ? CHIP_HINT "\nNumber: share of attention between A and B."
                                        : CHIP_HINT);
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
sync_view (AppWindow *self)
{
  gboolean is_neuron = self->document->view == UI_VIEW_NEURON;
  gboolean is_model = self->document->view == UI_VIEW_MODEL;
  gboolean is_table = g_str_equal (gtk_stack_get_visible_child_name (self->stack), "table");
  gboolean has_panels = !is_model && self->document->compare == UI_COMPARE_HEADS;
  gboolean has_two_stacks = self->trace != NULL && ui_describe_has_two_stacks (self->trace);

  /* No block of two stacks has links both within and between its sentences. */
  gtk_widget_set_visible (self->head_controls, !is_neuron && !has_two_stacks);
  gtk_widget_set_visible (self->chip_row, !is_neuron && !is_model && !has_panels);
  gtk_widget_set_visible (GTK_WIDGET (self->chip_hint), !is_neuron && !is_model && !has_panels);
  /* The grid has all layers, the table of tokens beside it has one. Heads that were collected are
   * of their own. */
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->layer_picker)),
                          (!is_model || is_table) && !has_panels);
  gtk_widget_set_visible (self->neuron_controls, is_neuron);
  gtk_widget_set_visible (self->band_box, !self->document->collapsed);
  gtk_widget_set_visible (self->sort_button, !self->document->collapsed);
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
  sync_chips (self);
}

/* What cannot stand beside the first side leaves that alone. */
static gboolean
show_sides (AppWindow         *self,
            EngTrace          *second,
            const UiDocument  *fitted,
            GError           **error)
{
  g_autoptr (GError) refusal = NULL;

  if (ui_scene_view_show (self->scene_view, self->trace, second, fitted, &refusal)) {
    app_window_refuse_second (self, NULL);
    return TRUE;
  }
  if (second == NULL) {
    g_propagate_error (error, g_steal_pointer (&refusal));
    return FALSE;
  }
  app_window_refuse_second (self, refusal);
  return ui_scene_view_show (self->scene_view, self->trace, NULL, fitted, error);
}

static void
show_trace (AppWindow *self)
{
  g_autoptr (UiDocument) fitted = fit_document (self->document, self->trace);
  g_autoptr (GError) error = NULL;
  EngTrace *second;

  app_window_fit_order (self, fitted);
  second = app_window_fit_comparison (self, fitted);

  /* A layer that is still being computed: the next answer brings it. A pass that was cancelled for
   * a text that was then refused brings none, so it is asked for again. */
  if (fitted->layer < 0 || (!self->complete && needs_more_layers (self, fitted))) {
    if (!self->waiting)
      app_window_submit (self, self->answered, APP_WRITE_WHAT_LACKS);
    return;
  }
  if (!is_drawn (self, fitted, second)) {
    if (!show_sides (self, second, fitted, &error)) {
      app_window_set_notice (self, error->message, FALSE);
      return;
    }
    keep_shown (self, fitted, second);
  }
  sync_model_name (self);
  sync_pickers (self);
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
  g_clear_pointer (&self->model, eng_model_unref);
  self->model = answer->model != NULL ? eng_model_ref (answer->model) : NULL;
  g_clear_pointer (&self->answered, ui_document_free);
  self->answered = ui_document_copy (answer->document);
  self->complete = answer->complete;
  app_window_take_written (self, answer);
  if (answer->complete) {
    self->milliseconds = answer->milliseconds;
    self->n_uncut = self->model != NULL && answer->document->truncate
                    ? count_uncut (self->model, answer->document) : 0;
    app_window_take_predictions (self, answer->predictions);
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

/* In cross attention every link is B→A. */
gboolean
app_window_can_filter (const EngTrace *trace,
                       EngKind         kind)
{
  return kind != ENG_KIND_CROSS
         && eng_measure_has_pair (eng_trace_get_query_tokens (trace, kind),
                                  eng_trace_get_key_tokens (trace, kind));
}

gboolean
app_window_has_entries (AppWindow *self)
{
  return self->document->trace_file == NULL;
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
  sync_entries (self);
  sync_view (self);
  if (self->trace != NULL)
    show_trace (self);
  app_window_sync_compare (self);
  app_window_sync_asking (self);
  app_window_sync_marks (self);
  app_window_sync_writing (self);
  app_window_sync_model_view (self);
  app_window_sync_display (self);
  app_window_sync_edits (self);
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
  app_window_record (self, document);
  app_window_set_document (self, document);
}

void
app_window_set_document (AppWindow  *self,
                         UiDocument *document)
{
  g_autoptr (UiDocument) before = self->document;

  self->document = document;
  app_autosave_change (self->autosave, self->history);
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
