/* SPDX-License-Identifier: MIT */
#include "tests/walls/walls.h"

#include <string.h>

typedef struct {
  char *name; /* a folder, or a pattern of folders */
  char *rule; /* the line as it stands, with its place */
  GPtrArray *rooms;
  GPtrArray *libraries;
  gboolean found;
} Room;

typedef struct {
  char *name; /* path without its end */
  GArray *includes; /* indices of files */
} File;

typedef struct {
  const char *root;
  char *table; /* name of the table's file */
  GPtrArray *rooms;
  GPtrArray *libraries;
  GPtrArray *generated;
  GPtrArray *data;
  GPtrArray *files;
  GPtrArray *faults;
} Walls;

static const char *const tops[] = { "engine", "ui", "app" };

static void
room_free (Room *room)
{
  g_free (room->name);
  g_free (room->rule);
  g_ptr_array_unref (room->rooms);
  g_ptr_array_unref (room->libraries);
  g_free (room);
}

static void
file_free (File *file)
{
  g_free (file->name);
  g_array_unref (file->includes);
  g_free (file);
}

static void G_GNUC_PRINTF (2, 3)
add_fault (Walls      *walls,
           const char *format,
           ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (walls->faults, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

static gboolean
has (GPtrArray  *words,
     const char *word)
{
  return g_ptr_array_find_with_equal_func (words, word, g_str_equal, NULL);
}

static gboolean
matches (const char *pattern,
         const char *folder)
{
  if (g_str_has_suffix (pattern, "/*"))
    return strncmp (folder, pattern, strlen (pattern) - 1) == 0;
  return g_str_equal (folder, pattern);
}

static gboolean
is_ours (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tops); i++) {
    if (g_str_has_prefix (name, tops[i]) && name[strlen (tops[i])] == '/')
      return TRUE;
  }
  return FALSE;
}

/* The line for a folder: its own before a pattern that fits; NULL = none. */
static Room *
find_room (Walls      *walls,
           const char *folder)
{
  Room *found = NULL;

  for (guint i = 0; i < walls->rooms->len; i++) {
    Room *room = g_ptr_array_index (walls->rooms, i);

    if (g_str_equal (room->name, folder))
      return room;
    if (matches (room->name, folder))
      found = room;
  }
  return found;
}

/* The table. */

static GPtrArray *
split_words (const char *text)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) parts = g_strsplit_set (text, " \t", -1);

  for (int i = 0; parts[i] != NULL; i++) {
    if (parts[i][0] != '\0')
      g_ptr_array_add (words, g_strdup (parts[i]));
  }
  return words;
}

/* Adds what a name of a line stands for: rooms of lines above, with X+ all of theirs. */
static void
add_name (Walls *walls,
          Room  *room,
          char  *word)
{
  gboolean whole = g_str_has_suffix (word, "+");
  guint n_rooms = room->rooms->len;
  g_autofree char *name = NULL;

  if (whole)
    word[strlen (word) - 1] = '\0';
  if (is_ours (word))
    name = g_strdup (word);
  else
    name = g_strdup_printf ("%.*s/%s", (int) strcspn (room->name, "/"), room->name, word);
  for (guint i = 0; i < walls->rooms->len; i++) {
    Room *above = g_ptr_array_index (walls->rooms, i);

    if (!matches (name, above->name))
      continue;
    g_ptr_array_add (room->rooms, g_strdup (above->name));
    for (guint j = 0; whole && j < above->rooms->len; j++)
      g_ptr_array_add (room->rooms, g_strdup (g_ptr_array_index (above->rooms, j)));
  }
  if (room->rooms->len == n_rooms)
    add_fault (walls, "%s names %s, which is no room of a line above", room->rule, name);
}

static void
add_room (Walls      *walls,
          const char *name,
          const char *rule,
          const char *allowed)
{
  g_auto (GStrv) columns = g_strsplit (allowed, "|", 2);
  g_autoptr (GPtrArray) words = split_words (columns[0] != NULL ? columns[0] : "");
  Room *room = g_new0 (Room, 1);

  room->name = g_strdup (name);
  room->rule = g_strdup (rule);
  room->rooms = g_ptr_array_new_with_free_func (g_free);
  room->libraries = split_words (columns[0] != NULL && columns[1] != NULL ? columns[1] : "");
  for (guint i = 0; i < words->len; i++)
    add_name (walls, room, g_ptr_array_index (words, i));
  for (guint i = 0; i < room->libraries->len; i++) {
    const char *library = g_ptr_array_index (room->libraries, i);

    if (!has (walls->libraries, library))
      add_fault (walls, "%s names %s, which is not among the libraries", rule, library);
  }
  g_ptr_array_add (walls->rooms, room);
}

