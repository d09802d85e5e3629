// The page in headless Chromium: served, and as a static site.
//   node page.mjs BINARY SCREENSHOTS [SITE]
import { spawn, execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const [binary, shots, site] = process.argv.slice(2);
mkdirSync(shots, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const SHORT = "Which book did she buy?";
const MIDDLE = "The senator who proposed the rule that nobody wanted to discuss said that she would rather resign than apologise.";
const LONG = "Although the committee that was appointed by the minister last spring had promised to publish the report before the end of the year, nobody who was asked about it in March seemed to know what the members had decided, which surprised the journalists who had been waiting for it.";

const server = spawn(binary, ["serve", "--port", "0", "--model", "fast"], { stdio: ["ignore", "ignore", "pipe"] });
const served = await new Promise((done, fail) => {
  let text = "";
  server.stderr.on("data", (piece) => {
    text += piece;
    const found = /http:\/\/\S+\//.exec(text);
    if (found) done(found[0]);
  });
  server.on("exit", () => fail(new Error(text)));
});

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
let passed = 0;

async function open(address, { fragment = "", ...options } = {}) {
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  await page.goto(address + fragment);
  await page.waitForSelector("#canvas svg [data-node], #canvas svg [data-row], #canvas svg text");
  return page;
}

async function test(name, address, options, body) {
  const page = await open(address, options);
  await body(page);
  assert.deepEqual(page.faults, [], name);
  await page.context().close();
  passed += 1;
  console.log(`ok ${name}`);
}

const words = (page) => page.$$eval("#canvas [data-kind=word] text:last-of-type", (all) => all.map((one) => one.textContent));
const settled = (page, text) => page.waitForFunction((wanted) => document.querySelector("#canvas svg")?.getAttribute("aria-label")?.includes(wanted), text);
const label = (page, text) => page.locator("#canvas [data-kind=phrase]", { has: page.locator(`text=/^${text}$/`) }).first();
const download = async (page, kind) => {
  await page.click("#take > summary");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(`[data-export=${kind}]`)]);
  return readFileSync(await file.path());
};

async function type(page, text) {
  await page.fill("#text", text);
  const first = /^[^.?]*[.?]/.exec(text)[0];
  await settled(page, `: ${first.replace(/([.,?])/g, " $1")}`);
}

