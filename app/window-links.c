/* SPDX-License-Identifier: MIT */
/* Which heads link two words. The words are pinned, clicked or chosen beside the picture; the list
 * follows the text, the measure and the kind of attention. */
#include "app/window-private.h"

#include "engine/error.h"
#include "ui/scene/describe.h"
#include "ui/scene/found-links.h"

/* Weights of all heads that are searched within some 10 ms, under every measure. */
#define LIGHT (1 << 20)

#define CHOOSE_TWO "Choose two words above, or click them in the picture."
#define CHOOSE_SECOND "Choose the second word above, or click it in the picture."

typedef struct {
  AppLinkQuestion question;
  UiDocument     *document;
} Search;

static void
question_clear (AppLinkQuestion *question)
{
  g_clear_pointer (&question->trace, eng_trace_unref);
}

static gboolean
is_same_question (const AppLinkQuestion *a,
                  const AppLinkQuestion *b)
{
  return a->trace == b->trace && a->kind == b->kind && a->measure == b->measure
         && a->words == b->words && a->token_a == b->token_a && a->token_b == b->token_b;
}

/* The search. */

static void
search_free (gpointer data)
{
  Search *search = data;

  question_clear (&search->question);
  ui_document_free (search->document);
  g_free (search);
}

static gpointer
run_search (AppJob   *job,
            gpointer  data,
            GError  **error)
{
  const Search *search = data;
  const AppLinkQuestion *question = &search->question;

  return ui_links_find (question->trace, search->document, question->kind, question->token_a,
                        question->token_b, app_job_get_cancel (job), error);
}

static void
show_links (AppWindow    *self,
            GArray       *links,
            const GError *error)
{
  if (links != NULL)
    ui_link_results_set_links (self->link_results, links, self->link_question.measure);
  else
    ui_link_results_set_message (self->link_results, error->message, FALSE);
}

static void
search_done (AppJob       *job,
             gpointer      result,
             const GError *error,
             gpointer      data)
{
  AppWindow *self = data;
  g_autoptr (GArray) links = result;

  show_links (self, links, error);
  g_clear_pointer (&self->link_job, app_job_stop);
}

static gboolean
is_light (const AppLinkQuestion *question)
{
  EngTrace *trace = question->trace;
  const EngKind kind = question->kind;
  const gsize n_heads =
    (gsize) eng_trace_get_n_layers (trace, kind) * (gsize) eng_trace_get_n_heads (trace, kind);

  return n_heads * (gsize) eng_trace_get_n_queries (trace, kind)
         * (gsize) eng_trace_get_n_keys (trace, kind) <= LIGHT;
}

static void
start_search (AppWindow *self)
{
  static const AppJobClass klass = {
    .run = run_search,
    .done = search_done,
    .free_result = (GDestroyNotify) g_array_unref,
    .free_data = search_free,
  };
  Search *search = g_new0 (Search, 1);

  search->question = self->link_question;
  eng_trace_ref (search->question.trace);
  search->document = ui_document_copy (self->shown);
  ui_link_results_set_message (self->link_results, "Searching all heads…", TRUE);
  self->link_job = app_job_start (&klass, search, self);
}

static void
search_now (AppWindow *self)
{
  const AppLinkQuestion *question = &self->link_question;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) links = ui_links_find (question->trace, self->shown, question->kind,
                                            question->token_a, question->token_b, NULL, &error);

  show_links (self, links, error);
}

void
app_window_forget_links (AppWindow *self)
{
  g_clear_pointer (&self->link_job, app_job_stop);
  question_clear (&self->link_question);
}

/* Picking words in the picture. */

static void
stop_picking (AppWindow *self)
{
  if (!self->picks_words)
    return;
  self->picks_words = FALSE;
  app_window_set_notice (self, NULL, FALSE);
}

/* What is drawn may still be the picture of the trace before. */
static gboolean
is_of_drawn (AppWindow *self)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);

  return self->shown != NULL && scene != NULL && ui_scene_get_trace (scene) == self->trace;
}

