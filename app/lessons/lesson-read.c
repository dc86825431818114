/* SPDX-License-Identifier: MIT */
/* Line by line: the header between two "---", then sections. What is wrong is noted, and the reader
 * goes on with the next line; what only follows from it is not said. */
#include "app/lessons/lesson-private.h"

#include <string.h>

#define MOST_MINUTES 600
#define STATE_INFO   "headlight"

typedef struct {
  AppLesson  *lesson;
  char      **lines;     /* NULL-terminated */
  int         i;         /* of the line that is read */
  char       *folder;    /* of the file */
  AppSection *section;   /* NULL before the first */
  AppBlock   *open;      /* what plain lines go on with; NULL = nothing */
  AppAsk     *unanswered;
  AppPlace    asked;
  AppPlace   *fault;     /* of what was refused last */
  GArray     *faults;    /* of AppFault */
  gboolean    is_spoilt; /* something is wrong with the question: its other lines are passed over */
  gboolean    is_outside; /* text before the first section was refused: once */
  gboolean    has_wrong_header;
  gboolean    has_wrong_state; /* of the first section */
} Reader;

/* Where it was refused. */
static void
note_fault (Reader       *self,
            const GError *problem)
{
  app_faults_add (self->faults, *self->fault, problem->message);
}

static int
compare_faults (gconstpointer a,
                gconstpointer b)
{
  const AppPlace one = ((const AppFault *) a)->place;
  const AppPlace other = ((const AppFault *) b)->place;

  return one.line != other.line ? one.line - other.line : one.column - other.column;
}

static AppPlace
get_place (const Reader *self,
           const char   *p)
{
  return (AppPlace) { self->i + 1, 1 + (int) g_utf8_strlen (self->lines[self->i],
                                                            p - self->lines[self->i]) };
}

#define refuse(self, p, error, ...) \
  app_place_refuse (get_place (self, p), (self)->fault, error, APP_LESSON_ERROR_SYNTAX, __VA_ARGS__)

static const char *
skip_blanks (const char *p)
{
  return p + strspn (p, " \t");
}

static gboolean
set_minutes (Reader      *self,
             const char  *value,
             GError     **error)
{
  guint64 minutes;

  if (!g_ascii_string_to_unsigned (value, 10, 1, MOST_MINUTES, &minutes, NULL))
    return refuse (self, value, error, "minutes is “%s”, expected a whole number from 1 to %d",
                   value, MOST_MINUTES);
  self->lesson->minutes = (int) minutes;
  self->lesson->minutes_place = get_place (self, value);

  return TRUE;
}

/* "key: value" */
static gboolean
read_header_line (Reader  *self,
                  GError **error)
{
  AppLesson *lesson = self->lesson;
  const char *line = self->lines[self->i];
  const char *colon = strchr (line, ':');
  g_autofree char *key = colon != NULL ? g_strndup (line, (gsize) (colon - line)) : NULL;
  const char *value = colon != NULL ? skip_blanks (colon + 1) : NULL;
  char **text = NULL;

  if (colon == NULL)
    return refuse (self, line, error,
                   "the line has no colon, expected such as title: Who reads whom");
  if (*value == '\0')
    return refuse (self, value, error, "%s is empty", key);
  if (g_str_equal (key, "title"))
    text = &lesson->title;
  else if (g_str_equal (key, "model"))
    text = &lesson->model;
  else if (g_str_equal (key, "about"))
    text = &lesson->about;
  else if (!g_str_equal (key, "minutes"))
    return refuse (self, line, error, "“%s” is no key of a lesson, expected title, minutes, model "
                   "or about", key);
  if (text != NULL ? *text != NULL : lesson->minutes != 0)
    return refuse (self, line, error, "the header has a second %s", key);
  if (text == NULL)
    return set_minutes (self, value, error);
  *text = g_strdup (value);

  return TRUE;
}

