// drive.js FOLDER -- COMMAND...: starts code-server and works in it as people do; ends with 1
// at the first thing that is not as it should be. Screenshots go to FOLDER/pictures; those
// that the README and the walkthrough show have their names.
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const net = require("net");
const path = require("path");

const [folder, , ...command] = process.argv.slice(2);
const puppeteer = require(path.join(folder, "node_modules", "puppeteer-core"));
const project = path.join(folder, "project");
const service = path.join(project, "service.yaml");
const types = path.join(project, "types.yaml");

function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what, condition, limit = 600000) {
  const end = Date.now() + limit;
  while (Date.now() < end) {
    try {
      const found = await condition();
      if (found) return found;
    } catch {
      // Not yet.
    }
    await sleep(200);
  }
  throw new Error(`waited in vain for ${what}`);
}

let page;

async function shoot(name) {
  await page.screenshot({ path: path.join(folder, "pictures", `${name}.png`) });
  console.log(`seen: ${name}`);
}

async function chord(...keys) {
  for (const key of keys) await page.keyboard.down(key);
  for (const key of keys.reverse()) await page.keyboard.up(key);
}

async function palette(text) {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget input", { visible: true });
  await page.keyboard.type(text, { delay: 15 });
  await sleep(700);
  await page.keyboard.press("Enter");
}

// By its tab or in the explorer: the search for files needs a program that npm does not bring.
async function openFile(name) {
  const tab = await page.$(`.tab[data-resource-name="${name}"]`);
  const row = `.explorer-folders-view .monaco-list-row[aria-label^="${name}"]`;
  if (tab) await tab.click();
  else await (await until(`row of ${name}`, () => page.$(row))).click({ count: 2 });
  await until(`tab of ${name}`, () => page.$(`.tab.active[data-resource-name="${name}"]`));
  await sleep(500);
}

async function goTo(line, column) {
  await chord("Control", "g");
  await page.waitForSelector(".quick-input-widget input", { visible: true });
  await page.keyboard.type(`${line}:${column}`);
  await page.keyboard.press("Enter");
  await sleep(400);
}

const textOf = (selector) =>
  page.$$eval(selector, (nodes) => nodes.map((node) => node.textContent).join("\n"));

function lineOf(text, file = service) {
  const lines = fs.readFileSync(file, "utf8").split("\n");
  const line = lines.findIndex((each) => each.includes(text));
  return [line + 1, lines[line].indexOf(text) + 1];
}

const typed = (text) => page.keyboard.type(text, { delay: 30 });

// What the editor on the left shows; it puts hard blanks between words.
const shown = async () =>
  (await textOf(".editor-group-container .view-lines")).replace(/\u00a0/g, " ");

// The frame of the page that is shown, once `condition` holds in it.
const pageFrame = (what, condition) =>
  until(what, async () => {
    for (const frame of page.frames()) {
      if (await condition(frame)) return frame;
    }
    return undefined;
  });

async function mistake() {
  fs.writeFileSync(service, fs.readFileSync(service, "utf8").replace("type: VPNSite", "type: VPNSit"));
  await openFile("service.yaml");
  await until("the language", async () => (await textOf(".statusbar")).includes("TOSCA"));
  const [line, column] = lineOf("VPNSit");
  await goTo(line, 1);
  await until("the squiggle", () => page.$(".squiggly-error"));
  await chord("Control", "Shift", "m");
  await until("the message", async () =>
    (await textOf(".markers-panel, .panel")).includes("did you mean 'VPNSite'"),
  );
  await shoot("problem");
  await palette("View: Close Panel");
  await openFile("service.yaml");
  await goTo(line, column + 2);
  await chord("Control", ".");
  await until("the fix", async () => (await textOf(".action-widget, .context-view")).includes("VPNSite"));
  await shoot("quick-fix");
  await page.keyboard.press("Enter");
  await until("no squiggle", async () => !(await page.$(".squiggly-error")));
  await chord("Control", "s");
  await until("the fix in the file", () => fs.readFileSync(service, "utf8").includes("type: VPNSite"));
}

async function lens() {
  await goTo(lineOf("service_template:")[0], 1);
  await until("the summary of the plan", async () => /Plan: [1-9]\d* to add/.test(await textOf(".codelens-decoration")));
  await until("the hint", async () => (await shown()).includes("count = 3"));
}

