/* SPDX-License-Identifier: MIT */
/* The families of models that the engine knows (engine/families/family.h) as a tree: from one root
 * three branches, along each its families by the year of their papers. A leaf is a button; one that
 * no model on this computer is of is drawn fainter, the way to the model that is open in colour.
 * Branches stand side by side where there is room, else below each other. One stop for Tab, arrows
 * go from leaf to leaf. Main thread.
 *
 * Signal:
 *   leaf-activated (int family, GtkWidget *leaf)   index as of eng_family_get_nth() */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_FAMILY_TREE (ui_family_tree_get_type ())
G_DECLARE_FINAL_TYPE (UiFamilyTree, ui_family_tree, UI, FAMILY_TREE, GtkWidget)

GtkWidget *ui_family_tree_new      (void);
/* How many models on this computer are of a family. */
void       ui_family_tree_set_here (UiFamilyTree *self,
                                    int           family,
                                    int           n_models);
/* The family of the open model; -1 = none is open that the engine knows. */
void       ui_family_tree_set_open (UiFamilyTree *self,
                                    int           family);
GtkWidget *ui_family_tree_get_leaf (UiFamilyTree *self,
                                    int           family);

G_END_DECLS
