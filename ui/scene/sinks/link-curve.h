/* SPDX-License-Identifier: MIT */
/* The one shape of a link: a cubic Bézier curve whose control points lie UI_LINK_REACH of the way
 * across, at the height of their ends. As x rises steadily along it, it is also a function of x;
 * rasteriser and hit test use it as one. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* across: 0 at the left end, 1 at the right one. along: part of the way from y0 to y1 done there;
 * slope: d along / d across. Either out may be NULL. */
void ui_link_curve_at (double  across,
                       double *along,
                       double *slope);

G_END_DECLS