/* FALSE where nothing behind it can be read. */
static gboolean
read_header (Reader  *self,
             GError **error)
{
  const AppLesson *lesson = self->lesson;
  const char *missing = NULL;

  if (self->lines[0] == NULL || !g_str_equal (self->lines[0], "---")) {
    *self->fault = (AppPlace) { 1, 1 };
    g_set_error_literal (error, APP_LESSON_ERROR, APP_LESSON_ERROR_SYNTAX,
                         "a lesson begins with a line ---, its title, minutes and model, and ---");
    return FALSE;
  }
  for (self->i = 1; self->lines[self->i] != NULL && !g_str_equal (self->lines[self->i], "---");
       self->i++) {
    g_autoptr (GError) problem = NULL;

    if (*self->lines[self->i] == '#')
      return refuse (self, self->lines[self->i], error,
                     "the header is not closed, expected a line --- before the first section");
    if (*skip_blanks (self->lines[self->i]) != '\0' && !read_header_line (self, &problem))
      note_fault (self, problem);
  }
  if (self->lines[self->i] == NULL) {
    self->i = 0;
    return refuse (self, self->lines[0], error, "the header is not closed, expected a second ---");
  }
  self->has_wrong_header = self->faults->len > 0;
  missing = lesson->title == NULL ? "title" : lesson->minutes == 0 ? "minutes"
            : lesson->model == NULL ? "model" : NULL;
  if (missing != NULL && !self->has_wrong_header) {
    g_autoptr (GError) problem = NULL;

    refuse (self, self->lines[self->i], &problem, "the header has no %s", missing);
    note_fault (self, problem);
    self->has_wrong_header = TRUE;
  }
  self->i++;

  return TRUE;
}

static void
end_question (Reader *self)
{
  g_autoptr (GError) problem = NULL;

  if (self->unanswered != NULL && !self->is_spoilt) {
    app_place_refuse (self->asked, self->fault, &problem, APP_LESSON_ERROR_SYNTAX,
                      "the question has no line answer:");
    note_fault (self, problem);
  }
  self->unanswered = NULL;
  self->is_spoilt = FALSE;
}

static gboolean
begin_section (Reader      *self,
               const char  *line,
               GError     **error)
{
  const char *heading = skip_blanks (line + 2);

  end_question (self);
  self->section = app_lesson_add_section (self->lesson, get_place (self, line), heading);
  self->open = NULL;

  return (line[2] != '#' && *heading != '\0')
         || refuse (self, line, error, "expected “## ” and a heading");
}

static gboolean
read_ask (Reader      *self,
          const char  *value,
          GError     **error)
{
  AppAsk *ask;

  end_question (self);
  ask = app_ask_read (value, get_place (self, value), self->fault, error);
  self->is_spoilt = ask == NULL;
  if (ask == NULL)
    return FALSE;
  self->asked = get_place (self, self->lines[self->i]);
  app_section_add_block (self->section, APP_BLOCK_ASK, self->asked)->ask = ask;
  self->unanswered = ask;

  return TRUE;
}

static gboolean
read_option (Reader      *self,
             const char  *value,
             GError     **error)
{
  gboolean is_second;

  if (self->is_spoilt)
    return TRUE;
  if (self->unanswered == NULL || self->unanswered->type != APP_ASK_OPTION)
    return refuse (self, self->lines[self->i], error,
                   "an option stands behind no line “ask: option …”");
  is_second = g_ptr_array_find_with_equal_func (self->unanswered->options, value, g_str_equal, NULL);
  /* Also a second one: options that stand here are not lacking. */
  g_ptr_array_add (self->unanswered->options, g_strdup (value));

  return !is_second || refuse (self, value, error, "the option “%s” stands here twice", value);
}

static gboolean
read_answer (Reader      *self,
             const char  *value,
             GError     **error)
{
  AppAsk *ask = g_steal_pointer (&self->unanswered);

  if (self->is_spoilt)
    return TRUE;
  if (ask == NULL)
    return refuse (self, self->lines[self->i], error, "an answer stands behind no question");

  if (!app_ask_read_answer (ask, value, get_place (self, value), self->fault, error))
    return FALSE;

  return ask->type != APP_ASK_OPTION || ask->options->len > 1
         || app_place_refuse (self->asked, self->fault, error, APP_LESSON_ERROR_SYNTAX,
                              "the question has one option, expected two or more");
}

