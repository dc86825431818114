/* SPDX-License-Identifier: MIT */
#include "ui/lessons/question-box.h"

#include <math.h>

#include "ui/boxes/wrap-box.h"
#include "ui/controls/words.h"
#include "ui/lessons/token-strip.h"

#define SPACING      8
#define NUMBER_CHARS 10
#define HEAD_CHARS   2
#define NOTHING      (-1) /* of a layer and a head: none is chosen yet, and nothing stands there */

struct _UiQuestionBox {
  GtkWidget       parent_instance;

  UiQuestionType  type;
  GtkWidget      *box;
  GtkWidget      *choices;  /* what is chosen from, insensitive once it was answered */
  UiTokenStrip   *strips[2];
  GtkSpinButton  *layer;
  GtkSpinButton  *head;
  GtkEntry       *number;
  GPtrArray      *options;  /* of GtkCheckButton; the box's */
  GtkWidget      *answer;
  GtkWidget      *verdict;  /* icon, sentence, button that asks again; hidden while it is asked */
  GtkImage       *icon;
  GtkLabel       *sentence;
  gboolean        is_ready; /* what there is to choose from is known */
  gboolean        is_asked;
  GtkWidget      *refusal;  /* why it cannot be answered at all; NULL = it can */
  char           *obstacle; /* NULL = none */
};

G_DEFINE_FINAL_TYPE (UiQuestionBox, ui_question_box, GTK_TYPE_WIDGET)

enum { SIGNAL_ANSWERED, SIGNAL_AGAIN, N_SIGNALS };

static guint signals[N_SIGNALS];

/* The keys leave what is about to take none: an entry has to hear of it. */
static void
move_focus (UiQuestionBox *self)
{
  if (!self->is_asked && gtk_widget_get_focus_child (self->choices) != NULL)
    gtk_widget_child_focus (self->verdict, GTK_DIR_TAB_FORWARD);
}

static void
update (UiQuestionBox *self)
{
  const char *obstacle = self->obstacle != NULL ? self->obstacle
                         : ui_question_box_is_whole (self) ? NULL : "Choose first";

  gtk_widget_set_visible (self->verdict, !self->is_asked);
  move_focus (self);
  gtk_widget_set_sensitive (self->answer, obstacle == NULL);
  gtk_widget_set_tooltip_text (self->answer, obstacle);
  gtk_widget_set_sensitive (self->choices, self->is_asked && self->is_ready);
  gtk_widget_set_visible (self->choices, self->refusal == NULL);
  gtk_widget_set_visible (self->answer, self->is_asked && self->refusal == NULL);
}

static void
answer_cb (UiQuestionBox *self)
{
  if (self->is_asked && self->obstacle == NULL && ui_question_box_is_whole (self))
    g_signal_emit (self, signals[SIGNAL_ANSWERED], 0);
}

/* Return on what is chosen already answers, as it does in an entry; on what is not it chooses. */
static gboolean
key_cb (UiQuestionBox   *self,
        guint            key,
        guint            code,
        GdkModifierType  modifiers)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = gtk_root_get_focus (root);
  const gboolean is_chosen =
    (GTK_IS_CHECK_BUTTON (focus) && gtk_check_button_get_active (GTK_CHECK_BUTTON (focus)))
    || (GTK_IS_TOGGLE_BUTTON (focus) && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (focus)));

  if (!is_chosen || !ui_question_box_is_whole (self)
      || (key != GDK_KEY_Return && key != GDK_KEY_KP_Enter && key != GDK_KEY_ISO_Enter)
      || (modifiers & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  answer_cb (self);
  return GDK_EVENT_STOP;
}

static void
again_cb (UiQuestionBox *self)
{
  self->is_asked = TRUE;
  update (self);
  ui_question_box_focus (self);
  g_signal_emit (self, signals[SIGNAL_AGAIN], 0);
}

/* What is chosen from. */

static void
add_strip (UiQuestionBox *self,
           int            index,
           const char    *title)
{
  GtkWidget *strip = ui_token_strip_new (title);

  self->strips[index] = UI_TOKEN_STRIP (strip);
  if (self->type == UI_QUESTION_CELL)
    gtk_box_append (GTK_BOX (self->choices), ui_words_label_new (title, "caption-heading"));
  gtk_box_append (GTK_BOX (self->choices), strip);
  g_signal_connect_object (strip, "chosen", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

/* NOTHING where there is no number, or none of those that there are; what is being typed counts. */
static int
get_index (GtkSpinButton *spin)
{
  double most;
  guint64 index;

  gtk_spin_button_get_range (spin, NULL, &most);

  return most >= 0
         && g_ascii_string_to_unsigned (gtk_editable_get_text (GTK_EDITABLE (spin)), 10, 0,
                                        (guint64) most, &index, NULL)
         ? (int) index : NOTHING;
}

/* Nothing that is typed stays nothing. */
static int
input_cb (GtkSpinButton *spin,
          double        *value)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (spin)) != '\0')
    return FALSE;
  *value = NOTHING;
  return TRUE;
}

