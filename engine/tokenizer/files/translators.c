/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/files/translators.h"

#include "engine/tokenizer/pipeline/languages.h"

#include <string.h>

/* Ends a text if the settings do not say. */
#define END_TOKEN "</s>"

#define MBART_CODES \
  "ar_AR cs_CZ de_DE en_XX es_XX et_EE fi_FI fr_XX gu_IN hi_IN it_IT ja_XX kk_KZ ko_KR lt_LT " \
  "lv_LV my_MM ne_NP nl_XX ro_RO ru_RU si_LK tr_TR vi_VN zh_CN"

typedef struct {
  EngTokenizerFamily  names;
  const char         *source; /* language of texts if the settings do not say */
  const char         *marks;  /* stand on both sides of a code in its token */
  gboolean            behind; /* the language stands behind the text */
  const char         *codes;
} Translator;

static const Translator translators[ENG_N_TRANSLATORS] = {
  [ENG_TRANSLATOR_M2M_100] = {
    { "m2m_100", "M2M100Tokenizer" }, "en", "__", FALSE,
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl "
    "gu ha he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml "
    "mn mr ms my ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th "
    "tl tn tr uk ur uz vi wo xh yi yo zh zu",
  },
  [ENG_TRANSLATOR_NLLB] = {
    { "nllb", "NllbTokenizer" }, "eng_Latn", "", FALSE,
    "ace_Arab ace_Latn acm_Arab acq_Arab aeb_Arab afr_Latn ajp_Arab aka_Latn amh_Ethi "
    "apc_Arab arb_Arab ars_Arab ary_Arab arz_Arab asm_Beng ast_Latn awa_Deva ayr_Latn "
    "azb_Arab azj_Latn bak_Cyrl bam_Latn ban_Latn bel_Cyrl bem_Latn ben_Beng bho_Deva "
    "bjn_Arab bjn_Latn bod_Tibt bos_Latn bug_Latn bul_Cyrl cat_Latn ceb_Latn ces_Latn "
    "cjk_Latn ckb_Arab crh_Latn cym_Latn dan_Latn deu_Latn dik_Latn dyu_Latn dzo_Tibt "
    "ell_Grek eng_Latn epo_Latn est_Latn eus_Latn ewe_Latn fao_Latn pes_Arab fij_Latn "
    "fin_Latn fon_Latn fra_Latn fur_Latn fuv_Latn gla_Latn gle_Latn glg_Latn grn_Latn "
    "guj_Gujr hat_Latn hau_Latn heb_Hebr hin_Deva hne_Deva hrv_Latn hun_Latn hye_Armn "
    "ibo_Latn ilo_Latn ind_Latn isl_Latn ita_Latn jav_Latn jpn_Jpan kab_Latn kac_Latn "
    "kam_Latn kan_Knda kas_Arab kas_Deva kat_Geor knc_Arab knc_Latn kaz_Cyrl kbp_Latn "
    "kea_Latn khm_Khmr kik_Latn kin_Latn kir_Cyrl kmb_Latn kon_Latn kor_Hang kmr_Latn "
    "lao_Laoo lvs_Latn lij_Latn lim_Latn lin_Latn lit_Latn lmo_Latn ltg_Latn ltz_Latn "
    "lua_Latn lug_Latn luo_Latn lus_Latn mag_Deva mai_Deva mal_Mlym mar_Deva min_Latn "
    "mkd_Cyrl plt_Latn mlt_Latn mni_Beng khk_Cyrl mos_Latn mri_Latn zsm_Latn mya_Mymr "
    "nld_Latn nno_Latn nob_Latn npi_Deva nso_Latn nus_Latn nya_Latn oci_Latn gaz_Latn "
    "ory_Orya pag_Latn pan_Guru pap_Latn pol_Latn por_Latn prs_Arab pbt_Arab quy_Latn "
    "ron_Latn run_Latn rus_Cyrl sag_Latn san_Deva sat_Beng scn_Latn shn_Mymr sin_Sinh "
    "slk_Latn slv_Latn smo_Latn sna_Latn snd_Arab som_Latn sot_Latn spa_Latn als_Latn "
    "srd_Latn srp_Cyrl ssw_Latn sun_Latn swe_Latn swh_Latn szl_Latn tam_Taml tat_Cyrl "
    "tel_Telu tgk_Cyrl tgl_Latn tha_Thai tir_Ethi taq_Latn taq_Tfng tpi_Latn tsn_Latn "
    "tso_Latn tuk_Latn tum_Latn tur_Latn twi_Latn tzm_Tfng uig_Arab ukr_Cyrl umb_Latn "
    "urd_Arab uzn_Latn vec_Latn vie_Latn war_Latn wol_Latn xho_Latn ydd_Hebr yor_Latn "
    "yue_Hant zho_Hans zho_Hant zul_Latn",
  },
  [ENG_TRANSLATOR_MBART] = {
    { "mbart", "MBartTokenizer" }, "en_XX", "", TRUE, MBART_CODES,
  },
  [ENG_TRANSLATOR_MBART_50] = {
    { "mbart50", "MBart50Tokenizer" }, "en_XX", "", FALSE,
    MBART_CODES " "
    "af_ZA az_AZ bn_IN fa_IR he_IL hr_HR id_ID ka_GE km_KH mk_MK ml_IN mn_MN mr_IN pl_PL "
    "ps_AF pt_XX sv_SE sw_KE ta_IN te_IN th_TH tl_XX uk_UA ur_PK xh_ZA gl_ES sl_SI",
  },
};

