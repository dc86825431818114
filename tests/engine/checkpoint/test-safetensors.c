/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/safetensors.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include <glib/gstdio.h>

#include "engine/base/json.h"
#include "engine/checkpoint/shards.h"
#include "tests/support/safetensors-bytes.h"

#define F32_2 "{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":"

typedef struct {
  const char *header;
  gsize       n_data;
  const char *message; /* a part of the sentence */
} Refusal;

static const Refusal refusals[] = {
  { "[]", 0, "x: header does not begin with \"{\"" },
  { " {}", 0, "x: header does not begin with \"{\"" },
  { "{", 0, "x: header: not JSON" },
  { "{}", 1, "x: 1 bytes of data, but the tensors end at byte 0" },
  { "{\"a\":" F32_2 "[0,8]}}", 7,
    "x: tensor \"a\" ends at byte 8 of the data, but the file has only 7" },
  { "{\"a\":" F32_2 "[0,8]}}", 9, "x: 9 bytes of data, but the tensors end at byte 8" },
  { "{\"a\":" F32_2 "[1,9]}}", 9, "tensor \"a\" begins at byte 1 of the data, expected 0" },
  { "{\"a\":" F32_2 "[0,8]},\"b\":" F32_2 "[4,12]}}", 12,
    "tensor \"b\" begins at byte 4 of the data, expected 8" },
  { "{\"a\":" F32_2 "[0,8]},\"b\":" F32_2 "[0,8]}}", 8,
    "tensor \"b\" begins at byte 0 of the data, expected 8" },
  { "{\"a\":" F32_2 "[0,8]},\"b\":" F32_2 "[9,17]}}", 17,
    "tensor \"b\" begins at byte 9 of the data, expected 8" },
  { "{\"a\":" F32_2 "[0,8]},\"a\":" F32_2 "[8,16]}}", 16, "x: header: the key \"a\" stands twice" },
  { "{\"a\":" F32_2 "[8,0]}}", 8, "tensor \"a\" ends at byte 0 before it begins at 8" },
  { "{\"a\":" F32_2 "[0,7]}}", 7, "tensor \"a\": data_offsets hold 7 bytes, but F32 [2] has 8" },
  { "{\"a\":" F32_2 "[0]}}", 8, "tensor \"a\": data_offsets is not a list of two whole numbers" },
  { "{\"a\":" F32_2 "[0,8,9]}}", 8,
    "tensor \"a\": data_offsets is not a list of two whole numbers" },
  { "{\"a\":" F32_2 "8}}", 8, "tensor \"a\": data_offsets is not a list of two whole numbers" },
  { "{\"a\":" F32_2 "[-0,8]}}", 8, "x: header holds 0x2D at byte" },
  { "{\"a\":" F32_2 "[0,8.0]}}", 8, "x: header holds 0x2E at byte" },
  { "{\"a\":" F32_2 "[0,8e0]}}", 8, "x: header holds 0x65 at byte" },
  { "{\"a\":" F32_2 "[0,null]}}", 8, "x: header holds 0x6E at byte" },
  { "{\"a\":" F32_2 "[0,18446744073709551616]}}", 8,
    "tensor \"a\": data_offsets is not a list of two whole numbers" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,\"2\"],\"data_offsets\":[0,8]}}", 8,
    "dimension 1 of shape is not a whole number" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":2,\"data_offsets\":[0,8]}}", 8,
    "tensor \"a\" has no list \"shape\"" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}}", 0,
    "the product of its shape overflows" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[4503599627370496,1024],\"data_offsets\":[0,0]}}", 0,
    "the number of its bytes overflows" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,4]}}", 4,
    "tensor \"a\" has more than 8 dimensions" },
  { "{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}}", 1,
    "F4 [3] does not fill whole bytes" },
  { "{\"a\":{\"dtype\":\"f32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
    "tensor \"a\" has the unknown dtype \"f32\"" },
  { "{\"a\":{\"dtype\":32,\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
    "tensor \"a\" is not an object with dtype" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"x\":1}}", 8,
    "tensor \"a\" is not an object with dtype" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8, "tensor \"a\" is not an object with dtype" },
  { "{\"a\":{\"dtype\":\"F32\",\"shape\":[[2]],\"data_offsets\":[0,8]}}", 8,
    "nested deeper than 3 levels" },
  { "{\"a\":[]}", 0, "tensor \"a\" is not an object with dtype" },
  { "{\"__metadata__\":[]}", 0, "__metadata__ is not an object" },
  { "{\"__metadata__\":{\"a\":1}}", 0, "__metadata__: \"a\" is not a text" },
  { "{\"\xff\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
    "x: header: not UTF-8 at byte 2" },
};

