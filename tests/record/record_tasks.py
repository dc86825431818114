# SPDX-License-Identifier: MIT
"""Makes small random checkpoints with small trained tokenizers and records what transformers answers with them.

    python tests/record/record_tasks.py [--seed N] [--folder FOLDER]            (torch 2.13, transformers 5.23)
    python tests/record/record_tasks.py --only NAME... [--folder FOLDER]        (these anew, with the tokenizers that are there)
    python tests/record/record_tasks.py --answers [--folder FOLDER]             (transformers 4.57.1, afterwards)

Writes FOLDER/tokenizers/KIND/ with the files of a tokenizer and FOLDER/NAME/{config.json,generation_config.json,
model.safetensors,cases.json}; FOLDER is tests/fixtures/tasks unless it is said. --answers adds answers to questions, for
which transformers 5 has no pipeline. New seeds must pass too: tests/engine/predict/test-tasks.c reads another folder from
$HEADLIGHT_TASKS.

A cases.json is {"tokenizer": KIND, "cases": [CASE]}. A CASE has "task", "text_a", "text_b" (absent = none) and
"results", a list of lines with the members of EngPrediction that the task has. Tasks that write have "lang", "prefix"
and "options" (names of GenerationConfig; absent = the checkpoint's own) and one result {"text", "ids"}.
"""

import argparse
import json
import shutil
from pathlib import Path

import torch
import transformers
from transformers.models.esm.configuration_esm import get_default_vocab_list

ROOT = Path(__file__).resolve().parents[2]

CORPUS = """The old harbour sleeps under a thin grey fog.
Ada Lovelace wrote to Charles Babbage about the engine.
Zoë lives in São Paulo and drinks her café crème in silence.
Where does the river meet the sea? Nobody on board could say.
The night train from Vienna to Kraków was late again, wasn't it?
Researchers in Reykjavík measured the glacier twice a year.
“I'd rather walk,” said Nils, “than wait for the bus.”
It's 9 o'clock; the shop opens at 10:30 and closes at 18:45.
Der Zug nach Köln fährt um acht Uhr ab.
Die Kinder lesen ein Buch über den Mond.
She sold 1,250 apples, 37 pears and one very large pumpkin!
東京 is large, 京都 is old and 大阪 is loud.
They re-read the well-known letters (all of them) by candle-light.
A question about water: who drinks it, and when?
The engineer repaired the lighthouse lamp before the storm came.
Moscow, Москва, lies on the river of the same name.
A small boat carried bread, salt and paper across the lake.
What did the gardener plant beside the northern wall?
The gardener planted roses, thyme and a young fig tree.
Every winter the village of Ørsta counts its sheep.""".split("\n")

STORY = " ".join(CORPUS[i] for i in (0, 2, 14, 16, 18, 5, 19, 1, 4))

SENTENCES = [
    "Ada Lovelace lives in Kraków, and Zoë wrote from São Paulo.",
    "Nils sold 37 pears in Köln; who'd have thought?",
    "東京 is large — 😀 said Москва's engineer (twice).",
    "unheard-of words: xylophone, Qatar!",
]
PAIRS = [("The boat carried bread.", "A boat had bread & salt on board."), ("It's late", "Die Kinder lesen… 大阪")]
QUESTIONS = [
    ("Where does Zoë live?", "Zoë lives in São Paulo and drinks her café crème in silence."),
    ("Who wrote to Babbage?", "Ada Lovelace wrote to Charles Babbage about the engine. 東京 is large."),
    ("What is loud?", "大阪"),
    ("Who repaired the lamp?", STORY),
    ("What did the gardener plant?", STORY),
    ("Москва?", "😀 Moscow, Москва, lies on the river. " + STORY + " Naïve café – it's 9 o'clock 😀."),
]

