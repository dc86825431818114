/* SPDX-License-Identifier: MIT */
#include "app/shell/refusals.h"

#include "app/parts/asking/asking.h"
#include "app/parts/download/download.h"

/* There is no text, and so no picture of it; NULL = something else is wrong. (transfer full) */
static char *
describe_empty (AppDesk          *desk,
                const AppRefusal *refusal)
{
  g_autofree char *text = g_strdup (refusal->document->text_a);
  const gboolean is_pair = *refusal->document->text_b != '\0';
  const gboolean is_drawn = app_picture_get_scene (app_desk_get_picture (desk)) != NULL;

  if (!g_error_matches (refusal->error, ENG_ERROR, ENG_ERROR_TEXT) || *g_strstrip (text) != '\0')
    return NULL;
  return g_strdup_printf ("%s is empty: type one%s", is_pair ? "Sentence A" : "The sentence",
                          is_drawn ? ". Until then the picture shows the text before." : "");
}

/* A text that was refused by a model that is not in the title yet is refused in its name.
 * (transfer full) */
static char *
describe_refusal (AppDesk          *desk,
                  const AppRefusal *refusal)
{
  char *empty = describe_empty (desk, refusal);

  if (empty != NULL)
    return empty;
  if (refusal->model != NULL && refusal->model != app_study_get_model (app_desk_get_study (desk)))
    return g_strdup_printf ("%s: %s", eng_model_get_info (refusal->model)->name,
                            refusal->error->message);
  return g_strdup (refusal->error->message);
}

void
app_refusals_sync (AppDesk *desk)
{
  AppStudy *study = app_desk_get_study (desk);
  AppPicture *picture = app_desk_get_picture (desk);
  const AppRefusal *refusal = app_study_get_refusal (study);
  const GError *error = app_picture_get_error (picture);
  g_autofree char *message = NULL;

  if (refusal != NULL && !refusal->is_taken_back)
    message = describe_refusal (desk, refusal);
  else if (error != NULL)
    message = g_strdup (error->message);
  app_desk_set_notice (desk, study, message,
                       refusal != NULL && refusal->is_too_long ? APP_NOTICE_TRUNCATES
                                                               : APP_NOTICE_STAYS);
}

/* What cannot be opened is said, and offered in another way where there is one. */
void
app_refusals_show_opening (AppDesk  *desk,
                           AppParts *parts)
{
  const AppRefusal *refusal = app_study_get_refusal (app_desk_get_study (desk));

  if (refusal == NULL || !refusal->is_taken_back)
    return;

  app_desk_refuse (desk, refusal->error->message);
  if (!app_download_part_offer (app_parts_get (parts, APP_TYPE_DOWNLOAD_PART),
                                refusal->document->model, refusal->error))
    app_asking_part_offer (app_parts_get (parts, APP_TYPE_ASKING_PART), refusal->document->model);
}
