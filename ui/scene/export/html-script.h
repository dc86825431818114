/* SPDX-License-Identifier: MIT */
/* Style and script of a web page, see html.h; %s is the id of the page's figure. */
#pragma once

extern const char ui_html_style[];
extern const char ui_html_script[];

/* Of a page that plays. */
extern const char ui_html_steps_controls[];
extern const char ui_html_steps_script[];
