/* SPDX-License-Identifier: MIT */
/* A study in files: what is saved, opened and restored, and what is refused. */
#include <string.h>

#include "tests/app/study/study-case.h"

#define N_CLOSED 50

typedef struct {
  gboolean  is_done;
  gboolean  has_opened;
  char     *path;   /* saved */
  AppOpened opened;
  GError   *error;
} Call;

static void
call_clear (Call *call)
{
  app_opened_clear (&call->opened);
  g_clear_pointer (&call->path, g_free);
  g_clear_error (&call->error);
  *call = (Call) { 0 };
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Call, call_clear)

static void
saved_cb (GObject      *study,
          GAsyncResult *result,
          gpointer      data)
{
  Call *call = data;

  call->path = app_study_save_finish (APP_STUDY (study), result, &call->error);
  call->is_done = TRUE;
}

static void
opened_cb (GObject      *study,
           GAsyncResult *result,
           gpointer      data)
{
  Call *call = data;

  call->has_opened = app_study_open_finish (APP_STUDY (study), result, &call->opened,
                                            &call->error);
  call->is_done = TRUE;
}

static char *
build_path (Fixture *fixture)
{
  return g_build_filename (fixture->folder, "study.headlight", NULL);
}

static void
save (Fixture    *fixture,
      const char *path,
      Call       *call)
{
  call_clear (call);
  g_assert_true (app_study_save_async (fixture->study, path, saved_cb, call));
  wait_until (call->is_done);
}

static void
open_file (Fixture    *fixture,
      const char *path,
      gboolean    is_lost,
      Call       *call)
{
  call_clear (call);
  app_study_open_async (fixture->study, path, is_lost, opened_cb, call);
  wait_until (call->is_done);
}

/* Another study, with the default document. */
static void
begin_anew (Fixture *fixture)
{
  g_autoptr (UiDocument) document = ui_document_new ();

  end (fixture);
  begin (fixture, document);
  settle (fixture);
  forget (fixture);
}

static void
test_round_trip (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autofree char *path = build_path (fixture);
  g_autoptr (UiDocument) saved = NULL;
  g_auto (Call) call = { 0 };

  settle (fixture);
  change (fixture, "layer", "3");
  type (fixture, "a cat", "");
  settle (fixture);
  g_assert_null (app_study_get_path (fixture->study));
  g_assert_false (app_study_has_changes (fixture->study));
  forget (fixture);
  save (fixture, path, &call);
  g_assert_no_error (call.error);
  g_assert_cmpstr (call.path, ==, path);
  assert_told (fixture, APP_STUDY_FILE);
  g_assert_cmpstr (app_study_get_path (fixture->study), ==, path);
  g_assert_false (app_study_has_changes (fixture->study));
  saved = ui_document_copy (get_document (fixture));
  change (fixture, "layer", "2");
  g_assert_true (app_study_has_changes (fixture->study));
  app_study_undo (fixture->study);
  g_assert_false (app_study_has_changes (fixture->study));

  begin_anew (fixture);
  change (fixture, "theme", "dark");
  forget (fixture);
  open_file (fixture, path, FALSE, &call);
  g_assert_no_error (call.error);
  g_assert_true (call.has_opened);
  g_assert_cmpstr (call.opened.path, ==, path);
  g_assert_cmpint (call.opened.kind, ==, APP_FILE_SESSION);
  g_assert_false (call.opened.is_lost);
  g_assert_null (call.opened.unknown);
  assert_has (fixture, APP_STUDY_DOCUMENT | APP_STUDY_FILE);
  g_assert_cmpstr (get_document (fixture)->text_a, ==, "a cat");
  g_assert_cmpint (get_document (fixture)->layer, ==, 3);
  g_assert_cmpstr (app_study_get_path (fixture->study), ==, path);
  g_assert_false (app_study_has_changes (fixture->study));
  settle (fixture);
  g_assert_cmpstr (eng_trace_get_text_a (app_study_get_trace (fixture->study)), ==, "a cat");

  /* Its steps lie before it, and before those what was there. */
  while (app_study_can_undo (fixture->study))
    app_study_undo (fixture->study);
  g_assert_cmpint (get_document (fixture)->layer, ==, 0);
  g_assert_cmpint (get_document (fixture)->theme, ==, UI_THEME_LIGHT);
  app_study_redo (fixture->study);
  g_assert_cmpint (get_document (fixture)->theme, ==, UI_THEME_DARK);
}

/* What a session shows is a place like any other. */
static void
test_place (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *path = build_path (fixture);
  g_auto (Call) call = { 0 };

  settle (fixture);
  change (fixture, "layer", "3");
  save (fixture, path, &call);
  begin_anew (fixture);
  change (fixture, "layer", "2");
  open_file (fixture, path, FALSE, &call);
  app_study_go_back (fixture->study);
  g_assert_cmpint (get_document (fixture)->layer, ==, 2);
  app_study_go_forward (fixture->study);
  g_assert_cmpint (get_document (fixture)->layer, ==, 3);
}

