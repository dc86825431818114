/* SPDX-License-Identifier: MIT */
/* The document: everything that a person chose, as one value. A document is never changed once
 * it was handed on: copy it, change the copy. Hover and scroll position are no part of it.
 *
 * One table of fields (ui_fields) gives each choice its name, type, range, default and help. The
 * command line's options, the session's keys and the window's actions are read from it; nothing
 * else parses or prints a field. Numbers are written and read with a point in every locale. */
#pragma once

#include "engine/edits/edit.h"
#include "engine/trace/measures.h"
#include "ui/document/view.h"

G_BEGIN_DECLS

/* ab = rows of A, columns of B */
typedef enum { UI_FILTER_ALL, UI_FILTER_AA, UI_FILTER_AB, UI_FILTER_BA, UI_FILTER_BB } UiFilter;
/* How several heads, or all layers, become one block of numbers. EACH of the layers is the one that
 * is chosen. */
typedef enum { UI_AGGREGATE_EACH, UI_AGGREGATE_MEAN, UI_AGGREGATE_MAX } UiAggregate;
/* Of the cells of the model view. TRAFFIC is the share of A's rows on B's columns. */
typedef enum { UI_ORDER_LAYER, UI_ORDER_PATTERN, UI_ORDER_ENTROPY, UI_ORDER_TRAFFIC } UiOrder;
/* The heads of panels beside each other, the two sides beside each other, or the first side minus
 * the second as one matrix. The model view takes none of it. */
typedef enum {
  UI_COMPARE_OFF, UI_COMPARE_HEADS, UI_COMPARE_SIDES, UI_COMPARE_DIFFERENCE
} UiCompare;
typedef enum { UI_BANDS_BARS, UI_BANDS_STRIPES } UiBands;
typedef enum {
  UI_THEME_LIGHT, UI_THEME_DARK, UI_THEME_PRINT, UI_THEME_LIGHT_CONTRAST, UI_THEME_DARK_CONTRAST
} UiTheme;

/* What masks are tried in the steps view: the model's, none, no later keys, all but padding, all but
 * the pinned keys. */
typedef enum {
  UI_IF_MASK_MODEL, UI_IF_MASK_NONE, UI_IF_MASK_CAUSAL, UI_IF_MASK_PADDING, UI_IF_MASK_OWN
} UiIfMask;

/* A set of head indices, 0 to 255. Nothing set and all = FALSE is not a document that a person
 * can reach. */
#define UI_MAX_HEADS 256
typedef struct {
  gboolean all; /* every head of the layer, however many it has */
  guint64  bits[UI_MAX_HEADS / 64];
} UiHeadSet;

gboolean ui_head_set_has    (const UiHeadSet *self, int head);
void     ui_head_set_add    (UiHeadSet *self, int head);
void     ui_head_set_only   (UiHeadSet *self, int head);
int      ui_head_set_count  (const UiHeadSet *self, int n_heads);
/* Click on a chip: toggles, but the last active head stays on. n_heads is that of the layer. */
void     ui_head_set_toggle (UiHeadSet *self, int head, int n_heads);
/* Double click: only this head, or all again when it is the only one. */
void     ui_head_set_isolate (UiHeadSet *self, int head, int n_heads);
int      ui_head_set_first  (const UiHeadSet *self, int n_heads);

#define UI_MAX_LAYERS 10000
#define UI_WRITTEN_ALL (-1)
#define UI_MAX_STEPS 1000
#define UI_STEP_ALL (-1)
#define UI_MAX_DIMENSIONS 65536

/* Pictures beside each other, lettered. */
#define UI_MAX_PANELS 26

/* A head by its place in the model. */
typedef struct {
  int layer;
  int head;
} UiCell;

/* Heads of any layers, in the order in which they were collected. */
typedef struct {
  UiCell *cells;
  int     n;
} UiCells;

void     ui_cells_clear  (UiCells       *self);
void     ui_cells_copy   (const UiCells *from,
                          UiCells       *to);
gboolean ui_cells_has    (const UiCells *self,
                          int            layer,
                          int            head);
/* Puts the head at the end, or takes it out. */
void     ui_cells_toggle (UiCells       *self,
                          int            layer,
                          int            head);

/* A number of a token's way through the model: of which stage, which of its matrices, and where in
 * that. */
typedef struct {
  int stage;
  int matrix;
  int row;
  int column;
} UiNumber;

/* Pinned tokens. Several queries: their rows are added; several keys: their columns; both: only
 * the links between them. */
typedef struct {
  int *queries;   /* ascending */
  int  n_queries;
  int *keys;
  int  n_keys;
} UiPins;

