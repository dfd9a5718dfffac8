// drive.js FOLDER -- COMMAND...: starts code-server and works in it as people do; ends with 1
// at the first thing that is not as it should be. Screenshots go to FOLDER.
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const net = require("net");
const path = require("path");

const [folder, , ...command] = process.argv.slice(2);
const puppeteer = require(path.join(folder, "node_modules", "puppeteer-core"));
const project = path.join(folder, "project");
const service = path.join(project, "service.yaml");

function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what, condition, limit = 120000) {
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
let pictures = 0;

async function shoot(name) {
  pictures += 1;
  // A browser that is busy refuses sometimes.
  const file = path.join(folder, `${pictures}-${name}.png`);
  await until(`the picture of ${name}`, async () => (await page.screenshot({ path: file })).length > 0);
  console.log(`seen: ${name}`);
}

async function chord(...keys) {
  for (const key of keys) await page.keyboard.down(key);
  for (const key of keys.reverse()) await page.keyboard.up(key);
}

// What is typed before it has the focus goes into the file.
const inputBox = () =>
  until("a box to type into", () => page.$eval(".quick-input-widget input", (box) => box === document.activeElement));

async function palette(text) {
  await page.keyboard.press("F1");
  await inputBox();
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
  await inputBox();
  await page.keyboard.type(`${line}:${column}`);
  await page.keyboard.press("Enter");
  await sleep(400);
}

const textOf = (selector) =>
  page.$$eval(selector, (nodes) => nodes.map((node) => node.textContent).join("\n"));

function lineOf(text) {
  const lines = fs.readFileSync(service, "utf8").split("\n");
  const line = lines.findIndex((each) => each.includes(text));
  return [line + 1, lines[line].indexOf(text) + 1];
}

async function work() {
  // A planted mistake.
  fs.writeFileSync(service, fs.readFileSync(service, "utf8").replace("type: VPNSite", "type: VPNSit"));
  await openFile("service.yaml");
  let [line, column] = lineOf("VPNSit");
  await goTo(line, 1);
  await until("the squiggle", () => page.$(".squiggly-error"));
  await chord("Control", "Shift", "m");
  await until("the message", async () =>
    (await textOf(".markers-panel, .panel")).includes("did you mean 'VPNSite'"),
  );
  await shoot("problem");

  await openFile("service.yaml");
  await goTo(line, column + 2);
  await chord("Control", ".");
  await until("the fix", async () => (await textOf(".action-widget, .context-view")).includes("VPNSite"));
  await shoot("quick-fix");
  await page.keyboard.press("Enter");
  await until("no squiggle", async () => !(await page.$(".squiggly-error")));
  await chord("Control", "s");
  await shoot("fixed");

  // The property that a router lacks; what is not known is not offered.
  [line] = lineOf("location: { $get_input");
  await goTo(line, 1);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await chord("Control", " ");
  await until("completions", async () => (await textOf(".suggest-widget.visible .monaco-list-row")).includes("bandwidth"));
  await shoot("completion");
  await page.keyboard.press("Enter");
  await until("the property", async () => (await textOf(".view-lines")).replace(/\u00a0/g, " ").includes("bandwidth:"));
  await page.keyboard.type("200");
  await chord("Control", "s");
  await sleep(500);

  [line, column] = lineOf("type: VPE");
  await goTo(line, column + 7);
  await page.keyboard.press("F12");
  await until("the type", () => page.$('.tab.active[data-resource-name="types.yaml"]'));
  await shoot("definition");

  await openFile("service.yaml");
  [line, column] = lineOf("number-of-sites:");
  await goTo(line, column + 2);
  await page.keyboard.press("F2");
  await until("the new name's box", () => page.$eval(".rename-box input", (box) => box === document.activeElement));
  await chord("Control", "a");
  await page.keyboard.type("sites");
  await page.keyboard.press("Enter");
  await sleep(1500);
  await palette("File: Save All");
  await until("the new name", () => {
    const text = fs.readFileSync(service, "utf8");
    return text.includes("    sites:") && text.includes("$get_input: sites") && !text.includes("number-of-sites");
  });
  await shoot("renamed");

  // What a file is, its keys tell; each language has its problems.
  for (const [name, language, problem] of [
    ["stack.yaml", "Heat stack", "siz"],
    ["blueprint.yaml", "Cloudify blueprint", "Thin"],
    ["manifest.yml", "BOSH manifest", "must be an integer"],
    [".toscac.yaml", "YAML", "nothing-is-called-so"],
  ]) {
    if (name === ".toscac.yaml") fs.writeFileSync(path.join(project, name), "warnings: { nothing-is-called-so: error }\n");
    await openFile(name);
    await until(`that ${name} is a ${language}`, async () => (await textOf(".statusbar")).includes(language));
    await until(`the problem of ${name}`, async () => (await textOf(".markers-panel")).includes(problem));
    await shoot(name);
  }

  await palette("View: Close Editor");
  fs.rmSync(path.join(project, ".toscac.yaml"));
  await until("no mistake in the project", async () => !(await textOf(".markers-panel")).includes("nothing-is-called-so"));

  for (const [title, name] of [["TOSCA: Show Plan", "plan"], ["TOSCA: Show Machines", "machines"], ["TOSCA: Show Topology", "topology"]]) {
    await openFile("service.yaml");
    await palette(title);
    await until(`the ${name}`, async () => {
      for (const frame of page.frames()) {
        if (await frame.$(`[role="tab"][aria-selected="true"]#tab-${name}`)) return true;
      }
      return false;
    });
    await sleep(1500);
    await shoot(name);
    await palette("View: Close Other Editors in Group");
  }
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
      args: ["--no-sandbox", "--window-size=1400,900"],
      defaultViewport: { width: 1400, height: 900 },
    });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/?folder=${project}`);
    await page.waitForSelector(".monaco-workbench", { timeout: 180000 });
    await sleep(3000);
    await work();
    console.log("all seen");
  } catch (error) {
    if (page) await page.screenshot({ path: path.join(folder, "failed.png") });
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