SPECIAL = dict(
    words=dict(unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]", mask_token="[MASK]"),
    bytes=dict(bos_token="<s>", cls_token="<s>", pad_token="<pad>", eos_token="</s>", sep_token="</s>",
               unk_token="<unk>", mask_token="<mask>"),
    text=dict(bos_token="<|end|>", eos_token="<|end|>", unk_token="<|end|>", pad_token="<|end|>"),
    pieces=dict(bos_token="<s>", cls_token="<s>", pad_token="<pad>", eos_token="</s>", sep_token="</s>",
                unk_token="<unk>", mask_token="<mask>"),
    tasks=dict(pad_token="<pad>", eos_token="</s>", unk_token="<unk>"),
    albert=dict(pad_token="<pad>", unk_token="<unk>", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]"),
)
LABELS = ["O", "B-PER", "I-PER", "I-LOC", "MISC-A"]

BERT_LIKE = dict(hidden_size=12, num_attention_heads=3, intermediate_size=20, num_hidden_layers=2,
                 max_position_embeddings=120)
DISTILBERT_LIKE = dict(dim=12, n_layers=2, n_heads=3, hidden_dim=20, max_position_embeddings=70)
GPT2_LIKE = dict(n_embd=12, n_layer=2, n_head=3, n_positions=80)
BART_LIKE = dict(d_model=12, encoder_layers=1, decoder_layers=2, encoder_attention_heads=3, decoder_attention_heads=2,
                 encoder_ffn_dim=20, decoder_ffn_dim=18, max_position_embeddings=96)
T5_TASKS = {
    "summarization": {"prefix": "summarize: ", "max_length": 14, "num_beams": 3, "length_penalty": 2.0,
                      "early_stopping": True},
    "translation_en_to_de": {"prefix": "translate English to German: ", "max_length": 12, "num_beams": 2},
    "translation_en_to_ro": {"prefix": "translate English to Romanian: ", "max_new_tokens": 7},
}

# name, class, tokenizer, what its config says beside the sizes
SPECIMENS = [
    ("words-masked", "DistilBertForMaskedLM", "words", DISTILBERT_LIKE),
    ("words-classes", "DistilBertForSequenceClassification", "words",
     dict(DISTILBERT_LIKE, id2label={0: "NEGATIVE", 1: "POSITIVE"})),
    ("words-entities", "BertForTokenClassification", "words",
     dict(BERT_LIKE, id2label=dict(enumerate(LABELS)))),
    ("words-answers", "DistilBertForQuestionAnswering", "words", DISTILBERT_LIKE),
    ("bytes-masked", "RobertaForMaskedLM", "bytes", dict(BERT_LIKE, type_vocab_size=1)),
    ("bytes-classes", "RobertaForSequenceClassification", "bytes",
     dict(BERT_LIKE, type_vocab_size=1, problem_type="multi_label_classification",
          id2label={0: "joy", 1: "fear", 2: "awe"})),
    ("bytes-entities", "RobertaForTokenClassification", "bytes",
     dict(BERT_LIKE, type_vocab_size=1, id2label=dict(enumerate(LABELS)))),
    ("bytes-answers", "RobertaForQuestionAnswering", "bytes", dict(BERT_LIKE, type_vocab_size=1)),
    ("bytes-pairs", "BartForSequenceClassification", "bytes",
     dict(BART_LIKE, id2label={0: "contradiction", 1: "neutral", 2: "entailment"})),
    ("bytes-two-stack-answers", "BartForQuestionAnswering", "bytes", BART_LIKE),
    ("bytes-writes", "BartForConditionalGeneration", "bytes", BART_LIKE),
    ("pieces-masked", "XLMRobertaForMaskedLM", "pieces", dict(BERT_LIKE, type_vocab_size=1)),
    ("pieces-entities", "XLMRobertaForTokenClassification", "pieces",
     dict(BERT_LIKE, type_vocab_size=1, id2label=dict(enumerate(LABELS)))),
    ("pieces-answers", "XLMRobertaForQuestionAnswering", "pieces", dict(BERT_LIKE, type_vocab_size=1)),
    ("pieces-regression", "XLMRobertaForSequenceClassification", "pieces",
     dict(BERT_LIKE, type_vocab_size=1, num_labels=1, problem_type="regression")),
    ("text-writes", "GPT2LMHeadModel", "text", GPT2_LIKE),
    ("text-classes", "GPT2ForSequenceClassification", "text", dict(GPT2_LIKE, num_labels=1)),
    ("tasks-writes", "T5ForConditionalGeneration", "tasks",
     dict(d_model=12, d_kv=5, num_layers=2, num_decoder_layers=2, num_heads=3, d_ff=20,
          decoder_start_token_id=0, task_specific_params=T5_TASKS)),
    ("marian-languages", "MarianMTModel", "marian",
     dict(BART_LIKE, decoder_attention_heads=3, activation_function="swish", scale_embedding=True)),
    ("m2m-languages", "M2M100ForConditionalGeneration", "m2m", dict(BART_LIKE, activation_function="gelu")),
    ("mbart-languages", "MBartForConditionalGeneration", "mbart", BART_LIKE),
    ("mbart-50-languages", "MBartForConditionalGeneration", "mbart-50", dict(BART_LIKE, scale_embedding=True)),
    ("words-replaced", "ElectraForPreTraining", "words", dict(BERT_LIKE, embedding_size=7)),
    ("albert-order", "AlbertForPreTraining", "albert", dict(BERT_LIKE, embedding_size=7)),
    ("albert-masked", "AlbertForMaskedLM", "albert", dict(BERT_LIKE, embedding_size=15)),
    ("residues-masked", "EsmForMaskedLM", "residues",
     dict(BERT_LIKE, position_embedding_type="rotary", token_dropout=True, mask_token_id=32)),
]

