/* SPDX-License-Identifier: MIT */
/* Which heads link two words. The words are pinned, clicked or chosen beside the picture; the list
 * follows the text, the measure and the kind of attention. */
#include "app/parts/links/links-private.h"

#include "engine/base/error.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/numbers/found-links.h"

/* Weights of all heads that are searched within some 10 ms, under every measure. */
#define LIGHT (1 << 20)

#define CHOOSE_TWO "Choose two words above, or click them in the picture."
#define CHOOSE_SECOND "Choose the second word above, or click it in the picture."
#define WAITING "Waiting for the model…"

G_DEFINE_FINAL_TYPE (AppLinksPart, app_links_part, APP_TYPE_PART)

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
run_search (AppJob    *job,
            gpointer   data,
            GError   **error)
{
  const Search *search = data;
  const AppLinkQuestion *question = &search->question;

  return ui_links_find (question->trace, search->document, question->kind, question->token_a,
                        question->token_b, app_job_get_cancel (job), error);
}

static void
show_links (AppLinksPart *self,
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
  AppLinksPart *self = data;
  g_autoptr (GArray) links = result;

  show_links (self, links, error);
  g_clear_pointer (&self->link_job, app_job_stop);
}

static void
start_search (AppLinksPart *self)
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
  search->document = ui_document_copy (app_picture_get_shown (self->picture));
  ui_link_results_set_message (self->link_results, "Searching all heads…", TRUE);
  self->link_job = app_job_start (&klass, search, self);
}

static void
search_now (AppLinksPart *self)
{
  const AppLinkQuestion *question = &self->link_question;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) links =
    ui_links_find (question->trace, app_picture_get_shown (self->picture), question->kind,
                   question->token_a, question->token_b, NULL, &error);

  show_links (self, links, error);
}

static void
forget_links (AppLinksPart *self)
{
  g_clear_pointer (&self->link_job, app_job_stop);
  question_clear (&self->link_question);
}

/* Picking words in the picture. */

/* What is drawn may still be the picture of the trace before. */
static gboolean
is_of_drawn (AppLinksPart *self)
{
  UiScene *scene = app_picture_get_scene (self->picture);

  return app_picture_get_shown (self->picture) != NULL && scene != NULL
         && ui_scene_get_trace (scene) == app_study_get_trace (self->study);
}

/* The chosen word of that side, or NULL. */
static char *
describe_chosen (AppLinksPart *self,
                 gboolean      key)
{
  const EngTokens *tokens = NULL;
  const int chosen = self->link_words[key];

  if (chosen >= 0 && is_of_drawn (self))
    tokens = key ? eng_trace_get_key_tokens (app_study_get_trace (self->study),
                                             app_picture_get_shown (self->picture)->kind)
                 : eng_trace_get_query_tokens (app_study_get_trace (self->study),
                                               app_picture_get_shown (self->picture)->kind);
  return tokens != NULL && chosen < tokens->n ? ui_describe_token (tokens, chosen) : NULL;
}

/* (transfer full) */
static char *
describe_pick (AppLinksPart *self)
{
  g_autofree char *word = describe_chosen (self, FALSE);

  if (word == NULL)
    word = describe_chosen (self, TRUE);
  if (word == NULL)
    return g_strdup ("Click a word, then another, or press Return on them; Escape ends");

  return g_strdup_printf ("Click the word that may be linked with %s, or press Return on it; "
                          "Escape ends", word);
}