static void
add_line (Walls      *walls,
          int         number,
          char       *line)
{
  struct { const char *name; GPtrArray **words; } lists[] = {
    { "libraries", &walls->libraries },
    { "generated", &walls->generated },
    { "data", &walls->data },
  };
  g_autofree char *rule = NULL;
  char *colon;

  line[strcspn (line, "#")] = '\0';
  g_strstrip (line);
  if (line[0] == '\0')
    return;
  rule = g_strdup_printf ("%s:%d: \"%s\"", walls->table, number, line);
  colon = strchr (line, ':');
  if (colon == NULL) {
    add_fault (walls, "%s has no colon", rule);
    return;
  }
  *colon = '\0';
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++) {
    if (g_str_equal (line, lists[i].name)) {
      g_clear_pointer (lists[i].words, g_ptr_array_unref);
      *lists[i].words = split_words (colon + 1);
      return;
    }
  }
  add_room (walls, line, rule, colon + 1);
}

static void
read_table (Walls      *walls,
            const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error)) {
    add_fault (walls, "%s", error->message);
    return;
  }
  lines = g_strsplit (text, "\n", -1);
  for (int i = 0; lines[i] != NULL; i++)
    add_line (walls, i + 1, lines[i]);
}

/* The sources. */

/* The file of a path, X.h, X.c and X-private.h in one. */
static guint
get_file (Walls      *walls,
          const char *path)
{
  g_autofree char *name = g_strdup (path);
  char *end = strrchr (name, '.');
  File *file;

  if (end != NULL)
    *end = '\0';
  if (g_str_has_suffix (name, "-private"))
    name[strlen (name) - strlen ("-private")] = '\0';
  for (guint i = 0; i < walls->files->len; i++) {
    if (g_str_equal (((File *) g_ptr_array_index (walls->files, i))->name, name))
      return i;
  }
  file = g_new0 (File, 1);
  file->name = g_steal_pointer (&name);
  file->includes = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (walls->files, file);
  return walls->files->len - 1;
}

/* How long a literal of a string or a character is, which ends with its line at the latest. */
static gsize
measure_literal (const char *text)
{
  gsize n = 1;

  while (text[n] != '\0' && text[n] != '\n' && text[n] != text[0])
    n += text[n] == '\\' && text[n + 1] != '\0' ? 2 : 1;
  return text[n] == text[0] ? n + 1 : n;
}

static gsize
measure_comment (const char *text)
{
  const char *end;

  if (g_str_has_prefix (text, "//"))
    return strcspn (text, "\n");
  if (!g_str_has_prefix (text, "/*"))
    return 0;
  end = strstr (text + 2, "*/");
  return end != NULL ? (gsize) (end + 2 - text) : strlen (text);
}

/* They become blanks; every line stays where it is. */
static void
drop_comments (char *text)
{
  while (*text != '\0') {
    gsize n = measure_comment (text);

    for (gsize i = 0; i < n; i++)
      if (text[i] != '\n')
        text[i] = ' ';
    text += n > 0 ? n : *text == '"' || *text == '\'' ? measure_literal (text) : 1;
  }
}

/* The name of what a line without comments includes, or NULL; its first character is the quote or
 * the bracket. */
static char *
parse_include (const char *line)
{
  static const char word[] = "include";

  line += strspn (line, " \t");
  if (*line++ != '#')
    return NULL;
  line += strspn (line, " \t");
  if (!g_str_has_prefix (line, word))
    return NULL;
  line += strlen (word);
  line += strspn (line, " \t");
  if (*line != '"' && *line != '<')
    return NULL;
  return g_strndup (line, 1 + strcspn (line + 1, "\">"));
}

/* <cairo-pdf.h> and <cairo/cairo.h> are both of cairo. */
static gboolean
may_include_library (Walls      *walls,
                     Room       *room,
                     const char *name)
{
  g_autofree char *library = g_strndup (name, strcspn (name, "/.-"));

  return !has (walls->libraries, library) || has (room->libraries, library);
}

static gboolean
may_include_room (Room       *room,
                  const char *folder,
                  const char *other)
{
  gboolean may = g_str_equal (folder, other);

  for (guint i = 0; i < room->rooms->len && !may; i++)
    may = matches (g_ptr_array_index (room->rooms, i), other);
  return may;
}

static void
check_include (Walls      *walls,
               Room       *room,
               const char *path,
               int         line,
               const char *include)
{
  g_autofree char *folder = g_path_get_dirname (path);
  const char *name = include + 1;
  g_autofree char *other = g_path_get_dirname (name);
  char close = include[0] == '<' ? '>' : '"';
  gboolean may;

  if (include[0] == '<' && !is_ours (name)) {
    may = may_include_library (walls, room, name);
  } else if (has (walls->generated, name)) {
    may = TRUE;
  } else {
    guint from = get_file (walls, path);
    guint to = get_file (walls, name);
    File *file = g_ptr_array_index (walls->files, from);

    g_array_append_val (file->includes, to);
    may = may_include_room (room, folder, other);
  }
  if (!may)
    add_fault (walls, "%s:%d: %s%c against %s", path, line, include, close, room->rule);
}