# What is asked for, and what that is to the tokenizer: the source's code and the target's token.
PAIRS_OF_LANGUAGES = {
    "mbart-languages": [("en:de", "en_XX", "de_DE"), ("de:Romanian", "de_DE", "ro_RO")],
    "mbart-50-languages": [("en:ukrainian", "en_XX", "uk_UA"), ("pol_Latn:gl", "pl_PL", "gl_ES")],
    "m2m-languages": [("en:de", "en", "__de__"), ("French:rus", "fr", "__ru__"), ("zul_Latn:pt_BR", "zu", "__pt__")],
}

WRITINGS = {
    "text-writes": [("The old harbour", {}), ("東京 and 😀", {"num_beams": 3, "max_new_tokens": 9}),
                    ("Nils", {"max_new_tokens": 5})],
    "bytes-writes": [(SENTENCES[0], {}), (SENTENCES[2], {"num_beams": 4, "max_new_tokens": 8})],
    "tasks-writes": [(SENTENCES[0], {}), (SENTENCES[1], {"num_beams": 3, "max_new_tokens": 11})],
    "mbart-languages": [(SENTENCES[1], {})],
    "mbart-50-languages": [(SENTENCES[1], {"num_beams": 2, "max_new_tokens": 10})],
    "m2m-languages": [(SENTENCES[1], {"num_beams": 2, "max_new_tokens": 10})],
    "marian-languages": [(">>deu<< " + SENTENCES[0], {}), (SENTENCES[1], {"num_beams": 2, "max_new_tokens": 10})],
}


def train_tokenizer(kind):
    """A tokenizer of few entries with every component that its family has."""
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    special = list(dict.fromkeys(SPECIAL[kind].values()))
    if kind == "words":
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.decoder = decoders.WordPiece()
        trainer = trainers.WordPieceTrainer(vocab_size=200, special_tokens=special, limit_alphabet=60, show_progress=False)
    elif kind in ("bytes", "text"):
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=special, show_progress=False,
                                      initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    else:
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.normalizer = normalizers.NFKC()
        if kind == "albert":
            tokenizer.normalizer = normalizers.Sequence([
                normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(),
                normalizers.StripAccents(), normalizers.Lowercase(), normalizers.Replace(Regex(" {2,}"), " ")])
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(vocab_size=200, special_tokens=special, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)

    ids = {name: (token, tokenizer.token_to_id(token)) for name, token in SPECIAL[kind].items()}
    if kind == "words":
        tokenizer.post_processor = processors.BertProcessing(ids["sep_token"], ids["cls_token"])
    elif kind == "bytes":
        tokenizer.post_processor = processors.RobertaProcessing(ids["sep_token"], ids["cls_token"],
                                                                add_prefix_space=False)
    elif kind == "albert":
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[ids["cls_token"], ids["sep_token"]])
    elif kind == "text":
        tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    elif kind == "pieces":
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[ids["cls_token"], ids["sep_token"]])
    else:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="$A </s>", pair="$A </s> $B </s>", special_tokens=[ids["eos_token"]])
    return tokenizer


