/* SPDX-License-Identifier: MIT */
#include "ui/inspector/head-actions.h"

#define N_ACTIONS 4
#define SPACING 8

static const struct {
  const char *action;
  const char *name;
  const char *key;
  const char *tooltip;
} actions[N_ACTIONS] = {
  { "win.open-head", "Open in Heads", "Return", "Show this head alone in Heads" },
  { "win.collect-head", "Add to the picture", "Space",
    "Heads that were added stand beside each other in Heads" },
  { "win.what-if-zero", "What if this head is zero?", NULL,
    "Run the model without it, and show both in Heads" },
  { "win.restore-head", "Restore this head", NULL,
    "Take the edit away that zeroes it" },
};

struct _UiHeadActions {
  GtkWidget  parent_instance;

  GtkWidget *buttons[N_ACTIONS];
  GtkWidget *names[N_ACTIONS];
  GtkWidget *keys[N_ACTIONS];
};

G_DEFINE_FINAL_TYPE (UiHeadActions, ui_head_actions, GTK_TYPE_WIDGET)

/* What cannot be run is grey. */
static void
explain_zero_cb (GtkWidget *button)
{
  gtk_widget_set_tooltip_text (button, gtk_widget_get_sensitive (button)
                                       ? actions[2].tooltip
                                       : "A trace file holds no model that could run without it");
}

static GtkWidget *
build_button (UiHeadActions *self,
              int            i)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  GtkWidget *button = g_object_new (GTK_TYPE_BUTTON,
                                    "child", box,
                                    "action-target", g_variant_new ("(ii)", 0, 0),
                                "action-name", actions[i].action,
                                    "tooltip-text", actions[i].tooltip,
                                    NULL);

  self->names[i] = g_object_new (GTK_TYPE_LABEL, "label", actions[i].name, "xalign", 0.0f,
                                 "hexpand", TRUE, "wrap", TRUE, NULL);
  self->keys[i] = g_object_new (GTK_TYPE_LABEL, "label", actions[i].key, "visible",
                                actions[i].key != NULL, "valign", GTK_ALIGN_CENTER, NULL);
  gtk_widget_add_css_class (self->keys[i], "keycap");
  gtk_widget_add_css_class (button, "flat");
  gtk_box_append (GTK_BOX (box), self->names[i]);
  gtk_box_append (GTK_BOX (box), self->keys[i]);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("go-next-symbolic"));
  return button;
}

static void
ui_head_actions_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ui_head_actions_parent_class)->dispose (object);
}

static void
ui_head_actions_class_init (UiHeadActionsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_head_actions_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "headactions");
}

static void
ui_head_actions_init (UiHeadActions *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "card");
  for (int i = 0; i < N_ACTIONS; i++) {
    self->buttons[i] = build_button (self, i);
    gtk_widget_set_parent (self->buttons[i], GTK_WIDGET (self));
  }
  g_signal_connect (self->buttons[2], "notify::sensitive", G_CALLBACK (explain_zero_cb), NULL);
}

GtkWidget *
ui_head_actions_new (void)
{
  return g_object_new (UI_TYPE_HEAD_ACTIONS, NULL);
}

void
ui_head_actions_set (UiHeadActions *self,
                     int            layer,
                     int            head,
                     gboolean       is_open,
                     gboolean       is_collected,
                     UiHeadZero     zero)
{
  g_return_if_fail (UI_IS_HEAD_ACTIONS (self));

  for (int i = 0; i < N_ACTIONS; i++)
    gtk_actionable_set_action_target (GTK_ACTIONABLE (self->buttons[i]), "(ii)", layer, head);
  gtk_widget_set_visible (self->keys[0], is_open);
  gtk_label_set_text (GTK_LABEL (self->names[1]),
                      is_collected ? "Take out of the picture" : actions[1].name);
  gtk_widget_set_visible (self->buttons[2], zero == UI_HEAD_ADDS);
  gtk_widget_set_visible (self->buttons[3], zero == UI_HEAD_ZEROED);
}
