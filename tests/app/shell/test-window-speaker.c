/* SPDX-License-Identifier: MIT */
/* A window before people and that of who speaks: how either ends, and what else a hand does there. */
#include "app/parts/lessons/cue.h"
#include "tests/app/shell/stage-case.h"
#include "ui/lessons/token-strip.h"
#include "ui/view/stage-light.h"

static void
present (Fixture *fixture)
{
  activate (fixture, "win.present");
  wait_until (find_speaker () != NULL && gtk_widget_get_mapped (GTK_WIDGET (find_speaker ())));
  driver_settle (GTK_WIDGET (fixture->window));
}

/* No window manager is there that does it. */
static void
focus (GtkWindow *window)
{
  g_autofree char *name = g_strdup_printf ("^%s$", gtk_window_get_title (window));

  run_xdotool ((const char *const[]) { "xdotool", "search", "--onlyvisible", "--name", name,
                                       "windowfocus", NULL });
  wait_until (gtk_window_is_active (window));
}

static GtkWidget *
find_bar (Fixture *fixture)
{
  return window_find (fixture->window, "toolbar");
}

/* Who speaks may close their window, with the keys that close every one; F5 opens another one. */
static void
test_speaker_closed (Fixture *fixture)
{
  GtkWidget *bar = find_bar (fixture);
  const int layer = get_document (fixture)->layer;

  if (!has_real_input ())
    return;
  for (int i = 0; i < 2; i++) {
    present (fixture);
    g_assert_false (gtk_widget_get_mapped (bar));
    focus (find_speaker ());
    if (i == 0)
      press_key ("ctrl+w");
    else
      gtk_window_close (find_speaker ());
    wait_until (find_speaker () == NULL);
    g_assert_true (window_has_state (fixture, "present"));
    activate (fixture, "win.stage-next");
    wait_until (get_document (fixture)->layer == layer + 1);
    activate (fixture, "win.stage-back");
    wait_until (get_document (fixture)->layer == layer);
    focus (GTK_WINDOW (fixture->window));
    press_key ("F5");
    wait_until (gtk_widget_get_mapped (bar));
    g_assert_false (window_has_state (fixture, "present"));
    g_assert_false (window_has_state (fixture, "fullscreen"));
    g_assert_null (find_speaker ());
  }
}

static gboolean
has_windows (Fixture *fixture)
{
  return gtk_application_get_windows (GTK_APPLICATION (fixture->application)) != NULL;
}

/* The program ends from either window, whatever is shown; nothing of it stays. */
static void
end_by_key (Fixture    *fixture,
            const char *key,
            gboolean    is_speakers)
{
  if (!has_real_input ())
    return;
  present (fixture);
  activate (fixture, "win.stage-spot");
  activate (fixture, "win.stage-freeze");
  focus (is_speakers ? find_speaker () : GTK_WINDOW (fixture->window));
  press_key (key);
  wait_until (!has_windows (fixture) && find_speaker () == NULL);
}

static void
test_window_closed (Fixture *fixture)
{
  end_by_key (fixture, "ctrl+w", FALSE);
}

static void
test_quit (Fixture *fixture)
{
  end_by_key (fixture, "ctrl+q", FALSE);
}

static void
test_quit_by_speaker (Fixture *fixture)
{
  end_by_key (fixture, "ctrl+q", TRUE);
}

/* As a window manager does. */
static void
test_closed (Fixture *fixture)
{
  present (fixture);
  gtk_window_close (GTK_WINDOW (fixture->window));
  wait_until (!has_windows (fixture) && find_speaker () == NULL);
}

