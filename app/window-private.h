/* SPDX-License-Identifier: MIT */
/* The window's parts, for app/window*.c alone. */
#pragma once

#include "app/before.h"
#include "app/job.h"
#include "app/autosave.h"
#include "app/window.h"
#include "ui/compare-bar.h"
#include "ui/display-settings.h"
#include "ui/edit-chips.h"
#include "ui/export-dialog.h"
#include "ui/head-chips.h"
#include "ui/inspector.h"
#include "ui/layer-picker.h"
#include "ui/link-results.h"
#include "ui/scene-view.h"
#include "ui/search-results.h"
#include "ui/token-table.h"
#include "ui/writing-settings.h"

G_BEGIN_DECLS

/* Where a person was in a kind of attention before choosing another. */
typedef struct {
  gboolean  is_known;
  int       layer;
  UiHeadSet heads;
} AppPlace;

/* What a list of links answers; trace NULL = nothing was asked. */
typedef struct {
  EngTrace  *trace;
  EngKind    kind;
  EngMeasure measure;
  gboolean   words;
  int        token_a;
  int        token_b;
} AppLinkQuestion;

typedef struct _AppCorpus AppCorpus; /* window-search.c */
typedef struct _AppComparison AppComparison; /* window-compare.c */
typedef struct _AppDrawing AppDrawing; /* window-drawing.c */

struct _AppWindow {
  AdwApplicationWindow parent_instance;

  /* Template, from top to bottom. */
  AdwToastOverlay *toasts;
  GtkMenuButton   *model_button;
  GtkLabel        *model_name;
  GtkLabel        *model_size;
  GtkSpinner      *spinner;
  GtkWidget       *undo_button;
  GtkWidget       *redo_button;
  GtkLabel        *session_label;
  GtkMenuButton   *menu_button;
  GtkRevealer     *restore_revealer;
  GtkEntry        *entry_a;
  GtkEntry        *entry_b;
  GtkMenuButton   *ask_button;
  GtkMenuButton   *examples_button;
  GtkWidget       *writing_bar;
  GtkButton       *write_button;
  GtkMenuButton   *writing_settings_button;
  UiWritingSettings *writing_settings;
  GtkScrolledWindow *written_scroller;
  GtkLabel        *written_label;
  GtkButton       *take_text_button;
  GtkWidget       *pickers;
  GtkLabel        *chip_hint;
  GtkWidget       *kind_box;
  UiLayerPicker   *layer_picker;
  GtkWidget       *head_controls;
  GtkWidget       *renormalise_button;
  GtkWidget       *neuron_controls;
  GtkWidget       *model_controls;
  GtkDropDown     *order_choice;
  GtkMenuButton   *find_button;
  GtkWidget       *collected_row;
  UiLayerPicker   *head_picker;
  GtkWidget       *band_box;
  GtkMenuButton   *display_button;
  GtkMenuButton   *compare_button;
  GtkWidget       *compare_heads_choice;
  UiCompareBar    *compare_bar;
  GtkMenuButton   *edit_button;
  UiDisplaySettings *display_settings;
  GtkWidget       *sort_button;
  GtkWidget       *chip_row;
  UiHeadChips     *chips;
  GtkWidget       *edit_row;
  UiEditChips     *edit_chips;
  UiEditChips     *second_chips;
  AdwFlap         *flap;
  GtkStack        *stack;
  GtkScrolledWindow *picture_scroller;
  UiSceneView     *scene_view;
  UiTokenTable    *table;
  GtkStack        *side;     /* links, file, inspector */
  UiInspector     *inspector;
  GtkWidget       *search_header; /* of the pages of the side; visible = a search is open */
  UiLinkResults   *link_results;
  UiSearchResults *search_results;
  GtkRevealer     *drop_hint;
  GtkRevealer     *notice_revealer;
  GtkLabel        *notice;
  GtkWidget       *truncate_button;
  GtkRevealer     *job_revealer;
  GtkLabel        *job_label;
  GtkProgressBar  *job_bar;
  GtkLabel        *legend;
  GtkLabel        *selection_status;
  GtkLabel        *pass_status;

  AppWorker       *worker;   /* borrowed */
  AppSettings     *settings; /* borrowed */

  UiDocument      *document; /* what the person chose */
  UiDocument      *shown;    /* as far as the trace has it; NULL before the first picture */
  UiDocument      *wanted;   /* likewise, while it is drawn beside the window; NULL = shown it is */
  UiDocument      *drawn;    /* what document was when shown was drawn; NULL as that */
  AppDrawing      *drawing;
  gboolean         syncing;  /* controls are being set to the document: signals say nothing new */

