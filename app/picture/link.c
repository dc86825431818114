/* SPDX-License-Identifier: MIT */
/* Which head the link is of that a person means. Pins are tokens and know no heads. */
#include "app/picture/picture-private.h"

#include "ui/scene/base/describe.h"
#include "ui/scene/base/plain-words.h"

/* What stands for several heads or layers is no link of one of them. */
static gboolean
has_heads (UiScene *part)
{
  const UiWeights *weights = ui_scene_get_weights (part);

  return weights != NULL && !weights->block.is_aggregate
         && weights->block.layers == UI_AGGREGATE_EACH
         && weights->block.measure != ENG_MEASURE_ROLLOUT;
}

gboolean
app_picture_find_link (AppPicture   *self,
                       const UiItem *item,
                       AppLink      *link)
{
  UiScene *scene = app_picture_get_scene (self);
  const UiDocument *document;
  UiScene *part;
  UiItem first;

  if (scene == NULL || self->shown == NULL || !ui_item_names_query (item->type)
      || !ui_item_names_key (item->type))
    return FALSE;
  part = ui_scene_get_part (scene, item);
  /* Layer and heads of the second side are others. */
  if ((self->shown->compare == UI_COMPARE_SIDES && item->panel == 1) || !has_heads (part)
      || !ui_scene_find_first (scene, item, &first))
    return FALSE;

  document = ui_scene_get_document (part);
  *link = (AppLink) {
    .kind = self->shown->kind,
    .layer = document->layer,
    .head = ui_view_get (document->view)->has_one_head
            ? ui_scene_get_weights (part)->heads[0] : item->head,
    .query = ui_scene_get_token (scene, FALSE, first.query),
    .key = ui_scene_get_token (scene, TRUE, first.key),
  };
  return link->query >= 0 && link->key >= 0;
}


/* Text, layer or heads may be others since the click. */
static gboolean
is_pinned (AppPicture *self)
{
  const UiDocument *shown = self->shown;
  const UiPins *pins = &shown->pins;

  return self->has_link && self->link.kind == shown->kind && pins->n_queries == 1
         && pins->n_keys == 1 && pins->queries[0] == self->link.query
         && pins->keys[0] == self->link.key && self->link.layer == shown->layer
         && ui_head_set_has (&shown->heads, self->link.head);
}

UiItem
app_picture_find_clicked (AppPicture *self)
{
  UiScene *scene = app_picture_get_scene (self);
  const UiPins *pins = scene != NULL ? &ui_scene_get_document (scene)->pins : NULL;

  if (scene == NULL || self->shown == NULL || !is_pinned (self) || !has_heads (scene)
      || ui_scene_get_weights (scene)->n_heads == 1 || pins->n_queries != 1 || pins->n_keys != 1)
    return (UiItem) { 0 };
  return (UiItem) { .type = UI_ITEM_LINK, .head = self->link.head, .query = pins->queries[0],
                    .key = pins->keys[0] };
}

/* It stands out until it is pinned no more. */
void
app_picture_show_clicked (AppPicture *self)
{
  const UiItem clicked = app_picture_find_clicked (self);

  ui_scene_view_set_rest (self->view, &clicked);
}

gboolean
app_picture_note_click (AppPicture   *self,
                        const UiItem *item)
{
  const UiItem before = app_picture_find_clicked (self);
  UiItem clicked;

  self->has_link = app_picture_find_link (self, item, &self->link);
  app_picture_show_clicked (self);
  clicked = app_picture_find_clicked (self);
  return clicked.type == UI_ITEM_LINK
         && (before.type != UI_ITEM_LINK || before.head != clicked.head);
}

gboolean
app_picture_get_link (AppPicture *self,
                      AppLink    *link)
{
  if (self->shown == NULL)
    return FALSE;
  if (is_pinned (self)) {
    *link = self->link;
    return TRUE;
  }
  return app_picture_find_link (self, ui_scene_view_get_item (self->view), link);
}

/* The head in which the pinned tokens have their strongest link, the first of each side where
 * several are pinned; -1 where none is, or where heads are drawn as one. */
static int
find_strongest_head (UiScene *scene)
{
  const UiPins *pins = &ui_scene_get_document (scene)->pins;
  const UiWeights *weights = ui_scene_get_weights (scene);
  double strongest = 0;
  int best = -1;

  if (ui_pins_is_empty (pins) || !has_heads (scene))
    return -1;
  for (int i = 0; i < weights->n_heads; i++)
    for (int query = 0; query < weights->attention->n_queries; query++)
      for (int key = 0; key < weights->attention->n_keys; key++) {
        const double weight = ui_weights_get (weights, weights->heads[i], query, key);

        if (weight <= strongest || (pins->n_queries > 0 && query != pins->queries[0])
            || (pins->n_keys > 0 && key != pins->keys[0]))
          continue;
        strongest = weight;
        best = weights->heads[i];
      }
  return best;
}

