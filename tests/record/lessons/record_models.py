"""The tokenizer of the small models that lessons run with random weights: words of a list, cut at
blanks. python tests/record/lessons/record_models.py; writes resources/lessons/models/*/tokenizer*.json."""
import json
import pathlib

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

MODELS = pathlib.Path(__file__).parents[3] / "resources" / "lessons" / "models"
WORDS = """the a cat dog man woman child bird boat tree house river sat lay ran saw bit ate likes
on under in near old small big red green not and he she it they sings sleeps . ,""".split()


def make(template):
    special = ["[PAD]", "[UNK]", "[BEGIN]", "[END]"]
    vocabulary = {token: i for i, token in enumerate(special + WORDS)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(special)
    if template:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[BEGIN] $A [END]", pair="[BEGIN] $A [END] $B:1 [END]:1",
            special_tokens=[("[BEGIN]", vocabulary["[BEGIN]"]), ("[END]", vocabulary["[END]"])])
    return json.loads(tokenizer.to_str())


for folder in sorted(MODELS.iterdir()):
    tokenizer = make(template=folder.name != "pre-norm")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, separators=(",", ":")) + "\n")
    # Else a family's own class would cut the words as its checkpoints do.
    (folder / "tokenizer_config.json").write_text(json.dumps({
        "tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "[UNK]", "pad_token": "[PAD]",
        "bos_token": "[BEGIN]", "eos_token": "[END]"}) + "\n")