typedef struct {
  /* model */
  char      *model;             /* name or folder; NULL = bundled or last used */
  char      *trace_file;        /* shown instead of running a model; NULL = none */
  char      *text_a;
  char      *text_b;            /* "" = none */
  gboolean   no_special_tokens;
  gboolean   truncate;
  int        pad_to;            /* tokens that shorter texts are filled up to; 0 = none */
  gboolean   random_weights_set;
  int        random_weights;    /* seed of an untrained model's weights */
  char      *lang;              /* "SRC:TGT", of a translation model; "LANG" or "A:B" of one that adds
                                 * languages to its texts; NULL = the model's own */
  char      *prefix;            /* what the model wants before text A; NULL = the model's own */
  /* how the model writes; unset = as its generation_config.json says */
  gboolean   max_new_tokens_set;
  int        max_new_tokens;
  gboolean   beams_set;
  int        beams;             /* 1 = no search */
  gboolean   temperature_set;   /* temperature, top_k, top_p or seed set: tokens are drawn */
  double     temperature;
  gboolean   top_k_set;
  int        top_k;             /* 0 = all */
  gboolean   top_p_set;
  double     top_p;             /* 1 = all */
  gboolean   seed_set;
  int        seed;
  /* tokens that the model wrote behind the texts and that belong to them, UI_WRITTEN_ALL to its
   * end; 0 = none. Not a part of what a pass depends on: passes are of the texts alone. */
  int        written;
  /* text forms (engine/edits/edit.h), NULL-terminated, never NULL; one that is turned off begins with
   * "off " */
  char     **edits;
  /* view */
  UiViewKind view;
  gboolean   kind_set;          /* FALSE = the trace's default kind */
  EngKind    kind;
  int        layer;
  UiHeadSet  heads;             /* the head view's; the neuron view takes its first (0 when all) */
  UiFilter   filter;
  /* rows brought back to 1 after what is left out; the legend says so */
  gboolean   renormalise;
  gboolean   hide_special;      /* tokens of the template neither read nor are read */
  gboolean   words;             /* pieces of a word as one: sum over keys, mean over queries */
  EngMeasure measure;
  UiAggregate aggregate;        /* over heads; the matrix takes EACH of several heads for MEAN */
  UiAggregate layers;           /* over all layers */
  UiPins     pins;              /* of tokens, also where words are drawn */
  double     threshold;         /* what is below this part of the full scale is not drawn */
  double     mass;              /* part of each row that the strongest keys keep; 1 = all */
  double     gain;              /* opacity = weight × gain */
  gboolean   collapsed;         /* neuron view */
  UiBands    bands;             /* neuron view */
  gboolean   sort_dimensions;   /* neuron view: by contribution to the pinned query's scores */
  gboolean   order_set;         /* FALSE = by layer; a window chooses: ui_fit_get_order() */
  UiOrder    order;             /* model view */
  UiCells    panels;            /* heads that were collected to be compared */
  /* steps view: the stage of the way that is reached, counted from 0; UI_STEP_ALL = each of them in
   * full */
  int        step;
  gboolean   number_set;
  UiNumber   number;            /* that is looked at */
  /* what if; none of it changes a pass */
  gboolean   if_scale_set;
  double     if_scale;          /* instead of the model's; 1 = none */
  double     if_temperature;
  UiIfMask   if_mask;
  char      *if_hidden;         /* links as engine/edits/links.h spells them, hidden besides; NULL */
  gboolean   if_projections_off; /* q = k = v */
  gboolean   if_dimension_set;
  int        if_dimension;      /* of q and k, which becomes 0 */
  gboolean   if_positions_off;
  gboolean   if_segments_off;
  /* the second side; what is unset is as on the first */
  UiCompare  compare;
  char      *compare_model;
  char      *compare_trace_file;
  gboolean   compare_text_a_set; /* then B, too, is the second side's own */
  char      *compare_text_a;
  char      *compare_text_b;
  gboolean   compare_layer_set;
  int        compare_layer;
  gboolean   compare_heads_set;
  UiHeadSet  compare_heads;
  gboolean   compare_edits_set;
  char     **compare_edits;     /* as edits; NULL = none */
  /* figure */
  UiTheme    theme;
  double     width_cm;
  double     font_pt;
  double     png_scale;
  gboolean   no_caption;
} UiDocument;

UiDocument *ui_document_new   (void); /* all defaults, texts of the example pair */
UiDocument *ui_document_copy  (const UiDocument *self);
void        ui_document_free  (UiDocument       *self);
gboolean    ui_document_equal (const UiDocument *a,
                               const UiDocument *b);
/* What a pass depends on, as one text: the fields of the group MODEL and the sentences. Two
 * documents of the same text ask for the same numbers. (transfer full) */
char       *ui_document_describe_pass (const UiDocument *self);
/* Takes back what leaves links out but those of special tokens. */
void        ui_document_show_all_links (UiDocument *self);
/* Shows that head alone, whatever was collected; a rollout stays one of all heads. */
void        ui_document_show_head     (UiDocument *self,
                                       int         layer,
                                       int         head);
