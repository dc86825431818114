/* SPDX-License-Identifier: MIT */
#include "ui/lessons/claim-row.h"

#include "ui/controls/words.h"

#define SPACING 8

struct _UiClaimRow {
  GtkWidget  parent_instance;

  GtkWidget *icon;
  GtkWidget *words; /* claim above what is said of it */
  GtkWidget *said;
};

G_DEFINE_FINAL_TYPE (UiClaimRow, ui_claim_row, GTK_TYPE_WIDGET)

/* Told apart by form and word, not by colour alone. */
static const struct {
  const char *icon;
  const char *css_class;
  const char *word;
} looks[] = {
  [UI_CLAIM_COMPUTING] = { "content-loading-symbolic", "computing", "computing…" },
  [UI_CLAIM_TRUE] = { "emblem-ok-symbolic", "true", "true" },
  [UI_CLAIM_FALSE] = { "dialog-error-symbolic", "false", "false" },
  [UI_CLAIM_SKIPPED] = { "action-unavailable-symbolic", "skipped", "not computed" },
};

static void
ui_claim_row_dispose (GObject *object)
{
  UiClaimRow *self = UI_CLAIM_ROW (object);

  g_clear_pointer (&self->icon, gtk_widget_unparent);
  g_clear_pointer (&self->words, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_claim_row_parent_class)->dispose (object);
}

static void
ui_claim_row_class_init (UiClaimRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_claim_row_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "claim");
}

static void
ui_claim_row_init (UiClaimRow *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), SPACING);
  self->icon = gtk_image_new ();
  gtk_widget_set_valign (self->icon, GTK_ALIGN_START);
  gtk_widget_set_parent (self->icon, GTK_WIDGET (self));
  self->words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (self->words, TRUE);
  gtk_widget_set_parent (self->words, GTK_WIDGET (self));
  self->said = ui_words_label_new ("", "claim-said");
}

GtkWidget *
ui_claim_row_new (const char *claim)
{
  UiClaimRow *self = g_object_new (UI_TYPE_CLAIM_ROW, NULL);

  gtk_box_append (GTK_BOX (self->words), ui_words_label_new (claim, "lesson-mono"));
  gtk_box_append (GTK_BOX (self->words), self->said);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, claim, -1);
  ui_claim_row_set (self, UI_CLAIM_COMPUTING, NULL, NULL);

  return GTK_WIDGET (self);
}

void
ui_claim_row_set (UiClaimRow   *self,
                  UiClaimState  state,
                  const char   *value,
                  const char   *reason)
{
  g_autofree char *said = NULL;

  g_return_if_fail (UI_IS_CLAIM_ROW (self));

  said = g_strconcat (looks[state].word, value != NULL ? ": the value is " : NULL, value, NULL);
  if (value == NULL && reason != NULL) {
    g_free (said);
    said = g_strdup_printf ("%s: %s", looks[state].word, reason);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    gtk_widget_remove_css_class (GTK_WIDGET (self), looks[i].css_class);
  gtk_widget_add_css_class (GTK_WIDGET (self), looks[state].css_class);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), looks[state].icon);
  gtk_label_set_label (GTK_LABEL (self->said), said);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, said,
                                  -1);
}

const char *
ui_claim_row_get_said (UiClaimRow *self)
{
  g_return_val_if_fail (UI_IS_CLAIM_ROW (self), NULL);

  return gtk_label_get_label (GTK_LABEL (self->said));
}