/* Of M2M-100's kind, trained for WMT 2021. */
static const char wmt21_codes[] = "en ha is ja cs ru zh de";

/* Lists of tokenizer_config.json with tokens beside the class's own. */
static const char *const extra_keys[] = { "additional_special_tokens", "extra_special_tokens" };

gboolean
eng_translator_find (const EngTokenizerSettings *settings,
                     EngTranslator              *translator)
{
  const cJSON *class = eng_json_find (settings->config, "tokenizer_class");

  for (int i = 0; i < ENG_N_TRANSLATORS; i++)
    if (cJSON_IsString (class)
          ? eng_tokenizer_is_class (class->valuestring, translators[i].names.tokenizer_class)
          : g_strcmp0 (settings->model_type, translators[i].names.model_type) == 0) {
      *translator = (EngTranslator) i;
      return TRUE;
    }

  return FALSE;
}

char **
eng_translator_list_tokens (EngTranslator                translator,
                            const EngTokenizerSettings  *settings,
                            GError                     **error)
{
  const Translator *self = &translators[translator];
  const char *codes = self->codes;
  const char *list = "m2m100";
  char **tokens;

  if (translator == ENG_TRANSLATOR_M2M_100 &&
      !eng_json_get_string (settings->config, "language_codes", settings->config_path, &list,
                            error))
    return NULL;
  if (strcmp (list, "wmt21") == 0)
    codes = wmt21_codes;
  else if (strcmp (list, "m2m100") != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: language_codes is \"%s\", expected \"m2m100\" or \"wmt21\"",
                 settings->config_path, list);
    return NULL;
  }

  tokens = g_strsplit (codes, " ", -1);
  for (int i = 0; tokens[i]; i++) {
    char *code = tokens[i];

    tokens[i] = g_strconcat (self->marks, code, self->marks, NULL);
    g_free (code);
  }

  return tokens;
}

/* Whether a token is built like those of the languages: "fra_Latn", "fr_XX", "__fr__". */
static gboolean
looks_like_language (const Translator *self,
                     const char       *token)
{
  const char *bar = strchr (token, '_');

  if (*self->marks)
    return strlen (token) > 2 * strlen (self->marks) && g_str_has_prefix (token, self->marks) &&
           g_str_has_suffix (token, self->marks);

  return bar && bar - token >= 2 && bar - token <= 3 && bar[1] && !strchr (bar + 1, '_');
}

