/* SPDX-License-Identifier: MIT */
/* Links for vector files, gathered so that many share one entry. Strokes of one colour give the
 * same picture in whatever order they lie over each other, so that those of a head that follow each
 * other may be put together by opacity and width. */
#pragma once

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

/* n links, at least one, of one colour, opacity, width and dash; borrowed, to be read only while the
 * function runs. */
typedef void (*UiLinkGroupFunc) (const UiLink *links, int n, gpointer data);

/* Every link of the field once, its width rounded to a twentieth of a scene unit, which cannot be
 * seen. */
void ui_link_groups_foreach (const UiLinkField *field,
                             UiLinkGroupFunc    func,
                             gpointer           data);

/* Parts links of a group into chains, none of which crosses or touches itself: drawn as one path,
 * they blend as if drawn one by one. */
void ui_link_chains_foreach (const UiLink      *links,
                             int                n,
                             UiLinkGroupFunc    func,
                             gpointer           data);

G_END_DECLS