/* The chosen word of that side, or NULL. */
static char *
describe_chosen (AppWindow *self,
                 gboolean   key)
{
  const EngTokens *tokens = NULL;
  const int chosen = self->link_words[key];

  if (chosen >= 0 && is_of_drawn (self))
    tokens = key ? eng_trace_get_key_tokens (self->trace, self->shown->kind)
                 : eng_trace_get_query_tokens (self->trace, self->shown->kind);
  return tokens != NULL && chosen < tokens->n ? ui_describe_token (tokens, chosen) : NULL;
}

static void
say_what_to_pick (AppWindow *self)
{
  g_autofree char *word = describe_chosen (self, FALSE);
  g_autofree char *sentence = NULL;

  if (word == NULL)
    word = describe_chosen (self, TRUE);
  if (word != NULL)
    sentence = g_strdup_printf ("Click the word that may be linked with %s, or press Return on it; "
                                "Escape ends", word);
  else
    sentence = g_strdup ("Click a word, then another, or press Return on them; Escape ends");
  app_window_set_notice (self, sentence, FALSE);
}

/* Sides of an item in a stack that reads itself are the same tokens. */
static void
take_item (AppWindow    *self,
           const UiItem *item)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);
  const gboolean is_cross = self->shown->kind == ENG_KIND_CROSS;
  const gboolean has_query = ui_item_names_query (item->type);
  const gboolean has_key = ui_item_names_key (item->type);
  const int query = has_query ? ui_scene_get_token (scene, FALSE, item->query) : -1;
  const int key = has_key ? ui_scene_get_token (scene, TRUE, item->key) : -1;

  if (has_query && has_key) {
    self->link_words[0] = query;
    self->link_words[1] = key;
  } else if (is_cross) {
    self->link_words[has_query ? 0 : 1] = has_query ? query : key;
  } else {
    self->link_words[self->link_words[0] < 0 ? 0 : 1] = has_query ? query : key;
  }
}

gboolean
app_window_pick_link (AppWindow    *self,
                      const UiItem *item)
{
  if (!self->picks_words)
    return FALSE;
  if (item->type == UI_ITEM_HEAD || self->shown == NULL) {
    stop_picking (self);
    return FALSE;
  }
  if (!is_of_drawn (self)
      || (!ui_item_names_query (item->type) && !ui_item_names_key (item->type)))
    return TRUE;

  take_item (self, item);
  if (self->link_words[0] >= 0 && self->link_words[1] >= 0)
    stop_picking (self);
  else
    say_what_to_pick (self);
  app_window_sync_links (self);
  return TRUE;
}

/* What is pinned: both ends of a link, or two tokens of one side. */
static void
take_pins (AppWindow *self)
{
  const UiPins *pins = &self->shown->pins;
  const gboolean is_cross = self->shown->kind == ENG_KIND_CROSS;
  int tokens[2] = { -1, -1 };
  int n = 0;

  if (pins->n_queries + pins->n_keys > 2)
    return;
  for (int i = 0; i < pins->n_queries; i++)
    tokens[n++] = pins->queries[i];
  if (is_cross)
    n = 1;
  for (int i = 0; i < pins->n_keys && n < 2; i++)
    tokens[n++] = pins->keys[i];
  self->link_words[0] = tokens[0];
  self->link_words[1] = tokens[1];
}

static void
find_heads (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppWindow *self = data;

  if (self->shown == NULL)
    return;

  self->link_words[0] = self->link_words[1] = -1;
  take_pins (self);
  app_window_show_side (self, "links");
  if (self->link_words[0] >= 0 && self->link_words[1] >= 0) {
    stop_picking (self);
  } else if (self->shown->view != UI_VIEW_MODEL) {
    self->picks_words = TRUE;
    say_what_to_pick (self);
    gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
  }
  app_window_sync_links (self);
}

/* What a person does in the list. */

static void
words_cb (AppWindow *self,
          int        a,
          int        b)
{
  self->link_words[0] = a;
  self->link_words[1] = b;
  stop_picking (self);
  app_window_sync_links (self);
}

