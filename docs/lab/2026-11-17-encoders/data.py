import re
from collections import Counter
def graphs(path):
    s = []
    for line in open(path, encoding="utf8"):
        line = line.rstrip("\n")
        if line.startswith("#") and not s: continue
        if not line.strip():
            if s: yield s
            s = []; continue
        s.append([f.strip() for f in line.split("\t")] + [""] * 3)
    if s: yield s
def spine(field):
    # phrases from the bottom; nulls of each sorted, without their places
    parts, depth, cur = [], 0, ""
    for c in field:
        depth += (c == "(") - (c == ")")
        if c == " " and depth == 0: parts.append(cur); cur = ""
        else: cur += c
    if cur: parts.append(cur)
    out = []
    for p in parts:
        if p.startswith("["): continue
        if re.search(r"@[+-]?\d+$", p): (out[-1][1] if out else out.append(["", []]) or out[-1][1]).append(p.rsplit("@", 1)[0])
        else: out.append([p, []])
    return " ".join(l + "".join(sorted(n)) for l, n in out)
def split_name(n):
    m = re.match(r"(.*)#(\d+)$", n)
    return (m[1], int(m[2])) if m else (n, 1)
def load(name, stride=1, offset=0, max_words=120):
    out = []
    for k, (g, o) in enumerate(zip(graphs(f"graphs/{name}.graph"), graphs(f"graphs/{name}.overt"))):
        if k % stride != offset: continue
        if len(g) - 1 > max_words: continue
        assert [r[1] for r in g] == [r[1] for r in o]
        n = len(g) - 1
        heads = [int(r[4]) for r in g[1:]]
        sp = [o[0][3].split()] + [[p for p in r[3].split() if not re.search(r"@[+-]?\d+$|^\[", p)] for r in o[1:]]
        def parent(node):   # node = (word, level); level -1 is the word itself
            w, l = node
            if l + 1 < len(sp[w]): return (w, l + 1)
            if w == 0: return None
            h = int(o[w][4]); lab, nth = split_name(o[w][5])
            at = [i for i, x in enumerate(sp[h]) if x == lab]
            return (h, at[nth - 1] if len(at) >= nth else len(sp[h]) - 1)
        def up(w):
            chain, node = [], (w, -1)
            while node is not None and len(chain) < 400: node = parent(node); chain.append(node)
            return [c for c in chain if c]
        ups = [None] + [up(w) for w in range(1, n + 1)]
        lca = []
        for w in range(1, n + 1):
            if w == n: lca.append("END"); continue
            other = set(ups[w + 1])
            lca.append(next((sp[c[0]][c[1]] for c in ups[w] if c in other), "?"))
        first = lambda w: sp[ups[w][0][0]][ups[w][0][1]] if ups[w] else "?"
        out.append(dict(words=[r[1] for r in g[1:]], tag=[r[2] for r in g[1:]], spine=[spine(r[3]) for r in g[1:]],
            parent=[first(w) for w in range(1, n + 1)], attach=[split_name(r[5])[0] for r in o[1:]], next=lca, head=heads))
    return out
if __name__ == "__main__":
    for n, st in (("masc3-train", 11), ("masc3-dev", 1), ("masc-dev", 1)):
        d = load(n, st)
        print(n, len(d), "sentences", sum(len(s["words"]) for s in d), "words", {t: len({y for s in d for y in s[t]}) for t in ("tag", "spine", "parent", "attach", "next")})
        if st == 11:
            c = Counter(y for s in d for y in s["spine"]); print({k: sum(v >= k for v in c.values()) for k in (1, 2, 3, 5)}, c.most_common(12))
            print(Counter(y for s in d for y in s["next"]).most_common(8)); s = d[5]
            for r in zip(*[s[k] for k in ("words", "tag", "spine", "parent", "attach", "next", "head")]): print(r)
