import json, sys
R = [json.loads(l) for l in open("results.jsonl")]
seen = {}
for r in R: seen[r["model"], r["spec"]] = r
order = ["all-minilm-l6", "ms-marco-minilm-l12", "ms-marco-minilm-l12-repaired", "family-mean-l12", "bge-small-en", "e5-small-v2", "colbert-small"]
key = lambda s: (s[0] in "cm", s[0] if s[0] in "cm" else "", int(s.lstrip("cm").split(",")[0]), s)
T = ("tag", "parent", "next", "attach", "spine", "null", "head")
def both(d, t):
    a, b = d.get(f"masc3-dev.{t}"), d.get(f"masc-dev.{t}"); return None if a is None else f"{a:.1f} / {b:.1f}"
print("| model | layer | " + " | ".join(T) + " | mean |\n|" + "---|" * (len(T) + 3))
for m in order:
    for s in sorted((s for mm, s in seen if mm == m), key=key):
        d = seen[m, s]["logistic.mean"]; mean = sum(d[f"{n}.{t}"] for n in ("masc3-dev", "masc-dev") for t in ("tag", "parent", "next", "attach", "spine", "head")) / 12
        print(f"| {m} | {s} | " + " | ".join(both(d, t) or "" for t in T) + f" | {mean:.1f} |")
print("\n### Ridge, mean of pieces → first piece (masc3-dev and masc-dev, mean of both)\n")
print("| model | layer | tag | parent | next | attach | spine |\n|" + "---|" * 7)
for m in order:
    for s in sorted((s for mm, s in seen if mm == m), key=key):
        r = seen[m, s]; 
        if "ridge.first" not in r and s[0] in "cm": continue
        f = lambda d, t: (d[f"masc3-dev.{t}"] + d[f"masc-dev.{t}"]) / 2
        print(f"| {m} | {s} | " + " | ".join(f"{f(r['ridge.mean'], t):.1f}" + (f" → {f(r['ridge.first'], t):.1f}" if "ridge.first" in r else "") for t in T[:5]) + " |")