/* Sides of an item in a stack that reads itself are the same tokens. */
static void
take_item (AppLinksPart *self,
           const UiItem *item)
{
  UiScene *scene = app_picture_get_scene (self->picture);
  const gboolean is_cross = app_picture_get_shown (self->picture)->kind == ENG_KIND_CROSS;
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

static void end_links (AppLinksPart *self);
static gboolean take_click (const UiItem *item, gpointer data);
static void pick_ended (gboolean is_cancelled, gpointer data);

static const AppPickClass pick_class = { .take = take_click, .ended = pick_ended };

static gboolean
take_click (const UiItem *item,
            gpointer      data)
{
  AppLinksPart *self = data;
  UiItem first;

  if (item->type == UI_ITEM_HEAD || app_picture_get_shown (self->picture) == NULL) {
    app_picture_end_pick (self->picture, &pick_class);
    return FALSE;
  }
  if (!is_of_drawn (self)
      || (!ui_item_names_query (item->type) && !ui_item_names_key (item->type)))
    return TRUE;
  if (!ui_scene_find_first (app_picture_get_scene (self->picture), item, &first)) {
    app_desk_toast (self->desk, "This, whose words are linked, does not have this one");
    return TRUE;
  }

  take_item (self, &first);
  if (self->link_words[0] >= 0 && self->link_words[1] >= 0)
    app_picture_end_pick (self->picture, &pick_class);
  app_part_refresh (APP_PART (self));
  return TRUE;
}

/* With no word chosen there is nothing to stay for. */
static void
pick_ended (gboolean is_cancelled,
            gpointer data)
{
  AppLinksPart *self = data;

  if (is_cancelled && self->link_words[0] < 0 && self->link_words[1] < 0)
    app_desk_activate (self->desk, "close-search", NULL);
}

/* What is pinned: both ends of a link, or two tokens of one side. */
static void
take_pins (AppLinksPart *self)
{
  const UiPins *pins = &app_picture_get_shown (self->picture)->pins;
  const gboolean is_cross = app_picture_get_shown (self->picture)->kind == ENG_KIND_CROSS;
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
  AppLinksPart *self = data;

  if (app_picture_get_shown (self->picture) == NULL || !app_desk_may_tell (self->desk))
    return;

  self->link_words[0] = self->link_words[1] = -1;
  take_pins (self);
  app_desk_show_side (self->desk, "links");
  if (self->link_words[0] >= 0 && self->link_words[1] >= 0) {
    app_picture_end_pick (self->picture, &pick_class);
  } else if (!ui_view_get (app_picture_get_shown (self->picture)->view)->has_all_heads) {
    g_autofree char *prompt = describe_pick (self);

    app_picture_begin_pick (self->picture, prompt, &pick_class, self);
  }
  app_part_refresh (APP_PART (self));
}

/* What a person does in the list. */

static void
words_cb (AppLinksPart *self,
          int           a,
          int           b)
{
  self->link_words[0] = a;
  self->link_words[1] = b;
  app_picture_end_pick (self->picture, &pick_class);
  app_part_refresh (APP_PART (self));
}

/* That head with both words pinned; what would hide the link is taken back. */
static void
opened_cb (AppLinksPart       *self,
           const EngFoundLink *link)
{
  const EngTokens *queries, *keys;
  UiDocument *document;

  /* A row of the trace before. */
  if (!is_of_drawn (self) || self->link_question.trace != app_study_get_trace (self->study))
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  queries = eng_trace_get_query_tokens (app_study_get_trace (self->study),
                                        app_picture_get_shown (self->picture)->kind);
  keys = eng_trace_get_key_tokens (app_study_get_trace (self->study),
                                   app_picture_get_shown (self->picture)->kind);
  if (ui_view_get (document->view)->has_all_heads)
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
  app_study_change (self->study, document);
  app_desk_show_pinned (self->desk);
}

static void
save_cb (AppLinksPart *self)
{
  app_desk_save_csv (self->desk, app_desk_get_window (self->desk),
                     ui_link_results_to_csv (self->link_results), "links.csv");
}

static void
theme (AppPart *part)
{
  AppLinksPart *self = APP_LINKS_PART (part);

  if (self->link_results != NULL)
    ui_link_results_set_theme (self->link_results,
                               ui_scene_view_get_theme (app_picture_get_view (self->picture)));
}

/* With the first search: a start needs no page of it. */
static void
make_page (AppLinksPart *self)
{
  if (self->link_results != NULL)
    return;

  app_part_load_ui (self, "links");
  app_part_place (self, "link_results", "page_links");
  self->link_results = app_part_get_object (self, "link_results");
  g_signal_connect_object (self->link_results, "words-changed", G_CALLBACK (words_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->link_results, "opened", G_CALLBACK (opened_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->link_results, "save", G_CALLBACK (save_cb), self,
                           G_CONNECT_SWAPPED);
  theme (APP_PART (self));
}

static void
page_cb (AppLinksPart *self)
{
  if (app_desk_has_search (self->desk))
    make_page (self);
  if (!app_desk_shows_side (self->desk, "links"))
    end_links (self);
  app_part_refresh (APP_PART (self));
}

static void
add_actions (AppLinksPart *self)
{
  static const GActionEntry entries[] = { { "find-heads", find_heads } };

  self->link_words[0] = self->link_words[1] = -1;
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->desk, "side-changed", G_CALLBACK (page_cb), self,
                           G_CONNECT_SWAPPED);
}

static void
end_links (AppLinksPart *self)
{
  app_picture_end_pick (self->picture, &pick_class);
  forget_links (self);
}

static void
ask (AppLinksPart *self)
{
  const AppLinkQuestion question = {
    .trace = app_study_get_trace (self->study),
    .kind = app_picture_get_shown (self->picture)->kind,
    .measure = app_picture_get_shown (self->picture)->measure,
    .words = app_picture_get_shown (self->picture)->words,
    .token_a = self->link_words[0],
    .token_b = self->link_words[1],
  };

  if (is_same_question (&question, &self->link_question))
    return;
  forget_links (self);
  self->link_question = question;
  eng_trace_ref (question.trace);
  if (eng_trace_count_weights (question.trace, question.kind) <= LIGHT)
    search_now (self);
  else
    start_search (self);
}

/* What is shown may still be another trace's, of a kind that this one has not. */
static gboolean
is_open (AppLinksPart *self)
{
  return app_picture_get_shown (self->picture) != NULL && app_desk_shows_side (self->desk, "links")
         && eng_trace_has_kind (app_study_get_trace (self->study),
                                app_picture_get_shown (self->picture)->kind);
}

/* -1 = not chosen, or the text has it no longer. */
static int
get_word (AppLinksPart *self,
          int           side)
{
  EngTrace *trace = app_study_get_trace (self->study);
  EngKind kind = app_picture_get_shown (self->picture)->kind;
  int n = side == 0 ? eng_trace_get_n_queries (trace, kind) : eng_trace_get_n_keys (trace, kind);

  return self->link_words[side] < n ? self->link_words[side] : -1;
}

/* Why the links cannot be looked for yet; NULL = they can. */
static const char *
get_obstacle (AppLinksPart *self)
{
  if (app_picture_is_asked (self->picture))
    return APP_DESK_HELD_BACK;
  if (get_word (self, 0) < 0)
    return CHOOSE_TWO;
  if (get_word (self, 1) < 0)
    return CHOOSE_SECOND;
  return app_study_is_complete (self->study) ? NULL : WAITING;
}

static void
sync_links (AppLinksPart *self)
{
  const UiDocument *shown = app_picture_get_shown (self->picture);
  EngTrace *trace = app_study_get_trace (self->study);
  const char *obstacle;

  if (!is_open (self))
    return;

  obstacle = get_obstacle (self);
  ui_link_results_set_tokens (self->link_results,
                              (EngTokens *) eng_trace_get_query_tokens (trace, shown->kind),
                              (EngTokens *) eng_trace_get_key_tokens (trace, shown->kind),
                              shown->words);
  if (obstacle != NULL)
    ui_link_results_set_message (self->link_results, obstacle, g_str_equal (obstacle, WAITING));
  ui_link_results_set_words (self->link_results, get_word (self, 0), get_word (self, 1));
}

/* In another text the chosen word is another one; where all heads are shown there is no word to
 * click. */
static void
follow_pick (AppLinksPart *self)
{
  g_autofree char *prompt = NULL;

  if (!is_of_drawn (self))
    return;

  prompt = describe_pick (self);
  if (ui_view_get (app_picture_get_shown (self->picture)->view)->has_all_heads)
    app_picture_end_pick (self->picture, &pick_class);
  else
    app_picture_set_prompt (self->picture, prompt, &pick_class);
}

static void
work (AppPart *part)
{
  AppLinksPart *self = APP_LINKS_PART (part);

  if (self->link_question.trace != app_study_get_trace (self->study))
    forget_links (self);
  if (!is_open (self))
    return;

  for (int side = 0; side < 2; side++)
    self->link_words[side] = get_word (self, side);
  follow_pick (self);
  if (get_obstacle (self) != NULL)
    forget_links (self);
  else
    ask (self);
}

static void
begin (AppPart *part)
{
  AppLinksPart *self = APP_LINKS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  add_actions (self);
}

static void
sync_part (AppPart *part)
{
  AppLinksPart *self = APP_LINKS_PART (part);

  app_desk_set_enabled (self->desk, "find-heads", app_picture_get_shown (self->picture) != NULL);
  sync_links (self);
}

static void
end (AppPart *part)
{
  end_links (APP_LINKS_PART (part));
}

static void
app_links_part_class_init (AppLinksPartClass *klass)
{
  g_type_ensure (UI_TYPE_LINK_RESULTS);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->work = work;
  APP_PART_CLASS (klass)->theme = theme;
  APP_PART_CLASS (klass)->end = end;
}

static void
app_links_part_init (AppLinksPart *self)
{
}
