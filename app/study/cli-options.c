/* SPDX-License-Identifier: MIT */
#include "app/study/cli-options-private.h"

#include <string.h>

#include "app/study/session-file.h"

G_DEFINE_QUARK (app-usage-error-quark, app_usage_error)

#define OPTION_COLUMN 28
#define OUTPUT_IS_MISSING "-o is missing: where shall the file be written?"

static gboolean
field_is_accepted (const UiField *field,
                   AppCliAccepts  accepts)
{
  switch (field->group) {
  case UI_FIELD_GROUP_MODEL:
    if (strcmp (field->name, "trace") == 0)
      return (accepts & APP_CLI_TRACE_INPUT) != 0;
    if (strcmp (field->name, "model") == 0)
      return (accepts & (APP_CLI_MODEL | APP_CLI_MODEL_NAME)) != 0;
    if (strcmp (field->name, "lang") == 0)
      return (accepts & (APP_CLI_MODEL | APP_CLI_EVALUATION)) != 0;
    return (accepts & APP_CLI_MODEL) != 0;
  case UI_FIELD_GROUP_VIEW:
  case UI_FIELD_GROUP_COMPARE:
    return (accepts & APP_CLI_VIEW) != 0;
  case UI_FIELD_GROUP_FIGURE:
  default:
    return (accepts & APP_CLI_FIGURE) != 0;
  }
}

static gboolean
recipe_is_accepted (const AppRecipeField *field,
                    AppCliAccepts         accepts)
{
  return (accepts & APP_CLI_TRAINING) || (field->evaluates && (accepts & APP_CLI_EVALUATION));
}

static const AppRecipeField *
find_recipe_field (const char    *name,
                   AppCliAccepts  accepts)
{
  const AppRecipeField *field = app_recipe_find_field (name);

  return field && recipe_is_accepted (field, accepts) ? field : NULL;
}

/* The name of an option without dashes, whatever its spelling; value is set when it came with
 * "=". */
static char *
split_option (const char  *argument,
              const char **value)
{
  const char *name = argument + 2;
  const char *equals = strchr (name, '=');

  *value = NULL;
  if (strcmp (argument, "-o") == 0)
    return g_strdup ("output");
  if (strcmp (argument, "-h") == 0)
    return g_strdup ("help");
  if (argument[1] != '-')
    return g_strdup (argument);
  if (!equals)
    return g_strdup (name);

  *value = equals + 1;
  return g_strndup (name, (gsize) (equals - name));
}

/* A value that cannot be read is wrong usage, whoever refuses it. */
static gboolean
set_field (AppCliOptions  *self,
           const UiField  *field,
           const char     *value,
           GError        **error)
{
  g_autoptr (GError) problem = NULL;

  if (ui_document_set (self->document, field, value, &problem))
    return TRUE;
  g_set_error_literal (error, APP_USAGE_ERROR, 0, problem->message);

  return FALSE;
}

static gboolean
set_recipe (AppCliOptions         *self,
            const AppRecipeField  *field,
            const char            *value,
            GError               **error)
{
  g_autoptr (GError) problem = NULL;

  if (app_recipe_set (self->recipe, field, value, &problem))
    return TRUE;
  g_set_error_literal (error, APP_USAGE_ERROR, 0, problem->message);

  return FALSE;
}

/* value of a flag is "true". */
static gboolean
apply_field (AppCliOptions  *self,
             const UiField  *field,
             const char     *value,
             GError        **error)
{
  if ((field->type == UI_FIELD_TEXT || field->type == UI_FIELD_LANGUAGES) && *value == '\0') {
    g_set_error (error, APP_USAGE_ERROR, 0, "--%s is empty", field->name);
    return FALSE;
  }
  self->layer_given |= strcmp (field->name, "layer") == 0;
  self->view_heads_given |= field->type == UI_FIELD_HEADS && field->group == UI_FIELD_GROUP_VIEW;
  if (field->group == UI_FIELD_GROUP_MODEL && strcmp (field->name, "trace") != 0)
    self->model_option = field->name;

  return set_field (self, field, value, error);
}

