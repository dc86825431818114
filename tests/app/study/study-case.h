/* SPDX-License-Identifier: MIT */
/* A study, and what "changed" said of it. */
#pragma once

#include "app/study/study.h"
#include "tests/support/untrained.h"
#include "tests/support/wait.h"

#define N_TRIES 60

typedef struct {
  AppStudy *study;
  guint     news;    /* all flags since forget() */
  guint     n_told;  /* emissions since then */
  char     *folder;  /* for files */
} Fixture;

static inline void
changed_cb (Fixture *fixture,
            guint    what)
{
  g_assert_cmpuint (what, !=, 0);
  fixture->news |= what;
  fixture->n_told++;
}

static inline void
begin (Fixture          *fixture,
       const UiDocument *document)
{
  fixture->study = app_study_new (document);
  g_signal_connect_swapped (fixture->study, "changed", G_CALLBACK (changed_cb), fixture);
}

static inline void
end (Fixture *fixture)
{
  app_study_close (fixture->study);
  g_assert_finalize_object (g_steal_pointer (&fixture->study));
}

static inline void
forget (Fixture *fixture)
{
  fixture->news = 0;
  fixture->n_told = 0;
}

static inline gboolean
is_settled (Fixture *fixture)
{
  return app_study_is_settled (fixture->study)
         && !app_study_get_written (fixture->study)->is_running;
}

static inline void
settle (Fixture *fixture)
{
  wait_until (is_settled (fixture));
}

/* One verb has told once, and these things alone. */
static inline void
assert_told (Fixture *fixture,
             guint    news)
{
  g_assert_cmpuint (fixture->n_told, ==, 1);
  g_assert_cmphex (fixture->news, ==, news);
}

static inline void
assert_has (Fixture *fixture,
            guint    news)
{
  g_assert_cmphex (fixture->news & news, ==, news);
}

static inline void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  g_autoptr (UiDocument) document = ui_document_new ();

  fixture->folder = temporary_new ();
  begin (fixture, document);
}

static inline void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  end (fixture);
  g_clear_pointer (&fixture->folder, temporary_free);
}

static inline const UiDocument *
get_document (Fixture *fixture)
{
  return app_study_get_document (fixture->study);
}

/* The study's document with one field set. */
static inline UiDocument *
dup_with (Fixture    *fixture,
          const char *field,
          const char *value)
{
  UiDocument *document = ui_document_copy (get_document (fixture));
  g_autoptr (GError) error = NULL;

  ui_document_set (document, ui_fields_find (field), value, &error);
  g_assert_no_error (error);
  return document;
}

static inline void
change (Fixture    *fixture,
        const char *field,
        const char *value)
{
  app_study_change (fixture->study, dup_with (fixture, field, value));
}

static inline UiDocument *
dup_with_texts (const UiDocument *document,
                const char       *text_a,
                const char       *text_b)
{
  UiDocument *copy = ui_document_copy (document);

  g_free (copy->text_a);
  g_free (copy->text_b);
  copy->text_a = g_strdup (text_a);
  copy->text_b = g_strdup (text_b);
  return copy;
}

static inline void
type (Fixture    *fixture,
      const char *text_a,
      const char *text_b)
{
  app_study_change (fixture->study, dup_with_texts (get_document (fixture), text_a, text_b));
}

static inline char *
make_long_text (int n_words)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < n_words; i++)
    g_string_append (text, "cat ");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

#define ADD(path, func) g_test_add ("/app/study/" path, Fixture, NULL, set_up, func, tear_down)

/* What add() adds, with a place for what is kept of this process. */
static inline int
run_tests (int      argc,
           char   **argv,
           void   (*add) (void))
{
  char *state;
  int status;

  g_test_init (&argc, &argv, NULL);
  state = temporary_new ();
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  add ();
  status = g_test_run ();
  temporary_free (state);

  return status;
}
