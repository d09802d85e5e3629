"""Eight-bit ONNX -> float32 safetensors with BERT's names.  convert.py model.onnx vocab.txt out-folder name"""
import sys, json, shutil, os
import numpy as np, onnx
from onnx import numpy_helper
from safetensors.numpy import save_file

def tensors(path):
    g = onnx.load(path).graph
    init = {i.name: numpy_helper.to_array(i) for i in g.initializer}
    made = {o: n for n in g.node for o in n.output}
    for n in g.node:
        if n.op_type == "Constant":
            for a in n.attribute:
                if a.name == "value": init[n.output[0]] = numpy_helper.to_array(a.t)
    strip = lambda s: s[5:] if s.startswith("bert.") else s
    out = {}
    # tables: DequantizeLinear of a Gather, or Gather of a DequantizeLinear
    tables = 0
    for name, v in init.items():
        s = strip(name)
        if "_embeddings.weight" in s and s.endswith("_quantized"):
            base = name[:-len("_quantized")]
            sc, zp = init[base + "_scale"], init[base + "_zero_point"]
            assert sc.size == 1
            out[strip(base)] = (v.astype(np.float32) - np.float32(zp)) * np.float32(sc)
            tables += 1
        elif s.endswith(("LayerNorm.weight", "LayerNorm.bias")) and (s.startswith("encoder") or s.startswith("embeddings")):
            out[s] = v.astype(np.float32)
    assert tables == 3, tables
    percol = 0
    for n in g.node:
        if n.op_type != "Add": continue
        b = [i for i in n.input if i in init and strip(i).startswith("encoder") and i.endswith(".bias") and "LayerNorm" not in i]
        if not b: continue
        other = [i for i in n.input if i != b[0]][0]
        # walk back to the MatMulInteger through Mul and Cast
        todo, mm = [other], None
        seen = 0
        while todo:
            x = todo.pop(); p = made.get(x); seen += 1
            if p is None or p.op_type in ("DynamicQuantizeLinear",): continue
            if p.op_type == "MatMulInteger": mm = p; break
            assert p.op_type in ("Mul", "Cast"), p.op_type
            todo += [i for i in p.input if i not in init]
        w = mm.input[1]; base = w[:-len("_quantized")]
        q, sc, zp = init[w], init[base + "_scale"], init[base + "_zero_point"]
        percol += sc.size > 1
        W = (q.astype(np.float32) - zp.astype(np.float32)) * sc.astype(np.float32)
        s = strip(b[0])
        out[s] = init[b[0]].astype(np.float32)
        out[s[:-4] + "weight"] = np.ascontiguousarray(W.T)
    print(path, len(out), "tensors; linear layers per column:", percol)
    return {k: np.ascontiguousarray(v) for k, v in out.items()}

if __name__ == "__main__":
    path, vocab, folder, name = sys.argv[1:]
    t = tensors(path)
    layers = 1 + max(int(k.split(".")[2]) for k in t if k.startswith("encoder.layer."))
    os.makedirs(folder, exist_ok=True)
    save_file(t, folder + "/model.safetensors", {"format": "pt"})
    shutil.copy(vocab, folder + "/vocab.txt")
    json.dump({"_name_or_path": name, "architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu", "hidden_size": 384,
        "intermediate_size": 1536, "layer_norm_eps": 1e-12, "max_position_embeddings": 512, "num_attention_heads": 12,
        "num_hidden_layers": layers, "pad_token_id": 0, "type_vocab_size": 2, "vocab_size": 30522, "position_embedding_type": "absolute",
        "converted": "from eight-bit ONNX to float32"}, open(folder + "/config.json", "w"), indent=1)
    print(folder, layers, {k: v.shape for k, v in t.items() if k.startswith("embeddings") or k.startswith("encoder.layer.0.")})
