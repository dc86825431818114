/* SPDX-License-Identifier: MIT */
#include "engine/writing/languages.h"

#include <string.h>

#define SCRIPT_LENGTH 4 /* letters of "Latn" */
#define ANY_REGION "XX"

/* Codes of ISO 639: of two letters, of three, others of 639-2 and of the language that stands for
 * the group in a model; and the English name. */
static const struct {
  const char *codes;
  const char *name;
} languages[] = {
  { "ace", "Acehnese" },
  { "acm", "Mesopotamian Arabic" },
  { "acq", "Ta'izzi-Adeni Arabic" },
  { "aeb", "Tunisian Arabic" },
  { "af afr", "Afrikaans" },
  { "ajp", "South Levantine Arabic" },
  { "ak aka", "Akan" },
  { "am amh", "Amharic" },
  { "apc", "North Levantine Arabic" },
  { "ar ara arb", "Arabic" },
  { "ars", "Najdi Arabic" },
  { "ary", "Moroccan Arabic" },
  { "arz", "Egyptian Arabic" },
  { "as asm", "Assamese" },
  { "ast", "Asturian" },
  { "awa", "Awadhi" },
  { "ay ayr", "Aymara" },
  { "az aze azj", "Azerbaijani" },
  { "azb", "South Azerbaijani" },
  { "ba bak", "Bashkir" },
  { "ban", "Balinese" },
  { "be bel", "Belarusian" },
  { "bem", "Bemba" },
  { "bg bul", "Bulgarian" },
  { "bho", "Bhojpuri" },
  { "bjn", "Banjar" },
  { "bm bam", "Bambara" },
  { "bn ben", "Bengali" },
  { "bo bod tib", "Tibetan" },
  { "br bre", "Breton" },
  { "bs bos", "Bosnian" },
  { "bug", "Buginese" },
  { "ca cat", "Catalan" },
  { "ceb", "Cebuano" },
  { "cjk", "Chokwe" },
  { "ckb", "Central Kurdish" },
  { "crh", "Crimean Tatar" },
  { "cs ces cze", "Czech" },
  { "cy cym wel", "Welsh" },
  { "da dan", "Danish" },
  { "de deu ger", "German" },
  { "dik", "Dinka" },
  { "dyu", "Dyula" },
  { "dz dzo", "Dzongkha" },
  { "ee ewe", "Ewe" },
  { "el ell gre", "Greek" },
  { "en eng", "English" },
  { "eo epo", "Esperanto" },
  { "es spa", "Spanish" },
  { "et est", "Estonian" },
  { "eu eus baq", "Basque" },
  { "fa fas per pes", "Persian" },
  { "ff ful fuv", "Fula" },
  { "fi fin", "Finnish" },
  { "fj fij", "Fijian" },
  { "fo fao", "Faroese" },
  { "fon", "Fon" },
  { "fr fra fre", "French" },
  { "fur", "Friulian" },
  { "fy fry", "Western Frisian" },
  { "ga gle", "Irish" },
  { "gd gla", "Scottish Gaelic" },
  { "gl glg", "Galician" },
  { "gn grn", "Guarani" },
  { "gu guj", "Gujarati" },
  { "ha hau", "Hausa" },
  { "he heb", "Hebrew" },
  { "hi hin", "Hindi" },
  { "hne", "Chhattisgarhi" },
  { "hr hrv", "Croatian" },
  { "ht hat", "Haitian Creole" },
  { "hu hun", "Hungarian" },
  { "hy hye arm", "Armenian" },
  { "id ind", "Indonesian" },
  { "ig ibo", "Igbo" },
  { "ilo", "Ilocano" },
  { "is isl ice", "Icelandic" },
  { "it ita", "Italian" },
  { "ja jpn", "Japanese" },
  { "jv jav", "Javanese" },
  { "ka kat geo", "Georgian" },
  { "kab", "Kabyle" },
  { "kac", "Jingpho" },
  { "kam", "Kamba" },
  { "kbp", "Kabiye" },
  { "kea", "Kabuverdianu" },
  { "kg kon", "Kikongo" },
  { "ki kik", "Kikuyu" },
  { "kk kaz", "Kazakh" },
  { "km khm", "Khmer" },
  { "kmb", "Kimbundu" },
  { "kn kan", "Kannada" },
  { "ko kor", "Korean" },
  { "kr knc", "Kanuri" },
  { "ks kas", "Kashmiri" },
  { "ku kmr", "Northern Kurdish" },
  { "ky kir", "Kyrgyz" },
  { "la lat", "Latin" },
  { "lb ltz", "Luxembourgish" },
  { "lg lug", "Ganda" },
  { "li lim", "Limburgish" },
  { "lij", "Ligurian" },
  { "lmo", "Lombard" },
  { "ln lin", "Lingala" },
  { "lo lao", "Lao" },
  { "lt lit", "Lithuanian" },
  { "ltg", "Latgalian" },
  { "lua", "Luba-Kasai" },
  { "luo", "Luo" },
  { "lus", "Mizo" },
  { "lv lav lvs", "Latvian" },
  { "mag", "Magahi" },
  { "mai", "Maithili" },
  { "mg mlg plt", "Malagasy" },
  { "mi mri mao", "Maori" },
  { "min", "Minangkabau" },
  { "mk mkd mac", "Macedonian" },
  { "ml mal", "Malayalam" },
  { "mn mon khk", "Mongolian" },
  { "mni", "Meitei" },
  { "mos", "Mossi" },
  { "mr mar", "Marathi" },
  { "ms msa may zsm", "Malay" },
  { "mt mlt", "Maltese" },
  { "my mya bur", "Burmese" },
  { "nb nob", "Bokmal" },
  { "ne nep npi", "Nepali" },
  { "nl nld dut", "Dutch" },
  { "nn nno", "Nynorsk" },
  { "no nor", "Norwegian" },
  { "ns nso", "Northern Sotho" },
  { "nus", "Nuer" },
  { "ny nya", "Nyanja" },
  { "oc oci", "Occitan" },
  { "om orm gaz", "Oromo" },
  { "or ori ory", "Odia" },
  { "pa pan", "Punjabi" },
  { "pag", "Pangasinan" },
  { "pap", "Papiamento" },
  { "pl pol", "Polish" },
  { "prs", "Dari" },
  { "ps pus pbt", "Pashto" },
  { "pt por", "Portuguese" },
  { "qu quy", "Quechua" },
  { "rn run", "Rundi" },
  { "ro ron rum", "Romanian" },
  { "ru rus", "Russian" },
  { "rw kin", "Kinyarwanda" },
  { "sa san", "Sanskrit" },
  { "sat", "Santali" },
  { "sc srd", "Sardinian" },
  { "scn", "Sicilian" },
  { "sd snd", "Sindhi" },
  { "sg sag", "Sango" },
  { "shn", "Shan" },
  { "si sin", "Sinhala" },
  { "sk slk slo", "Slovak" },
  { "sl slv", "Slovenian" },
  { "sm smo", "Samoan" },
  { "sn sna", "Shona" },
  { "so som", "Somali" },
  { "sq sqi alb als", "Albanian" },
  { "sr srp", "Serbian" },
  { "ss ssw", "Swazi" },
  { "st sot", "Southern Sotho" },
  { "su sun", "Sundanese" },
  { "sv swe", "Swedish" },
  { "sw swa swh", "Swahili" },
  { "szl", "Silesian" },
  { "ta tam", "Tamil" },
  { "taq", "Tamasheq" },
  { "te tel", "Telugu" },
  { "tg tgk", "Tajik" },
  { "th tha", "Thai" },
  { "ti tir", "Tigrinya" },
  { "tk tuk", "Turkmen" },
  { "tl tgl", "Tagalog" },
  { "tn tsn", "Tswana" },
  { "tpi", "Tok Pisin" },
  { "tr tur", "Turkish" },
  { "ts tso", "Tsonga" },
  { "tt tat", "Tatar" },
  { "tum", "Tumbuka" },
  { "tw twi", "Twi" },
  { "tzm", "Central Atlas Tamazight" },
  { "ug uig", "Uyghur" },
  { "uk ukr", "Ukrainian" },
  { "umb", "Umbundu" },
  { "ur urd", "Urdu" },
  { "uz uzb uzn", "Uzbek" },
  { "vec", "Venetian" },
  { "vi vie", "Vietnamese" },
  { "war", "Waray" },
  { "wo wol", "Wolof" },
  { "xh xho", "Xhosa" },
  { "yi yid ydd", "Yiddish" },
  { "yo yor", "Yoruba" },
  { "yue", "Cantonese" },
  { "zh zho chi", "Chinese" },
  { "zu zul", "Zulu" },
};

