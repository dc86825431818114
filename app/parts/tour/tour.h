/* SPDX-License-Identifier: MIT */
/* The tour: six steps, each pointing at a part of the window and saying what is seen in it, with the
 * words and numbers of the model that is open. The window goes on as ever meanwhile. */
#pragma once

#include "app/desk/part.h"

G_BEGIN_DECLS

#define APP_TYPE_TOUR_PART (app_tour_part_get_type ())
G_DECLARE_FINAL_TYPE (AppTourPart, app_tour_part, APP, TOUR_PART, AppPart)

G_END_DECLS
