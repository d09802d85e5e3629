// The parser in WebAssembly. `crates/wasm` is the other side.

const module = WebAssembly.instantiateStreaming(fetch("tracebank.wasm")).catch(async () => {
  // some servers do not know the media type of WebAssembly
  const response = await fetch("tracebank.wasm");
  return WebAssembly.instantiate(await response.arrayBuffer());
});
let loaded = null;

async function exports() {
  return (await module).instance.exports;
}

function put(code, bytes) {
  const address = code.allocate(bytes.length);
  new Uint8Array(code.memory.buffer, address, bytes.length).set(bytes);
  return [address, bytes.length];
}

function take(code, result) {
  const address = Number(BigInt.asUintN(64, result) >> 32n);
  const length = Number(BigInt.asUintN(64, result) & 0xffffffffn);
  const text = new TextDecoder().decode(new Uint8Array(code.memory.buffer, address, length));
  code.release(address, length);
  return text;
}

async function fetchWithProgress(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: the server answers ${response.status}`);
  const total = Number(response.headers.get("content-length")) || 0;
  const parts = [];
  let got = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    got += value.length;
    if (total) postMessage({ progress: Math.min(got / total, 1) });
  }
  const bytes = new Uint8Array(got);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

async function load(model) {
  const code = await exports();
  postMessage({ progress: 0 });
  const bytes = await fetchWithProgress(`${model}.tbm`);
  const problem = take(code, code.load(...put(code, bytes)));
  postMessage({ progress: null });
  if (problem) throw new Error(JSON.parse(problem).detail);
  loaded = model;
}

async function answer({ operation, body, model }) {
  const code = await exports();
  if (operation === "parse" && loaded !== model) await load(model);
  const request = new TextEncoder().encode(JSON.stringify({ operation, body }));
  const result = JSON.parse(take(code, code.answer(...put(code, request))));
  if (result.problem) throw new Error(result.problem.detail);
  return result.text;
}

// One after another: a model is loaded once, and answers come in order.
let last = Promise.resolve();
onmessage = ({ data }) => {
  last = last.then(async () => {
    try {
      postMessage({ id: data.id, text: await answer(data) });
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) setTimeout(() => { throw error; });
      else postMessage({ id: data.id, error: error.message });
    }
  });
};
