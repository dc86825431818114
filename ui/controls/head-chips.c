/* SPDX-License-Identifier: MIT */
#include "ui/controls/head-chips.h"

#include "engine/trace/measure.h"
#include "ui/controls/head-chip.h"

#define SPACING 2

struct _UiHeadChips {
  GtkWidget  parent_instance;

  GPtrArray *chips;        /* UiHeadChip, children of this widget */
  UiHeadSet  heads;
  UiHeadSet  before_click; /* what a double click isolates from: its first click has toggled */
  gboolean   is_compact;
  UiTheme    theme;
  gboolean   has_shares;
};

enum { SIGNAL_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiHeadChips, ui_head_chips, GTK_TYPE_WIDGET)

static void
update_active (UiHeadChips *self)
{
  const gboolean one = self->chips->len > 1 &&
                       ui_head_set_count (&self->heads, (int) self->chips->len) == 1;

  for (guint i = 0; i < self->chips->len; i++) {
    const gboolean active = ui_head_set_has (&self->heads, (int) i);

    ui_head_chip_set_active (self->chips->pdata[i], active, active && one);
  }
}

static void
emit_changed (UiHeadChips *self)
{
  update_active (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
toggled_cb (UiHeadChips *self,
            UiHeadChip  *chip)
{
  self->before_click = self->heads;
  ui_head_set_toggle (&self->heads, ui_head_chip_get_head (chip), (int) self->chips->len);
  emit_changed (self);
}

static void
isolated_cb (UiHeadChips *self,
             UiHeadChip  *chip)
{
  ui_head_set_isolate (&self->heads, ui_head_chip_get_head (chip), (int) self->chips->len);
  emit_changed (self);
}

static void
double_clicked_cb (UiHeadChips *self,
                   UiHeadChip  *chip)
{
  self->heads = self->before_click;
  isolated_cb (self, chip);
}

static void
set_n_chips (UiHeadChips *self,
             int          n_chips)
{
  while ((int) self->chips->len > n_chips) {
    gtk_widget_unparent (self->chips->pdata[self->chips->len - 1]);
    g_ptr_array_remove_index (self->chips, self->chips->len - 1);
  }

  while ((int) self->chips->len < n_chips) {
    GtkWidget *chip = ui_head_chip_new ((int) self->chips->len);

    ui_head_chip_set_theme (UI_HEAD_CHIP (chip), self->theme);
    ui_head_chip_set_compact (UI_HEAD_CHIP (chip), self->is_compact);
    g_signal_connect_swapped (chip, "toggled", G_CALLBACK (toggled_cb), self);
    g_signal_connect_swapped (chip, "isolated", G_CALLBACK (isolated_cb), self);
    g_signal_connect_swapped (chip, "double-clicked", G_CALLBACK (double_clicked_cb), self);
    gtk_widget_set_parent (chip, GTK_WIDGET (self));
    g_ptr_array_add (self->chips, chip);
  }
}

/* All chips are of one size, that of the largest. */
static void
measure_chip (UiHeadChips *self,
              int         *width,
              int         *height)
{
  *width = *height = 0;
  for (guint i = 0; i < self->chips->len; i++) {
    int minimum;

    gtk_widget_measure (self->chips->pdata[i], GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                        NULL);
    *width = MAX (*width, minimum);
    gtk_widget_measure (self->chips->pdata[i], GTK_ORIENTATION_VERTICAL, -1, &minimum, NULL, NULL,
                        NULL);
    *height = MAX (*height, minimum);
  }
}

static int
count_columns (UiHeadChips *self,
               int          width,
               int          chip_width)
{
  return CLAMP ((width + SPACING) / (chip_width + SPACING), 1, MAX (1, (int) self->chips->len));
}

static void
ui_head_chips_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  UiHeadChips *self = UI_HEAD_CHIPS (widget);
  const int n = (int) self->chips->len;
  int width, height, columns, rows;

  measure_chip (self, &width, &height);
  columns = count_columns (self, for_size < 0 ? G_MAXINT / 2 : for_size, width);
  rows = (n + columns - 1) / columns;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = width;
    *natural = MAX (0, n * (width + SPACING) - SPACING);
  } else
    *minimum = *natural = MAX (0, rows * (height + SPACING) - SPACING);
}

