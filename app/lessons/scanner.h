/* SPDX-License-Identifier: MIT */
/* A line of a lesson's file, read from left to right. What is refused is one sentence, its place in
 * *fault. Functions that read skip blanks before. Any thread. */
#pragma once

#include "app/lessons/claim.h"

G_BEGIN_DECLS

typedef struct {
  const char *p;
  AppPlace    place; /* of p */
  AppPlace   *fault; /* borrowed */
  int         depth; /* of brackets */
  int         n_factors;
} AppScanner;

void           app_scanner_init       (AppScanner     *self,
                                       const char     *text,
                                       AppPlace        place,
                                       AppPlace       *fault);
void           app_scanner_skip       (AppScanner     *self); /* blanks */
void           app_scanner_advance    (AppScanner     *self,
                                       gsize           n_bytes);
/* "“%s” stands here, expected EXPECTED". Always FALSE. */
gboolean       app_scanner_refuse     (AppScanner     *self,
                                       GError        **error,
                                       const char     *expected);
/* The same where a word in quotes may stand: of curved quotes it says that straight ones are wanted. */
gboolean       app_scanner_refuse_word (AppScanner    *self,
                                       GError        **error,
                                       const char     *expected);
/* Refuses what is left on the line. */
gboolean       app_scanner_end        (AppScanner     *self,
                                       GError        **error);
/* Whether the sign stood there. */
gboolean       app_scanner_takes      (AppScanner     *self,
                                       char            sign);
gboolean       app_scanner_expect     (AppScanner     *self,
                                       char            sign,
                                       GError        **error);
/* (transfer full) Letters, digits, - and _ behind a letter; NULL where there is no letter. Stays
 * before it. */
char          *app_scanner_peek_name  (AppScanner     *self);
gboolean       app_scanner_read_number (AppScanner    *self,
                                       double         *number,
                                       GError        **error);
gboolean       app_scanner_read_index (AppScanner     *self,
                                       const char     *expected,
                                       int            *number,
                                       GError        **error);
gboolean       app_scanner_read_heads (AppScanner     *self,
                                       AppHeads       *heads,
                                       GError        **error);
/* "other.", "before." or "unedited."; FALSE and APP_RUN_THIS where none stands there. */
gboolean       app_scanner_read_run   (AppScanner     *self,
                                       AppClaimRun    *run);
/* In double quotes, not empty; *word is the caller's. */
gboolean       app_scanner_read_word  (AppScanner     *self,
                                       char          **word,
                                       GError        **error);
/* *tokens is empty; its word is the caller's to free, after an error too. */
gboolean       app_scanner_read_tokens (AppScanner    *self,
                                       AppTokens      *tokens,
                                       GError        **error);
/* (transfer full) claim-parse.c */
AppExpression *app_scanner_read_expression (AppScanner *self,
                                       GError        **error);
/* "± 0.01" or "+- 0.01"; 0 where neither stands. */
gboolean       app_scanner_read_tolerance (AppScanner *self,
                                       double         *tolerance,
                                       GError        **error);

G_END_DECLS