/* That head with both words pinned; what would hide the link is taken back. */
static void
opened_cb (AppWindow          *self,
           const EngFoundLink *link)
{
  const EngTokens *queries, *keys;
  UiDocument *document;

  /* A row of the trace before. */
  if (!is_of_drawn (self) || self->link_question.trace != self->trace)
    return;

  document = ui_document_copy (self->document);
  queries = eng_trace_get_query_tokens (self->trace, self->shown->kind);
  keys = eng_trace_get_key_tokens (self->trace, self->shown->kind);
  if (document->view == UI_VIEW_MODEL)
    document->view = UI_VIEW_HEAD;
  document->layer = link->layer;
  document->layers = UI_AGGREGATE_EACH;
  ui_document_show_all_links (document);
  if (queries->special[link->query] || keys->special[link->key])
    document->hide_special = FALSE;
  if (link->head != ENG_ALL_HEADS) {
    ui_head_set_only (&document->heads, link->head);
    document->aggregate = UI_AGGREGATE_EACH;
  }
  ui_pins_clear (&document->pins);
  ui_pins_click (&document->pins, FALSE, link->query, TRUE);
  ui_pins_click (&document->pins, TRUE, link->key, TRUE);
  app_window_change (self, document);
}

static void
save_cb (AppWindow *self)
{
  app_window_save_csv (self, GTK_WINDOW (self), ui_link_results_to_csv (self->link_results),
                       "links.csv");
}

static gboolean
key_cb (AppWindow *self,
        guint      key)
{
  if (key != GDK_KEY_Escape || !self->picks_words)
    return GDK_EVENT_PROPAGATE;

  /* With no word chosen there is nothing to stay for. */
  if (self->link_words[0] < 0 && self->link_words[1] < 0)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.close-search", NULL);
  else
    stop_picking (self);
  return GDK_EVENT_STOP;
}

void
app_window_add_links (AppWindow *self)
{
  static const GActionEntry entries[] = { { "find-heads", find_heads } };
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->link_words[0] = self->link_words[1] = -1;
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (self->link_results, "words-changed", G_CALLBACK (words_cb), self);
  g_signal_connect_swapped (self->link_results, "opened", G_CALLBACK (opened_cb), self);
  g_signal_connect_swapped (self->link_results, "save", G_CALLBACK (save_cb), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

void
app_window_end_links (AppWindow *self)
{
  stop_picking (self);
  app_window_forget_links (self);
}

static void
ask (AppWindow *self)
{
  const AppLinkQuestion question = {
    .trace = self->trace,
    .kind = self->shown->kind,
    .measure = self->shown->measure,
    .words = self->shown->words,
    .token_a = self->link_words[0],
    .token_b = self->link_words[1],
  };

  if (is_same_question (&question, &self->link_question))
    return;
  app_window_forget_links (self);
  self->link_question = question;
  eng_trace_ref (question.trace);
  if (is_light (&question))
    search_now (self);
  else
    start_search (self);
}

void
app_window_sync_links (AppWindow *self)
{
  EngTokens *queries, *keys;

  if (self->link_question.trace != self->trace)
    app_window_forget_links (self);
  /* What is shown may still be another trace's, of a kind that this one has not. */
  if (self->shown == NULL || !app_window_shows_side (self, "links")
      || !eng_trace_has_kind (self->trace, self->shown->kind))
    return;

  queries = (EngTokens *) eng_trace_get_query_tokens (self->trace, self->shown->kind);
  keys = (EngTokens *) eng_trace_get_key_tokens (self->trace, self->shown->kind);
  if (self->link_words[0] >= queries->n)
    self->link_words[0] = -1;
  if (self->link_words[1] >= keys->n)
    self->link_words[1] = -1;
  ui_link_results_set_tokens (self->link_results, queries, keys, self->shown->words);
  if (self->link_words[0] < 0 || self->link_words[1] < 0) {
    app_window_forget_links (self);
    ui_link_results_set_message (self->link_results,
                                 self->link_words[0] < 0 ? CHOOSE_TWO : CHOOSE_SECOND, FALSE);
  } else if (!self->complete) {
    app_window_forget_links (self);
    ui_link_results_set_message (self->link_results, "Waiting for the model…", TRUE);
  } else {
    ask (self);
  }
  ui_link_results_set_words (self->link_results, self->link_words[0], self->link_words[1]);
}
