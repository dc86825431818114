/* SPDX-License-Identifier: MIT */
#include "ui/document/amount.h"

#include <math.h>
#include <string.h>

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

char *
ui_amount_count (gint64 number)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GINT64_FORMAT, number);
  const gsize length = strlen (digits);
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      g_string_append_c (text, ',');
    g_string_append_c (text, digits[i]);
  }
  return g_string_free (text, FALSE);
}

/* A negative power is divided by: 0.2 is 2 / 10, not 2 × 0.1. */
static double
shift (double digit,
       int    exponent)
{
  return exponent < 0 ? digit / pow (10, -exponent) : digit * pow (10, exponent);
}

/* The first of the digits from 1 to 10 that is not under the amount at its place. */
static double
round_up (double        amount,
          const double *digits)
{
  int exponent = (int) floor (log10 (amount));

  while (*digits < 10 && shift (*digits, exponent) < amount)
    digits++;
  return shift (*digits, exponent);
}

double
ui_amount_round_up (double amount)
{
  static const double digits[] = { 1, 2, 5, 10 };

  return round_up (amount, digits);
}

double
ui_amount_round_up_digit (double amount)
{
  static const double digits[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

  return round_up (amount, digits);
}