  guint            fit_tick; /* that fits once more; 0 = none */
  double           fit_zoom; /* what it was fitted to before */
  UiScene         *fit_scene; /* borrowed, only compared */
  int              fit_height; /* of the view */
  int              n_fit_frames;

  AppHistory      *history;  /* of document */
  AppHistory      *places_visited;
  char            *session_path; /* where it was opened from or saved to; NULL = nowhere */
  gboolean         is_restored; /* left by a program that was ended, and not saved since */
  UiDocument      *saved;    /* as it is there; NULL = nowhere */
  gboolean         is_saving;
  guint            n_opened; /* files that were read, or refused */
  AppAutosave     *autosave;
  GPtrArray       *lost;     /* of char *, files of programs that were ended; NULL = not known */
  GMenu           *recent_menu;
  char            *awaited_recent; /* a path; NULL = none */
  AppFileKind      awaited_kind;

  /* The last answer that brought a trace. */
  EngModel        *model;    /* NULL for a trace file */
  EngTrace        *trace;
  UiDocument      *answered; /* the request that the trace answers */
  AppComparison   *comparison;
  EngTrace        *second_trace; /* that is shown beside trace; NULL = none */
  gboolean         complete;
  double           milliseconds;
  EngAttention    *chip_attention; /* whose heads the chips show */
  AppPlace         places[ENG_N_KINDS]; /* of the model or file that is open */
  PangoAttrList   *marks_a;  /* what the task heads found in the texts of answered; NULL =
                              * nothing */
  PangoAttrList   *marks_b;
  gboolean         can_write;
  gboolean         writing_is_asked; /* by a person; it is a step once it ends or pauses */
  EngModel        *asked_model; /* whose menu ask_button has; borrowed, only compared */
  int              n_followed; /* new tokens when the picture last changed its height */
  gboolean         follows_picture; /* its end is in sight, and stays there while it grows */
  AppWritten       written;  /* behind the texts of answered; text is ours, never NULL */
  int              n_uncut;  /* tokens before truncation; 0 = nothing was cut */

  guint            serial;   /* of the last request; 0 = the one that came before the window */
  gboolean         waiting;  /* it is not answered yet */
  guint            submit_source;
  guint            spinner_source;
  guint            focus_source;

  AppBefore       *before;   /* runs without the edits */
  GMemoryMonitor  *memory;
  EngTrace        *compared; /* the run with edits whose changes are shown; NULL = none */
  GtkWidget       *sweep_dialog; /* weak; NULL = not open */

  UiExportFormat   export_format; /* of the last figure */

  AdwToast        *toast;    /* in sight, of the overlay; NULL = none */
  GQueue           next_toasts; /* of AdwToast */
  gint64           toast_since; /* µs; when it came */
  guint            toast_source;

  char            *swap_begin; /* "swap 3": a word is being picked; NULL = none */
  gboolean         swaps_second; /* for the second side */

  EngTrace        *facts_trace; /* whose facts of heads are computed; NULL = none */
  EngKind          facts_kind;
  EngTrace        *growing_trace; /* the last one that was not complete; borrowed, only compared */
  gint64           grown_at;     /* µs: when it came or was last drawn */
  EngKind          preparing_kind; /* of the job that computes them */
  GtkSearchEntry  *finder_entry; /* of patterns */
  GtkListBox      *finder_list;
  AppJob          *job;      /* the one that is shown in the job's bar; NULL = none */
  char            *job_title;

  int              link_words[2]; /* tokens whose links are looked for; -1 = not chosen yet */
  gboolean         picks_words;   /* the next click in the picture chooses one of them */
  AppLinkQuestion  link_question;
  AppJob          *link_job; /* that answers it; NULL = none runs */
  AppCorpus       *corpus;
  /* How the side was before the search was shown in it. */
  gboolean         side_was_hidden;
  AdwFlapFoldPolicy side_policy;

  GPtrArray       *entries;  /* AppModelEntry of the model menu */
  GtkListBox      *model_list; /* inside of the menu, once that was opened */
};

/* window-document.c: the one road on which anything changes. Takes the document over; a pass is
 * asked for when model, texts or edits are others, at once or after a moment of no typing. */
void        app_window_change          (AppWindow   *self,
                                        UiDocument  *document);
/* The same without a step that could be undone. */
void        app_window_set_document    (AppWindow   *self,
                                        UiDocument  *document);
/* The same for what is on show already: nothing is asked for. */
void        app_window_keep_document   (AppWindow   *self,
                                        UiDocument  *document);
/* Asks the worker, now. */
void        app_window_submit          (AppWindow   *self,
                                        const UiDocument *document,
                                        AppWriting   writing);
