/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/tensor.h"

#include <string.h>

#if defined (__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "engine/kernels/half.h"
#include "engine/kernels/isa.h"
#include "engine/kernels/quantised-blocks.h"

/* Tensors in files are, and they are used where they lie. */
G_STATIC_ASSERT (G_BYTE_ORDER == G_LITTLE_ENDIAN);

typedef struct {
  const char *name;
  EngType     type;
  int         bits;
} TypeName;

static const TypeName type_names[] = {
  { "BOOL", ENG_TYPE_BOOL, 8 },
  { "U8", ENG_TYPE_U8, 8 },
  { "I8", ENG_TYPE_I8, 8 },
  { "I16", ENG_TYPE_I16, 16 },
  { "U16", ENG_TYPE_U16, 16 },
  { "F16", ENG_TYPE_F16, 16 },
  { "BF16", ENG_TYPE_BF16, 16 },
  { "I32", ENG_TYPE_I32, 32 },
  { "U32", ENG_TYPE_U32, 32 },
  { "F32", ENG_TYPE_F32, 32 },
  { "I64", ENG_TYPE_I64, 64 },
  { "U64", ENG_TYPE_U64, 64 },
  { "F64", ENG_TYPE_F64, 64 },
  { "C64", ENG_TYPE_OTHER, 64 },
  { "F8_E5M2", ENG_TYPE_OTHER, 8 },
  { "F8_E4M3", ENG_TYPE_OTHER, 8 },
  { "F8_E8M0", ENG_TYPE_OTHER, 8 },
  { "F8_E5M2FNUZ", ENG_TYPE_OTHER, 8 },
  { "F8_E4M3FNUZ", ENG_TYPE_OTHER, 8 },
  { "F6_E2M3", ENG_TYPE_OTHER, 6 },
  { "F6_E3M2", ENG_TYPE_OTHER, 6 },
  { "F4", ENG_TYPE_OTHER, 4 },
};

static const TypeName *
find_type (EngType type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (type_names); i++)
    if (type_names[i].type == type && type != ENG_TYPE_OTHER)
      return &type_names[i];

  return NULL;
}

/* NULL for a type that is not quantised. */
static const EngBlockFormat *
find_blocks (EngType type)
{
  gboolean is_quantised = type >= ENG_TYPE_BLOCKS && type < ENG_TYPE_BLOCKS + ENG_N_BLOCKS;

  return is_quantised ? &eng_block_formats[type - ENG_TYPE_BLOCKS] : NULL;
}

static void
widen_f16_portable (const guint8 *in,
                    float        *out,
                    gsize         n)
{
  for (gsize i = 0; i < n; i++) {
    guint16 half;

    memcpy (&half, in + 2 * i, sizeof half);
    out[i] = eng_half_to_float (half);
  }
}

#if defined (__x86_64__)
__attribute__ ((target ("avx512f")))
static void
widen_f16_avx512 (const guint8 *in,
                  float        *out,
                  gsize         n)
{
  gsize i = 0;

  for (; i + 16 <= n; i += 16)
    _mm512_storeu_ps (out + i,
                      _mm512_cvtph_ps (_mm256_loadu_si256 ((const __m256i *) (in + 2 * i))));
  widen_f16_portable (in + 2 * i, out + i, n - i);
}

__attribute__ ((target ("avx,f16c")))
static void
widen_f16_f16c (const guint8 *in,
                float        *out,
                gsize         n)
{
  gsize i = 0;

  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps (out + i, _mm256_cvtph_ps (_mm_loadu_si128 ((const __m128i *) (in + 2 * i))));
  widen_f16_portable (in + 2 * i, out + i, n - i);
}

/* Asked by hand because older clangs do not know the name "f16c" in __builtin_cpu_supports(). */
static gboolean
machine_has_f16c (void)
{
  unsigned int eax, ebx, ecx, edx;

  return __get_cpuid (1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C);
}
#endif

static void
widen_f16 (const guint8 *in,
           float        *out,
           gsize         n)
{
#if defined (__x86_64__)
  if (eng_isa_get () == ENG_ISA_AVX512)
    widen_f16_avx512 (in, out, n);
  else if (eng_isa_get () == ENG_ISA_AVX2 && machine_has_f16c ())
    widen_f16_f16c (in, out, n);
  else
#endif
  widen_f16_portable (in, out, n);
}