/* Applies one option; *i moves past a value that stands in the next argument. */
static gboolean
parse_option (AppCliOptions  *self,
              AppCliAccepts   accepts,
              int             n_arguments,
              char          **arguments,
              int            *i,
              GError        **error)
{
  const char *argument = arguments[*i];
  const char *value;
  g_autofree char *name = split_option (argument, &value);
  const AppCliOption *option = app_cli_own_option_find (name, accepts);
  const AppRecipeField *recipe = find_recipe_field (name, accepts);
  const UiField *field = option || recipe ? NULL : ui_fields_find (name);
  gboolean takes_value;

  if (field && !field_is_accepted (field, accepts))
    field = NULL;
  if (!option && !field && !recipe) {
    g_set_error (error, APP_USAGE_ERROR, 0, "there is no option %s here; --help lists them",
                 argument);
    return FALSE;
  }

  if (option)
    takes_value = option->value_name != NULL;
  else
    takes_value = recipe ? recipe->value_name != NULL : field->type != UI_FIELD_FLAG;
  if (takes_value && !value) {
    if (*i + 1 >= n_arguments) {
      g_set_error (error, APP_USAGE_ERROR, 0, "%s needs a value", argument);
      return FALSE;
    }
    value = arguments[++*i];
  } else if (!takes_value && value) {
    g_set_error (error, APP_USAGE_ERROR, 0, "--%s takes no value", name);
    return FALSE;
  }

  if (option)
    return option->apply (self, value, error);

  return recipe ? set_recipe (self, recipe, value, error)
                : apply_field (self, field, takes_value ? value : "true", error);
}

static gboolean
take_name (AppCliOptions  *self,
           GPtrArray      *arguments,
           GError        **error)
{
  if (arguments->len == 1 && *(const char *) arguments->pdata[0]) {
    ui_replace_text (&self->name, arguments->pdata[0]);
    return TRUE;
  }
  if (self->help)
    return TRUE;

  if (arguments->len > 1)
    g_set_error (error, APP_USAGE_ERROR, 0, "“%s” is one argument too many; one name is expected",
                 (const char *) arguments->pdata[1]);
  else
    g_set_error (error, APP_USAGE_ERROR, 0, "a name is missing, such as bert-base-uncased");

  return FALSE;
}

static gboolean
take_files (AppCliOptions  *self,
            AppCliAccepts   accepts,
            GPtrArray      *arguments,
            GError        **error)
{
  for (guint i = 0; i < arguments->len; i++)
    g_ptr_array_add (self->files, g_strdup (arguments->pdata[i]));
  if (self->help)
    return TRUE;

  if (arguments->len == 0)
    g_set_error (error, APP_USAGE_ERROR, 0, "a file is missing");
  else if ((accepts & APP_CLI_PAPER) && arguments->len > 1)
    g_set_error (error, APP_USAGE_ERROR, 0, "“%s” is one argument too many; one file is expected",
                 (const char *) arguments->pdata[1]);
  else if ((accepts & APP_CLI_OUTPUT) && !self->output)
    g_set_error (error, APP_USAGE_ERROR, 0, OUTPUT_IS_MISSING);
  else
    return TRUE;

  return FALSE;
}

/* A double click may give the file alone. A sentence may end in a name, too, but not be one. */
static gboolean
names_file (const char *text)
{
  static const char *const endings[] = { ".md", APP_SESSION_ENDING, ".gguf" };

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (text, endings[i]))
      return !strpbrk (text, " \t\n") || g_file_test (text, G_FILE_TEST_EXISTS);

  return FALSE;
}

/* Files that both are there are meant as files, of which a window opens one. */
static gboolean
refuse_files (const GPtrArray  *texts,
              GError          **error)
{
  for (guint i = 0; i < 2; i++)
    if (texts->len != 2 || !names_file (texts->pdata[i])
        || !g_file_test (texts->pdata[i], G_FILE_TEST_EXISTS))
      return TRUE;
  g_set_error (error, APP_USAGE_ERROR, 0, "“%s” is one file too many: a window opens one at a time",
               (const char *) texts->pdata[1]);

  return FALSE;
}