/* A menu that its key opens has its bar below it, and takes it away again. */
static void
test_menu (Fixture *fixture)
{
  GtkWidget *bar = window_find (fixture->window, "steps_bar");
  GtkWidget *menu;

  activate (fixture, "win.view::steps");
  wait_until (is_at_step (fixture, 0));
  present (fixture);
  g_assert_false (gtk_widget_get_mapped (bar));
  activate (fixture, "win.what-if");
  menu = GTK_WIDGET (gtk_menu_button_get_popover (
    GTK_MENU_BUTTON (window_find (fixture->window, "what_if_button"))));
  wait_until (gtk_widget_get_mapped (menu) && gtk_widget_get_mapped (bar));
  gtk_popover_popdown (GTK_POPOVER (menu));
  wait_until (!gtk_widget_get_mapped (menu) && !gtk_widget_get_mapped (bar));
  g_assert_true (window_has_state (fixture, "present"));
}

/* What is typed is no key of who speaks. */
static void
test_typed (Fixture *fixture)
{
  GtkWidget *search = window_find (fixture->window, "map_search");

  if (!has_real_input ())
    return;
  present (fixture);
  focus (GTK_WINDOW (fixture->window));
  press_key ("ctrl+f");
  wait_until (gtk_widget_get_mapped (search) && gtk_widget_get_focus_child (search) != NULL);
  press_key ("s");
  press_key ("f");
  wait_until (strcmp (gtk_editable_get_text (GTK_EDITABLE (search)), "sf") == 0);
  g_assert_false (window_has_state (fixture, "stage-spot"));
  g_assert_false (window_has_state (fixture, "stage-freeze"));
}

/* The sentences of Other are no more for people than those of This. */
static void
test_compared (Fixture *fixture)
{
  GtkWidget *bar = window_find (fixture->window, "compare_bar");
  GtkWidget *parent = gtk_widget_get_parent (bar);
  GtkWidget *before = gtk_widget_get_prev_sibling (bar);

  activate (fixture, "win.compare::sides");
  wait_until (gtk_widget_get_mapped (bar) && is_idle (fixture->window));
  present (fixture);
  g_assert_false (gtk_widget_get_mapped (bar));
  activate (fixture, "win.present");
  wait_until (gtk_widget_get_mapped (bar));
  g_assert_true (gtk_widget_get_parent (bar) == parent);
  g_assert_true (gtk_widget_get_prev_sibling (bar) == before);
}

/* A question stands there while a hand points at the picture, which may not say the answer yet. */
static void
test_asked (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("asks.md", HEADER "## One\n\n"
    STATE ("--layer 1 --heads 6") "Words.\n\nask: token Which?\nanswer: \"cat\"\n");
  const UiItem item = { .type = UI_ITEM_QUERY, .query = 1 };
  UiSceneView *view = window_view (fixture->window);
  UiRect rect, area;

  if (!has_real_input ())
    return;
  open_file (fixture, path);
  present (fixture);
  g_assert_true (ui_scene_get_rect (get_scene (fixture), &item, &rect));
  area = ui_scene_view_get_area (view);
  {
    graphene_point_t point;
    g_autofree char *x = NULL;
    g_autofree char *y = NULL;

    g_assert_true (gtk_widget_compute_point (
      GTK_WIDGET (view), GTK_WIDGET (fixture->window),
      &GRAPHENE_POINT_INIT ((float) (rect.x + rect.width / 2 - area.x),
                            (float) (rect.y + rect.height / 2 - area.y)), &point));
    x = g_strdup_printf ("%d", (int) point.x);
    y = g_strdup_printf ("%d", (int) point.y);
    gtk_widget_set_visible (GTK_WIDGET (find_speaker ()), FALSE);
    run_xdotool ((const char *const[]) { "xdotool", "mousemove", "1200", "700", "mousemove", x, y,
                                         NULL });
  }
  wait_until (ui_scene_view_get_hovered (view)->type == UI_ITEM_QUERY);
  activate (fixture, "win.stage-next");
  g_assert_true (window_says (fixture, "Which?"));
  activate (fixture, "win.stage-next");
  wait_until (!window_says (fixture, "Which?"));
}

