/* SPDX-License-Identifier: MIT */
/* The document: everything that a person chose, as one value. A document is never changed once
 * it was handed on: copy it, change the copy. Hover and scroll position are no part of it.
 *
 * One table of fields (ui_fields) gives each choice its name, type, range, default and help. The
 * command line's options, the session's keys and the window's actions are read from it; nothing
 * else parses or prints a field. Numbers are written and read with a point in every locale. */
#pragma once

#include "engine/edit.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef enum { UI_VIEW_HEAD, UI_VIEW_NEURON } UiViewKind;
/* ab = rows of A, columns of B */
typedef enum { UI_FILTER_ALL, UI_FILTER_AA, UI_FILTER_AB, UI_FILTER_BA, UI_FILTER_BB } UiFilter;
typedef enum { UI_BANDS_BARS, UI_BANDS_STRIPES } UiBands;
typedef enum { UI_THEME_LIGHT, UI_THEME_DARK, UI_THEME_PRINT } UiTheme;

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
  char      *lang;              /* "SRC:TGT", of a translation model; NULL = the model's own */
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
  char     **edits;             /* text forms (engine/edit.h), NULL-terminated, never NULL */
  /* view */
  UiViewKind view;
  gboolean   kind_set;          /* FALSE = the trace's default kind */
  EngKind    kind;
  int        layer;
  UiHeadSet  heads;             /* the head view's; the neuron view takes its first (0 when all) */
  UiFilter   filter;
  gboolean   renormalise;       /* rows brought back to 1 after the filter; the legend says so */
  UiPins     pins;
  double     threshold;         /* links below this weight are not drawn; the legend says so */
  gboolean   collapsed;         /* neuron view */
  UiBands    bands;             /* neuron view */
  gboolean   sort_dimensions;   /* neuron view: by contribution to the pinned query's scores */
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
  UI_FIELD_EDITS,    /* repeatable: setting adds ("zero 0.1; cut 0.2 3 4"), "" takes all away */
  UI_FIELD_LANGUAGES /* "en:de" */
} UiFieldType;

typedef enum { UI_FIELD_GROUP_MODEL, UI_FIELD_GROUP_VIEW, UI_FIELD_GROUP_FIGURE } UiFieldGroup;

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