static gboolean
read_claim (Reader      *self,
            const char  *value,
            GError     **error)
{
  AppClaim *claim = app_claim_parse (value, get_place (self, value), self->fault, error);

  if (claim != NULL)
    app_section_add_block (self->section, APP_BLOCK_CLAIM, claim->place)->claim = claim;

  return claim != NULL;
}

/* Text that goes on in the next lines. */
static void
begin_text (Reader       *self,
            AppBlockType  type,
            const char   *text)
{
  self->open = app_section_add_block (self->section, type,
                                      get_place (self, self->lines[self->i]));
  self->open->text = g_strdup (text);
}

/* "word:" of small letters at the begin of a line; NULL = it is text. (transfer full) */
static char *
find_keyword (const char *line)
{
  gsize n = 0;

  while (g_ascii_islower (line[n]))
    n++;

  return n > 0 && line[n] == ':' ? g_strndup (line, n) : NULL;
}

/* Part of the window, by its name. */
static gboolean
read_region (Reader      *self,
             const char  *value,
             GError     **error)
{
  g_autofree char *names = NULL;

  if (self->section->region != NULL)
    return refuse (self, self->lines[self->i], error,
                   "the section has a second point:, expected one a section");
  for (int i = 0; app_lesson_regions[i] != NULL; i++)
    if (g_str_equal (value, app_lesson_regions[i]))
      self->section->region = app_lesson_regions[i];
  if (self->section->region != NULL)
    return TRUE;
  names = g_strjoinv (", ", (char **) app_lesson_regions);

  return refuse (self, value, error, "“%s” is no part of the window, expected one of %s", value,
                 names);
}

static gboolean
is_of_question (const char *keyword)
{
  return g_str_equal (keyword, "ask") || g_str_equal (keyword, "option")
         || g_str_equal (keyword, "answer");
}

static gboolean
read_keyword (Reader      *self,
              const char  *keyword,
              GError     **error)
{
  const char *line = self->lines[self->i];
  const char *value = skip_blanks (line + strlen (keyword) + 1);

  self->open = NULL;
  if (*value == '\0') {
    self->is_spoilt |= is_of_question (keyword);
    return refuse (self, value, error, "nothing stands behind %s:", keyword);
  }
  if (g_str_equal (keyword, "ask"))
    return read_ask (self, value, error);
  if (g_str_equal (keyword, "option"))
    return read_option (self, value, error);
  if (g_str_equal (keyword, "answer"))
    return read_answer (self, value, error);
  if (g_str_equal (keyword, "claim"))
    return read_claim (self, value, error);
  if (g_str_equal (keyword, "point"))
    return read_region (self, value, error);
  if (g_str_equal (keyword, "try"))
    begin_text (self, APP_BLOCK_TRY, value);
  else if (g_str_equal (keyword, "note"))
    begin_text (self, APP_BLOCK_NOTE, value);
  else
    return refuse (self, line, error, "“%s:” begins no line of a lesson, expected ask, option, "
                   "answer, claim, point, try or note", keyword);

  return TRUE;
}

static gboolean
set_state (Reader      *self,
           const char  *code,
           AppPlace     place,
           AppPlace     opened,
           GError     **error)
{
  AppSection *section = self->section;

  if (section->state != NULL)
    return app_place_refuse (opened, self->fault, error, APP_LESSON_ERROR_SYNTAX,
                             "the section has a second ```headlight, expected one state a section");
  section->state_place = place;
  section->state = app_lesson_read_state (code, place, self->folder, self->lesson->model,
                                          self->fault, error);
  if (section->state == NULL)
    return FALSE;
  section->state_text = g_strdup (code);

  return TRUE;
}

/* From the line that opens a code block to the one that closes it, which becomes the current
 * one. */
