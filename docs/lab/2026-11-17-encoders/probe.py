"""Frozen probes.  probe.py model spec...   spec: a layer (3), mean of layers (m3,4,5), or concatenation (c3,4,5)"""
import sys, os, json, time, numpy as np
from data import load
TASKS = ("tag", "parent", "next", "attach", "spine"); LEAST = {"spine": 3}
model, specs = sys.argv[1], sys.argv[2:]
data = {n: load(n, st) for n, st in (("masc3-train", 11), ("masc3-dev", 2), ("masc-dev", 1))}
DEV = ("masc3-dev", "masc-dev")
flat = lambda n, t: [y for s in data[n] for y in s[t]]
ids, gold = {}, {}
for t in TASKS:
    c = {}
    for y in flat("masc3-train", t): c[y] = c.get(y, 0) + 1
    ids[t] = {y: i for i, y in enumerate(sorted(k for k, v in c.items() if v >= LEAST.get(t, 1)))}
    gold[t] = {n: np.array([ids[t].get(y, -1) for y in flat(n, t)]) for n in data}
C = [len(ids[t]) for t in TASKS]; OFF = np.cumsum([0] + C)
nulls = {n: np.array(["*" in y or "(" in y for y in flat(n, "spine")]) for n in data}
starts = {n: np.cumsum([0] + [len(s["words"]) for s in data[n]]) for n in data}
heads = {n: [np.array(s["head"]) for s in data[n]] for n in data}

STORE = {}
def states(n, pool, k):
    key = n, pool
    if key not in STORE: STORE[key] = np.load(f"states/{model}.{n}.{pool}.npy", mmap_mode="r")
    return STORE[key][k].astype(np.float32)
def features(n, pool, spec):
    if spec[0] == "c": return np.concatenate([states(n, pool, int(k)) for k in spec[1:].split(",")], 1)
    if spec[0] == "m": return np.mean([states(n, pool, int(k)) for k in spec[1:].split(",")], 0)
    return states(n, pool, int(spec))
def prepared(pool, spec):
    X = {n: features(n, pool, spec) for n in data}; m, s = X["masc3-train"].mean(0), X["masc3-train"].std(0) + 1e-6
    return {n: (x - m) / s for n, x in X.items()}
def scores(pred):   # pred(n) gives logits over all tasks
    out = {}
    for n in DEV:
        p = pred(n)
        for i, t in enumerate(TASKS):
            ok = p[:, OFF[i]:OFF[i + 1]].argmax(1) == gold[t][n]; out[f"{n}.{t}"] = 100 * ok.mean()
            if t == "spine": out[f"{n}.null"] = 100 * ok[nulls[n]].mean()
    return out
def ridge(X, lam=30.0):
    x = X["masc3-train"]; x1 = np.concatenate([x, np.ones((len(x), 1), np.float32)], 1)
    Y = np.zeros((len(x), OFF[-1]), np.float32)
    for i, t in enumerate(TASKS):
        g = gold[t]["masc3-train"]; r = np.where(g >= 0)[0]; Y[r, OFF[i] + g[r]] = 1
    A = (x1.T @ x1).astype(np.float64); A[np.diag_indices(len(A) - 1)] += lam
    W = np.linalg.solve(A, (x1.T @ Y).astype(np.float64)).astype(np.float32)
    return scores(lambda n: X[n] @ W[:-1] + W[-1])
class Adam:
    def __init__(self, ps, lr): self.ps, self.lr, self.t = ps, lr, 0; self.m = [np.zeros_like(p) for p in ps]; self.v = [np.zeros_like(p) for p in ps]
    def step(self, gs, share):
        self.t += 1; lr = self.lr * (1 - share)
        for p, g, m, v in zip(self.ps, gs, self.m, self.v):
            m += 0.1 * (g - m); v += 0.01 * (g * g - v)
            p -= lr * (m / (1 - 0.9 ** self.t)) / (np.sqrt(v / (1 - 0.99 ** self.t)) + 1e-8)