/* verbatim: they stand behind --. */
static gboolean
take_texts (AppCliOptions  *self,
            AppCliAccepts   accepts,
            GPtrArray      *texts,
            gboolean        verbatim,
            GError        **error)
{
  guint limit = accepts & APP_CLI_TEXTS ? 2 : 0;

  if ((accepts & APP_CLI_OPEN) && texts->len == 1 && !verbatim && !self->open
      && names_file (texts->pdata[0])) {
    self->open = g_strdup (texts->pdata[0]);
    g_ptr_array_set_size (texts, 0);
  }

  if ((accepts & APP_CLI_OPEN) && !verbatim && !refuse_files (texts, error))
    return FALSE;
  if (texts->len > limit) {
    g_set_error (error, APP_USAGE_ERROR, 0, "“%s” is one argument too many; %s",
                 (const char *) texts->pdata[limit],
                 limit ? "there are at most two texts, each in quotes"
                       : "no text is expected here");
    return FALSE;
  }

  self->n_texts = (int) texts->len;
  ui_replace_text (&self->document->text_a, texts->len > 0 ? texts->pdata[0] : "");
  ui_replace_text (&self->document->text_b, texts->len > 1 ? texts->pdata[1] : "");

  return TRUE;
}

/* Of a training that goes on. */
static gboolean
check_changes (const AppRecipe  *recipe,
               GError          **error)
{
  int n;
  const AppRecipeField *fields = app_recipe_get_fields (&n);

  for (int i = 0; i < n; i++)
    if (app_recipe_has (recipe, fields[i].name) && strcmp (fields[i].name, "steps") != 0 &&
        strcmp (fields[i].name, "minutes") != 0) {
      g_set_error (error, APP_USAGE_ERROR, 0,
                   "--resume goes on by the recipe of the folder; leave --%s out", fields[i].name);
      return FALSE;
    }

  return TRUE;
}

static gboolean
check_new (AppRecipe  *recipe,
           GError    **error)
{
  return app_recipe_settle (recipe, error)
         && app_recipe_check_use (recipe, (AppTrainTask) recipe->task, TRUE, error);
}

/* Without both --task and --data it is the folder's own training that is asked about. */
static gboolean
check_question (const AppRecipe  *recipe,
                GError          **error)
{
  if (!app_recipe_has (recipe, "task") && !app_recipe_has (recipe, "data"))
    return TRUE;

  return app_recipe_check_data (recipe, error)
         && app_recipe_check_use (recipe, (AppTrainTask) recipe->task, FALSE, error);
}

static gboolean
check_recipe (AppCliOptions  *self,
              AppCliAccepts   accepts,
              GError        **error)
{
  g_autoptr (GError) problem = NULL;
  gboolean trains = (accepts & APP_CLI_TRAINING) != 0;

  if (self->help || (!trains && !(accepts & APP_CLI_EVALUATION)))
    return TRUE;
  if (trains && !self->output) {
    g_set_error (error, APP_USAGE_ERROR, 0, "-o is missing: which folder shall be written?");
    return FALSE;
  }
  if (self->resume)
    return check_changes (self->recipe, error);
  if (trains ? check_new (self->recipe, &problem) : check_question (self->recipe, &problem))
    return TRUE;
  g_set_error_literal (error, APP_USAGE_ERROR, 0, problem->message);

  return FALSE;
}

/* What must be there, or must not stand together. */
static gboolean
check_options (AppCliOptions  *self,
               AppCliAccepts   accepts,
               GError        **error)
{
  if (self->help)
    return TRUE;

  if ((accepts & APP_CLI_OUTPUT) && !self->output)
    g_set_error (error, APP_USAGE_ERROR, 0, OUTPUT_IS_MISSING);
  else if (self->batch && (self->n_texts > 0 || self->document->trace_file))
    g_set_error (error, APP_USAGE_ERROR, 0, "--batch brings the texts; leave %s out",
                 self->n_texts > 0 ? "those of the command line" : "--trace");
  else if (self->batch && ui_document_has_second_side (self->document))
    g_set_error (error, APP_USAGE_ERROR, 0, "--batch draws one side a line; leave --compare out");
  else if (self->document->trace_file && self->n_texts > 0)
    g_set_error (error, APP_USAGE_ERROR, 0, "--trace brings its own text; leave “%s” out",
                 self->document->text_a);
  else if (self->document->trace_file && self->model_option)
    g_set_error (error, APP_USAGE_ERROR, 0,
                 "--%s needs a model that runs; a trace file is only shown",
                 self->model_option);
  else if ((accepts & APP_CLI_OUTPUT) && !self->document->trace_file && !self->batch
           && self->n_texts == 0)
    g_set_error (error, APP_USAGE_ERROR, 0, "a text is missing");
  else if ((accepts & APP_CLI_TEXTS) && !(accepts & (APP_CLI_OUTPUT | APP_CLI_OPEN))
           && self->n_texts == 0)
    g_set_error (error, APP_USAGE_ERROR, 0, "a text is missing");
  else if (self->open && self->n_texts > 0)
    g_set_error (error, APP_USAGE_ERROR, 0, "--open takes a file and no text");
  else if (ui_view_get (self->document->view)->has_one_head && self->view_heads_given &&
           (self->document->heads.all
            || ui_head_set_count (&self->document->heads, UI_MAX_HEADS) != 1))
    g_set_error (error, APP_USAGE_ERROR, 0,
                 "the %s view takes exactly one head, such as --heads 8",
                 ui_view_names[self->document->view]);
  else
    return TRUE;

  return FALSE;
}

