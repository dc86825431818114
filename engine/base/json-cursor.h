/* SPDX-License-Identifier: MIT */
/* Walks over JSON without making a tree of it: for the members with hundreds of thousands of
 * entries that a tokenizer's files hold. The text has gone through eng_json_check(), so nothing
 * here can fail; what a value should be is the caller's matter. */
#pragma once

#include "engine/base/json.h"

G_BEGIN_DECLS

/* One value inside a text that was checked. */
typedef struct {
  const char *text; /* borrowed; NULL = there is none */
  gsize       length;
} EngJsonText;

typedef enum {
  ENG_JSON_END,
  ENG_JSON_OBJECT,     /* { */
  ENG_JSON_OBJECT_END, /* } */
  ENG_JSON_LIST,       /* [ */
  ENG_JSON_LIST_END,   /* ] */
  ENG_JSON_STRING,     /* also the key of a member */
  ENG_JSON_NUMBER,
  ENG_JSON_WORD        /* true, false, null */
} EngJsonKind;

typedef struct {
  const char *at;
  const char *end;
  GString    *unescaped;
  /* Of the last string, until the next one; no NUL behind it. */
  const char *string;
  gsize       length;
  double      number; /* the last one */
} EngJsonCursor;

void        eng_json_cursor_init  (EngJsonCursor *self,
                                   EngJsonText    value);
void        eng_json_cursor_clear (EngJsonCursor *self);
/* Commas and colons are passed over: what they say follows from what stands around them. */
EngJsonKind eng_json_cursor_next  (EngJsonCursor *self);
/* Goes behind the value that comes next and returns its text. */
EngJsonText eng_json_cursor_skip  (EngJsonCursor *self);
/* Inside an object: goes on to the value of the member of that name. FALSE, and the end of the
 * object passed, when there is none. */
gboolean    eng_json_cursor_find  (EngJsonCursor *self,
                                   const char    *key);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EngJsonCursor, eng_json_cursor_clear)

G_END_DECLS
