/* SPDX-License-Identifier: MIT */
#include "app/desk/shortcuts.h"

#include "ui/controls/quiet.h"

#define VIEW     "View"
#define SENTENCE "Sentences"
#define HEADS    "Layers and heads"
#define DISPLAY  "What is drawn"
#define COMPARE  "Comparison"
#define NEURONS  "Neuron view"
#define WAY      "Steps of a token"
#define PICTURE  "In the picture"
#define EDITS    "Edits of the model"
#define WRITING  "Text that the model writes"
#define MODELS   "Models and traces"
#define FIGURE   "Figures"
#define STEPS    "Steps"
#define SESSION  "Sessions"
#define LESSONS  "Lessons"
#define STAGE    "Before people"
#define GENERAL  "General"

static const AppShortcut shortcuts[] = {
  { VIEW, "win.view::head", "<Control>1", "Head view" },
  { VIEW, "win.view::model", "<Control>2", "All heads of all layers" },
  { VIEW, "win.view::neuron", "<Control>3", "Neuron view" },
  { VIEW, "win.view::matrix", "<Control>4", "Matrix" },
  { VIEW, "win.view::steps", "<Control>5", "A token’s way through the model, step by step" },
  { VIEW, "win.table", "<Control>t", "The numbers as a table" },
  { VIEW, "win.map", "<Shift>F9", "Map of the heads" },
  { VIEW, "win.inspector", "F9", "Inspector" },
  { VIEW, "win.next-region", "F6", "From map to sentences, picture, inspector" },
  { VIEW, "win.previous-region", "<Shift>F6", "The other way round" },
  { VIEW, "win.fullscreen", "F11", "The picture and the strip of heads, on the full screen" },
  { VIEW, "win.zoom-in", "<Control>plus <Control>equal <Control>KP_Add", "Zoom in" },
  { VIEW, "win.zoom-out", "<Control>minus <Control>KP_Subtract", "Zoom out" },
  { VIEW, "win.zoom-normal", "<Control>0 <Control>KP_0", "Normal size" },
  { VIEW, "win.zoom-fit", "<Control>9 <Control>KP_9", "The whole picture in the window" },

  { SESSION, "win.open", "<Control><Alt>o", "Open a session, figure or trace" },
  { SESSION, "win.save", "<Control>s", "Save the session" },
  { SESSION, "win.save-as", "<Control><Shift>s", "Save the session under another name" },
  { SESSION, "win.restore", "<Alt>Return", "Restore what Headlight was ended with" },
  { SESSION, "win.discard", "<Alt><Shift>Return", "Discard it" },

  { STEPS, "win.undo", "<Control>z", "Undo" },
  { STEPS, "win.redo", "<Control><Shift>z <Control>y", "Redo" },
  { STEPS, "win.back", "<Alt>Left", "Back to the view or layer before" },
  { STEPS, "win.forward", "<Alt>Right", "Forward again" },

  { SENTENCE, "win.focus-a", "<Control>l", "Type sentence A" },
  { SENTENCE, "win.focus-b", "<Control><Shift>l", "Type sentence B" },
  { SENTENCE, "win.swap", "<Alt>x", "Swap the sentences" },
  { SENTENCE, "win.examples", "<Alt>e", "Examples" },
  { SENTENCE, "win.truncate", "<Alt>t", "Cut a text that is too long for the model" },
  { SENTENCE, "win.ask::", "<Alt>y", "Nothing before sentence A" },
  { SENTENCE, "win.what-to-ask", "<Alt>q", "What the model is asked for" },
  { SENTENCE, "win.pad-to::0", "<Alt>p", "No padding" },
  { SENTENCE, "win.pad-to::32", "<Alt><Shift>p", "Pad to 32 tokens" },
  { SENTENCE, "win.no-special-tokens", "<Alt>n", "Run the model without its special tokens" },

  { HEADS, "win.previous-layer", "<Control>Page_Up", "Previous layer" },
  { HEADS, "win.next-layer", "<Control>Page_Down", "Next layer" },
  { HEADS, "win.head(0)", "<Alt>0...9", "Turn head 0 to 9 on or off, or choose it",
    .is_local = TRUE },
  { HEADS, "win.head(10)", "<Alt><Shift>0...9", "The same for head 10 to 19", .is_local = TRUE },
  { HEADS, "win.all-heads", "<Alt>a", "All heads" },
  { HEADS, "win.filter::all", "<Control><Alt>1", "All links" },
  { HEADS, "win.filter::aa", "<Control><Alt>2", "Links within sentence A" },
  { HEADS, "win.filter::ab", "<Control><Alt>3", "A reads B" },
  { HEADS, "win.filter::ba", "<Control><Alt>4", "B reads A" },
  { HEADS, "win.filter::bb", "<Control><Alt>5", "Links within sentence B" },
  { HEADS, "win.renormalise", "<Control>r", "Bring rows back to 1 after the filter" },
  { HEADS, "win.find-pattern", "<Control>f", "Find a head in the map" },
  { HEADS, "win.find-heads", "<Control><Alt>f", "Find the heads that link two words" },
  { HEADS, "win.search-file", "<Control><Shift>f", "Search a text file for heads of a pattern" },
  { HEADS, "win.close-search", "Escape", "Close the search, from within it", .is_local = TRUE },
  { HEADS, "win.order::layer", "<Alt>g", "Heads by layer and number" },
  { HEADS, "win.order::pattern", "<Alt><Shift>g", "Heads by the pattern that they follow" },
  { HEADS, "win.head-picture::links", "Return", "Show the links of a head beside all heads",
    .is_local = TRUE },
  { HEADS, "win.head-picture::map", "Escape", "Show its map again", .is_local = TRUE },
  { HEADS, "win.kind::encoder", "<Control><Alt>e", "Attention of the encoder" },
  { HEADS, "win.kind::decoder", "<Control><Alt>d", "Attention of the decoder" },
  { HEADS, "win.kind::cross", "<Control><Alt>x", "Cross attention" },

  { DISPLAY, "win.show-menu", "<Alt>l", "How much is shown" },
  { DISPLAY, "win.plain", "<Alt>z", "Take back what was chosen there" },
  { DISPLAY, "win.display", "<Alt>d", "What is measured" },
  { DISPLAY, "win.measure::weight", "<Control>F5", "Weights" },
  { DISPLAY, "win.measure::value-norm", "<Control>F6", "Weights times the norms of values" },
  { DISPLAY, "win.measure::output-norm", "<Control>F7", "Norms after the output projection" },
  { DISPLAY, "win.measure::rollout", "<Control>F8", "Rollout up to the layer" },
  { DISPLAY, "win.aggregate::each", "<Alt>h", "Each head" },
  { DISPLAY, "win.aggregate::mean", "<Alt>m", "Mean of the heads that are on" },
  { DISPLAY, "win.aggregate::max", "<Alt><Shift>m", "Max of the heads that are on" },
  { DISPLAY, "win.layers::one", "<Control><Alt>6", "One layer" },
  { DISPLAY, "win.layers::mean", "<Control><Alt>7", "Mean over all layers" },
  { DISPLAY, "win.layers::max", "<Control><Alt>8", "Max over all layers" },
  { DISPLAY, "win.hide-special", "<Alt>i", "Hide special tokens" },
  { DISPLAY, "win.words", "<Alt>j", "Merge word pieces" },
  { DISPLAY, "win.threshold(0.0)", "<Control><Alt>0", "Links however weak" },
  { DISPLAY, "win.threshold(0.02)", "<Control><Alt>9", "Links of 2 % and more" },
  { DISPLAY, "win.mass(1.0)", "<Control><Alt><Shift>k", "All of each row" },
  { DISPLAY, "win.mass(0.9)", "<Control><Alt>k", "The strongest that have 90 % of a row" },
  { DISPLAY, "win.gain(1.5)", "<Control><Alt>g", "Opacity as at first" },
  { DISPLAY, "win.gain(6.0)", "<Control><Alt><Shift>g", "Four times as opaque" },

  { COMPARE, "win.compare-menu", "<Control><Shift>d", "What is compared" },
  { COMPARE, "win.compare::off", "<Control>F1", "Compare nothing" },
  { COMPARE, "win.compare::heads", "<Control>F2", "The collected heads beside each other" },
  { COMPARE, "win.compare::sides", "<Control>F3", "Two sides beside each other" },
  { COMPARE, "win.compare::difference", "<Control>F4", "The difference of two sides" },
  { COMPARE, "win.second-text", "<Control><Alt>l", "Type the sentence of Other" },

  { NEURONS, "win.collapsed", "<Alt>c", "Only the links of the head" },
  { NEURONS, "win.bands::bars", "<Alt>b", "Queries and keys as bars" },
  { NEURONS, "win.bands::stripes", "<Alt>s", "Queries and keys as stripes" },
  { NEURONS, "win.sort", "<Alt>o", "Dimensions by what they contribute to the pinned query" },

  { WAY, "win.step-forward", "space", "One step on", .is_local = TRUE },
  { WAY, "win.step-back", "BackSpace", "One step back", .is_local = TRUE },
  { WAY, "win.play-steps", "<Alt>period", "Play, or pause" },
  { WAY, "win.whole-way", "<Alt>comma", "All steps in full, or one" },
  { WAY, "win.what-if", "<Alt>f", "What if: scale, temperature, mask, positions" },
  { WAY, NULL, "Return", "Go to a step; see where a number comes from" },

  { PICTURE, NULL, "Up Down Left Right", "Move to another token" },
  { PICTURE, NULL, "Home End", "First and last token" },
  { PICTURE, NULL, "Return space", "Pin a token; among the heads: isolate, turn on or off" },
  { PICTURE, NULL, "<Shift>Return", "Pin one more token" },
  { PICTURE, NULL, "Return", "Among all heads: open the head, as a double click does" },
  { PICTURE, NULL, "space", "Among all heads: collect the head, as Ctrl+click does" },
  { PICTURE, "win.unpin", "Escape", "Unpin all tokens", .is_local = TRUE },
  { PICTURE, NULL, "Return", "In a row of the inspector: go to the token; space pins the link" },

  { EDITS, "win.edit-menu", "<Alt>v", "What can be done to the model and the text" },
  { EDITS, NULL, "Menu <Shift>F10", "The same for what the cursor is on" },
  { EDITS, NULL, "<Alt>Up <Alt>Down", "Move the edit whose chip has the focus" },
  { EDITS, "win.ablate", "<Control><Alt>a", "Ablate each head in turn" },
  { EDITS, "win.clear-edits", "<Alt>Delete", "Take all edits out" },

  { WRITING, "win.write", "<Control>Return", "Write on, or pause" },
  { WRITING, "win.write-token", "<Control><Shift>Return", "Write one token" },
  { WRITING, "win.write-anew", "<Alt>BackSpace", "Start over" },
  { WRITING, "win.writing-settings", "<Alt>w", "How the model writes" },
  { WRITING, "win.copy-text", "<Control><Alt>t", "Copy what the model wrote" },
  { WRITING, "win.take-text", "<Alt>u", "Use it as a part of the sentence" },

  { MODELS, "win.models", "<Control>m", "Models on this computer" },
  { MODELS, "win.open-model", "<Control>o", "Open a model folder" },
  { MODELS, "win.open-trace", "<Control><Shift>o", "Open a trace file" },
  { MODELS, "win.download-model", "<Control>d", "Download a model from the hub" },
  { MODELS, "win.train-model", "<Control><Alt>m", "Train a model" },
  { MODELS, "win.pause-training", "<Control><Alt>p", "Pause the training, or go on" },
  { MODELS, "win.stop-training", "<Control><Alt>s", "Stop the training" },
  { MODELS, "win.play-training", "<Control><Alt>y", "Play the steps of the training" },
  { MODELS, "win.compare-steps", "<Control><Alt>b", "Compare the step that is shown with the newest" },
  { MODELS, "win.random-weights", "<Alt>r", "Random weights instead of the trained ones" },
  { MODELS, "win.family-tree", "<Control><Alt>r", "Family tree: which models there are" },
  { MODELS, "win.model-details", "<Control>i", "What the open model is" },

  { FIGURE, "win.export", "<Control>e", "Export picture, numbers or trace" },
  { FIGURE, "win.copy-picture", "<Control><Shift>c", "Copy the picture" },
  { FIGURE, "win.copy-numbers", "<Control><Alt>c", "Copy the numbers" },
  { FIGURE, "win.copy-csv", "<Control><Alt>v", "Copy the numbers as CSV" },
  { FIGURE, "win.copy-json", "<Control><Alt>j", "Copy the numbers as JSON" },
  { FIGURE, "win.copy-command", "<Control><Shift>k", "Copy the command that draws the picture" },

  { LESSONS, "win.lessons", "F2", "Lessons, all of them or the one that is open" },
  { LESSONS, "win.next-section", "F4", "Next section of the lesson" },
  { LESSONS, "win.previous-section", "F3", "The section before" },
  { LESSONS, "win.close-lesson", "<Shift>F2", "Leave the lesson: what was there before comes back" },
  { LESSONS, "win.add-to-lesson", "<Control><Alt>n", "Add this view to a lesson of your own" },
  { LESSONS, "win.tour", "<Control><Shift>F1", "Tour of the window" },

  { STAGE, "win.present", "F5", "Present: the picture and one sentence, and a window for who speaks" },
  { STAGE, "win.stage-next", "space Right Page_Down", "On: the next sentence of the lesson, step or layer",
    .is_local = TRUE },
  { STAGE, "win.stage-back", "BackSpace Left Page_Up", "Back by one", .is_local = TRUE },
  { STAGE, "win.stage-spot", "s", "Spotlight", .is_local = TRUE },
  { STAGE, "win.stage-pointer", "p", "A pointer that the back row sees", .is_local = TRUE },
  { STAGE, "win.stage-freeze", "f period", "Freeze what people see", .is_local = TRUE },

  { GENERAL, "win.theme::system", "<Shift>F5", "Light or dark as the desktop says" },
  { GENERAL, "win.theme::light", "<Shift>F4", "Light" },
  { GENERAL, "win.theme::dark", "<Shift>F7", "Dark" },
  { GENERAL, "win.high-contrast", "<Shift>F8", "Pictures of high contrast" },
  { GENERAL, "win.cancel-job", "<Control>period", "Cancel the work that is running" },
  { GENERAL, "win.more", "<Alt>k", "More: table, copies, padding, zoom" },
  { GENERAL, "win.shortcuts", "<Control>question", "Keyboard shortcuts" },
  { GENERAL, "win.help", "F1", "Help" },
  { GENERAL, "win.about", "<Shift>F1", "About Headlight" },
  { GENERAL, "window.close", "<Control>w", "Close the window" },
  { GENERAL, "app.quit", "<Control>q", "Quit" },
};

