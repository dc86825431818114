/* SPDX-License-Identifier: MIT */
#include "ui/scene/amount.h"

#include <math.h>

char *
ui_amount_bytes (gint64 bytes)
{
  static const char *const units[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double amount = (double) bytes;
  gsize unit = 0;

  if (bytes < 1000)
    return g_strdup_printf ("%" G_GINT64_FORMAT " bytes", bytes);

  /* 999.95 would be written as 1000.0. */
  for (amount /= 1000; amount >= 999.95 && unit + 1 < G_N_ELEMENTS (units); amount /= 1000)
    unit++;
  return g_strconcat (g_ascii_formatd (number, sizeof number, "%.1f", amount), " ", units[unit],
                      NULL);
}

char *
ui_amount_time (double seconds)
{
  gint64 whole = (gint64) ceil (CLAMP (seconds, 0, 1e9));
  gint64 minutes = (whole + 30) / 60;

  if (whole < 60)
    return g_strdup_printf ("%" G_GINT64_FORMAT " s", whole);
  if (minutes < 60)
    return g_strdup_printf ("%" G_GINT64_FORMAT " min", minutes);
  return g_strdup_printf ("%" G_GINT64_FORMAT " h %" G_GINT64_FORMAT " min", minutes / 60,
                          minutes % 60);
}