static gboolean
output_cb (GtkSpinButton *spin)
{
  if (gtk_spin_button_get_value_as_int (spin) != NOTHING)
    return FALSE;
  if (*gtk_editable_get_text (GTK_EDITABLE (spin)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (spin), "");
  return TRUE;
}

/* With large letters they stand below each other. */
static GtkSpinButton *
add_spin (UiQuestionBox *self,
          GtkWidget     *row,
          const char    *title)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (NOTHING, 0, 1);
  GtkWidget *label = gtk_label_new_with_mnemonic (title);
  GtkWidget *pair = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);

  gtk_editable_set_width_chars (GTK_EDITABLE (spin), HEAD_CHARS);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (spin), HEAD_CHARS);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), spin);
  gtk_box_append (GTK_BOX (pair), label);
  gtk_box_append (GTK_BOX (pair), spin);
  gtk_widget_set_parent (pair, row);
  gtk_text_set_placeholder_text (GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (spin))), "–");
  g_signal_connect (spin, "input", G_CALLBACK (input_cb), NULL);
  g_signal_connect (spin, "output", G_CALLBACK (output_cb), NULL);
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_signal_connect_object (spin, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (spin)), "activate",
                           G_CALLBACK (answer_cb), self, G_CONNECT_SWAPPED);

  return GTK_SPIN_BUTTON (spin);
}

static void
add_number (UiQuestionBox *self)
{
  GtkWidget *entry = gtk_entry_new ();

  self->number = GTK_ENTRY (entry);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), NUMBER_CHARS);
  gtk_entry_set_input_purpose (self->number, GTK_INPUT_PURPOSE_NUMBER);
  gtk_entry_set_placeholder_text (self->number, "A number");
  gtk_widget_set_halign (entry, GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Your number", -1);
  gtk_box_append (GTK_BOX (self->choices), entry);
  g_signal_connect_object (entry, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (entry, "activate", G_CALLBACK (answer_cb), self, G_CONNECT_SWAPPED);
}

static void
add_choices (UiQuestionBox *self)
{
  GtkWidget *row;

  switch (self->type) {
  case UI_QUESTION_TOKEN:
    add_strip (self, 0, "The token");
    break;
  case UI_QUESTION_CELL:
    add_strip (self, 0, "The token that reads");
    add_strip (self, 1, "The token that is read");
    break;
  case UI_QUESTION_HEAD:
    row = g_object_new (UI_TYPE_WRAP_BOX, "spacing", SPACING, NULL);
    self->layer = add_spin (self, row, "La_yer");
    self->head = add_spin (self, row, "H_ead");
    gtk_box_append (GTK_BOX (self->choices), row);
    break;
  case UI_QUESTION_NUMBER:
    add_number (self);
    self->is_ready = TRUE;
    break;
  case UI_QUESTION_OPTION:
  default:
    self->is_ready = TRUE;
    break;
  }
}

/* The box. */

static void
add_verdict (UiQuestionBox *self)
{
  GtkWidget *again = gtk_button_new_with_label ("Ask again");
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);

  self->verdict = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  self->icon = GTK_IMAGE (gtk_image_new ());
  gtk_widget_set_valign (GTK_WIDGET (self->icon), GTK_ALIGN_START);
  self->sentence = GTK_LABEL (ui_words_label_new ("", "verdict"));
  gtk_widget_set_hexpand (GTK_WIDGET (self->sentence), TRUE);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->icon));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->sentence));
  gtk_widget_set_halign (again, GTK_ALIGN_START);
  gtk_widget_add_css_class (again, "flat");
  g_signal_connect_object (again, "clicked", G_CALLBACK (again_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->verdict), row);
  gtk_box_append (GTK_BOX (self->verdict), again);
  gtk_box_append (GTK_BOX (self->box), self->verdict);
}

