// The client: starts tosca-lsp, tells which files are ours, shows previews.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

// A file is ours if one of its keys says so, whatever its name is.
const MARKS = {
  cloudify: /^["']?tosca_definitions_version["']?\s*:\s*["']?cloudify/m,
  tosca: /^["']?tosca_definitions_version["']?\s*:/m,
  heat: /^["']?heat_template_version["']?\s*:/m,
  bosh: /^["']?instance_groups["']?\s*:|^jobs:[^]*^releases:|^releases:[^]*^jobs:/m,
};
const LANGUAGES = Object.keys(MARKS);
const PREVIEWS = {
  "toscac.previewPlan": ["toscac.showPlan", "Plan"],
  "toscac.previewTopology": ["toscac.showTopology", "Topology"],
  "toscac.previewMachine": ["toscac.showMachine", "Machines"],
};

let client;
let status;
// By command: the panel, the document it is about, and what it shows.
const panels = new Map();

async function adopt(document) {
  if (document.languageId !== "yaml") return;
  const text = document.getText();
  const language = LANGUAGES.find((each) => MARKS[each].test(text));
  if (language) await vscode.languages.setTextDocumentLanguage(document, language);
}

function makeClient(context) {
  const settings = vscode.workspace.getConfiguration("toscac");
  const args = ["--stdio"];
  for (const folder of settings.get("searchPaths")) args.push("-I", folder);
  for (const flag of settings.get("warnings")) args.push("-W", flag);
  const command = settings.get("server");
  const run = { command, args, transport: TransportKind.stdio };
  return new LanguageClient(
    "toscac",
    "TOSCA",
    { run, debug: run },
    {
      documentSelector: [
        ...LANGUAGES.map((language) => ({ scheme: "file", language })),
        { scheme: "file", language: "yaml", pattern: "**/.toscac.yaml" },
      ],
      synchronize: {
        fileEvents: vscode.workspace.createFileSystemWatcher(
          "**/*.{yaml,yml,tosca}",
        ),
      },
      middleware: {
        executeCommand: (command, args, next) =>
          command in COMMANDS ? show(COMMANDS[command], args[0]) : next(command, args),
      },
    },
  );
}

// The commands of code lenses open the same previews.
const COMMANDS = Object.fromEntries(
  Object.entries(PREVIEWS).map(([preview, [command]]) => [command, preview]),
);

async function start(context) {
  client = makeClient(context);
  try {
    await client.start();
    status.text = "$(check) toscac";
    status.tooltip = "tosca-lsp answers";
  } catch (error) {
    status.text = "$(warning) toscac";
    status.tooltip = String(error);
    const settings = "Open the settings";
    const chosen = await vscode.window.showErrorMessage(
      `tosca-lsp could not be started: ${error.message}`,
      settings,
    );
    if (chosen === settings) {
      vscode.commands.executeCommand("workbench.action.openSettings", "toscac.server");
    }
  }
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

// What a panel shows instead of a page.
function textPage(text) {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head>
<body><pre>${escaped(text)}</pre></body></html>`;
}

// The page brings its own policy, which lets no script run but its viewer; it only has to
// be told whether the editor is dark.
function themed(html) {
  const kinds = [vscode.ColorThemeKind.Dark, vscode.ColorThemeKind.HighContrast];
  const theme = kinds.includes(vscode.window.activeColorTheme.kind) ? "dark" : "light";
  return html.replace("<html ", `<html data-theme="${theme}" `);
}

async function refresh(preview) {
  const panel = panels.get(preview);
  if (!panel) return;
  const [command] = PREVIEWS[preview];
  try {
    const answer = await client.sendRequest("workspace/executeCommand", {
      command,
      arguments: [panel.uri],
    });
    panel.viewName = answer.view;
    const html = answer.format === "html" ? themed(answer.text) : textPage(answer.text);
    if (html !== panel.html) panel.view.webview.html = panel.html = html;
  } catch (error) {
    panel.html = "";
    panel.view.webview.html = textPage(error.message);
  }
  followCursor(preview);
}

// Tells a page where the cursor is. It may still be loading: then again a little later.
function followCursor(preview) {
  const panel = panels.get(preview);
  const editor = vscode.window.visibleTextEditors.find(
    (each) => panel && each.document.uri.toString() === panel.uri,
  );
  if (!panel || !panel.viewName) return;
  const place = {
    view: panel.viewName,
    file: editor ? editor.document.uri.path : "",
    line: editor ? editor.selection.active.line + 1 : 0,
  };
  panel.view.webview.postMessage(place);
  clearTimeout(panel.timer);
  panel.timer = setTimeout(() => panel.view.webview.postMessage(place), 500);
}

async function show(preview, uri) {
  const editor = vscode.window.activeTextEditor;
  const target = uri || (editor && editor.document.uri.toString());
  if (!target) return;
  let panel = panels.get(preview);
  if (!panel) {
    const view = vscode.window.createWebviewPanel(
      preview,
      PREVIEWS[preview][1],
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [] },
    );
    panel = { view };
    panels.set(preview, panel);
    view.onDidDispose(() => panels.delete(preview));
  }
  panel.uri = target;
  await refresh(preview);
}

async function activate(context) {
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  status.text = "$(sync~spin) toscac";
  status.show();
  context.subscriptions.push(status);
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(adopt));
  await Promise.all(vscode.workspace.textDocuments.map(adopt));
  for (const preview of Object.keys(PREVIEWS)) {
    context.subscriptions.push(
      vscode.commands.registerCommand(preview, (uri) => show(preview, uri)),
    );
  }
  context.subscriptions.push(
    vscode.commands.registerCommand("toscac.restart", async () => {
      await client.stop();
      await start(context);
    }),
  );
  // Previews follow the file that is looked at, what is typed in it, and the cursor.
  let timer;
  const follow = (document) => {
    if (!document || !LANGUAGES.includes(document.languageId)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const [preview, panel] of panels) {
        panel.uri = document.uri.toString();
        refresh(preview);
      }
    }, 300);
  };
  context.subscriptions.push(
    vscode.workspace.onDidChangeTextDocument((event) => follow(event.document)),
    vscode.window.onDidChangeActiveTextEditor((editor) => editor && follow(editor.document)),
    vscode.window.onDidChangeTextEditorSelection(() => [...panels.keys()].forEach(followCursor)),
  );
  await start(context);
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
