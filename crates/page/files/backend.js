// Where answers come from: the server that served this page, or a worker with the parser in WebAssembly. Both run the same Rust.

class Refused extends Error {}

/** A backend: `call(operation, body)` resolves to a text. */
export async function connect({ progress, token }) {
  const server = await serverInfo();
  return server ? overHttp(server, token) : inWorker(progress);
}

async function serverInfo() {
  try {
    const response = await fetch("v1/info");
    if (response.status === 401) return { model: "" };
    return response.ok && (response.headers.get("content-type") ?? "").includes("json") ? await response.json() : null;
  } catch {
    return null;
  }
}

function overHttp(info, askToken) {
  let bearer = sessionStorage.getItem("token");
  const send = async (operation, body, signal) => {
    const headers = { "content-type": "application/json" };
    if (operation === "parse") headers.accept = "application/json";
    if (bearer) headers.authorization = `Bearer ${bearer}`;
    return fetch(`v1/${operation}`, { method: "POST", headers, body: JSON.stringify(body), signal });
  };
  return {
    kind: "server",
    about: info.model ? `model ${info.model}, parsed by this server` : "parsed by this server",
    async call(operation, body, signal) {
      let response = await send(operation, body, signal);
      while (response.status === 401) {
        bearer = askToken();
        if (!bearer) break;
        response = await send(operation, body, signal);
        if (response.status !== 401) sessionStorage.setItem("token", bearer);
      }
      for (let tries = 0; response.status === 503 && tries < 5; tries += 1) {
        const seconds = Number(response.headers.get("retry-after")) || 1;
        await new Promise((done) => setTimeout(done, 1000 * seconds));
        response = await send(operation, body, signal);
      }
      const text = await response.text();
      if (!response.ok) throw new Refused(detail(text) ?? `the server answers ${response.status}`);
      return text;
    },
  };
}

function detail(text) {
  try {
    return JSON.parse(text).detail;
  } catch {
    return null;
  }
}

function inWorker(progress) {
  let worker;
  let waiting = new Map();
  let next = 0;
  let model = "fast";
  const start = () => {
    worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.progress !== undefined) return progress(data.progress);
      const { resolve, reject } = waiting.get(data.id) ?? {};
      waiting.delete(data.id);
      if (data.error !== undefined) reject?.(new Refused(data.error));
      else resolve?.(data.text);
    };
    worker.onerror = (event) => {
      // The module cannot go on after a trap; the next call begins anew.
      event.preventDefault();
      const failed = [...waiting.values()];
      waiting = new Map();
      worker.terminate();
      start();
      for (const { reject } of failed) reject(new Refused("the parser in this browser stopped; try again"));
    };
  };
  start();
  const ask = (message) =>
    new Promise((resolve, reject) => {
      const id = (next += 1);
      waiting.set(id, { resolve, reject });
      worker.postMessage({ ...message, id });
    });
  return {
    kind: "worker",
    about: "parsed in this browser; nothing is sent anywhere",
    call: (operation, body) => ask({ operation, body, model }),
    choose: (name) => (model = name),
  };
}