def save_marian(folder):
    """Two sentencepiece models and the vocabulary of both, without the large table of a normaliser."""
    import io

    import sentencepiece

    models = []
    for name, lines in (("source", CORPUS), ("target", CORPUS[8:])):
        stream = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines), model_writer=stream, vocab_size=110, model_type="unigram", minloglevel=2,
            hard_vocab_limit=False, normalization_rule_name="identity", character_coverage=0.98)
        (folder / f"{name}.spm").write_bytes(stream.getvalue())
        models.append(sentencepiece.SentencePieceProcessor(model_proto=stream.getvalue()))
    pieces = ["</s>", "<unk>", ">>deu<<", ">>fra<<", ">>pt_br<<"]
    pieces += [model.id_to_piece(i) for model in models for i in range(model.get_piece_size())]
    pieces = [piece for piece in dict.fromkeys(pieces) if piece != "<s>"] + ["<pad>"]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False))
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "MarianTokenizer", "source_lang": "eng", "target_lang": "mul", "model_max_length": 512}))


def save_m2m(folder):
    """A model of sentencepiece and the vocabulary, whose languages come behind it."""
    import io

    import sentencepiece
    from transformers.models.m2m_100.tokenization_m2m_100 import FAIRSEQ_LANGUAGE_CODES

    stream = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS), model_writer=stream, vocab_size=120, model_type="bpe", minloglevel=2,
        hard_vocab_limit=False, normalization_rule_name="identity", character_coverage=0.98)
    (folder / "sentencepiece.bpe.model").write_bytes(stream.getvalue())
    model = sentencepiece.SentencePieceProcessor(model_proto=stream.getvalue())
    pieces = ["<s>", "<pad>", "</s>", "<unk>"] + [model.id_to_piece(i) for i in range(model.get_piece_size())]
    vocabulary = {piece: i for i, piece in enumerate(dict.fromkeys(pieces))}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False))
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "M2M100Tokenizer", "src_lang": "de", "tgt_lang": None, "model_max_length": 512,
         "additional_special_tokens": [f"__{code}__" for code in FAIRSEQ_LANGUAGE_CODES["m2m100"]]}))


def save_mbart(folder, tokenizer_class, **settings):
    import io

    import sentencepiece

    stream = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS), model_writer=stream, vocab_size=120, model_type="unigram", minloglevel=2,
        hard_vocab_limit=False, normalization_rule_name="identity", character_coverage=0.98)
    (folder / "sentencepiece.bpe.model").write_bytes(stream.getvalue())
    (folder / "tokenizer_config.json").write_text(json.dumps(dict(tokenizer_class=tokenizer_class, model_max_length=512, **settings)))


