"""Raw text of a CoNLL-U file (gzip): raw_text.py IN.conllu.gz OUT.txt"""
import gzip, sys

out, paragraph = open(sys.argv[2], "w"), []


def flush():
    if paragraph:
        out.write(" ".join(paragraph) + "\n\n")
    paragraph.clear()


for line in gzip.open(sys.argv[1], "rt"):
    if line.startswith("# newdoc") or line.startswith("# newpar") and not line.startswith("# newpar_block"):
        flush()
    if line.startswith("# text ="):
        paragraph.append(line[8:].strip())
flush()