async function suite(kind, address) {
  await test(`${kind}: type, see the tree, hover a null`, address, {}, async (page) => {
    await type(page, SHORT);
    assert.deepEqual(await words(page), ["Which", "book", "did", "she", "buy", "?"]);
    await page.hover("#canvas [data-kind=null]");
    await page.waitForSelector("#canvas [data-from].lit");
    assert.match(await page.textContent("#status"), /Which book, object of buy/);
    assert.ok((await page.$$("#canvas [data-kind=word].lit")).length >= 2, "the antecedent's words light up");
    await page.hover("h1");
    await page.waitForSelector("#canvas [data-from].lit", { state: "detached" });
    await page.focus("#nulls button");
    await page.waitForSelector("#canvas [data-from].lit");
  });

  await test(`${kind}: collapse, expand, tags, functions`, address, {}, async (page) => {
    await type(page, MIDDLE);
    const before = (await words(page)).length;
    await page.locator("#canvas [data-kind=phrase]").nth(2).click();
    await page.waitForSelector("#canvas [data-kind=triangle]");
    assert.ok((await words(page)).length < before);
    await page.click("#expand");
    await page.waitForSelector("#canvas [data-kind=triangle]", { state: "detached" });
    assert.match(await page.innerHTML("#canvas"), />VBD</);
    await page.uncheck("#tags");
    await page.waitForFunction(() => !document.querySelector("#canvas").innerHTML.includes(">VBD<"));
    await page.uncheck("#functions");
    await page.waitForFunction(() => !document.querySelector("#canvas").innerHTML.includes("SBJ"));
    await page.check("#strengths");
    await page.waitForFunction(() => new Set([...document.querySelectorAll("#canvas path")].map((p) => p.getAttribute("stroke-width"))).size > 3);
  });

  await test(`${kind}: edit, refuse, undo, link, compare`, address, {}, async (page) => {
    await type(page, SHORT);
    const original = await page.textContent("#brackets");
    await page.click("#edit");
    await page.locator("#canvas [data-kind=word]").nth(1).click();
    await page.fill("#label", "XYZ");
    await page.press("#label", "Enter");
    await page.waitForFunction(() => document.querySelector("#brackets").textContent.includes("(XYZ book)"));
    const id = await page.locator("#canvas [data-kind=null]").first().getAttribute("data-node");
    await page.click(`#canvas [data-node="${id}"]`);
    await page.click("[data-edit=unlink]");
    await page.waitForFunction(() => !/\*T\*-\d/.test(document.querySelector("#brackets").textContent));
    await page.click(`#canvas [data-kind=null]`);
    await page.click("[data-edit=link]");
    await label(page, "WHNP").click();
    await page.waitForFunction(() => /WHNP-\d/.test(document.querySelector("#brackets").textContent));
    await page.click("#compare");
    await page.waitForFunction(() => document.querySelector("#canvas").textContent.includes("gold"));
    await page.click("#compare");
    await page.waitForSelector("#canvas [data-node]");
    const edited = (await download(page, "penn")).toString();
    const again = execFileSync(binary, ["convert"], { input: edited }).toString();
    assert.equal(again, edited, "convert accepts the brackets and gives them back");
    await page.locator("#canvas [data-kind=word]").nth(1).click();
    await page.fill("#label", "a b");
    await page.press("#label", "Enter");
    await page.waitForFunction(() => document.querySelector("#status").textContent.startsWith("Not changed"));
    for (let times = 0; times < 3; times += 1) await page.click("#undo");
    await page.waitForFunction((text) => document.querySelector("#brackets").textContent === text, original);
  });

  await test(`${kind}: exports`, address, {}, async (page) => {
    await type(page, SHORT);
    assert.match((await download(page, "svg")).toString(), /^<svg[\s\S]*<\/svg>\n$/);
    assert.equal((await download(page, "png")).subarray(1, 4).toString(), "PNG");
    assert.match((await download(page, "penn")).toString(), /^\( \(SBARQ/);
    assert.match((await download(page, "forest")).toString(), /\\begin\{forest\}/);
    assert.match((await download(page, "qtree")).toString(), /\\Tree/);
    assert.equal(JSON.parse(await download(page, "json")).tokens.length, 6);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.isVisible("header"), false);
    assert.ok((await page.pdf()).length > 5000);
  });

  await test(`${kind}: a link holds sentence and view`, address, {}, async (page) => {
    await type(page, "They left. " + SHORT);
    await page.locator("#sentences button").nth(1).click();
    await settled(page, "buy");
    await page.uncheck("#tags");
    await page.check("input[value=derivation]");
    await page.waitForSelector("#canvas [data-row]");
    await page.focus("#canvas");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    const rows = await page.$$eval("#canvas [data-row].later", (all) => all.length);
    assert.equal(rows, 2);
    assert.ok((await page.$$("#steps li")).length > 0);
    const fragment = new URL(page.url()).hash;
    const copy = await open(address, { fragment });
    await copy.waitForSelector("#canvas [data-row].later", { state: "attached" });
    assert.equal(await copy.$$eval("#canvas [data-row].later", (all) => all.length), 2);
    assert.equal(await copy.inputValue("#text"), "They left. " + SHORT);
    assert.equal(await copy.isChecked("#tags"), false);
    await copy.context().close();
    await page.check("input[value=spines]");
    await page.waitForFunction(() => document.querySelector("#canvas svg")?.getAttribute("aria-label")?.startsWith("spines"));
  });

  await test(`${kind}: keyboard only`, address, {}, async (page) => {
    await type(page, SHORT);
    await page.focus("#canvas");
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.waitForSelector("#canvas [data-kind=triangle]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#canvas [data-kind=triangle]", { state: "detached" });
    const size = () => page.$eval("#canvas svg", (svg) => svg.getBoundingClientRect().width);
    const before = await size();
    await page.keyboard.press("+");
    assert.ok((await size()) > before);
    await page.keyboard.press("0");
    const reached = new Set();
    for (let times = 0; times < 60; times += 1) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.dataset.null || document.activeElement.tagName));
    }
    for (const id of ["text", "examples", "theme", "zoom-in", "tags", "edit", "canvas"]) assert.ok(reached.has(id), `Tab reaches ${id}`);
  });

  await test(`${kind}: alternatives and examples`, address, {}, async (page) => {
    await type(page, "I saw the man with the telescope.");
    await page.waitForSelector("#alternatives:not([hidden])");
    // What an alternative has and the first tree has not is marked; one that only lacks a phrase of it has no mark.
    const marked = () => document.querySelector("#canvas").innerHTML.includes("#c1121f");
    for (let at = 2; !(await page.evaluate(marked)); at++) {
      await page.click("#next");
      await page.waitForFunction((at) => document.querySelector("#alternative").textContent.startsWith(`${at} of`), at);
    }
    assert.ok((await page.$$("#examples option")).length > 20);
    await page.selectOption("#examples", { index: 1 });
    await settled(page, "resigned");
  });

  for (const [device, viewport] of [["desktop", { width: 1280, height: 800 }], ["phone", { width: 390, height: 844 }]]) {
    for (const colorScheme of ["light", "dark"]) {
      await test(`${kind}: axe and screenshots, ${device}, ${colorScheme}`, address, { viewport, colorScheme, hasTouch: device === "phone" }, async (page) => {
        for (const [length, text] of [[5, SHORT], [20, MIDDLE], [45, LONG]]) {
          await type(page, text);
          await page.screenshot({ path: `${shots}/${kind}-${device}-${colorScheme}-${length}.png`, fullPage: device === "phone" });
        }
        await page.click("#edit");
        await page.click("#outline-box summary");
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        assert.deepEqual(violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 120))]), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), "nothing is wider than the window");
      });
    }
  }
}