static void
assert_bytes_refused (GBytes     *bytes,
                      const char *message)
{
  g_autoptr (GError) error = NULL;
  EngTensorSet *file = eng_safetensors_open_bytes (bytes, "x", &error);

  g_assert_null (file);
  g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, "x: "));
  g_assert_nonnull (strstr (error->message, message));
}

static void
test_refuses (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++) {
    g_autoptr (GBytes) bytes = safetensors_bytes_new (refusals[i].header, refusals[i].n_data);

    g_test_message ("case %" G_GSIZE_FORMAT, i);
    assert_bytes_refused (bytes, refusals[i].message);
  }
}

static void
test_refuses_lengths (void)
{
  static const guint64 lengths[] = { 3, 100000000, 100000001, (guint64) 1 << 63, G_MAXUINT64,
                                     G_MAXUINT64 - 7 };
  guint8 bytes[10] = { 0, 0, 0, 0, 0, 0, 0, 0, '{', '}' };

  for (gsize size = 0; size < 8; size++) {
    g_autoptr (GBytes) cut = g_bytes_new (bytes, size);

    assert_bytes_refused (cut, "no safetensors file");
  }
  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++) {
    g_autoptr (GBytes) wrong = NULL;

    memcpy (bytes, &lengths[i], 8);
    wrong = g_bytes_new (bytes, sizeof bytes);
    assert_bytes_refused (wrong, "header");
  }
}

static char *
get_fixture (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "safetensors", name, NULL);
}

