// The client: starts tosca-lsp, tells which files are ours, shows previews.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

// A YAML file is ours if one of its keys says so, whatever its name is.
const LANGUAGES = [
  ["cloudify", /^["']?tosca_definitions_version["']?\s*:\s*["']?cloudify_dsl/m],
  ["tosca", /^["']?tosca_definitions_version["']?\s*:/m],
  ["heat", /^["']?heat_template_version["']?\s*:/m],
  ["bosh", /^["']?instance_groups["']?\s*:/m],
];
const IDS = LANGUAGES.map(([id]) => id);
const PREVIEWS = {
  "toscac.previewPlan": ["toscac.showPlan", "Plan"],
  "toscac.previewTopology": ["toscac.showTopology", "Topology"],
  "toscac.previewMachine": ["toscac.showMachine", "Machines"],
};
// The commands of code lenses open the same previews.
const COMMANDS = Object.fromEntries(
  Object.entries(PREVIEWS).map(([preview, [command]]) => [command, preview]),
);

let client;
let status;
// By command: the panel, the document it is about, and what it shows.
const panels = new Map();

async function adopt(document) {
  if (document.languageId !== "yaml") return;
  const text = document.getText();
  const found = LANGUAGES.find(([, mark]) => mark.test(text));
  if (found) await vscode.languages.setTextDocumentLanguage(document, found[0]);
}

function makeClient() {
  const settings = vscode.workspace.getConfiguration("toscac");
  const args = ["--stdio"];
  for (const folder of settings.get("searchPaths")) args.push("-I", folder);
  for (const file of settings.get("inputs")) args.push("--inputs", file);
  for (const flag of settings.get("warnings")) args.push("-W", flag);
  const [folder] = vscode.workspace.workspaceFolders || [];
  const options = folder && folder.uri.scheme === "file" ? { cwd: folder.uri.fsPath } : {};
  const run = { command: settings.get("server"), args, transport: TransportKind.stdio, options };
  return new LanguageClient(
    "toscac",
    "TOSCA",
    { run, debug: run },
    {
      documentSelector: IDS.map((language) => ({ scheme: "file", language })),
      synchronize: {
        fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml,tosca}"),
      },
      middleware: {
        executeCommand: (command, args, next) =>
          command in COMMANDS ? show(COMMANDS[command], args[0]) : next(command, args),
      },
    },
  );
}

async function start() {
  client = makeClient();
  status.text = "$(sync~spin) TOSCA";
  try {
    await client.start();
    status.text = "$(check) TOSCA";
    status.tooltip = "tosca-lsp answers; click to start it anew";
  } catch (error) {
    status.text = "$(warning) TOSCA";
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

async function restart() {
  if (client.isRunning()) await client.stop();
  await start();
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
    view.onDidDispose(() => {
      clearTimeout(panel.timer);
      panels.delete(preview);
    });
  } else {
    panel.view.reveal(undefined, true);
  }
  panel.uri = target;
  await refresh(preview);
}

async function activate(context) {
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  status.command = "toscac.restart";
  status.show();
  context.subscriptions.push(status);
  // Previews follow the file that is looked at, what is typed in it, and the cursor.
  let timer;
  const follow = (document) => {
    if (!document || !IDS.includes(document.languageId)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const [preview, panel] of panels) {
        panel.uri = document.uri.toString();
        refresh(preview);
      }
    }, 300);
  };
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(adopt),
    // A new file becomes ours when its key is written.
    vscode.workspace.onDidChangeTextDocument(async ({ document }) => {
      await adopt(document);
      follow(document);
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => editor && follow(editor.document)),
    vscode.window.onDidChangeTextEditorSelection(() => [...panels.keys()].forEach(followCursor)),
    vscode.window.onDidChangeActiveColorTheme(() => [...panels.keys()].forEach(refresh)),
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration("toscac") && restart(),
    ),
    vscode.commands.registerCommand("toscac.restart", restart),
  );
  for (const preview of Object.keys(PREVIEWS)) {
    context.subscriptions.push(
      vscode.commands.registerCommand(preview, (uri) => show(preview, uri)),
    );
  }
  await Promise.all(vscode.workspace.textDocuments.map(adopt));
  await start();
}

function deactivate() {
  return client && client.isRunning() ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