def save_tokenizers(folder):
    """Those that are not there."""
    for kind in SPECIAL:
        if (folder / kind).exists():
            continue
        (folder / kind).mkdir(parents=True)
        train_tokenizer(kind).save(str(folder / kind / "tokenizer.json"), pretty=False)
        settings = dict(SPECIAL[kind], tokenizer_class="PreTrainedTokenizerFast",
                        model_input_names=["input_ids", "attention_mask"])
        # The class itself lists no types.
        if kind == "albert":
            settings["tokenizer_class"] = "AlbertTokenizer"
            del settings["model_input_names"]
        # Shorter than the texts of QUESTIONS, so that they are read in parts.
        if kind in ("words", "bytes", "pieces"):
            settings["model_max_length"] = {"words": 60, "bytes": 85, "pieces": 64}[kind]
        (folder / kind / "tokenizer_config.json").write_text(json.dumps(settings))
    if not (folder / "residues").exists():
        (folder / "residues").mkdir()
        (folder / "residues" / "vocab.txt").write_text("\n".join(get_default_vocab_list()))
        (folder / "residues" / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "EsmTokenizer"}))
    for kind, save in (("marian", save_marian), ("m2m", save_m2m),
                       ("mbart", lambda path: save_mbart(path, "MBartTokenizer")),
                       ("mbart-50", lambda path: save_mbart(path, "MBart50Tokenizer", src_lang="de_DE", tgt_lang="fr_XX"))):
        if not (folder / kind).exists():
            (folder / kind).mkdir()
            save(folder / kind)


def load_tokenizer(folder, kind):
    if kind == "marian":
        return transformers.MarianTokenizer.from_pretrained(folder / kind)
    classes = {"m2m": "M2M100Tokenizer", "mbart": "MBartTokenizer", "mbart-50": "MBart50Tokenizer"}
    if kind in classes:
        return getattr(transformers, classes[kind]).from_pretrained(folder / kind)
    if kind == "residues":
        return transformers.EsmTokenizer.from_pretrained(folder / kind)
    return transformers.PreTrainedTokenizerFast.from_pretrained(folder / kind)


def sharpen(model, generator):
    """Weights of a model whose heads are sure of themselves. Models that write get strong layers, which keep them
    from saying one word for ever; tags get a favourite, so that neighbours agree."""
    writes = model.can_generate()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if parameter.dim() > 1:
                scale = (4.0 if writes else 1.6) / parameter.shape[-1] ** 0.5
                if any(part in name for part in ("embed", "wte", "wpe", "shared")):
                    scale = 0.6 if writes else 1.0
                if any(part in name for part in ("classifier", "qa_outputs", "score", "out_proj.weight")):
                    scale *= 1.5
                parameter.copy_(noise * scale)
            else:
                parameter.copy_(1 + 0.2 * noise if "norm" in name.lower() and name.endswith("weight") else 0.2 * noise)
        if type(model).__name__.endswith("TokenClassification"):
            model.classifier.bias[LABELS.index("I-PER")] += 1.5
        if type(model).__name__ == "ElectraForPreTraining":
            model.discriminator_predictions.dense_prediction.weight *= 4
            model.discriminator_predictions.dense_prediction.bias -= 3


def make_model(name, class_name, tokenizer, keys, seed):
    model_class = getattr(transformers, class_name)
    ids = {f"{role}_token_id": getattr(tokenizer, f"{role}_token_id", None) for role in ("pad", "bos", "eos")}
    keys = dict(ids, **keys)
    if class_name.startswith(("Bart", "Marian")):
        keys["decoder_start_token_id"] = ids["pad_token_id"] if class_name[0] == "M" else ids["eos_token_id"]
        if class_name[0] == "M":
            keys.update(bos_token_id=ids["eos_token_id"], forced_eos_token_id=ids["eos_token_id"])
    if class_name.startswith("MBart"):
        keys["decoder_start_token_id"] = tokenizer.convert_tokens_to_ids("ro_RO") if name == "mbart-languages" else 2
    labels = keys.pop("id2label", None)
    if labels:
        keys.update(id2label=labels, label2id={label: i for i, label in labels.items()})
    torch.manual_seed(seed)
    model = model_class(model_class.config_class(vocab_size=len(tokenizer), **keys)).eval()
    sharpen(model, torch.Generator().manual_seed(seed))
    return model


def save_and_load(model, folder):
    """The model as its file has it: rounded, with the position tables that are computed and not stored."""
    model.half().save_pretrained(folder)
    return type(model).from_pretrained(folder, dtype=torch.float32).eval()