static gboolean
read_code (Reader  *self,
           GError **error)
{
  const char *fence = self->lines[self->i];
  gsize length = strspn (fence, "`");
  g_autofree char *info = g_strstrip (g_strdup (fence + length));
  AppPlace opened = get_place (self, fence);
  AppPlace place = { opened.line + 1, 1 };
  g_autoptr (GString) code = g_string_new (NULL);

  self->open = NULL;
  for (self->i++; self->lines[self->i] != NULL; self->i++) {
    const char *line = self->lines[self->i];
    gsize n = strspn (line, "`");

    if (n >= length && *skip_blanks (line + n) == '\0')
      break;
    g_string_append_printf (code, "%s%s", code->len > 0 ? "\n" : "", line);
  }
  if (self->lines[self->i] == NULL) {
    /* The last line is the block's. */
    self->i--;
    return app_place_refuse (opened, self->fault, error, APP_LESSON_ERROR_SYNTAX,
                             "the code block is not closed, expected %.*s", (int) length, fence);
  }
  if (g_str_equal (info, STATE_INFO))
    return set_state (self, code->str, place, opened, error);
  app_section_add_block (self->section, APP_BLOCK_CODE, opened)->text =
    g_string_free (g_steal_pointer (&code), FALSE);

  return TRUE;
}

/* A paragraph, an item, or a line that goes on with one. */
static gboolean
read_text (Reader      *self,
           const char  *line,
           GError     **error)
{
  const char *text = skip_blanks (line);
  const char *keyword;
  g_autofree char *meant = app_lesson_find_meant (line, self->unanswered, &keyword);

  /* Read as text it would be lost, and a claim that nobody computes looks like one that holds. */
  if (meant != NULL) {
    self->is_spoilt |= is_of_question (keyword);
    return refuse (self, line, error, "%s", meant);
  }
  if (g_str_has_prefix (text, "- ")) {
    begin_text (self, APP_BLOCK_ITEM, skip_blanks (text + 2));
  } else if (self->open == NULL) {
    begin_text (self, APP_BLOCK_TEXT, text);
  } else {
    char *longer = g_strconcat (self->open->text, " ", text, NULL);

    g_free (self->open->text);
    self->open->text = longer;
  }

  return TRUE;
}

static gboolean
read_line (Reader  *self,
           GError **error)
{
  const char *line = self->lines[self->i];
  g_autofree char *keyword = find_keyword (line);

  if (*skip_blanks (line) == '\0') {
    self->open = NULL;
    return TRUE;
  }
  if (g_str_has_prefix (line, "##"))
    return begin_section (self, line, error);
  if (self->section == NULL && self->is_outside)
    return TRUE;
  self->is_outside = self->section == NULL;
  if (self->section == NULL || *line == '#')
    return refuse (self, line, error, "a section begins with “## ” and its heading");
  if (g_str_has_prefix (line, "```")) {
    if (read_code (self, error))
      return TRUE;
    self->has_wrong_state |= self->lesson->sections->len == 1;
    return FALSE;
  }
  if (keyword != NULL)
    return read_keyword (self, keyword, error);

  return read_text (self, line, error);
}

/* FALSE where the file ends too early. */
static gboolean
read_sections (Reader  *self,
               GError **error)
{
  const AppSection *first;

  for (; self->lines[self->i] != NULL; self->i++) {
    g_autoptr (GError) problem = NULL;

    if (!read_line (self, &problem))
      note_fault (self, problem);
  }
  end_question (self);
  if (self->lesson->sections->len == 0) {
    self->i--;
    return self->has_wrong_header || self->is_outside
           || refuse (self, self->lines[self->i], error,
                      "the lesson has no section, expected “## ” and a heading");
  }
  first = self->lesson->sections->pdata[0];

  return first->state != NULL || self->has_wrong_header || self->has_wrong_state
         || app_place_refuse (first->place, self->fault, error, APP_LESSON_ERROR_SYNTAX,
                              "the first section has no state, expected a code block ```headlight");
}

AppLesson *
app_lesson_read_lines (const char  *path,
                       char       **lines,
                       GArray      *faults)
{
  g_autoptr (AppLesson) lesson = app_lesson_new (path);
  g_autoptr (GError) problem = NULL;
  g_autofree char *place = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (place);
  AppPlace fault;
  Reader reader = {
    .lesson = lesson, .lines = lines, .folder = folder, .fault = &fault, .faults = faults
  };

  if (!read_header (&reader, &problem) || !read_sections (&reader, &problem))
    note_fault (&reader, problem);
  g_array_sort (faults, compare_faults);

  return faults->len == 0 ? g_steal_pointer (&lesson) : NULL;
}