static void
check_source (Walls      *walls,
              Room       *room,
              const char *path)
{
  g_autofree char *full = g_build_filename (walls->root, path, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (full, &text, NULL, &error)) {
    add_fault (walls, "%s", error->message);
    return;
  }
  drop_comments (text);
  lines = g_strsplit (text, "\n", -1);
  for (int i = 0; lines[i] != NULL; i++) {
    g_autofree char *include = parse_include (lines[i]);

    if (include != NULL)
      check_include (walls, room, path, i + 1, include);
  }
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* What is in a folder, sorted, so that every machine says the same. */
static GPtrArray *
list_folder (const char *path)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    if (name[0] != '.')
      g_ptr_array_add (names, g_strdup (name));
  }
  g_ptr_array_sort (names, compare_names);
  return names;
}

static void
check_folder (Walls      *walls,
              const char *folder)
{
  g_autofree char *full = g_build_filename (walls->root, folder, NULL);
  g_autoptr (GPtrArray) names = list_folder (full);
  Room *room = find_room (walls, folder);
  gboolean unnamed = FALSE;
  int n_files = 0;

  for (guint i = 0; i < names->len; i++) {
    const char *name = g_ptr_array_index (names, i);
    g_autofree char *path = g_strconcat (folder, "/", name, NULL);
    g_autofree char *place = g_build_filename (full, name, NULL);

    if (g_file_test (place, G_FILE_TEST_IS_DIR)) {
      if (!has (walls->data, path))
        check_folder (walls, path);
      continue;
    }
    n_files++;
    if (!is_ours (path) || !(g_str_has_suffix (name, ".c") || g_str_has_suffix (name, ".h")))
      continue;
    unnamed = room == NULL;
    if (room != NULL) {
      room->found = TRUE;
      check_source (walls, room, path);
    }
  }
  if (unnamed)
    add_fault (walls, "%s: a room without a line in %s", folder, walls->table);
  if (n_files > WALLS_MAX_FILES)
    add_fault (walls, "%s: %d files, at most %d", folder, n_files, WALLS_MAX_FILES);
}

/* Circles. */

static void
mark_reached (Walls    *walls,
              guint     from,
              gboolean *reached)
{
  GArray *includes = ((File *) g_ptr_array_index (walls->files, from))->includes;

  for (guint i = 0; i < includes->len; i++) {
    guint to = g_array_index (includes, guint, i);

    if (!reached[to]) {
      reached[to] = TRUE;
      mark_reached (walls, to, reached);
    }
  }
}

static void
check_circles (Walls *walls)
{
  guint n = walls->files->len;
  g_autofree gboolean *reached = g_new0 (gboolean, (gsize) n * n);
  g_autofree gboolean *said = g_new0 (gboolean, n);

  for (guint i = 0; i < n; i++)
    mark_reached (walls, i, reached + (gsize) i * n);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GString) names = g_string_new (NULL);
    int size = 0;

    for (guint j = i; j < n && !said[i]; j++) {
      if (!reached[(gsize) i * n + j] || !reached[(gsize) j * n + i])
        continue;
      said[j] = j > i;
      g_string_append_printf (names, "%s%s", size++ > 0 ? ", " : "",
                              ((File *) g_ptr_array_index (walls->files, j))->name);
    }
    if (size > 2)
      add_fault (walls, "a circle of %d files: %s", size, names->str);
  }
}

GPtrArray *
walls_check (const char *root,
             const char *table)
{
  Walls walls = { .root = root };

  walls.table = g_path_get_basename (table);
  walls.rooms = g_ptr_array_new_with_free_func ((GDestroyNotify) room_free);
  walls.libraries = g_ptr_array_new_with_free_func (g_free);
  walls.generated = g_ptr_array_new_with_free_func (g_free);
  walls.data = g_ptr_array_new_with_free_func (g_free);
  walls.files = g_ptr_array_new_with_free_func ((GDestroyNotify) file_free);
  walls.faults = g_ptr_array_new_with_free_func (g_free);

  read_table (&walls, table);
  if (walls.faults->len == 0) {
    for (gsize i = 0; i < G_N_ELEMENTS (tops); i++)
      check_folder (&walls, tops[i]);
    check_folder (&walls, "tests");
    check_circles (&walls);
    for (guint i = 0; i < walls.rooms->len; i++) {
      Room *room = g_ptr_array_index (walls.rooms, i);

      if (!room->found)
        add_fault (&walls, "%s is about no folder with sources", room->rule);
    }
  }
  g_free (walls.table);
  g_ptr_array_unref (walls.rooms);
  g_ptr_array_unref (walls.libraries);
  g_ptr_array_unref (walls.generated);
  g_ptr_array_unref (walls.data);
  g_ptr_array_unref (walls.files);
  return walls.faults;
}