AppCliOptions *
app_cli_options_parse (AppCliAccepts   accepts,
                       int             n_arguments,
                       char          **arguments,
                       GError        **error)
{
  return app_cli_options_parse_at (accepts, n_arguments, arguments, NULL, error);
}

AppCliOptions *
app_cli_options_parse_at (AppCliAccepts   accepts,
                          int             n_arguments,
                          char          **arguments,
                          int            *failed,
                          GError        **error)
{
  g_autoptr (AppCliOptions) self = g_new0 (AppCliOptions, 1);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  gboolean options_end = FALSE;

  self->document = ui_document_new ();
  self->lengths = g_array_new (FALSE, FALSE, sizeof (int));
  self->recipe = app_recipe_new ();
  self->files = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; i < n_arguments; i++) {
    if (!options_end && strcmp (arguments[i], "--") == 0)
      options_end = TRUE;
    else if (!options_end && arguments[i][0] == '-' && arguments[i][1]) {
      if (failed)
        *failed = i;
      if (!parse_option (self, accepts, n_arguments, arguments, &i, error))
        return NULL;
    } else
      g_ptr_array_add (texts, arguments[i]);
  }

  if (failed)
    *failed = -1;
  if (accepts & APP_CLI_NAME)
    return take_name (self, texts, error) ? g_steal_pointer (&self) : NULL;
  if (accepts & APP_CLI_FILES)
    return take_files (self, accepts, texts, error) ? g_steal_pointer (&self) : NULL;
  if (!take_texts (self, accepts, texts, options_end, error) || !check_options (self, accepts, error) ||
      !check_recipe (self, accepts, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
app_cli_options_free (AppCliOptions *self)
{
  ui_document_free (self->document);
  g_array_unref (self->lengths);
  g_clear_pointer (&self->recipe, app_recipe_free);
  g_ptr_array_unref (self->files);
  g_free (self->output);
  g_free (self->batch);
  g_free (self->open);
  g_free (self->name);
  g_free (self);
}

static void
describe_line (GString    *help,
               const char *name,
               const char *value_name,
               const char *text,
               const char *fallback)
{
  g_autofree char *left = value_name ? g_strdup_printf ("  --%s %s", name, value_name)
                                     : g_strdup_printf ("  --%s", name);
  glong width = g_utf8_strlen (left, -1);

  g_string_append (help, left);
  if (width >= OPTION_COLUMN)
    g_string_append_printf (help, "\n%*s", OPTION_COLUMN, "");
  else
    g_string_append_printf (help, "%*s", (int) (OPTION_COLUMN - width), "");
  g_string_append (help, text);
  if (fallback && *fallback)
    g_string_append_printf (help, " [%s]", fallback);
  g_string_append_c (help, '\n');
}

void
app_cli_options_describe (AppCliAccepts  accepts,
                          GString       *help)
{
  int n_fields, n_recipe;
  const UiField *fields = ui_fields_get (&n_fields);
  const AppRecipeField *recipe = app_recipe_get_fields (&n_recipe);
  const AppCliOption *own;

  for (int i = 0; i < n_fields; i++)
    if (field_is_accepted (&fields[i], accepts))
      describe_line (help, fields[i].name, fields[i].value_name, fields[i].help,
                     fields[i].type == UI_FIELD_FLAG ? NULL : fields[i].fallback);
  for (int i = 0; i < n_recipe; i++)
    if (recipe_is_accepted (&recipe[i], accepts)) {
      g_autofree char *fallback = app_recipe_dup_fallback (&recipe[i]);

      describe_line (help, recipe[i].name, recipe[i].value_name, recipe[i].help, fallback);
    }
  for (gsize i = 0; (own = app_cli_own_option_get (i)); i++)
    if (own->accepts & accepts)
      describe_line (help, own->name, own->value_name, own->help, NULL);
}
