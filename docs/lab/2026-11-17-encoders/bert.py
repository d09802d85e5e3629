"""A plain forward pass of BERT in numpy, and the network's word pieces."""
import unicodedata, numpy as np
from scipy.special import erf
from safetensors.numpy import load_file

PLAIN = {"-LRB-":"(","-RRB-":")","-LSB-":"[","-RSB-":"]","-LCB-":"{","-RCB-":"}","``":'"',"''":'"',"\\/":"/","\\*":"*"}
def is_punct(c):
    o = ord(c)
    if o < 128: return not c.isalnum() and c.isprintable() and c != " "
    return (c in "¡§«¶·»¿" or 0x2010<=o<=0x2027 or 0x2030<=o<=0x2043 or 0x2045<=o<=0x2051 or 0x2053<=o<=0x205E or 0x3001<=o<=0x3003
        or 0x3008<=o<=0x3011 or 0x3014<=o<=0x301F or 0xFF01<=o<=0xFF0F or 0xFF1A<=o<=0xFF20)
def is_ideo(c):
    o = ord(c); return 0x3400<=o<=0x4DBF or 0x4E00<=o<=0x9FFF or 0xF900<=o<=0xFAFF or 0x20000<=o<=0x2FA1F
class Pieces:
    def __init__(self, path):
        self.list = open(path, encoding="utf8").read().split("\n")
        if not self.list[-1]: self.list.pop()
        self.ids = {p: i for i, p in enumerate(self.list)}
        self.cache = {}
    def split(self, word):
        if word not in self.cache: self.cache[word] = self._split(word)
        return self.cache[word]
    def _split(self, word):
        parts = [""]
        for c in unicodedata.normalize("NFD", PLAIN.get(word, word).lower()):
            if c.isspace(): parts.append("")
            elif is_punct(c) or is_ideo(c): parts += [c, ""]
            elif unicodedata.category(c)[0] != "M" and unicodedata.category(c) != "Cc" and c != "\ufffd": parts[-1] += c
        ids, unk = [], self.ids["[UNK]"]
        for part in parts:
            if not part: continue
            if len(part) > 100: ids.append(unk); continue
            at, got = 0, []
            while at < len(part):
                for end in range(len(part), at, -1):
                    k = ("##" if at else "") + part[at:end]
                    if k in self.ids: got.append(self.ids[k]); at = end; break
                else: got = [unk]; break
            ids += got
        return ids[:8] or [unk]

def norm(x, w, b):
    x = x - x.mean(1, keepdims=True)
    return x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-12) * w + b
def fakequant(x):
    "onnx DynamicQuantizeLinear and back"
    lo, hi = min(x.min(), 0), max(x.max(), 0)
    s = np.float32((hi - lo) / 255); z = np.clip(np.rint(-lo / s), 0, 255)
    return ((np.clip(np.rint(x / s) + z, 0, 255) - z) * s).astype(np.float32)

class Bert:
    def __init__(self, folder):
        self.t = t = load_file(folder + "/model.safetensors")
        self.pieces = Pieces(folder + "/vocab.txt")
        self.layers = 1 + max(int(k.split(".")[2]) for k in t if k.startswith("encoder.layer."))
        self.L = []
        for i in range(self.layers):
            g = lambda n: t[f"encoder.layer.{i}.{n}"]
            self.L.append(dict(
                qkv=np.concatenate([g(f"attention.self.{p}.weight") for p in ("query","key","value")]).T.copy(),
                qkvb=np.concatenate([g(f"attention.self.{p}.bias") for p in ("query","key","value")]),
                o=g("attention.output.dense.weight").T.copy(), ob=g("attention.output.dense.bias"),
                n1=(g("attention.output.LayerNorm.weight"), g("attention.output.LayerNorm.bias")),
                w=g("intermediate.dense.weight").T.copy(), wb=g("intermediate.dense.bias"),
                n=g("output.dense.weight").T.copy(), nb=g("output.dense.bias"),
                n2=(g("output.LayerNorm.weight"), g("output.LayerNorm.bias"))))
    def run(self, windows, quant=False, given=None):
        "windows: lists of ids with [CLS] and [SEP]; gives [layers + 1][pieces, 384], windows one after the other"
        q = fakequant if quant else (lambda x: x)
        t = self.t
        ids = np.concatenate([np.array(w) for w in windows])
        pos = np.concatenate([np.arange(len(w)) for w in windows])
        ends = np.cumsum([0] + [len(w) for w in windows])
        x = t["embeddings.word_embeddings.weight"][ids] + t["embeddings.position_embeddings.weight"][pos] + t["embeddings.token_type_embeddings.weight"][0]
        x = norm(x, t["embeddings.LayerNorm.weight"], t["embeddings.LayerNorm.bias"])
        out = [x]
        for k, l in enumerate(self.L):
            if given is not None: x = given[k]
            qkv = q(x) @ l["qkv"] + l["qkvb"]
            a = np.empty_like(x)
            for s, e in zip(ends, ends[1:]):
                h = qkv[s:e].reshape(e - s, 3, 12, 32).transpose(1, 2, 0, 3)
                p = h[0] @ h[1].transpose(0, 2, 1) * np.float32(32 ** -0.5)
                p -= p.max(2, keepdims=True); np.exp(p, p); p /= p.sum(2, keepdims=True)
                a[s:e] = (p @ h[2]).transpose(1, 0, 2).reshape(e - s, 384)
            x = norm(x + q(a) @ l["o"] + l["ob"], *l["n1"])
            w = q(x) @ l["w"] + l["wb"]
            w = w * 0.5 * (1 + erf(w * np.float32(0.70710678)))
            x = norm(x + q(w) @ l["n"] + l["nb"], *l["n2"])
            out.append(x)
        return out
    def window(self, words):
        ids, seg = [101], []
        for w in words:
            p = self.pieces.split(w); seg.append((len(ids), len(ids) + len(p))); ids += p
        return ids + [102], seg