/* A file of the reference library, every value as that library reads it. */
static void
test_reference (void)
{
  g_autofree char *path = get_fixture ("types.safetensors");
  g_autofree char *json_path = get_fixture ("types.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTensorSet) file = eng_safetensors_open (path, &error);
  g_autoptr (cJSON) expected = eng_json_read (json_path, 1 << 20, 4, NULL);
  const cJSON *member;
  const guint8 *end = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (eng_tensor_set_get_n_tensors (file), ==, cJSON_GetArraySize (expected));
  g_assert_cmpstr (eng_tensor_set_get_metadata (file, "note"), ==, "é \"quoted\" \n line");
  g_assert_null (eng_tensor_set_get_metadata (file, "absent"));
  g_assert_null (eng_tensor_set_find (file, "__metadata__"));

  cJSON_ArrayForEach (member, expected) {
    const EngTensor *tensor = eng_tensor_set_find (file, member->string);
    const cJSON *values = eng_json_find (member, "values");
    const cJSON *size = eng_json_find (member, "shape")->child;
    g_autofree float *floats = NULL;
    int i = 0;

    g_assert_nonnull (tensor);
    for (int axis = 0; axis < tensor->rank; axis++, size = size->next)
      g_assert_cmpint (tensor->shape[axis], ==, (gint64) size->valuedouble);
    g_assert_null (size);
    floats = g_new0 (float, tensor->n_elements + 1);
    if (cJSON_IsNull (values) || !eng_tensor_widen (tensor, floats))
      continue;
    for (const cJSON *value = values->child; value; value = value->next, i++)
      g_assert_cmpfloat (floats[i], ==, (float) g_ascii_strtod (value->valuestring, NULL));
    g_assert_cmpint (i, ==, tensor->n_elements);
  }

  for (int i = 0; i < eng_tensor_set_get_n_tensors (file); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (file, i);

    g_assert_true (eng_tensor_set_find (file, tensor->name) == tensor);
    g_assert_true (!end || tensor->data == end);
    end = tensor->data + tensor->n_bytes;
  }
}

/* Cut anywhere, and with one byte too many, it is no file any more. */
static void
test_cut_short (void)
{
  g_autofree char *path = get_fixture ("types.safetensors");
  g_autofree char *contents = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  for (gsize n = 0; n <= length + 1; n++) {
    g_autofree guint8 *exact = g_malloc0 (n + 1);
    g_autoptr (GBytes) bytes = NULL;
    g_autoptr (GError) error = NULL;
    g_autoptr (EngTensorSet) file = NULL;

    memcpy (exact, contents, MIN (n, length));
    bytes = g_bytes_new_take (g_steal_pointer (&exact), n);
    file = eng_safetensors_open_bytes (bytes, "x", &error);
    g_assert_true (n == length ? file != NULL : error != NULL);
  }
}

typedef struct {
  char *folder;
  char *path;
} Folder;

static void
folder_set_up (Folder        *self,
               gconstpointer  data)
{
  self->folder = g_dir_make_tmp ("headlight-safetensors-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "x.safetensors", NULL);
}

static void
folder_tear_down (Folder        *self,
                  gconstpointer  data)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (self->folder, name, NULL);

    g_remove (path);
  }
  g_rmdir (self->folder);
  g_free (self->folder);
  g_free (self->path);
}

static int
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;

  while (g_dir_read_name (dir))
    n++;

  return n;
}

static void
fill_ones (void     *out,
           gsize     n_bytes,
           gpointer  user_data)
{
  memset (out, 1, n_bytes);
  (*(int *) user_data)++;
}

static void
test_round_trip (Folder        *self,
                 gconstpointer  data)
{
  const float values[6] = { 1, -0.0f, 3.5f, INFINITY, 1e-40f, 6 };
  int n_filled = 0;
  const EngTensorSource sources[] = {
    { "mask \"1\" 大", ENG_TYPE_U8, 1, { 5 }, NULL, fill_ones, &n_filled },
    { "a", ENG_TYPE_F32, 2, { 2, 3 }, values, NULL, NULL },
    { "empty", ENG_TYPE_F32, 2, { 0, 3 }, NULL, fill_ones, &n_filled },
    { "scalar", ENG_TYPE_F64, 0, { 0 }, NULL, fill_ones, &n_filled },
    { "large", ENG_TYPE_U8, 1, { 3000000 }, NULL, fill_ones, &n_filled },
  };
  g_autoptr (GHashTable) metadata = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTensorSet) file = NULL;
  const EngTensor *tensor;

  g_hash_table_insert (metadata, (char *) "tokens", (char *) "[\"a\\n\", \"\xf0\x9f\x98\x80\"]\t");
  g_hash_table_insert (metadata, (char *) "", (char *) "");
  g_assert_true (eng_safetensors_write (self->path, metadata, sources, G_N_ELEMENTS (sources),
                                        &error));
  g_assert_no_error (error);
  g_assert_cmpint (n_filled, ==, 3);

  file = eng_safetensors_open (self->path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (eng_tensor_set_get_n_tensors (file), ==, 5);
  g_assert_cmpstr (eng_tensor_set_get_metadata (file, "tokens"), ==,
                   "[\"a\\n\", \"\xf0\x9f\x98\x80\"]\t");
  g_assert_cmpstr (eng_tensor_set_get_metadata (file, ""), ==, "");
  tensor = eng_tensor_set_find (file, "a");
  g_assert_true (eng_tensor_has_shape (tensor, 2, (gint64[]) { 2, 3 }));
  g_assert_cmpmem (tensor->data, tensor->n_bytes, values, sizeof values);
  tensor = eng_tensor_set_find (file, "large");
  g_assert_cmpuint (tensor->n_bytes, ==, 3000000);
  g_assert_cmpint (tensor->data[2999999], ==, 1);
  g_assert_cmpint (eng_tensor_set_find (file, "empty")->n_elements, ==, 0);
}