static void
ui_head_chips_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  UiHeadChips *self = UI_HEAD_CHIPS (widget);
  int chip_width, chip_height, columns;

  measure_chip (self, &chip_width, &chip_height);
  columns = count_columns (self, width, chip_width);
  for (guint i = 0; i < self->chips->len; i++) {
    const int column = (int) i % columns;
    const int row = (int) i / columns;
    const GtkAllocation place = {
      column * (chip_width + SPACING), row * (chip_height + SPACING), chip_width, chip_height
    };

    gtk_widget_size_allocate (self->chips->pdata[i], &place, -1);
  }
}

/* Height follows from width because the chips wrap. */
static GtkSizeRequestMode
ui_head_chips_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* One stop for Tab; arrows move between the chips. */
static gboolean
ui_head_chips_focus (GtkWidget        *widget,
                     GtkDirectionType  direction)
{
  const gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;

  if (is_tab && gtk_widget_get_focus_child (widget) != NULL)
    return GDK_EVENT_PROPAGATE;

  return GTK_WIDGET_CLASS (ui_head_chips_parent_class)->focus (widget, direction);
}

static void
ui_head_chips_dispose (GObject *object)
{
  UiHeadChips *self = UI_HEAD_CHIPS (object);

  set_n_chips (self, 0);
  G_OBJECT_CLASS (ui_head_chips_parent_class)->dispose (object);
}

static void
ui_head_chips_finalize (GObject *object)
{
  g_ptr_array_unref (UI_HEAD_CHIPS (object)->chips);
  G_OBJECT_CLASS (ui_head_chips_parent_class)->finalize (object);
}

static void
ui_head_chips_class_init (UiHeadChipsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ui_head_chips_dispose;
  object_class->finalize = ui_head_chips_finalize;
  widget_class->measure = ui_head_chips_measure;
  widget_class->size_allocate = ui_head_chips_size_allocate;
  widget_class->focus = ui_head_chips_focus;
  widget_class->get_request_mode = ui_head_chips_get_request_mode;

  signals[SIGNAL_CHANGED] =
    g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "headchips");
}

static void
ui_head_chips_init (UiHeadChips *self)
{
  self->chips = g_ptr_array_new ();
  self->heads.all = TRUE;
  self->before_click = self->heads;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, "Heads shown",
                                  -1);
}

GtkWidget *
ui_head_chips_new (void)
{
  return g_object_new (UI_TYPE_HEAD_CHIPS, NULL);
}

void
ui_head_chips_set_attention (UiHeadChips     *self,
                             EngAttention    *attention,
                             const EngTokens *queries,
                             const EngTokens *keys)
{
  const int n_heads = attention != NULL ? attention->n_heads : 0;
  g_autofree float *shares = g_new0 (float, MAX (1, n_heads));

  g_return_if_fail (UI_IS_HEAD_CHIPS (self));

  /* A cross block's links all go from one text to the other: a share of 1 says nothing. */
  self->has_shares = n_heads > 0
                     && (eng_measure_has_pair (queries, queries)
                         || eng_measure_has_pair (keys, keys))
                     && eng_measure_pair_share (attention, queries, keys, shares);
  set_n_chips (self, n_heads);
  for (int head = 0; head < n_heads; head++)
    ui_head_chip_set_attention (self->chips->pdata[head],
                                attention,
                                self->has_shares ? shares[head] : UI_NO_PAIR_SHARE);
  update_active (self);
}

gboolean
ui_head_chips_has_shares (UiHeadChips *self)
{
  g_return_val_if_fail (UI_IS_HEAD_CHIPS (self), FALSE);

  return self->has_shares;
}

void
ui_head_chips_set_heads (UiHeadChips     *self,
                         const UiHeadSet *heads)
{
  g_return_if_fail (UI_IS_HEAD_CHIPS (self));

  self->heads = *heads;
  update_active (self);
}

const UiHeadSet *
ui_head_chips_get_heads (UiHeadChips *self)
{
  g_return_val_if_fail (UI_IS_HEAD_CHIPS (self), NULL);

  return &self->heads;
}

void
ui_head_chips_set_theme (UiHeadChips *self,
                         UiTheme      theme)
{
  g_return_if_fail (UI_IS_HEAD_CHIPS (self));

  self->theme = theme;
  for (guint i = 0; i < self->chips->len; i++)
    ui_head_chip_set_theme (self->chips->pdata[i], theme);
}

void
ui_head_chips_set_compact (UiHeadChips *self,
                           gboolean     compact)
{
  g_return_if_fail (UI_IS_HEAD_CHIPS (self));

  self->is_compact = compact;
  for (guint i = 0; i < self->chips->len; i++)
    ui_head_chip_set_compact (self->chips->pdata[i], compact);
}