static void
add_if_there (const EngPipeline *pipeline,
              const char        *token,
              GPtrArray         *tokens)
{
  if (eng_pipeline_find_id (pipeline, token) >= 0 &&
      !g_ptr_array_find_with_equal_func (tokens, token, g_str_equal, NULL))
    g_ptr_array_add (tokens, g_strdup (token));
}

/* Those of the class that the vocabulary has, and what the settings add to them. */
static char **
list_languages (const EngPipeline           *pipeline,
                EngTranslator                translator,
                const EngTokenizerSettings  *settings,
                GError                     **error)
{
  g_auto (GStrv) known = eng_translator_list_tokens (translator, settings, error);
  GPtrArray *tokens;

  if (!known)
    return NULL;

  tokens = g_ptr_array_new ();
  for (int i = 0; known[i]; i++)
    add_if_there (pipeline, known[i], tokens);
  for (guint i = 0; i < G_N_ELEMENTS (extra_keys); i++) {
    const cJSON *item;

    cJSON_ArrayForEach (item, eng_json_find (settings->config, extra_keys[i]))
      if (cJSON_IsString (item) &&
          looks_like_language (&translators[translator], item->valuestring))
        add_if_there (pipeline, item->valuestring, tokens);
  }
  g_ptr_array_add (tokens, NULL);

  return (char **) g_ptr_array_free (tokens, FALSE);
}

static gboolean
check_language (const EngPipeline           *pipeline,
                const char                  *key,
                const char                  *code,
                const EngTokenizerSettings  *settings,
                GError                     **error)
{
  if (!code || eng_pipeline_find_language (pipeline, code))
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
               "%s: %s is \"%s\", a language that the vocabulary does not have",
               settings->config_path, key, code);
  return FALSE;
}

gboolean
eng_translators_apply (EngPipeline                 *pipeline,
                       const EngTokenizerSettings  *settings,
                       GError                     **error)
{
  EngTranslator translator;
  const char *source, *target = NULL;
  g_auto (GStrv) languages = NULL;
  gboolean behind;

  if (!eng_translator_find (settings, &translator))
    return TRUE;
  source = translators[translator].source;
  behind = translators[translator].behind;
  languages = list_languages (pipeline, translator, settings, error);
  if (!languages)
    return FALSE;
  /* A vocabulary of something else than the class's, whose file says what stands around a text. */
  if (!languages[0])
    return TRUE;
  pipeline->languages = g_steal_pointer (&languages);
  if (!eng_json_get_string (settings->config, "src_lang", settings->config_path, &source, error) ||
      !eng_json_get_string (settings->config, "tgt_lang", settings->config_path, &target, error) ||
      (translator == ENG_TRANSLATOR_NLLB &&
       !eng_json_get_boolean (settings->config, "legacy_behaviour", settings->config_path, &behind,
                              error)) ||
      !check_language (pipeline, "src_lang", source, settings, error) ||
      !check_language (pipeline, "tgt_lang", target, settings, error))
    return FALSE;
  if (pipeline->roles[ENG_ROLE_EOS] < 0)
    pipeline->roles[ENG_ROLE_EOS] = eng_pipeline_find_id (pipeline, END_TOKEN);
  if (pipeline->roles[ENG_ROLE_EOS] < 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: the vocabulary has no " END_TOKEN ", expected an eos_token that it has",
                 settings->config_path);
    return FALSE;
  }

  pipeline->source_language = g_strdup (source);
  pipeline->target_language = g_strdup (target);
  pipeline->marks_language = TRUE;
  eng_template_free (pipeline->post_processor);
  pipeline->post_processor = eng_template_new_language (behind, pipeline->roles[ENG_ROLE_EOS]);

  return TRUE;
}