/** A plain web server, as a stranger would use. */
function files(folder) {
  const types = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml", wasm: "application/wasm", tbm: "application/octet-stream" };
  const plain = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html");
    try {
      const bytes = readFileSync(folder + name);
      response.writeHead(200, { "content-type": types[name.split(".").at(-1)] ?? "text/plain", "content-length": bytes.length });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => plain.listen(0, "127.0.0.1", () => done(plain)));
}

const SENTENCES = Number(process.env.SENTENCES ?? 200);

async function sameAsNative(address) {
  const golden = ["penn", "masc", "craft", "genia"].flatMap((name) => readFileSync(`treebank/golden/${name}.txt`, "utf8").split("\n"));
  const sentences = golden.filter((line) => line.trim()).slice(0, SENTENCES);
  assert.equal(sentences.length, SENTENCES);
  const start = performance.now();
  const native = execFileSync(binary, ["parse", "--model", "fast", "--input", "lines", "--threads", "1"], { input: sentences.join("\n") + "\n" }).toString().trim().split("\n");
  const nativeTime = performance.now() - start;
  const page = await open(address);
  const { trees, time } = await page.evaluate(async (sentences) => {
    const { connect } = await import("./backend.js");
    const backend = await connect({ progress: () => {}, token: () => null });
    await backend.call("parse", { sentences: ["They left."] });
    const start = performance.now();
    const answer = JSON.parse(await backend.call("parse", { sentences }));
    return { trees: answer.map((parse) => parse.tree), time: performance.now() - start };
  }, sentences);
  assert.deepEqual(trees, native);
  console.log(`ok ${trees.length} sentences have the same trees in the browser (${Math.round(time)} ms) as native (${Math.round(nativeTime)} ms with loading, one thread)`);
  await page.context().close();
}

try {
  await suite("served", served);
  if (site) {
    const plain = await files(site);
    const address = `http://127.0.0.1:${plain.address().port}/`;
    await suite("static", address);
    await sameAsNative(address);
    plain.close();
  }
  console.log(`${passed} tests of the page passed; screenshots are in ${shots}`);
} finally {
  await browser.close();
  server.kill("SIGTERM");
}
