-- Opens the file that $FILE names with editors/neovim and prints what a person would see.
package.path = os.getenv("EDITORS") .. "/neovim/?.lua;" .. package.path
local toscac = require("toscac")
toscac.setup()
vim.cmd("edit " .. os.getenv("FILE"))
local buffer = vim.api.nvim_get_current_buf()

local function out(text)
  io.stdout:write(text .. "\n")
end

local function wait(condition, what)
  if not vim.wait(120000, condition, 20) then
    out("no " .. what)
    vim.cmd("cquit 1")
  end
end

wait(function()
  return #vim.diagnostic.get(buffer) > 0
end, "diagnostics")
for _, found in ipairs(vim.diagnostic.get(buffer)) do
  out(("%d:%d %s"):format(found.lnum + 1, found.col + 1, found.message))
end

local function ask(method, line, column, more)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = line - 1, character = column - 1 },
  }
  for key, value in pairs(more or {}) do
    params[key] = value
  end
  local answers = vim.lsp.buf_request_sync(buffer, "textDocument/" .. method, params, 120000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

local line = tonumber(os.getenv("LINE"))
local range = { start = { line = line - 1, character = 12 } }
range["end"] = range.start
for _, action in ipairs(ask("codeAction", line, 13, { range = range, context = { diagnostics = {} } })) do
  if action.kind == "quickfix" then
    out("fix: " .. action.title)
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
    break
  end
end
wait(function()
  return #vim.diagnostic.get(buffer) == 0
end, "end of diagnostics")
out("fixed: " .. vim.api.nvim_buf_get_lines(buffer, line - 1, line, false)[1])
local hover = ask("hover", line, 14)
out("hover: " .. hover.contents.value:match("[^\n]*"))
local place = ask("definition", line, 14)[1]
out("definition: " .. place.uri:match("[^/]*$"))
out("symbols: " .. #ask("documentSymbol", 1, 1))
vim.cmd("qall!")