static void
ui_question_box_dispose (GObject *object)
{
  UiQuestionBox *self = UI_QUESTION_BOX (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_question_box_parent_class)->dispose (object);
}

static void
ui_question_box_finalize (GObject *object)
{
  UiQuestionBox *self = UI_QUESTION_BOX (object);

  g_ptr_array_unref (self->options);
  g_free (self->obstacle);
  G_OBJECT_CLASS (ui_question_box_parent_class)->finalize (object);
}

static void
ui_question_box_class_init (UiQuestionBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_question_box_dispose;
  G_OBJECT_CLASS (klass)->finalize = ui_question_box_finalize;
  signals[SIGNAL_ANSWERED] =
    g_signal_new ("answered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_AGAIN] =
    g_signal_new ("again", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "question");
}

static void
ui_question_box_init (UiQuestionBox *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->is_asked = TRUE;
  self->options = g_ptr_array_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  self->choices = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (self->choices, keys);
}

GtkWidget *
ui_question_box_new (const char     *markup,
                     UiQuestionType  type)
{
  UiQuestionBox *self = g_object_new (UI_TYPE_QUESTION_BOX, NULL);
  GtkWidget *question = ui_words_label_new (NULL, "heading");

  self->type = type;
  gtk_label_set_markup (GTK_LABEL (question), markup);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gtk_label_get_text (GTK_LABEL (question)), -1);
  gtk_box_append (GTK_BOX (self->box), question);
  add_choices (self);
  gtk_box_append (GTK_BOX (self->box), self->choices);
  self->answer = gtk_button_new_with_label ("Answer");
  gtk_widget_set_halign (self->answer, GTK_ALIGN_START);
  g_signal_connect_object (self->answer, "clicked", G_CALLBACK (answer_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->box), self->answer);
  add_verdict (self);
  update (self);

  return GTK_WIDGET (self);
}

void
ui_question_box_set_tokens (UiQuestionBox   *self,
                            int              index,
                            const EngTokens *tokens)
{
  g_return_if_fail (UI_IS_QUESTION_BOX (self) && self->strips[index] != NULL);

  ui_token_strip_set (self->strips[index], tokens);
  self->is_ready = TRUE;
  update (self);
}

void
ui_question_box_set_heads (UiQuestionBox *self,
                           int            n_layers,
                           int            n_heads)
{
  g_return_if_fail (UI_IS_QUESTION_BOX (self) && self->layer != NULL);

  gtk_spin_button_set_range (self->layer, NOTHING, n_layers - 1);
  gtk_spin_button_set_range (self->head, NOTHING, n_heads - 1);
  self->is_ready = TRUE;
  update (self);
}

void
ui_question_box_add_option (UiQuestionBox *self,
                            const char    *markup)
{
  GtkWidget *button = gtk_check_button_new ();
  GtkWidget *label = ui_words_label_new (NULL, "option");

  g_return_if_fail (UI_IS_QUESTION_BOX (self));

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_check_button_set_child (GTK_CHECK_BUTTON (button), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gtk_label_get_text (GTK_LABEL (label)), -1);
  if (self->options->len > 0)
    gtk_check_button_set_group (GTK_CHECK_BUTTON (button), self->options->pdata[0]);
  g_ptr_array_add (self->options, button);
  g_signal_connect_object (button, "toggled", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->choices), button);
}

void
ui_question_box_choose_token (UiQuestionBox *self,
                              int            index,
                              int            token)
{
  g_return_if_fail (UI_IS_QUESTION_BOX (self));

  if (self->is_asked && self->strips[index] != NULL)
    ui_token_strip_choose (self->strips[index], token);
  update (self);
}

void
ui_question_box_choose_head (UiQuestionBox *self,
                             int            layer,
                             int            head)
{
  g_return_if_fail (UI_IS_QUESTION_BOX (self));

  if (!self->is_asked || self->layer == NULL)
    return;
  gtk_spin_button_set_value (self->layer, layer);
  gtk_spin_button_set_value (self->head, head);
}

void
ui_question_box_choose_number (UiQuestionBox *self,
                               double         number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_if_fail (UI_IS_QUESTION_BOX (self));

  if (self->is_asked && self->number != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->number),
                           g_ascii_formatd (text, sizeof text, "%.6g", number));
}