/* The first 16 bits of an F32. */
static void
widen_bf16 (const guint8 *in,
            float        *out,
            gsize         n)
{
  for (gsize i = 0; i < n; i++) {
    guint16 upper;

    memcpy (&upper, in + 2 * i, sizeof upper);
    out[i] = eng_float_from_bits ((guint32) upper << 16);
  }
}

static void
narrow_f64 (const guint8 *in,
            float        *out,
            gsize         n)
{
  for (gsize i = 0; i < n; i++) {
    double value;

    memcpy (&value, in + 8 * i, sizeof value);
    out[i] = (float) value;
  }
}

static void
unpack (const EngBlockFormat *blocks,
        const guint8         *in,
        float                *out,
        gsize                 n)
{
  for (gsize i = 0; i < n / (gsize) blocks->n_numbers; i++)
    blocks->unpack (in + i * (gsize) blocks->n_bytes, out + i * (gsize) blocks->n_numbers);
}

gsize
eng_type_get_size (EngType type)
{
  const EngBlockFormat *blocks = find_blocks (type);
  const TypeName *found = find_type (type);

  if (blocks)
    return (gsize) blocks->n_bytes;

  return found ? (gsize) found->bits / 8 : 0;
}

int
eng_type_get_n_together (EngType type)
{
  const EngBlockFormat *blocks = find_blocks (type);

  return blocks ? blocks->n_numbers : 1;
}

gboolean
eng_type_is_quantised (EngType type)
{
  return find_blocks (type) != NULL;
}

const char *
eng_type_get_name (EngType type)
{
  const EngBlockFormat *blocks = find_blocks (type);
  const TypeName *found = find_type (type);

  if (blocks)
    return blocks->name;

  return found ? found->name : NULL;
}

const char *
eng_type_from_name (const char *name,
                    EngType    *type,
                    int        *bits)
{
  for (gsize i = 0; i < G_N_ELEMENTS (type_names); i++) {
    if (strcmp (name, type_names[i].name) != 0)
      continue;
    *type = type_names[i].type;
    *bits = type_names[i].bits;

    return type_names[i].name;
  }

  return NULL;
}

double
eng_type_get_unit (EngType type)
{
  switch (type) {
  case ENG_TYPE_F16:
    return 0x1p-10;
  case ENG_TYPE_BF16:
    return 0x1p-7;
  case ENG_TYPE_F64:
    return 0x1p-52;
  default:
    return 0x1p-23;
  }
}

gboolean
eng_tensor_has_shape (const EngTensor *self,
                      int              rank,
                      const gint64    *shape)
{
  if (self->rank != rank)
    return FALSE;

  return rank == 0 || memcmp (self->shape, shape, (gsize) rank * sizeof *shape) == 0;
}

char *
eng_tensor_dup_shape (const EngTensor *self)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < self->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i ? ", " : "", self->shape[i]);
  g_string_append_c (text, ']');

  return g_string_free (text, FALSE);
}

gboolean
eng_tensor_tells_more (const EngTensor *self,
                       const EngTensor *other)
{
  gboolean is_quantised = eng_type_is_quantised (self->type);

  if (!other || is_quantised != eng_type_is_quantised (other->type))
    return !other || is_quantised;

  return self->n_elements > other->n_elements;
}

gboolean
eng_tensor_is_plain_f32 (const EngTensor *self)
{
  return self->type == ENG_TYPE_F32 && (guintptr) self->data % sizeof (float) == 0;
}

gboolean
eng_tensor_widen (const EngTensor *self,
                  float           *out)
{
  gsize n = (gsize) self->n_elements;

  switch (self->type) {
  case ENG_TYPE_F32:
    if (n > 0)
      memcpy (out, self->data, n * sizeof *out);
    return TRUE;
  case ENG_TYPE_F16:
    widen_f16 (self->data, out, n);
    return TRUE;
  case ENG_TYPE_BF16:
    widen_bf16 (self->data, out, n);
    return TRUE;
  case ENG_TYPE_F64:
    narrow_f64 (self->data, out, n);
    return TRUE;
  default:
    if (!eng_type_is_quantised (self->type))
      return FALSE;
    unpack (find_blocks (self->type), self->data, out, n);
    return TRUE;
  }
}