def predict_masks(pipe, tokenizer):
    mask = tokenizer.mask_token
    texts = [f"The old {mask} sleeps under a thin grey fog.", f"Zoë {mask} in São Paulo, 東京 {mask} large 😀"]
    if isinstance(tokenizer, transformers.EsmTokenizer):
        texts = [f"MKT{mask}YIAKQRQISFVKSHFSRQ", f"{mask}LLA GGV{mask}W"]
    for text in texts:
        ids = tokenizer(text)["input_ids"]
        positions = [i for i, token in enumerate(ids) if token == tokenizer.mask_token_id]
        answers = pipe(text)
        groups = [answers] if len(positions) == 1 else answers
        yield dict(task="fill-mask", text_a=text, results=[
            dict(position=position, id=line["token"], token=line["token_str"], probability=line["score"])
            for position, group in zip(positions, groups) for line in group])


def predict_classes(pipe):
    for a, b in [(text, None) for text in SENTENCES] + PAIRS:
        inputs = {"text": a, "text_pair": b} if b else a
        lines = pipe(inputs, top_k=None)
        yield dict(task="text-classification", text_a=a, **({"text_b": b} if b else {}), results=[
            dict(label=line["label"], probability=line["score"]) for line in lines])


def predict_entities(pipe):
    for text in SENTENCES + [STORY[:60]]:
        yield dict(task="entities", text_a=text, results=[
            dict(label=line["entity_group"], token=line["word"], start=line["start"], end=line["end"],
                 probability=float(line["score"])) for line in pipe(text)])


def predict_replaced(model, tokenizer):
    """There is no pipeline: a token was replaced where its logit is above 0."""
    for a, b in [(text, None) for text in SENTENCES] + PAIRS:
        encoded = tokenizer(a, b, return_tensors="pt", return_offsets_mapping=True)
        offsets = encoded.pop("offset_mapping")[0].tolist()
        with torch.no_grad():
            logits = model(**encoded).logits[0]
        yield dict(task="replaced-tokens", text_a=a, **({"text_b": b} if b else {}), results=[
            dict(position=i, id=int(encoded["input_ids"][0, i]), label="replaced" if logits[i] > 0 else "original",
                 start=offsets[i][0], end=offsets[i][1], probability=float(torch.sigmoid(logits[i])))
            for i, sentence in enumerate(encoded.sequence_ids(0)) if sentence is not None])


def predict_order(model, tokenizer):
    """No pipeline either: class 0 is the order of the text, 1 the other."""
    for a, b in PAIRS:
        with torch.no_grad():
            logits = model(**tokenizer(a, b, return_tensors="pt")).sop_logits[0]
        lines = zip(("in-order", "swapped"), torch.softmax(logits, 0).tolist())
        yield dict(task="sentence-order", text_a=a, text_b=b, results=[
            dict(label=label, probability=p) for label, p in sorted(lines, key=lambda line: -line[1])])


def generate(model, tokenizer, text, options):
    encoded = tokenizer(text, return_tensors="pt")
    encoded.pop("token_type_ids", None)
    ids = model.generate(**encoded, do_sample=False, **options)[0].tolist()
    ids = ids[1:] if model.config.is_encoder_decoder else ids[encoded["input_ids"].shape[1]:]
    return [dict(text=tokenizer.decode(ids, skip_special_tokens=True), ids=ids)]


