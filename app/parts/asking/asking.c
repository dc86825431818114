/* SPDX-License-Identifier: MIT */
/* What a model is run as: with which words before the text (a summary, a translation), and with the
 * weights that it was trained to or random ones. */
#include "app/parts/asking/asking.h"

#include <string.h>

#include "app/desk/message-dialog.h"
#include "app/desk/shortcuts.h"
#include "app/store/model-store.h"
#include "engine/writing/control-codes.h"
#include "engine/writing/languages.h"
#include "engine/writing/writing.h"
#include "ui/controls/quiet.h"
#include "ui/controls/tame-menu.h"

#define SUMMARY_LABEL "Summarise"
#define AS_TYPED_LABEL "As Typed"
#define FROM_LABEL "Translate From"
#define INTO_LABEL "Translate Into"
#define CODE_LABEL "Control Code"
#define OWN_LABEL "Language of the Texts"
#define PREFIX_KEY "prefix:"
#define LANG_KEY "lang:"

struct _AppAskingPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkMenuButton *ask_button;

  EngModel *asked_model; /* whose menu ask_button has; borrowed, only compared */
  char     *asked_lang;  /* and for which languages of a document; NULL = none */
};

G_DEFINE_FINAL_TYPE (AppAskingPart, app_asking_part, APP_TYPE_PART)

/* The state of the action: the field that is set and its value; "" = neither. (transfer full) */
static char *
describe_asked (const UiDocument *document)
{
  if (document->lang != NULL)
    return g_strconcat (LANG_KEY, document->lang, NULL);
  if (document->prefix != NULL)
    return g_strconcat (PREFIX_KEY, document->prefix, NULL);

  return g_strdup ("");
}

static void
change_asked (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  AppAskingPart *self = data;
  const char *asked = g_variant_get_string (value, NULL);
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  const char *lang = g_str_has_prefix (asked, LANG_KEY) ? asked + strlen (LANG_KEY) : "";
  const char *prefix = g_str_has_prefix (asked, PREFIX_KEY) ? asked + strlen (PREFIX_KEY) : "";

  ui_replace_text (&document->lang, lang[0] != '\0' ? lang : NULL);
  ui_replace_text (&document->prefix, prefix[0] != '\0' ? prefix : NULL);
  app_study_change (self->study, document);
}

static void
show_what_to_ask (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       data)
{
  gtk_menu_button_popup (APP_ASKING_PART (data)->ask_button);
}

/* Languages that the texts are in, of a model that translates nothing; of_b NULL = the same. */
static char *
describe_own_languages (const char *of_a,
                        const char *of_b)
{
  const char *name = eng_language_get_name (of_a);
  const char *other = of_b != NULL ? eng_language_get_name (of_b) : NULL;

  if (name == NULL)
    name = of_a;
  if (of_b == NULL)
    return g_strdup_printf ("In %s", name);

  return g_strdup_printf ("In %s and %s", name, other != NULL ? other : of_b);
}

/* "Translate en → de", with the names of the languages where the model has some. */
static char *
describe_languages (const EngModel *model,
                    const char     *pair)
{
  g_auto (GStrv) codes = g_strsplit (pair, ":", 2);
  g_autofree char *source = NULL;
  g_autofree char *target = NULL;

  if (codes[1] == NULL || (model != NULL && eng_model_get_languages (model) != NULL))
    return describe_own_languages (codes[0], codes[1]);
  source = model != NULL ? eng_writing_dup_language_name (model, codes[0]) : NULL;
  target = model != NULL ? eng_writing_dup_language_name (model, codes[1]) : NULL;

  return g_strdup_printf ("Translate %s → %s", source != NULL ? source : codes[0],
                          target != NULL ? target : codes[1]);
}

static void
append_item (GMenu      *menu,
             const char *label,
             const char *key,
             const char *value)
{
  g_autofree char *shown = ui_menu_label (label);
  g_autoptr (GMenuItem) item = g_menu_item_new (shown, NULL);
  g_autofree char *target = g_strconcat (key, value, NULL);

  g_menu_item_set_action_and_target (item, "win.ask", "s", target);
  g_menu_append_item (menu, item);
}

/* As a menu has it, by name and by code: "German (de)". */
static char *
describe_by_code (const char *name,
                  const char *code)
{
  return g_str_equal (name, code) ? g_strdup (name) : g_strdup_printf ("%s (%s)", name, code);
}