/* What the first side (0) and the second (1) of a comparison are called: "This", "Other". */
const char *ui_side_get_name (int side);

/* Whether the second side's numbers come from a trace file, which has one text and one run: texts and
 * edits of its own are put aside. */
gboolean    ui_document_has_second_trace (const UiDocument *self);
/* (transfer full) What the second side shows, as a document that compares nothing. */
UiDocument *ui_document_dup_second_side (const UiDocument *self);
/* Whether the heads that were collected are drawn beside each other. */
gboolean    ui_document_has_panels      (const UiDocument *self);
/* Whether what is drawn of it needs the second side. */
gboolean    ui_document_has_second_side (const UiDocument *self);

/* A text of a document becomes a copy of text, which is nullable and may be a part of it. */
void        ui_replace_text   (char       **target,
                               const char  *text);

/* (transfer full) array of EngLinks: what a mask of one's own hides, the links that were chosen or,
 * where there are none, every link to a pinned key. Empty without such a mask. */
GArray     *ui_document_dup_hidden (const UiDocument *self);

void        ui_pins_clear     (UiPins *self);
void        ui_pins_copy      (const UiPins *from, UiPins *to);
gboolean    ui_pins_is_empty  (const UiPins *self);
gboolean    ui_pins_has       (const UiPins *self, gboolean key, int token);
/* extend FALSE: this token alone, or nothing if it was the only pin; TRUE (Shift): add or take
 * away. */
void        ui_pins_click     (UiPins *self, gboolean key, int token, gboolean extend);
/* Drops tokens that do not exist any more. */
void        ui_pins_trim      (UiPins *self, int n_queries, int n_keys);

typedef enum {
  UI_FIELD_FLAG,     /* gboolean, no value on the command line */
  UI_FIELD_INTEGER,
  UI_FIELD_NUMBER,
  UI_FIELD_CENTIMETRES, /* "8.5cm"; mm, in and pt are understood */
  UI_FIELD_POINTS,      /* "8pt" */
  UI_FIELD_CHOICE,
  UI_FIELD_TEXT,
  UI_FIELD_HEADS,    /* "0,3,8" or "all" */
  UI_FIELD_PINS,     /* "2,k:9" */
  UI_FIELD_CELLS,    /* "2.9,3.1" */
  /* repeatable: setting adds ("zero 0.1; cut 0.2 3 4"), "" and "none" take all away */
  UI_FIELD_EDITS,
  UI_FIELD_LANGUAGES, /* "en:de" */
  UI_FIELD_STEP,     /* "3" or "all" */
  UI_FIELD_PLACE,    /* "7.2.0.11": stage, matrix, row, column */
  UI_FIELD_LINKS     /* "4:7,*:3-5": query, key */
} UiFieldType;

typedef enum { UI_FIELD_GROUP_MODEL, UI_FIELD_GROUP_VIEW,
               UI_FIELD_GROUP_COMPARE, UI_FIELD_GROUP_FIGURE } UiFieldGroup;

/* The action of the field's own name that a window has: what its state is. */
typedef enum {
  UI_FIELD_ACTION_NONE,
  UI_FIELD_ACTION_TOGGLE,
  UI_FIELD_ACTION_TEXT,   /* the value, as ui_document_get() gives it */
  UI_FIELD_ACTION_NUMBER
} UiFieldAction;

typedef struct {
  const char        *name;       /* "no-special-tokens": option, session key and action */
  UiFieldType        type;
  UiFieldGroup       group;
  gsize              offset;     /* of the member in UiDocument */
  gsize              set_offset; /* of the gboolean that says whether it was set; 0 = always is */
  double             min;        /* of numbers */
  double             max;
  const char *const *choices;    /* NULL-terminated, in the order of the enum */
  const char        *value_name; /* "L" in --help; NULL for a flag */
  const char        *fallback;   /* the default, as text */
  const char        *help;       /* one line */
  UiFieldAction      action;
} UiField;

const UiField *ui_fields_get        (int *n_fields);
const UiField *ui_fields_find       (const char *name); /* NULL when there is none */
gboolean       ui_document_set      (UiDocument        *self,
                                     const UiField     *field,
                                     const char        *value, /* "true"/"false" for a flag */
                                     GError           **error);
char          *ui_document_get      (const UiDocument  *self,
                                     const UiField     *field);

/* Domain of the messages of this folder: a value that a field does not take, a file that cannot
 * be written. */
#define UI_ERROR (ui_error_quark ())
typedef enum { UI_ERROR_VALUE, UI_ERROR_WRITE, UI_ERROR_RANGE } UiError;
GQuark         ui_error_quark       (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiDocument, ui_document_free)

G_END_DECLS