def write_texts(name, model, tokenizer):
    for text, options in WRITINGS[name]:
        # Where the settings name the language to write, it is written first.
        target = getattr(tokenizer, "tgt_lang", None)
        first = {"forced_bos_token_id": tokenizer.convert_tokens_to_ids(target)} if target else {}
        yield dict(task="generate", text_a=text, options=options, results=generate(model, tokenizer, text, options | first))
    if name == "tasks-writes":
        for task, lang, key in (("summarise", None, "summarization"), ("translate", "en:de", "translation_en_to_de"),
                                ("translate", "English:Romanian", "translation_en_to_ro")):
            options = dict(T5_TASKS[key])
            prefix = options.pop("prefix")
            for text in SENTENCES[:3]:
                yield dict(task=task, text_a=text, options={}, **({"lang": lang} if lang else {}),
                           results=generate(model, tokenizer, prefix + text, options))
        yield dict(task="summarise", text_a=SENTENCES[3], prefix="shorten: ", options={},
                   results=generate(model, tokenizer, "shorten: " + SENTENCES[3],
                                    {key: value for key, value in T5_TASKS["summarization"].items() if key != "prefix"}))
    if name == "marian-languages":
        for lang, token in (("en:de", ">>deu<<"), ("English:fra", ">>fra<<"), ("eng:pt_BR", ">>pt_br<<")):
            yield dict(task="translate", text_a=SENTENCES[0], lang=lang, options={},
                       results=generate(model, tokenizer, f"{token} {SENTENCES[0]}", {}))


    if name in PAIRS_OF_LANGUAGES:
        own = tokenizer.src_lang
        for lang, source, target in PAIRS_OF_LANGUAGES[name]:
            tokenizer.src_lang = source
            key = "decoder_start_token_id" if name == "mbart-languages" else "forced_bos_token_id"
            yield dict(task="translate", text_a=SENTENCES[0], lang=lang, options={}, results=generate(
                model, tokenizer, SENTENCES[0], {key: tokenizer.convert_tokens_to_ids(target)}))
        tokenizer.src_lang = own


def record(name, class_name, kind, keys, folder, seed):
    tokenizer = load_tokenizer(folder / "tokenizers", kind)
    model = make_model(name, class_name, tokenizer, keys, seed)
    model = save_and_load(model, folder / name)
    pipe = lambda task, **options: transformers.pipeline(task, model=model, tokenizer=tokenizer, **options)
    if class_name.endswith("MaskedLM"):
        cases = predict_masks(pipe("fill-mask"), tokenizer)
    elif class_name.endswith("SequenceClassification"):
        cases = predict_classes(pipe("text-classification"))
    elif class_name.endswith("TokenClassification"):
        cases = predict_entities(pipe("token-classification", aggregation_strategy="simple"))
    elif class_name.endswith("QuestionAnswering"):
        cases = []
    elif class_name.endswith("PreTraining"):
        cases = (predict_replaced if class_name.startswith("Electra") else predict_order)(model, tokenizer)
    else:
        cases = list(write_texts(name, model, tokenizer))
        if tokenizer.mask_token:
            cases += predict_masks(pipe("fill-mask"), tokenizer)
    write_cases(folder / name, kind, list(cases))


def write_cases(folder, kind, cases):
    text = json.dumps({"tokenizer": kind, "cases": cases}, ensure_ascii=False, indent=0)
    (folder / "cases.json").write_text(text)
    print(folder.name, len(cases), "cases", flush=True)


def record_answers(name, class_name, kind, folder):
    tokenizer = load_tokenizer(folder / "tokenizers", kind)
    model = getattr(transformers, class_name).from_pretrained(folder / name, dtype=torch.float32).eval()
    pipe = transformers.pipeline("question-answering", model=model, tokenizer=tokenizer)
    cases = []
    for question, context in QUESTIONS:
        line = pipe(question=question, context=context)
        cases.append(dict(task="question-answering", text_a=question, text_b=context, results=[
            dict(token=line["answer"], start=int(line["start"]), end=int(line["end"]), probability=line["score"])]))
    write_cases(folder / name, kind, cases)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=ROOT / "tests" / "fixtures" / "tasks")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--answers", action="store_true")
    arguments = parser.parse_args()
    if arguments.answers:
        for name, class_name, kind, _ in SPECIMENS:
            if class_name.endswith("QuestionAnswering"):
                record_answers(name, class_name, kind, arguments.folder)
        return
    if not arguments.only:
        shutil.rmtree(arguments.folder, ignore_errors=True)
    save_tokenizers(arguments.folder / "tokenizers")
    for number, (name, class_name, kind, keys) in enumerate(SPECIMENS):
        if arguments.only and name not in arguments.only:
            continue
        record(name, class_name, kind, keys, arguments.folder, 100 * arguments.seed + number)


if __name__ == "__main__":
    main()