static void
test_refused (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *path = build_path (fixture);
  g_autofree char *broken = g_build_filename (fixture->folder, "broken.headlight", NULL);
  g_autoptr (GError) error = NULL;
  g_auto (Call) call = { 0 };

  settle (fixture);
  save (fixture, path, &call);
  change (fixture, "layer", "3");
  forget (fixture);
  save (fixture, "/proc/none/study.headlight", &call);
  g_assert_null (call.path);
  g_assert_nonnull (strstr (call.error->message, "/proc/none/study.headlight"));
  g_assert_null (strchr (call.error->message, '\n'));
  g_assert_cmpuint (fixture->n_told, ==, 0);
  g_assert_cmpstr (app_study_get_path (fixture->study), ==, path);
  g_assert_true (app_study_has_changes (fixture->study));
  g_assert_cmpint (get_document (fixture)->layer, ==, 3);

  g_file_set_contents (broken, "{\"format\": ", -1, &error);
  g_assert_no_error (error);
  open_file (fixture, broken, FALSE, &call);
  g_assert_false (call.has_opened);
  g_assert_cmpstr (call.opened.path, ==, broken);
  g_assert_nonnull (strstr (call.error->message, broken));
  g_assert_cmpuint (fixture->n_told, ==, 0);
  g_assert_cmpint (get_document (fixture)->layer, ==, 3);

  app_study_forget_changes (fixture->study);
  g_assert_false (app_study_has_changes (fixture->study));
}

static void
test_one_at_a_time (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autofree char *path = build_path (fixture);
  g_auto (Call) first = { 0 };
  g_auto (Call) second = { 0 };

  settle (fixture);
  g_assert_true (app_study_save_async (fixture->study, path, saved_cb, &first));
  g_assert_false (app_study_save_async (fixture->study, path, saved_cb, &second));
  /* What is saved is what was there then. */
  change (fixture, "layer", "3");
  wait_until (first.is_done);
  g_assert_no_error (first.error);
  g_assert_false (second.is_done);
  g_assert_true (app_study_has_changes (fixture->study));
  save (fixture, path, &second);
  g_assert_false (app_study_has_changes (fixture->study));
}

/* What a program that was ended has left is nowhere else. */
static void
test_lost (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *left = g_build_filename (g_get_user_state_dir (), "headlight", NULL);
  g_autofree char *path = g_build_filename (left, "1-1.headlight", NULL);
  g_auto (Call) call = { 0 };

  g_assert_cmpint (g_mkdir_with_parents (left, 0700), ==, 0);
  settle (fixture);
  change (fixture, "layer", "3");
  save (fixture, path, &call);
  begin_anew (fixture);
  open_file (fixture, path, TRUE, &call);
  g_assert_no_error (call.error);
  g_assert_true (call.opened.is_lost);
  assert_told (fixture, APP_STUDY_DOCUMENT | APP_STUDY_FILE | APP_STUDY_WAITING);
  g_assert_cmpint (get_document (fixture)->layer, ==, 3);
  g_assert_true (app_study_has_changes (fixture->study));
  g_assert_null (app_study_get_path (fixture->study));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  save (fixture, path, &call);
  g_assert_false (app_study_has_changes (fixture->study));
  g_assert_cmpstr (app_study_get_path (fixture->study), ==, path);
}

/* A folder is a model's, also of one that cannot be opened. */
static void
test_model (Fixture       *fixture,
            gconstpointer  data)
{
  g_auto (Call) call = { 0 };

  settle (fixture);
  open_file (fixture, fixture->folder, FALSE, &call);
  g_assert_true (call.has_opened);
  g_assert_cmpint (call.opened.kind, ==, APP_FILE_MODEL);
  wait_until (app_study_get_refusal (fixture->study) != NULL);
  g_assert_true (app_study_get_refusal (fixture->study)->is_taken_back);
  g_assert_null (get_document (fixture)->model);
}

static void
test_closed (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *path = build_path (fixture);
  g_autofree char *other = g_build_filename (fixture->folder, "other.headlight", NULL);
  g_auto (Call) call = { 0 };
  g_auto (Call) saved = { 0 };

  settle (fixture);
  save (fixture, path, &call);
  call_clear (&call);
  app_study_open_async (fixture->study, path, FALSE, opened_cb, &call);
  g_assert_true (app_study_save_async (fixture->study, other, saved_cb, &saved));
  app_study_close (fixture->study);
  forget (fixture);
  wait_until (call.is_done && saved.is_done);
  g_assert_false (call.has_opened);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CLOSED);
  g_assert_cmpstr (saved.path, ==, other);
  g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (fixture->n_told, ==, 0);
}

static void
gone_cb (gpointer  thread,
         GObject  *where_the_study_was)
{
  *(GThread **) thread = g_thread_self ();
}

/* A thread that opens something for it is not who lets go of it last. */
static void
test_ends_here (Fixture       *fixture,
                gconstpointer  data)
{
  for (int i = 0; i < N_CLOSED; i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_auto (Call) call = { 0 };
    GThread *thread = NULL;

    app_study_close (fixture->study);
    app_study_close (fixture->study);
    g_object_unref (fixture->study);
    begin (fixture, document);
    app_study_open_async (fixture->study, "/no/such/file.headlight", FALSE, opened_cb, &call);
    g_object_weak_ref (G_OBJECT (fixture->study), gone_cb, &thread);
    app_study_close (fixture->study);
    g_object_unref (fixture->study);
    while (g_atomic_pointer_get (&thread) == NULL)
      g_main_context_iteration (NULL, FALSE);
    g_assert_true (thread == g_thread_self ());
    begin (fixture, document);
  }
}

static void
add_tests (void)
{
  ADD ("round-trip", test_round_trip);
  ADD ("place", test_place);
  ADD ("refused", test_refused);
  ADD ("one-at-a-time", test_one_at_a_time);
  ADD ("lost", test_lost);
  ADD ("model", test_model);
  ADD ("closed", test_closed);
  ADD ("ends-here", test_ends_here);
}

int
main (int    argc,
      char **argv)
{
  return run_tests (argc, argv, add_tests);
}