async function completion() {
  await goTo(lineOf("        name: company")[0], 1);
  await page.keyboard.press("Home");
  await chord("Shift", "End");
  await page.keyboard.press("Delete");
  await chord("Control", " ");
  const first = ".suggest-widget.visible .monaco-list-row.focused";
  await until("completions", async () => (await textOf(first)).startsWith("name"));
  await shoot("completion");
  await page.keyboard.press("Enter");
  await typed("company");
  await chord("Control", "s");
  await until("the property", () => fs.readFileSync(service, "utf8").includes("        name: company\n"));
}

async function definition() {
  let [line, column] = lineOf("type: VPE");
  await goTo(line, column + 7);
  await page.keyboard.press("F12");
  await until("the type", () => page.$('.tab.active[data-resource-name="types.yaml"]'));
  await shoot("definition");
  // And on into the profile, which no folder has.
  [line, column] = lineOf("derived_from: Container", types);
  await goTo(line, column + 16);
  await page.keyboard.press("F12");
  await until("the profile", () => page.$('.tab.active[data-resource-name="profile.yaml"]'));
  await palette("View: Close Editor");
}

async function rename(name, newName, holds) {
  await openFile("service.yaml");
  const [line, column] = lineOf(name);
  await goTo(line, column + 2);
  await page.keyboard.press("F2");
  await page.waitForSelector(".rename-box input", { visible: true });
  await chord("Control", "a");
  await typed(newName);
  await page.keyboard.press("Enter");
  await until("the change", async () => (await shown()).includes(`${newName}:`));
  await until("the new name", async () => {
    await palette("File: Save All");
    return holds(fs.readFileSync(service, "utf8"), fs.readFileSync(types, "utf8"));
  });
}

async function previews() {
  const views = [["TOSCA: Show Plan", "plan"], ["TOSCA: Show Machines", "machines"], ["TOSCA: Show Topology", "topology"]];
  for (const [title, name] of views) {
    await openFile("service.yaml");
    await palette(title);
    await pageFrame(`the ${name}`, (frame) => frame.$(`[role="tab"][aria-selected="true"]#tab-${name}`));
    await sleep(1500);
    if (name === "topology") await followed();
    await shoot(name);
    await palette("View: Close Other Editors in Group");
    await palette("View: Close Editors in Other Groups");
  }
}

// The page shows what the cursor is on, and what is typed.
async function followed() {
  const chosen = (text) => async (frame) =>
    (await frame.$$eval("button.selected", (nodes) => nodes.map((node) => node.textContent))).join().includes(text);
  await openFile("service.yaml");
  await goTo(lineOf("    sdwan:")[0], 6);
  await pageFrame("the node of the cursor", chosen("sdwan"));
  const [line] = lineOf("type: VPE");
  await goTo(line, 1);
  await pageFrame("the other node", chosen("vpe"));
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await typed("description: a new one");
  await pageFrame("what was typed", async (frame) => (await frame.content()).includes("a new one"));
  for (let i = 0; i < 2; ++i) await chord("Control", "z");
}

async function walkthrough() {
  await palette("Welcome: Open Walkthrough");
  await until("the walkthroughs", async () => (await textOf(".quick-input-list")).includes("TOSCA while you type"));
  await typed("TOSCA while");
  await sleep(700);
  await page.keyboard.press("Enter");
  await until("the walkthrough", async () => (await textOf(".gettingStarted")).includes("Let mistakes be fixed"));
  await sleep(1500);
  await shoot("walkthrough");
}

async function work() {
  await mistake();
  await lens();
  await completion();
  await definition();
  await rename("number-of-sites:", "sites", (text) => text.includes("    sites:") && text.includes("$get_input: sites") && !text.includes("number-of-sites"));
  await rename("        location: { $get_input", "place", (text, other) => text.includes("        place: { $get_input") && other.includes("SELF, place, city"));
  await shoot("renamed");
  await previews();
  await walkthrough();
}

async function main() {
  const port = await freePort();
  const server = spawn(command[0], [...command.slice(1), "--bind-addr", `127.0.0.1:${port}`], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  let browser;
  try {
    await until("code-server", () => fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok));
    browser = await puppeteer.launch({
      executablePath: "/usr/bin/chromium",
      args: ["--no-sandbox", "--window-size=1200,750"],
      defaultViewport: { width: 1200, height: 750 },
    });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/?folder=${project}`);
    await page.waitForSelector(".monaco-workbench", { timeout: 180000 });
    await sleep(3000);
    await work();
    console.log("all seen");
  } catch (error) {
    if (page) await page.screenshot({ path: path.join(folder, "pictures", "failed.png") });
    throw error;
  } finally {
    if (browser) await browser.close();
    server.kill();
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
