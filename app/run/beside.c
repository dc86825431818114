/* SPDX-License-Identifier: MIT */
#include "app/run/beside.h"

#include "app/run/job.h"

/* What is found, each by a job of its own. */
typedef enum { PATH, CONTEXTS, N_FINDS } FindKind;

typedef struct {
  AppJob   *job;    /* NULL = none runs */
  gpointer  result; /* of the last one that ended; NULL = none, or it failed */
  GError   *error;
} Find;

/* What a job is about; its own. */
typedef struct {
  EngTrace   *trace;
  UiDocument *document;
  EngKind     kind;
  int         token;
  char      **own;
  EngModel   *other;
} Question;

struct _AppBeside {
  void      (*func) (gpointer data);
  gpointer    data;
  Question    asked;   /* trace NULL = nothing was asked for */
  GPtrArray  *own;     /* of sentences */
  EngModel   *other;   /* nullable: of a path that was found */
  Find        finds[N_FINDS];
};

static void
question_clear (Question *self)
{
  g_clear_pointer (&self->trace, eng_trace_unref);
  g_clear_pointer (&self->document, ui_document_free);
  g_clear_pointer (&self->own, g_strfreev);
  g_clear_pointer (&self->other, eng_model_unref);
}

static void
question_free (gpointer data)
{
  question_clear (data);
  g_free (data);
}

static gpointer
find_path (AppJob   *job,
           gpointer  data,
           GError  **error)
{
  const Question *question = data;
  const AppTokenQuestion asked = {
    question->trace, question->document, question->kind, question->token, question->other,
    app_job_get_cancel (job),
  };

  return app_token_path_new (&asked, error);
}

static gpointer
find_contexts (AppJob   *job,
               gpointer  data,
               GError  **error)
{
  const Question *question = data;
  const AppWordQuestion asked = {
    question->trace, question->document, question->kind, question->token,
    (const char *const *) question->own, app_job_get_cancel (job),
  };

  return app_contexts_find (&asked, error);
}

static void
find_clear (Find     *self,
            FindKind  kind)
{
  if (self->result != NULL && kind == PATH)
    app_token_path_free (self->result);
  else if (self->result != NULL)
    g_ptr_array_unref (self->result);
  self->result = NULL;
  g_clear_error (&self->error);
}

static void
take (AppBeside    *self,
      FindKind      kind,
      gpointer      result,
      const GError *error)
{
  Find *find = &self->finds[kind];

  find_clear (find, kind);
  find->result = result;
  find->error = error != NULL ? g_error_copy (error) : NULL;
  g_clear_pointer (&find->job, app_job_stop);
  if (kind == PATH && result != NULL && ((AppTokenPath *) result)->other != NULL) {
    g_clear_pointer (&self->other, eng_model_unref);
    self->other = eng_model_ref (((AppTokenPath *) result)->other);
  }
  self->func (self->data);
}

static void
path_done (AppJob       *job,
           gpointer      result,
           const GError *error,
           gpointer      owner)
{
  take (owner, PATH, result, error);
}

static void
contexts_done (AppJob       *job,
               gpointer      result,
               const GError *error,
               gpointer      owner)
{
  take (owner, CONTEXTS, result, error);
}

static void
start (AppBeside *self,
       FindKind   kind)
{
  static const AppJobClass classes[N_FINDS] = {
    [PATH] = { .run = find_path, .done = path_done,
               .free_result = (GDestroyNotify) app_token_path_free, .free_data = question_free },
    [CONTEXTS] = { .run = find_contexts, .done = contexts_done,
                   .free_result = (GDestroyNotify) g_ptr_array_unref, .free_data = question_free },
  };
  const Question *asked = &self->asked;
  Question *question;

  g_clear_pointer (&self->finds[kind].job, app_job_leave);
  if (kind == CONTEXTS && app_contexts_refuse (asked->trace, asked->kind, asked->token) != NULL) {
    find_clear (&self->finds[kind], kind);
    return;
  }
  question = g_new (Question, 1);
  *question = (Question) {
    eng_trace_ref (asked->trace), ui_document_copy (asked->document), asked->kind, asked->token,
    g_new0 (char *, self->own->len + 1),
    self->other != NULL ? eng_model_ref (self->other) : NULL,
  };
  for (guint i = 0; i < self->own->len; i++)
    question->own[i] = g_strdup (self->own->pdata[i]);
  self->finds[kind].job = app_job_start (&classes[kind], question, self);
}

AppBeside *
app_beside_new (void     (*func) (gpointer data),
                gpointer   data)
{
  AppBeside *self = g_new0 (AppBeside, 1);

  self->func = func;
  self->data = data;
  self->own = g_ptr_array_new_with_free_func (g_free);

  return self;
}

void
app_beside_free (AppBeside *self)
{
  for (int kind = 0; kind < N_FINDS; kind++) {
    g_clear_pointer (&self->finds[kind].job, app_job_stop);
    find_clear (&self->finds[kind], (FindKind) kind);
  }
  question_clear (&self->asked);
  g_clear_pointer (&self->other, eng_model_unref);
  g_ptr_array_unref (self->own);
  g_free (self);
}

void
app_beside_ask (AppBeside        *self,
                EngTrace         *trace,
                const UiDocument *document,
                EngKind           kind,
                int               token)
{
  const Question *asked = &self->asked;

  if (asked->trace == trace && asked->kind == kind && asked->token == token)
    return;

  question_clear (&self->asked);
  self->asked = (Question) { eng_trace_ref (trace), ui_document_copy (document), kind, token, NULL,
                             NULL };
  for (int find = 0; find < N_FINDS; find++)
    start (self, (FindKind) find);
}

void
app_beside_cancel (AppBeside *self)
{
  /* What was cut off is asked for again. */
  if (!app_beside_is_current (self))
    question_clear (&self->asked);
  for (int find = 0; find < N_FINDS; find++)
    g_clear_pointer (&self->finds[find].job, app_job_leave);
}

const AppTokenPath *
app_beside_get_path (const AppBeside  *self,
                     const GError    **error)
{
  if (error != NULL)
    *error = self->finds[PATH].error;
  return self->finds[PATH].result;
}

GPtrArray *
app_beside_get_contexts (const AppBeside  *self,
                         const GError    **error)
{
  if (error != NULL)
    *error = self->finds[CONTEXTS].error;
  return self->finds[CONTEXTS].result;
}

gboolean
app_beside_is_current (const AppBeside *self)
{
  return self->asked.trace != NULL && self->finds[PATH].job == NULL
         && self->finds[CONTEXTS].job == NULL;
}

EngTrace *
app_beside_get_trace (const AppBeside *self,
                      EngKind         *kind,
                      int             *token)
{
  *kind = self->asked.kind;
  *token = self->asked.token;
  return self->asked.trace;
}

static guint
find_sentence (const AppBeside *self,
               const char      *text)
{
  guint i = 0;

  while (i < self->own->len && !g_str_equal (self->own->pdata[i], text))
    i++;

  return i;
}

void
app_beside_add_sentence (AppBeside  *self,
                         const char *text)
{
  const guint i = find_sentence (self, text);

  if (i < self->own->len)
    g_ptr_array_remove_index (self->own, i);
  g_ptr_array_add (self->own, g_strdup (text));
  if (self->asked.trace != NULL)
    start (self, CONTEXTS);
}

void
app_beside_remove_sentence (AppBeside  *self,
                            const char *text)
{
  const guint i = find_sentence (self, text);

  if (i == self->own->len)
    return;
  g_ptr_array_remove_index (self->own, i);
  if (self->asked.trace != NULL)
    start (self, CONTEXTS);
}