void
app_picture_keep_link (AppPicture *self,
                       UiDocument *document)
{
  const UiView *from, *to = ui_view_get (document->view);
  UiScene *scene = app_picture_get_scene (self);
  AppLink link;
  int head;

  if (self->shown == NULL || scene == NULL || document->view == self->shown->view
      || document->compare == UI_COMPARE_HEADS || !(to->has_one_head || to->has_one_number))
    return;
  from = ui_view_get (self->shown->view);
  if (from->has_one_head || from->has_all_heads)
    return;

  if (app_picture_get_link (self, &link)) {
    document->layer = link.layer;
    ui_head_set_only (&document->heads, link.head);
  } else if (to->has_one_head && (head = find_strongest_head (scene)) >= 0) {
    ui_head_set_only (&document->heads, head);
  }
}

UiItem
app_picture_find_pinned (AppPicture *self)
{
  const UiScene *scene = app_picture_get_scene (self);
  const UiPins *pins = &ui_scene_get_document (scene)->pins;
  const UiWeights *weights = ui_scene_get_weights (scene);

  if (pins->n_queries == 1 && pins->n_keys == 0)
    return (UiItem) { .type = UI_ITEM_QUERY, .query = pins->queries[0] };
  if (pins->n_queries == 0 && pins->n_keys == 1)
    return (UiItem) { .type = UI_ITEM_KEY, .key = pins->keys[0] };
  if (pins->n_queries == 1 && pins->n_keys == 1 && weights->n_heads == 1)
    return (UiItem) { .type = UI_ITEM_LINK, .head = weights->heads[0], .query = pins->queries[0],
                      .key = pins->keys[0] };
  return app_picture_find_clicked (self);
}

UiItem
app_picture_find_drawn (AppPicture   *self,
                        const UiItem *pointed)
{
  const UiScene *scene = app_picture_get_scene (self);
  const UiDocument *document = ui_scene_get_document (scene);
  const UiView *view = ui_view_get (document->view);
  const UiWeights *weights = ui_scene_get_weights (scene);
  const UiItem pinned = app_picture_find_pinned (self);
  const gboolean is_key = pointed->type == UI_ITEM_KEY;

  if (view->has_one_head || view->has_all_heads || view->has_one_number
      || ui_pins_is_empty (&document->pins) || (!is_key && pointed->type != UI_ITEM_QUERY))
    return *pointed;
  if (pinned.type != (is_key ? UI_ITEM_QUERY : UI_ITEM_KEY) || pointed->panel != 0
      || weights->n_heads != 1)
    return pinned;
  return (UiItem) {
    .type = UI_ITEM_LINK, .head = weights->heads[0],
    .query = is_key ? pinned.query : pointed->query, .key = is_key ? pointed->key : pinned.key
  };
}

/* The neuron view's headline is of what is pinned. */
void
app_picture_set_words (AppPicture *self,
                       const char *words)
{
  if (g_strcmp0 (words, self->words) == 0)
    return;
  ui_replace_text (&self->words, words);
  app_picture_tell (self);
}

gboolean
app_picture_has_words (AppPicture *self)
{
  return self->words != NULL;
}

void
app_picture_set_asked (AppPicture       *self,
                       gboolean          is_asked,
                       const UiDocument *asked)
{
  const UiDocument *former = self->asked;

  asked = is_asked ? asked : NULL;
  if (is_asked == ui_scene_view_holds_back (self->view)
      && (asked == NULL || former == NULL ? asked == former : ui_document_equal (asked, former)))
    return;
  g_clear_pointer (&self->asked, ui_document_free);
  self->asked = asked != NULL ? ui_document_copy (asked) : NULL;
  ui_scene_view_hold_back (self->view, is_asked);
  app_picture_tell (self);
}

gboolean
app_picture_is_asked (AppPicture *self)
{
  return ui_scene_view_holds_back (self->view);
}

static char *
describe (AppPicture   *self,
          const UiItem *pointed)
{
  UiScene *scene = app_picture_get_scene (self);
  g_autofree char *sentence = NULL;
  UiItem drawn, pinned;

  if (scene == NULL)
    return NULL;
  if (self->words != NULL)
    return g_strdup (self->words);
  drawn = app_picture_find_drawn (self, pointed);
  pinned = app_picture_find_pinned (self);
  if (ui_scene_holds_back (scene))
    return ui_plain_hold_back (scene, drawn.type != UI_ITEM_NONE ? &drawn : &pinned);
  sentence = ui_scene_describe (scene, &drawn);
  if (*sentence == '\0' && !ui_view_get (ui_scene_get_document (scene)->view)->has_one_head) {
    g_free (sentence);
    sentence = ui_scene_describe (scene, &pinned);
  }
  return *sentence != '\0' ? g_markup_escape_text (sentence, -1) : ui_scene_headline (scene);
}

char *
app_picture_describe (AppPicture *self)
{
  return describe (self, ui_scene_view_get_item (self->view));
}

char *
app_picture_describe_shown (AppPicture *self)
{
  return describe (self, &(UiItem) { .type = UI_ITEM_NONE });
}
