/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/tensor.h"

#include <math.h>
#include <string.h>

#include "engine/kernels/half.h"

#define N_HALVES 65536

/* What the 16 bits mean, from the definition of the formats and not from their layout in an F32. */
static double
decode (guint16 bits,
        int     n_exponent,
        int     n_fraction)
{
  int exponent = bits >> n_fraction & ((1 << n_exponent) - 1);
  int fraction = bits & ((1 << n_fraction) - 1);
  int bias = (1 << (n_exponent - 1)) - 1;
  double sign = bits & 0x8000 ? -1 : 1;

  if (exponent == (1 << n_exponent) - 1)
    return fraction ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * ldexp (fraction, 1 - bias - n_fraction);

  return sign * ldexp ((1 << n_fraction) + fraction, exponent - bias - n_fraction);
}

static EngTensor
tensor_of (EngType       type,
           gconstpointer data,
           gint64        n)
{
  EngTensor tensor = { "x", type, eng_type_get_name (type), 1, { n }, n, data,
                       eng_type_get_size (type) * (gsize) n };

  return tensor;
}

static void
assert_same (float  found,
             double expected)
{
  if (isnan (expected))
    g_assert_true (isnan (found));
  else {
    g_assert_cmpfloat (found, ==, expected);
    g_assert_cmpint (!!signbit (found), ==, !!signbit (expected));
  }
}

/* All bit patterns: in one go, which takes the vector path, one by one, which takes the portable
 * one, and from an odd address. */
static void
test_halves (gconstpointer data)
{
  EngType type = GPOINTER_TO_INT (data);
  int n_exponent = type == ENG_TYPE_F16 ? 5 : 8;
  g_autofree guint8 *bytes = g_malloc (2 * N_HALVES + 1);
  g_autofree float *wide = g_new (float, N_HALVES);
  EngTensor all;

  for (int offset = 0; offset < 2; offset++) {
    for (int i = 0; i < N_HALVES; i++) {
      guint16 bits = (guint16) i;

      memcpy (bytes + offset + 2 * i, &bits, sizeof bits);
    }
    all = tensor_of (type, bytes + offset, N_HALVES);
    g_assert_true (eng_tensor_widen (&all, wide));
    for (int i = 0; i < N_HALVES; i++)
      assert_same (wide[i], decode ((guint16) i, n_exponent, 15 - n_exponent));
    for (int i = 0; i < N_HALVES; i++) {
      EngTensor one = tensor_of (type, bytes + offset + 2 * i, 1);
      float value;

      g_assert_true (eng_tensor_widen (&one, &value));
      assert_same (value, decode ((guint16) i, n_exponent, 15 - n_exponent));
    }
  }
}

/* Lengths around the width of a vector: nothing is written behind the last element. */
static void
test_lengths (void)
{
  static const EngType types[] = { ENG_TYPE_F16, ENG_TYPE_BF16, ENG_TYPE_F32, ENG_TYPE_F64 };
  guint8 zeros[8 * 40] = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (gint64 n = 0; n <= 40; n++) {
      EngTensor tensor = tensor_of (types[i], zeros, n);
      float out[41];

      for (int j = 0; j < 41; j++)
        out[j] = 7;
      g_assert_true (eng_tensor_widen (&tensor, out));
      for (int j = 0; j < 41; j++)
        g_assert_cmpfloat (out[j], ==, j < n ? 0 : 7);
    }
}

static void
test_doubles (void)
{
  /* Halfway between two floats goes to the even one; beyond the range is infinite. */
  const double in[] = { 1.0 / 3, -0.0, 1 + 0x1p-24, 1 + 0x3p-24, 1e300, -1e300, 0x1p-149, 0x1p-151,
                        INFINITY, NAN };
  const double expected[] = { 0x1.555556p-2, -0.0, 1, 1 + 0x1p-22, INFINITY, -INFINITY, 0x1p-149, 0,
                              INFINITY, NAN };
  EngTensor tensor = tensor_of (ENG_TYPE_F64, in, G_N_ELEMENTS (in));
  float out[G_N_ELEMENTS (in)];

  g_assert_true (eng_tensor_widen (&tensor, out));
  for (gsize i = 0; i < G_N_ELEMENTS (in); i++)
    assert_same (out[i], expected[i]);
}

static void
test_plain (void)
{
  float values[3] = { 1, -2, 3 };
  guint8 odd[sizeof values + 1];
  EngTensor tensor = tensor_of (ENG_TYPE_F32, values, 3);
  float out[3];

  g_assert_true (eng_tensor_is_plain_f32 (&tensor));
  memcpy (odd + 1, values, sizeof values);
  tensor.data = odd + 1;
  if ((guintptr) tensor.data % sizeof (float) != 0)
    g_assert_false (eng_tensor_is_plain_f32 (&tensor));
  g_assert_true (eng_tensor_widen (&tensor, out));
  g_assert_cmpmem (out, sizeof out, values, sizeof values);

  tensor = tensor_of (ENG_TYPE_I32, values, 3);
  g_assert_false (eng_tensor_is_plain_f32 (&tensor));
  g_assert_false (eng_tensor_widen (&tensor, out));
}

