/* SPDX-License-Identifier: MIT */
/* Command line → document. The options of a picture come from the one table of fields
 * (ui_fields_get()), those of a single sub-command from the short table in cli-options.c. */
#pragma once

#include "app/training/recipe.h"
#include "engine/writing/writing.h"
#include "ui/scene/export/export.h"
#include "ui/scene/export/pages.h"

G_BEGIN_DECLS

/* What a sub-command understands. */
typedef enum {
  APP_CLI_MODEL       = 1 << 0, /* --model and how its text becomes tokens and a pass */
  APP_CLI_TRACE_INPUT = 1 << 1, /* --trace */
  APP_CLI_VIEW        = 1 << 2,
  APP_CLI_FIGURE      = 1 << 3,
  APP_CLI_OUTPUT      = 1 << 4, /* -o, and it must be given */
  APP_CLI_LOGITS      = 1 << 5,
  APP_CLI_TASK        = 1 << 6,
  APP_CLI_TOKENS      = 1 << 7,
  APP_CLI_TEXTS       = 1 << 8, /* A [B] */
  APP_CLI_JSON        = 1 << 9,
  APP_CLI_OPEN        = 1 << 10, /* --open */
  APP_CLI_MODEL_NAME  = 1 << 11, /* --model alone */
  APP_CLI_NAME        = 1 << 12, /* one argument, and it must be given */
  APP_CLI_BATCH       = 1 << 13, /* --batch and --format */
  APP_CLI_TRAINING    = 1 << 14, /* a recipe, -o, --resume */
  APP_CLI_EVALUATION  = 1 << 15, /* --task, --data and --seed of a recipe, --lang */
  APP_CLI_FILES       = 1 << 16, /* arguments that are files, and one must be given */
  APP_CLI_PAPER       = 1 << 17, /* --paper, of one file */
} AppCliAccepts;

typedef struct {
  UiDocument *document;   /* texts in text_a and text_b */
  int         n_texts;    /* given on the command line */
  gboolean    view_heads_given;
  gboolean    layer_given;
  /* the last option given that only a model that runs can use; NULL = none */
  const char *model_option;
  gboolean    json;
  gboolean    help;
  gboolean    logits;
  gboolean    task_given;
  EngTask     task;       /* the language model's where a text is to be written */
  EngWriting  writing;
  char       *output;     /* -o */
  char       *batch;      /* --batch; then output is a folder */
  UiFigureFormat format;  /* of a batch's figures */
  char       *open;       /* --open */
  char       *name;       /* the one argument of APP_CLI_NAME */
  GPtrArray  *files;      /* of char *: those of APP_CLI_FILES */
  UiPaper     paper;
  GArray     *lengths;    /* of int: --tokens */
  AppRecipe  *recipe;     /* settled; of a training that goes on only what is to change,
                           * of an evaluation its task, data and seed */
  gboolean    resume;
} AppCliOptions;

/* Wrong usage (exit 2), as opposed to input that was refused. */
#define APP_USAGE_ERROR (app_usage_error_quark ())
GQuark         app_usage_error_quark  (void);

/* arguments: those behind the sub-command's name. */
AppCliOptions *app_cli_options_parse  (AppCliAccepts       accepts,
                                       int                 n_arguments,
                                       char              **arguments,
                                       GError            **error);
/* *failed: the option that an error is about, an index of arguments; -1 = none in particular. */
AppCliOptions *app_cli_options_parse_at (AppCliAccepts     accepts,
                                       int                 n_arguments,
                                       char              **arguments,
                                       int                *failed,
                                       GError            **error);
void           app_cli_options_free   (AppCliOptions      *self);
/* The lines of --help for everything that is accepted. */
void           app_cli_options_describe (AppCliAccepts     accepts,
                                         GString          *help);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppCliOptions, app_cli_options_free)

G_END_DECLS