static guint32 *
take_pixels (GtkWidget *light,
             gsize     *n)
{
  g_autoptr (GdkTexture) picture = driver_take_picture (light);
  const gsize width = (gsize) gdk_texture_get_width (picture);
  guint32 *pixels;

  *n = width * (gsize) gdk_texture_get_height (picture);
  pixels = g_new (guint32, *n);
  gdk_texture_download (picture, (guchar *) pixels, width * 4);
  return pixels;
}

/* What is frozen stays what it was while who speaks goes on; spotlight and pointer are over it and do
 * not stay in it. */
static void
test_lights (Fixture *fixture)
{
  g_autofree guint32 *frozen = NULL;
  g_autofree guint32 *lit = NULL;
  g_autofree guint32 *later = NULL;
  GtkWidget *light;
  gsize n, n_lit, n_later;

  present (fixture);
  light = driver_find (GTK_WIDGET (fixture->window), UI_TYPE_STAGE_LIGHT, 0);
  activate (fixture, "win.stage-freeze");
  driver_settle (light);
  frozen = take_pixels (light, &n);
  activate (fixture, "win.stage-spot");
  activate (fixture, "win.stage-pointer");
  activate (fixture, "win.stage-next");
  wait_until (is_idle (fixture->window));
  driver_settle (light);
  lit = take_pixels (light, &n_lit);
  g_assert_cmpuint (n_lit, ==, n);
  g_assert_cmpint (memcmp (lit, frozen, n * 4), !=, 0);
  activate (fixture, "win.stage-pointer");
  activate (fixture, "win.stage-spot");
  driver_settle (light);
  later = take_pixels (light, &n_later);
  g_assert_cmpmem (later, n_later * 4, frozen, n * 4);
  activate (fixture, "win.stage-freeze");
  g_assert_false (window_has_state (fixture, "stage-freeze"));
}

/* Each key that is told, in the window of who speaks. */
static void
test_keys (Fixture *fixture)
{
  static const struct { const char *key, *state; } flags[] = {
    { "s", "stage-spot" }, { "p", "stage-pointer" }, { "f", "stage-freeze" },
    { "period", "stage-freeze" },
  };
  static const struct { const char *key; int by; } moves[] = {
    { "space", 1 }, { "Page_Down", 1 }, { "BackSpace", -1 }, { "Page_Up", -1 },
    { "Right", 1 }, { "Left", -1 },
  };
  int layer = get_document (fixture)->layer;

  if (!has_real_input ())
    return;
  for (gsize window = 0; window < 2; window++) {
    present (fixture);
    focus (window == 0 ? find_speaker () : GTK_WINDOW (fixture->window));
    for (gsize i = 0; i < G_N_ELEMENTS (moves); i++) {
      layer += moves[i].by;
      press_key (moves[i].key);
      wait_until (get_document (fixture)->layer == layer);
    }
    for (gsize i = 0; i < G_N_ELEMENTS (flags); i++) {
      press_key (flags[i].key);
      wait_until (window_has_state (fixture, flags[i].state));
      press_key (flags[i].key);
      wait_until (!window_has_state (fixture, flags[i].state));
    }
    press_key (window == 0 ? "F5" : "Escape");
    wait_until (find_speaker () == NULL && !window_has_state (fixture, "present"));
  }
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-speaker/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  int status;

  if (!driver_init (&argc, &argv))
    return 77;
  folder = temporary_new ();

  ADD ("speaker-closed", test_speaker_closed);
  ADD ("window-closed", test_window_closed);
  ADD ("quit", test_quit);
  ADD ("quit-by-speaker", test_quit_by_speaker);
  ADD ("closed", test_closed);
  ADD ("menu", test_menu);
  ADD ("typed", test_typed);
  ADD ("compared", test_compared);
  ADD ("asked", test_asked);
  ADD ("lights", test_lights);
  ADD ("keys", test_keys);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