/* Whatever the length of the header, the data begins at a multiple of 8. */
static void
test_alignment (Folder        *self,
                gconstpointer  data)
{
  const float value = 1;

  for (int length = 1; length <= 16; length++) {
    g_autofree char *name = g_strnfill (length, 'n');
    const EngTensorSource source = { name, ENG_TYPE_F32, 0, { 0 }, &value, NULL, NULL };
    g_autoptr (EngTensorSet) file = NULL;
    g_autofree char *contents = NULL;
    gsize size;
    guint64 header;

    g_assert_true (eng_safetensors_write (self->path, NULL, &source, 1, NULL));
    g_assert_true (g_file_get_contents (self->path, &contents, &size, NULL));
    memcpy (&header, contents, sizeof header);
    g_assert_cmpuint (header % 8, ==, 0);
    file = eng_safetensors_open (self->path, NULL);
    g_assert_cmpint (eng_tensor_set_get_n_bytes (file), ==, (gint64) size);
    g_assert_true (eng_tensor_is_plain_f32 (eng_tensor_set_find (file, name)));
  }
}

/* What a full disk does, by a limit on the size of files: nothing is left, an older file stays as
 * it was. */
static void
test_write_fails (Folder        *self,
                  gconstpointer  data)
{
  static const guint8 zeros[200000];
  const EngTensorSource source = { "a", ENG_TYPE_U8, 1, { sizeof zeros }, zeros, NULL, NULL };
  struct rlimit old, limited;
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  g_autofree char *missing = g_build_filename (self->folder, "none", "x.safetensors", NULL);

  g_assert_true (g_file_set_contents (self->path, "older", -1, NULL));
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &old);
  limited = (struct rlimit) { 100000, old.rlim_max };
  setrlimit (RLIMIT_FSIZE, &limited);
  g_assert_false (eng_safetensors_write (self->path, NULL, &source, 1, &error));
  setrlimit (RLIMIT_FSIZE, &old);
  signal (SIGXFSZ, SIG_DFL);

  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, self->path));
  g_assert_nonnull (strstr (error->message, "cannot be written"));
  g_assert_cmpint (count_files (self->folder), ==, 1);
  g_assert_true (g_file_get_contents (self->path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "older");
  g_clear_error (&error);

  g_assert_false (eng_safetensors_write (missing, NULL, &source, 1, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_clear_error (&error);
  g_assert_false (eng_safetensors_write (self->folder, NULL, &source, 1, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_assert_cmpint (count_files (self->folder), ==, 1);
}

static void
write_shard (Folder     *self,
             const char *name,
             const char *first,
             float       value,
             const char *second)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  const EngTensorSource sources[] = {
    { first, ENG_TYPE_F32, 1, { 1 }, &value, NULL, NULL },
    { second, ENG_TYPE_F32, 1, { 1 }, &value, NULL, NULL },
  };

  g_assert_true (eng_safetensors_write (path, NULL, sources, second ? 2 : 1, NULL));
}

static EngTensorSet *
open_index (Folder      *self,
            const char  *index,
            GError     **error)
{
  g_autofree char *path = g_build_filename (self->folder, "model.safetensors.index.json", NULL);

  g_assert_true (g_file_set_contents (path, index, -1, NULL));

  return eng_shards_open (path, eng_safetensors_open, error);
}

static void
test_index (Folder        *self,
            gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTensorSet) file = NULL;
  float value;

  write_shard (self, "1.safetensors", "a", 1, "shared");
  write_shard (self, "2.safetensors", "b", 2, "shared");
  file = open_index (self,
                     "{\"metadata\":{\"total_size\":1e9},\"weight_map\":{\"b\":\"2.safetensors\","
                     "\"a\":\"1.safetensors\",\"shared\":\"2.safetensors\"}}", &error);
  g_assert_no_error (error);
  g_assert_cmpint (eng_tensor_set_get_n_tensors (file), ==, 3);
  memcpy (&value, eng_tensor_set_find (file, "a")->data, sizeof value);
  g_assert_cmpfloat (value, ==, 1);
  memcpy (&value, eng_tensor_set_find (file, "shared")->data, sizeof value);
  g_assert_cmpfloat (value, ==, 2);
}

static void
test_index_refuses (Folder        *self,
                    gconstpointer  data)
{
  static const struct { const char *index; const char *message; } cases[] = {
    { "{}", "has no object \"weight_map\"" },
    { "{\"weight_map\":[]}", "has no object \"weight_map\"" },
    { "{\"weight_map\":{}}", "has no object \"weight_map\"" },
    { "{\"weight_map\":{\"a\":\"\"}}", "\"a\" does not name a file of the same folder" },
    { "{\"weight_map\":{\"a\":1}}", "\"a\" does not name a file of the same folder" },
    { "{\"weight_map\":{\"a\":\"..\"}}", "\"a\" does not name a file of the same folder" },
    { "{\"weight_map\":{\"a\":\"../1.safetensors\"}}",
      "\"a\" does not name a file of the same folder" },
    { "{\"weight_map\":{\"a\":\"/etc/passwd\"}}", "\"a\" does not name a file of the same folder" },
    { "{\"weight_map\":{\"a\":\"x\\\\1.safetensors\"}}",
      "\"a\" does not name a file of the same folder" },
    { "{\"weight_map\":{\"a\":\"1.safetensors\",\"b\":\"1.safetensors\"}}",
      "tensor \"b\" is not in 1.safetensors" },
    { "{\"weight_map\":{\"a\":\"3.safetensors\"}}",
      "3.safetensors: cannot be opened: No such file" },
    { "{\"weight_map\":{\"a\":\"1.safetensors\",\"a\":\"1.safetensors\"}}", "stands twice" },
  };

  write_shard (self, "1.safetensors", "a", 1, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (open_index (self, cases[i].index, &error));
    g_assert_nonnull (error);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, cases[i].message));
  }
}