static gboolean
is_code (const char *codes,
         const char *text,
         gsize       length)
{
  while (*codes) {
    gsize n = strcspn (codes, " ");

    if (n == length && g_ascii_strncasecmp (codes, text, n) == 0)
      return TRUE;
    codes += n + strspn (codes + n, " ");
  }

  return FALSE;
}

/* Words of a name may be joined, as on a command line: "haitian-creole". */
static gboolean
is_name (const char *name,
         const char *text,
         gsize       length)
{
  gsize n = strlen (name);

  for (gsize i = 0; i < n && n == length; i++)
    if (g_ascii_tolower (name[i]) != g_ascii_tolower (text[i]) &&
        !(name[i] == ' ' && strchr ("_-", text[i])))
      return FALSE;

  return n == length;
}

/* Row of the table for the first length bytes; -1 = none. */
static int
find_row (const char *text,
          gsize       length)
{
  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    if (is_code (languages[i].codes, text, length) || is_name (languages[i].name, text, length))
      return (int) i;

  return -1;
}

/* Where the language ends and a region or script may begin. */
static gsize
get_base_length (const char *text)
{
  return find_row (text, strlen (text)) >= 0 ? strlen (text) : strcspn (text, "_-");
}

/* Two regions, or two scripts, of one language are two things; a region and a script are not. */
static gboolean
are_apart (const char *a,
           const char *b)
{
  gboolean one_kind = (strlen (a) == SCRIPT_LENGTH) == (strlen (b) == SCRIPT_LENGTH);

  return one_kind && g_ascii_strcasecmp (a, b) != 0 && g_ascii_strcasecmp (a, ANY_REGION) != 0 &&
         g_ascii_strcasecmp (b, ANY_REGION) != 0;
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

  return !a[length_a] || !b[length_b] || !are_apart (a + length_a + 1, b + length_b + 1);
}

gboolean
eng_language_is_known (const char *name)
{
  return find_row (name, get_base_length (name)) >= 0;
}

const char *
eng_language_get_name (const char *code)
{
  int row = find_row (code, get_base_length (code));

  return row >= 0 ? languages[row].name : NULL;
}
