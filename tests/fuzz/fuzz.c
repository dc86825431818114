/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_INPUT_BYTES 65536
#define HANG_SECONDS 10

/* What parsers of JSON, sizes and UTF-8 stumble over. */
static const char *const dictionary[] = {
  "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null", "true", "-1", "0",
  "1e999", "-0.5",
  "18446744073709551615", "9223372036854775808", "4294967296", "2147483648", "[[[[[[[[",
  "{\"a\":{\"a\":{",
  "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xef\xbf\xbd", "\xe2\x80\x8b", "##", "[MASK]",
  "\n", "\r\n", "\t",
};

static const guint8 *current_data;
static gsize current_size;

static void
report_and_abort (int signal_number)
{
  static const char message[] = "fuzz: the input below crashed or hung\n";
  ssize_t written = write (STDERR_FILENO, message, sizeof message - 1);

  /* Async-signal-safe: the raw input goes to the log and can be saved for --file. */
  written += write (STDERR_FILENO, current_data, MIN (current_size, 4096));
  signal (signal_number, SIG_DFL);
  raise (written >= 0 ? signal_number : SIGABRT);
}

/* What one step of mutation does at a place of the input. */
typedef void (*Mutation) (GRand      *random,
                          GByteArray *input,
                          guint       at,
                          GPtrArray  *seeds);

static void
flip_bit (GRand      *random,
          GByteArray *input,
          guint       at,
          GPtrArray  *seeds)
{
  if (input->len)
    input->data[at] ^= (guint8) (1u << g_rand_int_range (random, 0, 8));
}

static void
set_byte (GRand      *random,
          GByteArray *input,
          guint       at,
          GPtrArray  *seeds)
{
  if (input->len)
    input->data[at] = (guint8) g_rand_int (random);
}

/* An interesting one of 64 bits. */
static void
set_size (GRand      *random,
          GByteArray *input,
          guint       at,
          GPtrArray  *seeds)
{
  static const guint64 sizes[] = { 0, 1, 7, 8, G_MAXINT32, G_MAXUINT32, G_MAXINT64, G_MAXUINT64 };
  guint64 size = sizes[g_rand_int_range (random, 0, G_N_ELEMENTS (sizes))];

  at = g_rand_boolean (random) ? 0 : at;
  if (at + 8 <= input->len)
    memcpy (input->data + at, &size, 8);
}

static void
take_out (GRand      *random,
          GByteArray *input,
          guint       at,
          GPtrArray  *seeds)
{
  if (input->len > 1)
    g_byte_array_remove_range (input, at,
                               (guint) g_rand_int_range (random, 1,
                                                         (gint) MIN (input->len - at, 64) + 1));
}

/* Of the dictionary, put over or between. */
static void
put_word (GRand      *random,
          GByteArray *input,
          guint       at,
          GPtrArray  *seeds)
{
  const char *word = dictionary[g_rand_int_range (random, 0, G_N_ELEMENTS (dictionary))];
  guint length = (guint) strlen (word);

  if (g_rand_boolean (random) && at + length <= input->len)
    memcpy (input->data + at, word, length);
  else if (input->len + length <= LARGEST_INPUT_BYTES) {
    g_byte_array_set_size (input, input->len + length);
    memmove (input->data + at + length, input->data + at, input->len - length - at);
    memcpy (input->data + at, word, length);
  }
}

/* A piece of itself, elsewhere. */
static void
copy_piece (GRand      *random,
            GByteArray *input,
            guint       at,
            GPtrArray  *seeds)
{
  guint8 bytes[16];

  if (input->len > sizeof bytes) {
    guint last = input->len - (guint) sizeof bytes;
    guint from = (guint) g_rand_int_range (random, 0, (gint) last);

    memcpy (bytes, input->data + from, sizeof bytes);
    memcpy (input->data + MIN (at, last), bytes, sizeof bytes);
  }
}

/* That of another seed. */
static void
put_tail (GRand      *random,
          GByteArray *input,
          guint       at,
          GPtrArray  *seeds)
{
  GBytes *other = g_ptr_array_index (seeds,
                                     (guint) g_rand_int_range (random, 0, (gint) seeds->len));
  gsize size;
  const guint8 *data = g_bytes_get_data (other, &size);
  gsize from = size ? (gsize) g_rand_int_range (random, 0, (gint) size) : 0;

  g_byte_array_set_size (input, at);
  g_byte_array_append (input, data + from, (guint) MIN (size - from, LARGEST_INPUT_BYTES - at));
}

static void
cut_off (GRand      *random,
         GByteArray *input,
         guint       at,
         GPtrArray  *seeds)
{
  g_byte_array_set_size (input, at);
}

static void
mutate (GRand      *random,
        GByteArray *input,
        GPtrArray  *seeds)
{
  static const Mutation mutations[] = {
    flip_bit, set_byte, set_size, take_out, put_word, copy_piece, put_tail, cut_off,
  };
  guint at = input->len ? (guint) g_rand_int_range (random, 0, (gint) input->len) : 0;

  mutations[g_rand_int_range (random, 0, G_N_ELEMENTS (mutations))] (random, input, at, seeds);
}

static void
run_one (const guint8 *data,
         gsize         size)
{
  /* A block of exactly this size, so that the sanitizer sees a read past the end. */
  g_autofree guint8 *copy = g_memdup2 (data, size);

  current_data = copy;
  current_size = size;
  alarm (HANG_SECONDS);
  fuzz_one (copy, size);
  alarm (0);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) seeds = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GRand) random = g_rand_new_with_seed (argc > 2
                                                   ? (guint32) g_ascii_strtoull (argv[2], NULL, 10)
                                                   : 1);
  g_autoptr (GByteArray) input = g_byte_array_new ();
  guint64 executions = argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : 1000;

  signal (SIGALRM, report_and_abort);
  signal (SIGABRT, report_and_abort);
  signal (SIGSEGV, report_and_abort);
  signal (SIGTRAP, report_and_abort);
  /* An error that is set twice, a NULL where a text belongs. */
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);

  if (argc == 3 && strcmp (argv[1], "--file") == 0) {
    g_autofree char *contents = NULL;
    gsize size;

    if (!g_file_get_contents (argv[2], &contents, &size, NULL))
      return EXIT_FAILURE;
    run_one ((const guint8 *) contents, size);
    return EXIT_SUCCESS;
  }

  fuzz_add_seeds (seeds);
  g_assert (seeds->len > 0);

  for (guint64 i = 0; i < executions; i++) {
    GBytes *seed = g_ptr_array_index (seeds, i % seeds->len);
    gsize size;
    const guint8 *data = g_bytes_get_data (seed, &size);

    g_byte_array_set_size (input, 0);
    g_byte_array_append (input, data, (guint) MIN (size, LARGEST_INPUT_BYTES));
    /* The first round runs the seeds as they are. */
    if (i >= seeds->len)
      for (int n = g_rand_int_range (random, 1, 9); n > 0; n--)
        mutate (random, input, seeds);
    run_one (input->data, input->len);
  }

  g_print ("%s: %" G_GUINT64_FORMAT " executions, no failure\n", argv[0], executions);

  return EXIT_SUCCESS;
}
