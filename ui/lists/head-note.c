/* SPDX-License-Identifier: MIT */
#include "ui/lists/head-note.h"

#include "ui/controls/steady-label.h"
#include "ui/scene/model/model-facts.h"
#include "ui/view/scene-facts.h"

struct _UiHeadNote {
  GtkWidget  parent_instance;

  EngTrace  *trace; /* of the head that is described; NULL = none is */
  EngKind    kind;
  int        layer;
  int        head;

  GtkWidget *above;
  GtkWidget *below;
  GtkWidget *heading;
  GtkWidget *text;
};

G_DEFINE_FINAL_TYPE (UiHeadNote, ui_head_note, GTK_TYPE_WIDGET)

/* -1 = none. */
static int
find_head (const UiSceneFacts *facts,
           const UiItem       *item)
{
  const UiWeights *weights = facts->weights;

  if (weights->block.is_aggregate || weights->block.layers != UI_AGGREGATE_EACH)
    return -1;
  if (item->type == UI_ITEM_LINK)
    return item->head;
  return weights->n_heads == 1 ? weights->heads[0] : -1;
}

static void
move_behind (UiHeadNote *self,
             GtkWidget  *sibling)
{
  GtkWidget *note = GTK_WIDGET (self);

  if (sibling != NULL && gtk_widget_get_prev_sibling (note) != sibling)
    gtk_widget_insert_after (note, gtk_widget_get_parent (note), sibling);
}

static void
describe (UiHeadNote         *self,
          const UiSceneFacts *facts,
          int                 head)
{
  char *text;

  if (self->trace == facts->trace && self->kind == facts->kind && self->layer == facts->layer
      && self->head == head)
    return;
  g_clear_pointer (&self->trace, eng_trace_unref);
  text = ui_model_describe_pattern (facts->trace, facts->kind, facts->layer, head);
  gtk_widget_set_visible (GTK_WIDGET (self), text != NULL);
  if (text == NULL)
    return;

  self->trace = eng_trace_ref (facts->trace);
  self->kind = facts->kind;
  self->layer = facts->layer;
  self->head = head;
  ui_steady_label_take_text (UI_STEADY_LABEL (self->heading),
                             g_strdup_printf ("What head %d of layer %d does", head,
                                              facts->layer));
  ui_steady_label_take_text (UI_STEADY_LABEL (self->text), text);
}

static void
ui_head_note_dispose (GObject *object)
{
  UiHeadNote *self = UI_HEAD_NOTE (object);

  g_clear_pointer (&self->heading, gtk_widget_unparent);
  g_clear_pointer (&self->text, gtk_widget_unparent);
  g_clear_pointer (&self->trace, eng_trace_unref);
  G_OBJECT_CLASS (ui_head_note_parent_class)->dispose (object);
}

static void
ui_head_note_class_init (UiHeadNoteClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_head_note_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
ui_head_note_init (UiHeadNote *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 3);
  self->heading = ui_steady_label_new ("dim-label");
  self->text = ui_steady_label_new (NULL);
  gtk_widget_set_parent (self->heading, GTK_WIDGET (self));
  gtk_widget_set_parent (self->text, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ui_head_note_new (void)
{
  return g_object_new (UI_TYPE_HEAD_NOTE, NULL);
}

void
ui_head_note_set_places (UiHeadNote *self,
                         GtkWidget  *above,
                         GtkWidget  *below)
{
  g_return_if_fail (UI_IS_HEAD_NOTE (self));

  self->above = above;
  self->below = below;
}

void
ui_head_note_set (UiHeadNote   *self,
                  UiScene      *scene,
                  const UiItem *item)
{
  UiSceneFacts facts;
  int head = -1;

  g_return_if_fail (UI_IS_HEAD_NOTE (self));

  if (scene != NULL) {
    ui_scene_facts_init (&facts, scene);
    head = find_head (&facts, item);
  }
  if (head >= 0) {
    move_behind (self, facts.weights->n_heads == 1 ? self->above : self->below);
    describe (self, &facts, head);
    return;
  }
  g_clear_pointer (&self->trace, eng_trace_unref);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