static void
test_types (void)
{
  static const struct { const char *name; EngType type; int bits; } known[] = {
    { "BOOL", ENG_TYPE_BOOL, 8 },
    { "F16", ENG_TYPE_F16, 16 },
    { "BF16", ENG_TYPE_BF16, 16 },
    { "F32", ENG_TYPE_F32, 32 },
    { "F64", ENG_TYPE_F64, 64 },
    { "U64", ENG_TYPE_U64, 64 },
    { "F8_E4M3", ENG_TYPE_OTHER, 8 },
    { "F6_E2M3", ENG_TYPE_OTHER, 6 },
    { "F4", ENG_TYPE_OTHER, 4 },
    { "C64", ENG_TYPE_OTHER, 64 },
  };
  EngType type;
  int bits;

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    g_assert_cmpstr (eng_type_from_name (known[i].name, &type, &bits), ==, known[i].name);
    g_assert_cmpint (type, ==, known[i].type);
    g_assert_cmpint (bits, ==, known[i].bits);
    if (type != ENG_TYPE_OTHER) {
      g_assert_cmpstr (eng_type_get_name (type), ==, known[i].name);
      g_assert_cmpuint (eng_type_get_size (type) * 8, ==, (gsize) bits);
    }
  }
  g_assert_null (eng_type_from_name ("f32", &type, &bits));
  g_assert_null (eng_type_get_name (ENG_TYPE_OTHER));
  g_assert_cmpuint (eng_type_get_size (ENG_TYPE_OTHER), ==, 0);

  /* The distance of 1 from the next number of the type. */
  g_assert_cmpfloat (eng_type_get_unit (ENG_TYPE_F32), ==, nextafterf (1, 2) - 1);
  g_assert_cmpfloat (eng_type_get_unit (ENG_TYPE_F64), ==, nextafter (1, 2) - 1);
  g_assert_cmpfloat (eng_type_get_unit (ENG_TYPE_F16), ==, decode (0x3c01, 5, 10) - 1);
  g_assert_cmpfloat (eng_type_get_unit (ENG_TYPE_BF16), ==, decode (0x3f81, 8, 7) - 1);
}

/* Back to each F16 that was widened, and between two of them to the nearest, of both alike to the
 * even one. */
static void
test_to_halves (void)
{
  for (guint bits = 0; bits < 0x7c00; bits++) {
    float half = decode (bits, 5, 10), next = decode (bits + 1, 5, 10);
    float middle = bits + 1 < 0x7c00 ? (half + next) / 2 : 65520;

    g_assert_cmpuint (eng_half_from_float (half), ==, bits);
    g_assert_cmpuint (eng_half_from_float (-half), ==, bits | 0x8000);
    g_assert_cmpuint (eng_half_from_float (nextafterf (middle, 0)), ==, bits);
    g_assert_cmpuint (eng_half_from_float (nextafterf (middle, INFINITY)), ==, bits + 1);
    g_assert_cmpuint (eng_half_from_float (middle), ==, bits + bits % 2);
  }
  g_assert_cmpuint (eng_half_from_float (1e30f), ==, 0x7c00);
  g_assert_cmpuint (eng_half_from_float (-INFINITY), ==, 0xfc00);
  g_assert_cmpuint (eng_half_from_float (NAN) & 0x7fff, >, 0x7c00);
}

static void
test_shape (void)
{
  EngTensor tensor = { "x", ENG_TYPE_F32, "F32", 2, { 30522, 768 }, 30522 * 768, NULL, 0 };
  EngTensor scalar = { "s", ENG_TYPE_F32, "F32", 0, { 0 }, 1, NULL, 4 };
  g_autofree char *text = eng_tensor_dup_shape (&tensor);
  g_autofree char *none = eng_tensor_dup_shape (&scalar);

  g_assert_cmpstr (text, ==, "[30522, 768]");
  g_assert_cmpstr (none, ==, "[]");
  g_assert_true (eng_tensor_has_shape (&tensor, 2, (gint64[]) { 30522, 768 }));
  g_assert_false (eng_tensor_has_shape (&tensor, 2, (gint64[]) { 768, 30522 }));
  g_assert_false (eng_tensor_has_shape (&tensor, 1, (gint64[]) { 30522 }));
  g_assert_true (eng_tensor_has_shape (&scalar, 0, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/tensor/f16", GINT_TO_POINTER (ENG_TYPE_F16), test_halves);
  g_test_add_data_func ("/tensor/bf16", GINT_TO_POINTER (ENG_TYPE_BF16), test_halves);
  g_test_add_func ("/tensor/to-f16", test_to_halves);
  g_test_add_func ("/tensor/lengths", test_lengths);
  g_test_add_func ("/tensor/f64", test_doubles);
  g_test_add_func ("/tensor/plain", test_plain);
  g_test_add_func ("/tensor/types", test_types);
  g_test_add_func ("/tensor/shape", test_shape);

  return g_test_run ();
}