static void
test_no_file (Folder        *self,
              gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_safetensors_open (self->path, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_MISSING);
  g_clear_error (&error);
  g_assert_null (eng_safetensors_open (self->folder, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (self->path, "", 0, NULL));
  g_assert_null (eng_safetensors_open (self->path, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/safetensors/refuses", test_refuses);
  g_test_add_func ("/safetensors/refuses-lengths", test_refuses_lengths);
  g_test_add_func ("/safetensors/reference", test_reference);
  g_test_add_func ("/safetensors/cut-short", test_cut_short);
  g_test_add ("/safetensors/round-trip", Folder, NULL, folder_set_up, test_round_trip,
              folder_tear_down);
  g_test_add ("/safetensors/alignment", Folder, NULL, folder_set_up, test_alignment,
              folder_tear_down);
  g_test_add ("/safetensors/write-fails", Folder, NULL, folder_set_up, test_write_fails,
              folder_tear_down);
  g_test_add ("/safetensors/index", Folder, NULL, folder_set_up, test_index, folder_tear_down);
  g_test_add ("/safetensors/index-refuses", Folder, NULL, folder_set_up, test_index_refuses,
              folder_tear_down);
  g_test_add ("/safetensors/no-file", Folder, NULL, folder_set_up, test_no_file, folder_tear_down);

  return g_test_run ();
}