/* The document with another kind of attention: the layer and the heads that were last chosen there,
 * where the kinds have not the same ones, and the pins whose tokens stand on the same side. */
void        app_window_choose_kind     (AppWindow   *self,
                                        UiDocument  *document,
                                        EngKind      kind);
/* The layer nearest to the one that was chosen; a trace file may have gaps. -1 when there is
 * none. */
int         app_window_find_layer      (const EngTrace *trace,
                                        EngKind      kind,
                                        int          layer);
/* Shows the last trace under the document and sets every control to it. */
void        app_window_refresh         (AppWindow   *self);
/* Turns while something is waited for. */
void        app_window_sync_spinner    (AppWindow   *self);
/* Whether a person may type: not while a trace file is shown. */
gboolean    app_window_has_entries     (AppWindow   *self);
/* Whether links within and between the sentences can be told apart. */
gboolean    app_window_can_filter      (const EngTrace *trace,
                                        EngKind      kind);

/* window-history.c */
void        app_window_add_history     (AppWindow   *self);
/* A person's step to the document. */
void        app_window_record          (AppWindow   *self,
                                        const UiDocument *document);
/* The last step leads to this document, because what it asked for cannot be had. */
void        app_window_amend           (AppWindow   *self,
                                        const UiDocument *document);
void        app_window_sync_history    (AppWindow   *self);

/* window-session.c */
void        app_window_add_session     (AppWindow   *self);
/* Offers what programs have left that were ended; looked for in a thread. */
void        app_window_find_lost       (AppWindow   *self);
/* Whether the window may not be closed yet: a person is asked whether to save. */
gboolean    app_window_keeps_open      (AppWindow   *self);
void        app_window_sync_session    (AppWindow   *self);

/* window-recent.c */
/* The submenu, filled anew each time that the menu opens. */
GMenuModel *app_window_init_recent     (AppWindow   *self);
void        app_window_fill_recent     (AppWindow   *self);
void        app_window_add_recent      (AppWindow   *self,
                                        const char  *path,
                                        AppFileKind  kind);
/* Of a model or trace, whose reader may still refuse it: added once an answer shows it. */
void        app_window_await_recent    (AppWindow   *self,
                                        const char  *path,
                                        AppFileKind  kind);
void        app_window_take_recent     (AppWindow        *self,
                                        const UiDocument *document);

/* window-drop.c */
void        app_window_add_drop        (AppWindow   *self);

/* window-controls.c: entries and rows follow the document, the last three what is shown. */
void        app_window_sync_entries    (AppWindow   *self);
void        app_window_sync_view       (AppWindow   *self);
void        app_window_sync_model_name (AppWindow   *self);
void        app_window_sync_pickers    (AppWindow   *self);
void        app_window_sync_chips      (AppWindow   *self);
/* Rows that come with edits and a second side take no room of the picture: the others get lower. */
void        app_window_sync_room       (AppWindow   *self);
/* What is put into it, and how the cursor moves in it, stays within the time of a frame. Once. */
void        app_window_watch_entry     (AppWindow   *self,
                                        GtkEntry    *entry);

/* window-status.c: what the window says in words. */
void        app_window_update_status   (AppWindow   *self);
void        app_window_set_notice      (AppWindow   *self,
                                        const char  *sentence,   /* NULL = none */
                                        gboolean     offer_truncate);
void        app_window_toast           (AppWindow   *self,
                                        const char  *sentence);

/* window-toasts.c */
/* Takes the toast over. */
void        app_window_add_toast       (AppWindow   *self,
                                        AdwToast    *toast);
/* The same toast, whether it is in sight or waits. */
void        app_window_dismiss_toast   (AppWindow   *self,
                                        AdwToast    *toast);
void        app_window_end_toasts      (AppWindow   *self);

/* window-view.c: zoom. */
void        app_window_add_view        (AppWindow   *self);

/* window-drawing.c: the scene of the last trace under a document that is fitted to it. */
typedef enum {
  APP_DRAWN,
  APP_DRAWN_LATER, /* a refresh will come; until then what was shown stays */
  APP_NOT_DRAWN    /* with an error */
} AppDrawn;
AppDrawn    app_window_draw            (AppWindow   *self,
                                        EngTrace    *second, /* nullable */
                                        const UiDocument *fitted,
                                        GError     **error);
/* Whether that would be done at once, because it was drawn beside the window. */
gboolean    app_window_has_drawing     (AppWindow   *self,
                                        EngTrace    *second,
                                        const UiDocument *fitted);