static const AppShortcut *
find_shortcut (const char *action)
{
  for (gsize i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    if (g_strcmp0 (shortcuts[i].action, action) == 0)
      return &shortcuts[i];

  return NULL;
}

/* "Ctrl+E"; NULL where it is a range of keys. */
static char *
dup_first_key (const AppShortcut *shortcut)
{
  g_auto (GStrv) accels = g_strsplit (shortcut->accels, " ", -1);
  GdkModifierType modifiers;
  guint key;

  return gtk_accelerator_parse (accels[0], &key, &modifiers)
         ? gtk_accelerator_get_label (key, modifiers) : NULL;
}

/* "Export the picture (Ctrl+E)" */
static char *
describe (const AppShortcut *shortcut,
          const char        *title)
{
  g_autofree char *key = dup_first_key (shortcut);

  return key != NULL ? g_strdup_printf ("%s (%s)", title, key) : g_strdup (title);
}

static void
explain (GtkWidget         *widget,
         const AppShortcut *shortcut,
         const char        *title)
{
  g_autofree char *tooltip = describe (shortcut, title);

  ui_quiet_set_tooltip (widget, tooltip);
}

/* The digit of a key whatever the modifiers make of it: with Shift it types "!" on one layout, and
 * on another it takes Shift to type the digit. -1 = none. */
static int
find_digit (GdkDisplay *display,
            guint       keycode,
            int         layout)
{
  g_autofree GdkKeymapKey *keys = NULL;
  g_autofree guint *keyvals = NULL;
  int n_entries;

  if (!gdk_display_map_keycode (display, keycode, &keys, &keyvals, &n_entries))
    return -1;

  for (int i = 0; i < n_entries; i++)
    if (keys[i].group == layout && keys[i].level <= 1
        && keyvals[i] >= GDK_KEY_0 && keyvals[i] <= GDK_KEY_9)
      return (int) (keyvals[i] - GDK_KEY_0);

  return -1;
}

static gboolean
head_key_cb (GtkEventController *controller,
             guint               keyval,
             guint               keycode,
             GdkModifierType     state)
{
  GtkWidget *widget = gtk_event_controller_get_widget (controller);
  GdkEvent *event = gtk_event_controller_get_current_event (controller);
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  int digit;

  if ((modifiers & ~GDK_SHIFT_MASK) != GDK_ALT_MASK)
    return GDK_EVENT_PROPAGATE;
  digit = find_digit (gtk_widget_get_display (widget), keycode,
                      (int) gdk_key_event_get_layout (event));
  if (digit < 0)
    return GDK_EVENT_PROPAGATE;

  return gtk_widget_activate_action (widget, "win.head", "i",
                                     modifiers & GDK_SHIFT_MASK ? digit + 10 : digit);
}

const AppShortcut *
app_shortcuts_get (int *n_shortcuts)
{
  *n_shortcuts = G_N_ELEMENTS (shortcuts);
  return shortcuts;
}

char *
app_shortcuts_dup_keys (const char *action)
{
  const AppShortcut *shortcut = find_shortcut (action);

  g_return_val_if_fail (shortcut != NULL, NULL);

  return dup_first_key (shortcut);
}

void
app_shortcuts_install (GtkApplication *application)
{
  for (gsize i = 0; i < G_N_ELEMENTS (shortcuts); i++) {
    g_auto (GStrv) accels = g_strsplit (shortcuts[i].accels, " ", -1);

    if (shortcuts[i].action != NULL && !shortcuts[i].is_local)
      gtk_application_set_accels_for_action (application, shortcuts[i].action,
                                             (const char *const *) accels);
  }
}

void
app_shortcuts_add_head_keys (GtkWidget *window)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "key-pressed", G_CALLBACK (head_key_cb), NULL);
  gtk_widget_add_controller (window, controller);
}

void
app_shortcuts_explain (GtkWidget *root)
{
  if (GTK_IS_ACTIONABLE (root) && gtk_actionable_get_action_name (GTK_ACTIONABLE (root)) != NULL) {
    GtkActionable *actionable = GTK_ACTIONABLE (root);
    GVariant *target = gtk_actionable_get_action_target_value (actionable);
    const char *name = gtk_actionable_get_action_name (actionable);
    g_autofree char *action = g_action_print_detailed_name (name, target);
    const AppShortcut *shortcut = find_shortcut (action);

    if (shortcut != NULL)
      explain (root, shortcut, shortcut->title);
  }

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    app_shortcuts_explain (child);
}

void
app_shortcuts_explain_as (GtkWidget  *widget,
                          const char *action)
{
  app_shortcuts_explain_in_words (widget, action, NULL);
}

void
app_shortcuts_explain_in_words (GtkWidget  *widget,
                                const char *action,
                                const char *title)
{
  const AppShortcut *shortcut = find_shortcut (action);

  g_return_if_fail (shortcut != NULL);

  explain (widget, shortcut, title != NULL ? title : shortcut->title);
}
