"""Hidden states of each word, each layer: mean of its pieces and first piece.  encode.py model [layers, and the mean only]"""
import sys, time, numpy as np
from bert import Bert
from data import load
model = sys.argv[1]; b = Bert("models/" + model)
if len(sys.argv) > 2: b.layers = int(sys.argv[2]); b.L = b.L[:b.layers]
only_mean = len(sys.argv) > 2
t0 = time.time()
for name, stride in (("masc3-train", 11), ("masc3-dev", 2), ("masc-dev", 1)):
    sents = load(name, stride); wins = [b.window(s["words"]) for s in sents]
    start = np.cumsum([0] + [len(s["words"]) for s in sents]); n = start[-1]
    mean = np.zeros((b.layers + 1, n, 384), np.float16); first = None if only_mean else np.zeros_like(mean)
    order = sorted(range(len(sents)), key=lambda i: len(wins[i][0])); i = 0
    while i < len(order):
        batch, size = [], 0
        while i < len(order) and size < 3000: batch.append(order[i]); size += len(wins[order[i]][0]); i += 1
        outs = b.run([wins[j][0] for j in batch]); base = np.cumsum([0] + [len(wins[j][0]) for j in batch])
        rows = np.concatenate([np.arange(start[j], start[j + 1]) for j in batch])
        f = np.concatenate([[o + s for s, _ in wins[j][1]] for j, o in zip(batch, base)]); e = np.concatenate([[o + t for _, t in wins[j][1]] for j, o in zip(batch, base)])
        for k, x in enumerate(outs):
            if first is not None: first[k, rows] = x[f]
            c = np.concatenate([np.zeros((1, 384)), np.cumsum(x, 0, dtype=np.float64)])
            mean[k, rows] = (c[e] - c[f]) / (e - f)[:, None]
    np.save(f"states/{model}.{name}.mean.npy", mean)
    if first is not None: np.save(f"states/{model}.{name}.first.npy", first)
    print(model, name, n, sum(len(w[0]) for w in wins), "pieces", round(time.time() - t0), "s", flush=True)