def logistic(X, epochs=4, size=512, lr=4e-3, l2=1e-4):
    x = X["masc3-train"]; W = np.zeros((x.shape[1], OFF[-1]), np.float32); b = np.zeros(OFF[-1], np.float32)
    opt = Adam([W, b], lr); rng = np.random.default_rng(1); steps = epochs * (len(x) // size); done = 0
    for _ in range(epochs):
        order = rng.permutation(len(x))
        for at in range(0, len(x) - size + 1, size):
            r = order[at:at + size]; p = x[r] @ W + b
            for i, t in enumerate(TASKS):
                q = p[:, OFF[i]:OFF[i + 1]]; q -= q.max(1, keepdims=True); np.exp(q, q); q /= q.sum(1, keepdims=True)
                g = gold[t]["masc3-train"][r]; q[g < 0] = 0; k = np.where(g >= 0)[0]; q[k, g[k]] -= 1
            p /= size
            opt.step([x[r].T @ p + l2 * W, p.sum(0)], done / steps); done += 1
    return scores(lambda n: X[n] @ W + b)
def bucket(d): a = abs(d); return np.sign(d) * np.where(a <= 6, a, np.where(a <= 9, 7, np.where(a <= 14, 8, np.where(a <= 24, 9, 10)))) + 10
def head_probe(X, rank=32, epochs=4, lr=4e-3, l2=1e-4):
    "score(i, j) = (x_i D + d) (x_j H) + x_j u + bias of the distance; the root has a row of its own; softmax over j"
    rng = np.random.default_rng(2); w = X["masc3-train"].shape[1]
    D = rng.normal(0, 0.3 / np.sqrt(w), (w, rank)).astype(np.float32); H = rng.normal(0, 0.3 / np.sqrt(w), (w, rank)).astype(np.float32)
    d = np.zeros(rank, np.float32); u = np.zeros(w, np.float32); R = np.zeros(rank, np.float32); rb = np.zeros(1, np.float32); B = np.zeros(21, np.float32)
    ps = [D, d, H, u, R, rb, B]; opt = Adam(ps, lr)
    def batches(n, size):
        order = sorted(range(len(heads[n])), key=lambda i: len(heads[n][i])); out, cur = [], []
        for i in order:
            cur.append(i)
            if sum(len(heads[n][j]) for j in cur) >= size: out.append(cur); cur = []
        return out + ([cur] if cur else [])
    def run(n, batch):
        N = max(len(heads[n][i]) for i in batch); mask = np.zeros((len(batch), N), bool); rows = []
        for k, i in enumerate(batch): mask[k, :len(heads[n][i])] = True; rows.append(np.arange(starts[n][i], starts[n][i + 1]))
        x = X[n][np.concatenate(rows)]
        pad = lambda v: (lambda z: (z.__setitem__(mask, v), z)[1])(np.zeros((len(batch), N) + v.shape[1:], np.float32))
        a, h, s = pad(x @ D + d), pad(x @ H), pad(x @ u)
        S = np.empty((len(batch), N, N + 1), np.float32)
        S[:, :, 1:] = a @ h.transpose(0, 2, 1) + s[:, None, :]
        bk = bucket(np.arange(N)[None, :] - np.arange(N)[:, None]); S[:, :, 1:] += B[bk]; S[:, :, 0] = a @ R + rb
        S[:, :, 1:][np.broadcast_to(~mask[:, None, :], (len(batch), N, N))] = -1e9
        S[:, np.arange(N), np.arange(1, N + 1)] = -1e9
        return x, mask, a, h, bk, S
    bs = batches("masc3-train", 800); steps = epochs * len(bs); done = 0
    for _ in range(epochs):
        for k in rng.permutation(len(bs)):
            batch = bs[k]; x, mask, a, h, bk, P = run("masc3-train", batch)
            P -= P.max(2, keepdims=True); np.exp(P, P); P /= P.sum(2, keepdims=True)
            for q, i in enumerate(batch): g = heads["masc3-train"][i]; P[q, np.arange(len(g)), g] -= 1
            P[~mask] = 0; P /= mask.sum()
            G = P[:, :, 1:]; ga = (G @ h + P[:, :, :1] * R)[mask]; gh = (G.transpose(0, 2, 1) @ a)[mask]; gs = G.sum(1)[mask]
            gB = np.bincount(bk.ravel(), G.sum(0).ravel(), 21).astype(np.float32)
            gR = (P[:, :, 0][..., None] * a).sum((0, 1)); 
            opt.step([x.T @ ga + l2 * D, ga.sum(0), x.T @ gh + l2 * H, x.T @ gs + l2 * u, gR, P[:, :, 0].sum(keepdims=True).reshape(1), gB], done / steps); done += 1
    out = {}
    for n in DEV:
        ok = all_ = 0
        for batch in batches(n, 1500):
            S = run(n, batch)[-1].argmax(2)
            for q, i in enumerate(batch): g = heads[n][i]; ok += (S[q, :len(g)] == g).sum(); all_ += len(g)
        out[f"{n}.head"] = 100 * ok / all_
    return out
out = open("results.jsonl", "a")
for spec in specs:
    t0 = time.time(); X = prepared("mean", spec); rec = dict(model=model, spec=spec, width=int(X["masc3-train"].shape[1]))
    rec["ridge.mean"] = ridge(X); t1 = time.time(); rec["logistic.mean"] = logistic(X); t2 = time.time(); rec["logistic.mean"].update(head_probe(X)); t3 = time.time()
    if os.path.exists(f"states/{model}.masc-dev.first.npy"): rec["ridge.first"] = ridge(prepared("first", spec))
    out.write(json.dumps(rec) + "\n"); out.flush()
    l = rec["logistic.mean"]
    print(model, spec, " ".join(f"{k}={v:.2f}" for k, v in l.items()), f"| ridge {t1-t0:.0f}s log {t2-t1:.0f}s head {t3-t2:.0f}s", flush=True)
