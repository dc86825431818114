/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron/neuron-painter.h"

#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define RULE_ABOVE 7.0 /* the line under what is added up */
#define RULE 1.0
#define LABEL_GAP 8.0
#define TOKEN_PADDING 10.0
#define FRAME_MARGIN 2.0
#define FRAME_CORNER 6.0
#define FRAME_WIDTH 1.6

/* To the left of the band, as the left side of an equation. */
static void
paint_equation (const UiNeuronPainter *painter)
{
  const UiRect *output = &painter->layout->output;
  double unit = painter->rows->scale;
  UiTextStyle style = {
    .size = UI_NEURON_TITLE_SIZE * unit, .bold = TRUE, .align = UI_ALIGN_RIGHT
  };
  g_autofree char *sum = ui_neuron_describe_output (painter->self);
  g_autofree char *equation = g_strconcat (sum, "  =", NULL);

  ui_text_paint (painter->sink, output->x - LABEL_GAP * unit, output->y + output->height / 2,
                 equation, &style, painter->palette->text);
}

/* To its right, where the rows above have their tokens. */
static void
paint_name (const UiNeuronPainter *painter,
            double                 full)
{
  const UiRect *output = &painter->layout->output;
  double unit = painter->rows->scale;
  double x = painter->rows->columns[UI_SIDE_KEYS].column.x + TOKEN_PADDING * unit;
  UiTextStyle title = { .size = UI_NEURON_TITLE_SIZE * unit, .bold = TRUE };
  UiTextStyle small = { .size = UI_NEURON_SCALE_SIZE * unit };
  g_autofree char *scale = ui_neuron_paint_scale (painter, full, TRUE);

  ui_text_paint (painter->sink, x, output->y + output->height * 0.25, "output", &title,
                 painter->palette->text);
  if (x + ui_text_measure (scale, &small) + TOKEN_PADDING * unit <= painter->rows->width)
    ui_scene_paint_reading (&painter->self->parent.scene, painter->sink, x,
                            output->y + output->height * 0.78, scale, &small,
                            painter->palette->dim);
}

void
ui_neuron_paint_output (const UiNeuronPainter *painter)
{
  const UiNeuronLayout *layout = painter->layout;
  double unit = painter->rows->scale;
  double margin = FRAME_MARGIN * unit;
  UiRect frame = layout->output;
  g_autofree double *output = NULL;
  double left = layout->bars[UI_GAUGE_SOFTMAX].x;
  double rule = frame.y - RULE_ABOVE * unit;
  UiSink *sink = painter->sink;
  double full;

  if (frame.width <= 0 || painter->clip->y + painter->clip->height < rule
      || painter->clip->y > frame.y + frame.height + margin)
    return;
  output = ui_neuron_get_output (painter->self, painter->query);
  full = ui_neuron_get_output_scale (painter->self, painter->query);
  sink->klass->push_group (sink, "output");
  sink->klass->line (sink, left, rule, frame.x + frame.width, rule, RULE * unit,
                     painter->palette->dim);
  ui_neuron_paint_vector (painter, &layout->output, output, layout->columns.n_value_dimensions,
                          full);
  frame = (UiRect) {
    frame.x - margin, frame.y - margin, frame.width + 2 * margin, frame.height + 2 * margin
  };
  sink->klass->frame (sink, &frame, FRAME_CORNER * unit, FRAME_WIDTH * unit,
                      painter->palette->accent);
  paint_equation (painter);
  paint_name (painter, full);
  sink->klass->pop_group (sink);
}
