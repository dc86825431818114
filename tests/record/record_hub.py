#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what huggingface_hub itself writes into its cache: tests/fixtures/hub/trees.json.

A small server plays the hub for one repository (the twin of tests/support/hub/fake-hub.c); huggingface_hub
downloads it file by file, as transformers does, and asks for files that are not there. The trees of
folders, files and links that this leaves are what test-hub compares Headlight's with.

    python tests/record/record_hub.py            (huggingface_hub 1.28 or later)
"""
import hashlib
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "some-org/some.model"
# path → (content, large); two files have one content, and so one blob.
FILES = {
    "config.json": ('{"model_type": "bert"}\n', False),
    "tokenizer.json": ('{"version": "1.0"}\n', False),
    "vocab.txt": ("[PAD]\n[UNK]\n", False),
    "tokenizer_config.json": ('{"version": "1.0"}\n', False),
    "model.safetensors": ("weights " * 64, True),
}
MISSING = [
    "generation_config.json", "special_tokens_map.json", "added_tokens.json", "vocab.json", "merges.txt",
    "spiece.model", "sentencepiece.bpe.model", "spm.model", "tokenizer.model", "source.spm", "target.spm",
    "target_vocab.json",
]
REVISIONS = ["main", "refs/pr/3", COMMIT]

CLIENT = """
import sys
from huggingface_hub import hf_hub_download
from huggingface_hub.errors import EntryNotFoundError
repository, revision, *files = sys.argv[1:]
for name in files:
    try:
        hf_hub_download(repository, name, revision=revision)
    except EntryNotFoundError:
        pass
"""


def etag(content, large):
    data = content.encode()
    return hashlib.sha256(data).hexdigest() if large else hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class Hub(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, headers, body=b""):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def do_HEAD(self):
        prefix = f"/{REPOSITORY}/resolve/"
        if self.path.startswith("/store/"):
            content = next(c for c, large in FILES.values() if etag(c, large) == self.path.split("/")[-1])
            return self.answer(200, {}, content.encode())
        if not self.path.startswith(prefix):
            return self.answer(401, {"X-Error-Code": "RepoNotFound"})
        path = self.path[len(prefix):].split("/", 1)[1]
        if path not in FILES:
            return self.answer(404, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT})
        content, large = FILES[path]
        headers = {"X-Repo-Commit": COMMIT}
        if not large:
            return self.answer(200, {**headers, "ETag": f'"{etag(content, large)}"'}, content.encode())
        host, port = self.server.server_address
        store = f"http://localhost:{port}/store/{etag(content, large)}"
        return self.answer(302, {**headers, "Location": store, "X-Linked-Etag": f'"{etag(content, large)}"',
                                 "X-Linked-Size": str(len(content))})

    do_GET = do_HEAD


def list_tree(root):
    """Every folder, file and link below root, as one line each."""
    lines = []
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = pathlib.Path(folder, name)
            place = path.relative_to(root).as_posix()
            if path.is_symlink():
                lines.append(f"{place} -> {os.readlink(path)}")
            elif path.is_dir():
                lines.append(f"{place}/")
            else:
                lines.append(f"{place} {hashlib.sha256(path.read_bytes()).hexdigest()}")
    return sorted(lines)


def record(endpoint, revision, symlinks):
    with tempfile.TemporaryDirectory() as home:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "HUGGINGFACE", "TRANSFORMERS"))}
        environment |= {"HF_HOME": home, "HF_ENDPOINT": endpoint, "HF_HUB_DISABLE_PROGRESS_BARS": "1",
                        "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_XET": "1"}
        if not symlinks:
            environment["HF_HUB_DISABLE_SYMLINKS"] = "1"
        subprocess.run([sys.executable, "-c", CLIENT, REPOSITORY, revision, *FILES, *MISSING], env=environment, check=True)
        return list_tree(pathlib.Path(home, "hub"))


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    import huggingface_hub

    fixture = {
        "huggingface_hub": huggingface_hub.__version__,
        "repository": REPOSITORY,
        "files": [{"path": p, "content": c, "large": large} for p, (c, large) in FILES.items()],
        "trees": [{"revision": r, "symlinks": s, "tree": record(endpoint, r, s)}
                  for r in REVISIONS for s in (True, False)],
    }
    target = pathlib.Path(__file__).parent.parent / "fixtures" / "hub" / "trees.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(fixture, indent=1, ensure_ascii=False) + "\n")
    server.shutdown()


if __name__ == "__main__":
    main()
