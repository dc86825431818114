/* SPDX-License-Identifier: MIT */
/* What the hub that tests meet says beside sound answers: refusals, and bytes that are not those
 * which were asked for. */
#pragma once

#include <libsoup/soup.h>

#include "tests/support/hub/fake-hub.h"

void       fake_answer_set_header (SoupServerMessage *message,
                                   const char        *name,
                                   const char        *value);
void       fake_answer_refuse     (SoupServerMessage *message,
                                   guint              status,
                                   const char        *code,    /* nullable */
                                   const char        *words);  /* nullable */
/* Of total bytes of data. The connection that stays open, on which nothing more comes, for
 * fake_answer_close(); NULL = it is closed. */
GIOStream *fake_answer_send_fault (SoupServerMessage *message,
                                   FakeFault          fault,
                                   const guint8      *data,
                                   gsize              total);
/* Takes the connection over. */
void       fake_answer_close      (GIOStream         *connection);