void
ui_question_box_choose_option (UiQuestionBox *self,
                               int            option)
{
  g_return_if_fail (UI_IS_QUESTION_BOX (self));

  if (self->is_asked && option >= 0 && option < (int) self->options->len)
    gtk_check_button_set_active (self->options->pdata[option], TRUE);
}

gboolean
ui_question_box_is_whole (UiQuestionBox *self)
{
  g_return_val_if_fail (UI_IS_QUESTION_BOX (self), FALSE);

  for (int i = 0; i < 2; i++)
    if (self->strips[i] != NULL && ui_token_strip_get (self->strips[i]) < 0)
      return FALSE;
  if (self->type == UI_QUESTION_NUMBER)
    return isfinite (ui_question_box_get_number (self));
  if (self->type == UI_QUESTION_OPTION)
    return ui_question_box_get_option (self) >= 0;
  if (self->type == UI_QUESTION_HEAD)
    return get_index (self->layer) >= 0 && get_index (self->head) >= 0;

  return self->is_ready;
}

int
ui_question_box_get_token (UiQuestionBox *self,
                           int            index)
{
  g_return_val_if_fail (UI_IS_QUESTION_BOX (self), -1);

  return self->strips[index] != NULL ? ui_token_strip_get (self->strips[index]) : -1;
}

void
ui_question_box_get_head (UiQuestionBox *self,
                          int           *layer,
                          int           *head)
{
  g_return_if_fail (UI_IS_QUESTION_BOX (self) && self->layer != NULL);

  *layer = get_index (self->layer);
  *head = get_index (self->head);
}

/* A comma is a point, as it is written in half of the world. */
double
ui_question_box_get_number (UiQuestionBox *self)
{
  g_autofree char *text = NULL;
  char *end;
  double number;

  g_return_val_if_fail (UI_IS_QUESTION_BOX (self) && self->number != NULL, NAN);

  text = g_strstrip (g_strdelimit (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->number))),
                                   ",", '.'));
  number = g_ascii_strtod (text, &end);

  return end != text && *end == '\0' ? number : NAN;
}

int
ui_question_box_get_option (UiQuestionBox *self)
{
  g_return_val_if_fail (UI_IS_QUESTION_BOX (self), -1);

  for (guint i = 0; i < self->options->len; i++)
    if (gtk_check_button_get_active (self->options->pdata[i]))
      return (int) i;

  return -1;
}

gboolean
ui_question_box_is_asked (UiQuestionBox *self)
{
  g_return_val_if_fail (UI_IS_QUESTION_BOX (self), FALSE);

  return self->is_asked && self->refusal == NULL;
}

void
ui_question_box_show_verdict (UiQuestionBox *self,
                              gboolean       is_right,
                              const char    *markup)
{
  g_autofree char *sentence = NULL;

  g_return_if_fail (UI_IS_QUESTION_BOX (self));

  self->is_asked = FALSE;
  sentence = g_strdup_printf ("<b>%s.</b> %s", is_right ? "Right" : "Not quite", markup);
  gtk_label_set_markup (self->sentence, sentence);
  gtk_image_set_from_icon_name (self->icon, is_right ? "emblem-ok-symbolic"
                                                     : "dialog-information-symbolic");
  if (is_right)
    gtk_widget_add_css_class (self->verdict, "right");
  else
    gtk_widget_remove_css_class (self->verdict, "right");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  gtk_label_get_text (self->sentence), -1);
  update (self);
}

void
ui_question_box_set_obstacle (UiQuestionBox *self,
                              const char    *sentence)
{
  g_return_if_fail (UI_IS_QUESTION_BOX (self));

  g_free (self->obstacle);
  self->obstacle = g_strdup (sentence);
  update (self);
}

void
ui_question_box_refuse (UiQuestionBox *self,
                        const char    *sentence)
{
  g_return_if_fail (UI_IS_QUESTION_BOX (self) && self->refusal == NULL);

  self->refusal = ui_words_label_new (sentence, "verdict");
  gtk_box_append (GTK_BOX (self->box), self->refusal);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  sentence, -1);
  update (self);
}

gboolean
ui_question_box_has_obstacle (UiQuestionBox *self)
{
  g_return_val_if_fail (UI_IS_QUESTION_BOX (self), FALSE);

  return self->obstacle != NULL;
}

void
ui_question_box_focus (UiQuestionBox *self)
{
  g_return_if_fail (UI_IS_QUESTION_BOX (self));

  gtk_widget_child_focus (self->is_asked ? self->choices : self->verdict, GTK_DIR_TAB_FORWARD);
}