/* Each language in the place of one of a pair, by name. */
static void
append_languages (GMenu           *menu,
                  const char      *label,
                  const GPtrArray *languages,
                  const char      *source,
                  const char      *target)
{
  g_autoptr (GMenu) list = g_menu_new ();

  for (guint i = 0; i < languages->len; i++) {
    const EngWritingLanguage *language = g_ptr_array_index (languages, i);
    g_autofree char *pair = g_strdup_printf ("%s:%s", source != NULL ? source : language->code,
                                             target != NULL ? target : language->code);
    g_autofree char *name = describe_by_code (language->name, language->code);

    append_item (list, name, LANG_KEY, pair);
  }
  g_menu_append_submenu (menu, label, G_MENU_MODEL (list));
}

/* Of a model that translates between any two of its languages: from which, once it is said into
 * which. */
static void
append_any_pair (GMenu          *menu,
                 const EngModel *model,
                 const char     *lang)
{
  g_autoptr (GPtrArray) languages = eng_writing_list_named (model);
  g_auto (EngWritingPlan) plan = { 0 };
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  const char *source = eng_tokenizer_get_source_language (tokenizer);
  const char *target = eng_tokenizer_get_target_language (tokenizer);

  if (lang != NULL && eng_writing_plan (model, ENG_WRITING_TRANSLATE, lang, NULL, &plan, NULL)) {
    source = plan.source_language;
    target = plan.target_language;
  }
  if (target != NULL)
    append_languages (menu, FROM_LABEL, languages, NULL, target);
  append_languages (menu, INTO_LABEL, languages, source, NULL);
}

static void
append_control_codes (GMenu          *menu,
                      const EngModel *model)
{
  g_autofree const char **codes = eng_control_codes_list (model);
  g_autoptr (GMenu) list = g_menu_new ();

  if (codes[0] == NULL)
    return;
  for (int i = 0; codes[i] != NULL; i++) {
    g_autofree char *id = g_strdup_printf ("%d", eng_control_codes_get_id (codes[i]));
    g_autofree char *label = describe_by_code (codes[i], id);

    append_item (list, label, PREFIX_KEY, codes[i]);
  }
  g_menu_append_submenu (menu, CODE_LABEL, G_MENU_MODEL (list));
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  const EngWritingLanguage *x = *(EngWritingLanguage *const *) a;
  const EngWritingLanguage *y = *(EngWritingLanguage *const *) b;

  return strcmp (x->name, y->name);
}

/* Of a model that is told what its texts are written in; by name. */
static void
append_own_languages (GMenu          *menu,
                      const EngModel *model)
{
  const char *const *codes = eng_model_get_languages (model);
  g_autoptr (GPtrArray) languages = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GMenu) list = g_menu_new ();

  for (int i = 0; codes != NULL && codes[i] != NULL; i++) {
    EngWritingLanguage *language = g_new (EngWritingLanguage, 1);
    const char *name = eng_language_get_name (codes[i]);

    *language = (EngWritingLanguage) { (char *) codes[i], (char *) (name ? name : codes[i]) };
    g_ptr_array_add (languages, language);
  }
  g_ptr_array_sort (languages, compare_names);
  for (guint i = 0; i < languages->len; i++) {
    const EngWritingLanguage *language = g_ptr_array_index (languages, i);
    g_autofree char *label = describe_by_code (language->name, language->code);

    append_item (list, label, LANG_KEY, language->code);
  }
  if (languages->len > 0)
    g_menu_append_submenu (menu, OWN_LABEL, G_MENU_MODEL (list));
}

/* What a model that writes can be asked for; lang: of the document, NULL = unsaid. */
static void
append_writings (GMenu          *menu,
                 const EngModel *model,
                 const char     *lang)
{
  g_auto (GStrv) languages = NULL;
  g_auto (EngWritingPlan) plan = { 0 };

  if (eng_writing_is_offered (model, ENG_WRITING_SUMMARISE)
      && eng_writing_plan (model, ENG_WRITING_SUMMARISE, NULL, NULL, &plan, NULL)
      && plan.prefix != NULL)
    append_item (menu, SUMMARY_LABEL, PREFIX_KEY, plan.prefix);
  append_control_codes (menu, model);
  if (eng_writing_takes_any_pair (model))
    append_any_pair (menu, model, lang);
  else
    languages = eng_writing_list_languages (model);
  for (int i = 0; languages != NULL && languages[i] != NULL; i++) {
    g_autofree char *label = describe_languages (model, languages[i]);

    append_item (menu, label, LANG_KEY, languages[i]);
  }
}

/* lang: as of append_writings(). NULL where the model can be asked for one thing alone. */
static GMenuModel *
menu_new (const EngModel *model,
          const char     *lang)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  append_item (menu, AS_TYPED_LABEL, "", "");
  append_own_languages (menu, model);
  if (eng_model_has_task (model, ENG_TASK_LANGUAGE_MODEL))
    append_writings (menu, model, lang);

  return g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 1 ? G_MENU_MODEL (g_steal_pointer (&menu))
                                                            : NULL;
}