/* What is shown is wanted. */
void        app_window_leave_drawing   (AppWindow   *self);
/* The document becomes again what it was when the picture was drawn. FALSE = nothing is drawn. */
gboolean    app_window_cancel_drawing  (AppWindow   *self);
void        app_window_end_drawing     (AppWindow   *self);

/* window-job.c: long work with its progress at the foot of the window; one at a time, a new one
 * ends the one before. klass->progress is app_window_job_progress(); klass->done, whose owner is
 * the window, calls app_window_end_job() last. */
void        app_window_add_job         (AppWindow   *self);
void        app_window_start_job       (AppWindow   *self,
                                        const char  *title,      /* "Ablating 144 heads" */
                                        const AppJobClass *klass,
                                        gpointer     data);
void        app_window_job_progress    (AppJob      *job,
                                        double       fraction,
                                        const char  *note,
                                        gpointer     window);
void        app_window_end_job         (AppWindow   *self);
/* The same place, for what is no such job: where none runs. */
void        app_window_show_progress   (AppWindow   *self,
                                        const char  *title,
                                        double       fraction);
void        app_window_hide_progress   (AppWindow   *self);

/* window-actions.c */
void        app_window_add_actions     (AppWindow   *self);
void        app_window_install_class_actions (GtkWidgetClass *klass);
/* Sets the states of the actions to the document, and which of them make sense now. */
void        app_window_update_actions  (AppWindow   *self);
GMenuModel *app_window_menu_new        (GMenuModel  *recent);
GMenuModel *app_window_examples_menu_new (void);

/* window-appearance.c */
void        app_window_add_appearance  (AppWindow   *self);
/* The colours of drawings, as desktop and person want them. */
UiTheme     app_window_get_theme       (AppWindow   *self);

/* window-models.c */
void        app_window_init_model_menu (AppWindow   *self);
/* In a thread; the task's result is app_model_store_list()'s, (transfer full). */
void        app_window_list_models     (AppWindow   *self,
                                        GAsyncReadyCallback callback);
void        app_window_open_model      (AppWindow   *self,
                                        const char  *model);
void        app_window_open_trace      (AppWindow   *self,
                                        const char  *path);
void        app_window_choose_model    (AppWindow   *self);
void        app_window_choose_trace    (AppWindow   *self);
void        app_window_show_details    (AppWindow   *self);

/* window-download.c: asks the network for nothing until a person presses a button. */
void        app_window_download_model  (AppWindow   *self,
                                        const char  *model);     /* NULL = not named yet */
/* Whether the model could not be opened because it is one of the hub that is not on this computer,
 * and the environment lets it be asked for; then the dialog is shown. */
gboolean    app_window_offer_download  (AppWindow   *self,
                                        const char  *model,
                                        const GError *error);

/* window-predictions.c: what the task heads say. */
void        app_window_take_predictions (AppWindow  *self,
                                        const AppPredictions *predictions);
void        app_window_sync_marks      (AppWindow   *self);

/* window-writing.c: the bar of a model that writes. */
void        app_window_init_writing    (AppWindow   *self);
void        app_window_add_writing     (AppWindow   *self);
/* Keeps what the answer says of the text. */
void        app_window_take_written    (AppWindow   *self,
                                        const AppAnswer *answer);
void        app_window_sync_writing    (AppWindow   *self);
/* Gives a document of what is on show the texts that its tokens stand for: with what was written. */
void        app_window_put_written     (AppWindow   *self,
                                        UiDocument  *document);

/* window-display.c: what is drawn of attention. */
void        app_window_add_display     (AppWindow   *self);
void        app_window_sync_display    (AppWindow   *self);
/* Puts aside what the trace has not of the measure and of what is left out. */
void        app_window_fit_display     (UiDocument  *fitted,
                                        EngTrace    *trace);
/* Whether the trace has the measure; else a toast says what it lacks. */
gboolean    app_window_check_measure   (AppWindow   *self,
                                        EngMeasure   measure);

/* window-asking.c: the menu of what a model can be asked for, and untrained models. */
void        app_window_add_asking      (AppWindow   *self);
void        app_window_sync_asking     (AppWindow   *self);
/* Whether the model could not be opened because its folder has no weights; then the untrained one
 * is offered. */
gboolean    app_window_offer_untrained (AppWindow   *self,
                                        const char  *model);

/* window-model-view.c: the grid of all heads. */
void        app_window_init_model_view (AppWindow   *self);
void        app_window_add_model_view  (AppWindow   *self);
/* Opens the head, or collects it. */
void        app_window_click_head      (AppWindow   *self,
                                        const UiItem *item,
                                        gboolean     collect);
