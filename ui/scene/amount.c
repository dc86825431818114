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

double
ui_amount_round_up (double amount)
{
  static const double steps[] = { 1, 2, 5, 10 };
  int exponent = (int) floor (log10 (amount));
  gsize i = 0;

  /* A power that is negative is divided by: 0.2 is 2 / 10, not 2 × 0.1. */
  while (i + 1 < G_N_ELEMENTS (steps)
         && (exponent < 0 ? steps[i] / pow (10, -exponent) : steps[i] * pow (10, exponent)) < amount)
    i++;
  return exponent < 0 ? steps[i] / pow (10, -exponent) : steps[i] * pow (10, exponent);
}