/* What the button says: the words themselves where they are none of the menu's. */
static char *
describe_button (const EngModel   *model,
                 const UiDocument *document)
{
  if (document->lang != NULL)
    return describe_languages (model, document->lang);
  if (document->prefix != NULL)
    return g_strstrip (g_strdup (document->prefix));

  return g_strdup (AS_TYPED_LABEL);
}

static void
change_random_weights (GSimpleAction *action,
                       GVariant      *value,
                       gpointer       data)
{
  AppAskingPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  document->random_weights_set = g_variant_get_boolean (value);
  document->random_weights = 0;
  app_study_change (self->study, document);
}

static void
offer_cb (AdwMessageDialog *dialog,
          const char       *response,
          AppAskingPart    *self)
{
  GtkSpinButton *spin = g_object_get_data (G_OBJECT (dialog), "seed");

  if (g_str_equal (response, "open"))
    app_study_open_untrained (self->study, g_object_get_data (G_OBJECT (dialog), "model"),
                              gtk_spin_button_get_value_as_int (spin));
}

static void
add_actions (AppAskingPart *self)
{
  static const GActionEntry entries[] = {
    { "ask", NULL, "s", "''", change_asked },
    { "what-to-ask", show_what_to_ask },
    { "random-weights", NULL, NULL, "false", change_random_weights },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  app_shortcuts_explain_as (GTK_WIDGET (self->ask_button), "win.what-to-ask");
}

static void
sync_asking (AppPart *part)
{
  AppAskingPart *self = APP_ASKING_PART (part);
  const UiDocument *document = app_study_get_document (self->study);
  gboolean has_entries = app_study_has_texts (self->study);
  EngModel *model = app_study_get_model (self->study);
  g_autofree char *asked = describe_asked (document);
  g_autofree char *label = describe_button (model, document);
  gboolean can_ask;

  if (model != NULL
      && (self->asked_model != model || g_strcmp0 (self->asked_lang, document->lang) != 0)) {
    g_autoptr (GMenuModel) menu = menu_new (model, document->lang);

    gtk_menu_button_set_menu_model (self->ask_button, menu);
    self->asked_model = model;
    ui_replace_text (&self->asked_lang, document->lang);
  }
  can_ask = has_entries && model != NULL
            && gtk_menu_button_get_menu_model (self->ask_button) != NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->ask_button), can_ask);
  if (g_strcmp0 (gtk_menu_button_get_label (self->ask_button), label) != 0)
    ui_quiet_set_label (self->ask_button, label);
  app_desk_set_state (self->desk, "ask", g_variant_new_string (asked));
  app_desk_set_enabled (self->desk, "ask", can_ask);
  app_desk_set_enabled (self->desk, "what-to-ask", can_ask);
  app_desk_set_state (self->desk, "random-weights",
                      g_variant_new_boolean (document->random_weights_set));
  app_desk_set_enabled (self->desk, "random-weights", has_entries);
}

gboolean
app_asking_part_offer (AppAskingPart *self,
                       const char    *model)
{
  g_autofree char *name = NULL;
  g_autofree char *folder = model != NULL ? app_model_store_find (model, &name, NULL) : NULL;
  g_autoptr (GtkBuilder) ui = NULL;
  GtkWidget *dialog;
  EngModelInfo info;

  if (folder == NULL || eng_model_has_weights (folder) || !eng_model_peek (folder, &info, NULL))
    return FALSE;

  dialog = app_message_dialog_new (app_desk_get_window (self->desk), "Open It Untrained?");
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog),
                                  "“%s” has no file of weights. It can be shown as it is before "
                                  "any training, with random weights.", name);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog),
                                    "cancel", "_Cancel", "open", "_Open Untrained", NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "open",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "open");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  ui = app_part_read_ui ("untrained");
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog),
                                      GTK_WIDGET (gtk_builder_get_object (ui, "choices")));
  g_object_set_data (G_OBJECT (dialog), "seed", gtk_builder_get_object (ui, "seed"));
  g_object_set_data_full (G_OBJECT (dialog), "model", g_strdup (model), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (offer_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));

  return TRUE;
}

static void
begin (AppPart *part)
{
  AppAskingPart *self = APP_ASKING_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "asking");
  app_part_place (self, "ask_button", "sentences_asking");
  self->ask_button = app_part_get_object (self, "ask_button");
  add_actions (self);
}

static void
finalize (GObject *object)
{
  AppAskingPart *self = APP_ASKING_PART (object);

  g_clear_pointer (&self->asked_lang, g_free);
  G_OBJECT_CLASS (app_asking_part_parent_class)->finalize (object);
}

static void
app_asking_part_class_init (AppAskingPartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_asking;
}

static void
app_asking_part_init (AppAskingPart *self)
{
}