/* Puts an order aside until the numbers that it sorts by are there. */
void        app_window_fit_order       (AppWindow   *self,
                                        UiDocument  *fitted);
/* Whether a grid that is still filled is worth drawing now. */
gboolean    app_window_shows_growing   (AppWindow   *self);
void        app_window_sync_model_view (AppWindow   *self);

/* window-edits.c: what is done to the model and to the text. */
void        app_window_init_edits      (AppWindow   *self);
void        app_window_add_edits       (AppWindow   *self);
void        app_window_sync_edits      (AppWindow   *self);
/* Whether a model is shown on that side, not a trace file. */
gboolean    app_window_can_edit        (AppWindow   *self,
                                        gboolean     is_second);

/* window-edit-menus.c: what can be done to what is pointed at. */
void        app_window_init_edit_menus (AppWindow   *self);
void        app_window_add_edit_menus  (AppWindow   *self);
/* Of the mask token of its tokenizer; -1 without one, and without a model. */
int         app_window_get_mask_id     (const EngModel *model);
/* Whether a click was the answer to a question: which word another one changes places with. */
gboolean    app_window_pick_word       (AppWindow   *self,
                                        const UiItem *item);

/* window-changes.c: what edits change in what the model predicts. */
void        app_window_init_changes    (AppWindow   *self);
void        app_window_sync_changes    (AppWindow   *self);
void        app_window_forget_changes  (AppWindow   *self);

/* window-memory.c: what is given back when the system runs short of memory. */
void        app_window_init_memory     (AppWindow   *self);

/* window-sweep.c: what each head does for a prediction. */
void        app_window_add_sweep       (AppWindow   *self);
void        app_window_sync_sweep      (AppWindow   *self);

/* window-search.c: the page beside the picture where heads are looked for, and the search over a
 * text file. name: "links" or "file". */
void        app_window_add_search      (AppWindow   *self);
void        app_window_end_search      (AppWindow   *self);
void        app_window_show_side       (AppWindow   *self,
                                        const char  *name);
gboolean    app_window_shows_side      (AppWindow   *self,
                                        const char  *name);
void        app_window_sync_search     (AppWindow   *self);
/* Chooses the file. */
void        app_window_search_file     (AppWindow   *self,
                                        const char  *path);

/* window-task.c: a task for a thread; callback gets the window as its source. The task has no source
 * of its own: it may be its thread that lets go of it last, and windows end on the main thread. */
GTask      *app_window_task_new        (AppWindow           *self,
                                        GAsyncReadyCallback  callback,
                                        gpointer             data);

/* window-csv.c: a table that was found. csv (transfer full) goes into a file that a person chooses
 * in a dialog over parent; name: what it may be called. */
void        app_window_save_csv        (AppWindow   *self,
                                        GtkWindow   *parent,
                                        char        *csv,
                                        const char  *name);

/* window-links.c: which heads link two words. */
void        app_window_add_links       (AppWindow   *self);
void        app_window_end_links       (AppWindow   *self);
/* What was asked of a trace that is no longer shown. */
void        app_window_forget_links    (AppWindow   *self);
/* Whether a click chose one of the words. */
gboolean    app_window_pick_link       (AppWindow   *self,
                                        const UiItem *item);
void        app_window_sync_links      (AppWindow   *self);

/* window-compare.c: heads beside each other, and the second side with its own pass. */
void        app_window_init_compare    (AppWindow   *self);
void        app_window_add_compare     (AppWindow   *self);
void        app_window_end_compare     (AppWindow   *self);
void        app_window_shrink_compare  (AppWindow   *self);
/* Whether its pass runs. */
gboolean    app_window_awaits_second   (AppWindow   *self);
/* The trace to show beside the first, borrowed; NULL while there is none. Puts aside what the
 * traces have not of what is compared, and asks for the second side's pass. */
EngTrace   *app_window_fit_comparison  (AppWindow   *self,
                                        UiDocument  *fitted);
/* Whether something of what is compared was put aside. */
gboolean    app_window_lacks_comparison (AppWindow  *self,
                                        const UiDocument *fitted);
/* The second side cannot be drawn beside the first: its bar says why. error NULL: it can. */
void        app_window_refuse_second   (AppWindow   *self,
                                        const GError *error);
/* The same for the model of the second side. */
int         app_window_get_second_mask_id (AppWindow *self);
/* (transfer full) "beside layer 4 of minilm"; NULL where nothing is compared. */
char       *app_window_describe_comparison (AppWindow *self);
void        app_window_sync_compare    (AppWindow   *self);

/* window-export.c: figures, numbers and the trace, into files and the clipboard. */
void        app_window_add_export      (AppWindow   *self);

G_END_DECLS
