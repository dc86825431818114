/* SPDX-License-Identifier: MIT */
#include "engine/writing/languages.h"

#include <string.h>

/* ISO 639-1, 639-3, English name; a second 639-2 code where there is one. */
static const char *const languages[][4] = {
  { "af", "afr", "Afrikaans" },
  { "am", "amh", "Amharic" },
  { "ar", "ara", "Arabic", "arb" },
  { "az", "aze", "Azerbaijani" },
  { "be", "bel", "Belarusian" },
  { "bg", "bul", "Bulgarian" },
  { "bn", "ben", "Bengali" },
  { "bs", "bos", "Bosnian" },
  { "ca", "cat", "Catalan" },
  { "cs", "ces", "Czech", "cze" },
  { "cy", "cym", "Welsh", "wel" },
  { "da", "dan", "Danish" },
  { "de", "deu", "German", "ger" },
  { "el", "ell", "Greek", "gre" },
  { "en", "eng", "English" },
  { "eo", "epo", "Esperanto" },
  { "es", "spa", "Spanish" },
  { "et", "est", "Estonian" },
  { "eu", "eus", "Basque", "baq" },
  { "fa", "fas", "Persian", "per" },
  { "fi", "fin", "Finnish" },
  { "fr", "fra", "French", "fre" },
  { "ga", "gle", "Irish" },
  { "gl", "glg", "Galician" },
  { "gu", "guj", "Gujarati" },
  { "he", "heb", "Hebrew" },
  { "hi", "hin", "Hindi" },
  { "hr", "hrv", "Croatian" },
  { "hu", "hun", "Hungarian" },
  { "hy", "hye", "Armenian", "arm" },
  { "id", "ind", "Indonesian" },
  { "is", "isl", "Icelandic", "ice" },
  { "it", "ita", "Italian" },
  { "ja", "jpn", "Japanese" },
  { "ka", "kat", "Georgian", "geo" },
  { "kk", "kaz", "Kazakh" },
  { "ko", "kor", "Korean" },
  { "la", "lat", "Latin" },
  { "lt", "lit", "Lithuanian" },
  { "lv", "lav", "Latvian" },
  { "mk", "mkd", "Macedonian", "mac" },
  { "mr", "mar", "Marathi" },
  { "ms", "msa", "Malay", "may" },
  { "mt", "mlt", "Maltese" },
  { "nb", "nob", "Bokmal" },
  { "nl", "nld", "Dutch", "dut" },
  { "nn", "nno", "Nynorsk" },
  { "no", "nor", "Norwegian" },
  { "pl", "pol", "Polish" },
  { "pt", "por", "Portuguese" },
  { "ro", "ron", "Romanian", "rum" },
  { "ru", "rus", "Russian" },
  { "sk", "slk", "Slovak", "slo" },
  { "sl", "slv", "Slovenian" },
  { "sq", "sqi", "Albanian", "alb" },
  { "sr", "srp", "Serbian" },
  { "sv", "swe", "Swedish" },
  { "sw", "swa", "Swahili", "swh" },
  { "ta", "tam", "Tamil" },
  { "te", "tel", "Telugu" },
  { "th", "tha", "Thai" },
  { "tl", "tgl", "Tagalog" },
  { "tr", "tur", "Turkish" },
  { "uk", "ukr", "Ukrainian" },
  { "ur", "urd", "Urdu" },
  { "vi", "vie", "Vietnamese" },
  { "zh", "zho", "Chinese", "chi" },
};

/* Row of the table for the first length bytes; -1 = none. */
static int
find_row (const char *name,
          gsize       length)
{
  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    for (guint k = 0; k < G_N_ELEMENTS (languages[i]) && languages[i][k]; k++)
      if (strlen (languages[i][k]) == length &&
          g_ascii_strncasecmp (languages[i][k], name, length) == 0)
        return (int) i;

  return -1;
}

/* Where the language ends and a region or script may begin. */
static gsize
get_base_length (const char *name)
{
  return strcspn (name, "_-");
}

gboolean
eng_language_matches (const char *a,
                      const char *b)
{
  gsize length_a = get_base_length (a);
  gsize length_b = get_base_length (b);
  int row = find_row (a, length_a);

  if (row < 0 || row != find_row (b, length_b))
    return g_ascii_strcasecmp (a, b) == 0;

  /* Two regions of one language are two things, a region and the bare language are not. */
  return !a[length_a] || !b[length_b] ||
         g_ascii_strcasecmp (a + length_a + 1, b + length_b + 1) == 0;
}

gboolean
eng_language_is_known (const char *name)
{
  return find_row (name, get_base_length (name)) >= 0;
}
