#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the models again that come with Headlight and that it trained itself: sentences from ../shared, then
# two trainings of about an hour on a core each, with the recipes of their cards.
#
#   tests/record/training/make_models.sh FOLDER
set -eu
here=$(dirname "$0")
headlight=${HEADLIGHT_PROGRAM:-build/app/headlight}
shared=${HEADLIGHT_SHARED:-../shared}
folder=$1
python3 "$here/make_sentences.py" "$shared" "$folder"
"$headlight" train --task translate --shape "$here/en-fr.json" --data "$folder/en-fr.tsv" --steps 6000 \
  --batch-tokens 2048 --rate 1.5e-3 --warm-up 500 --dropout 0.05 --seed 1 --f16 -o "$folder/headlight-en-fr"
"$headlight" train --task next-word --shape "$here/causal.json" --data "$folder/en.txt" --steps 3900 \
  --batch-tokens 2048 --rate 2e-3 --warm-up 300 --dropout 0.05 --seed 1 --f16 -o "$folder/headlight-causal"
"$headlight" evaluate --task translate --model "$folder/headlight-en-fr" --data "$folder/en-fr-held-out.tsv"
"$headlight" evaluate --task next-word --model "$folder/headlight-causal" --data "$folder/en-held-out.txt"
