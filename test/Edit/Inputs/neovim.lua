-- Opens the file that $FILE names with editors/neovim and prints what a person would see.
-- It waits as long as the server lives, and ends without neovim's own end, which gives up
-- on what is slow.
local forever = 1e9

local function out(text)
  io.stdout:write(text .. "\n")
  io.stdout:flush()
end

vim.notify = function(message)
  out("told: " .. message)
  os.exit(1)
end

local function work()
  package.path = os.getenv("EDITORS") .. "/neovim/?.lua;" .. package.path
  local toscac = require("toscac")
  toscac.setup()
  vim.cmd("edit " .. os.getenv("FILE"))
  local buffer = vim.api.nvim_get_current_buf()
  local line = tonumber(os.getenv("LINE"))

  local function wait(what, condition)
    vim.wait(forever, function()
      return condition() or not next(toscac.clients)
    end, 20)
    if not condition() then
      error("the server has ended: no " .. what)
    end
  end

  -- What was edited in the buffer is sent before.
  local function ask(method, params, edited)
    local answer
    vim.lsp.buf_request(edited or buffer, method, params, function(problem, result)
      answer = { problem = problem, result = result }
    end)
    wait(method, function()
      return answer
    end)
    if answer.problem then
      error(method .. ": " .. answer.problem.message)
    end
    return answer.result
  end

  local document = { uri = vim.uri_from_bufnr(buffer) }
  local function at(row, column, more)
    local params = { textDocument = document, position = { line = row - 1, character = column - 1 } }
    return vim.tbl_extend("error", params, more or {})
  end
  local function text(row)
    return vim.api.nvim_buf_get_lines(buffer, row - 1, row, false)[1]
  end
  local function labels(items)
    local result = {}
    for _, item in ipairs(items) do
      table.insert(result, item.label)
    end
    return table.concat(result, " ")
  end

  wait("diagnostics", function()
    return #vim.diagnostic.get(buffer) > 0
  end)
  for _, found in ipairs(vim.diagnostic.get(buffer)) do
    out(("%d:%d %s"):format(found.lnum + 1, found.col + 1, found.message))
  end
  local here = at(line, 13)
  here.range = { start = here.position, ["end"] = here.position }
  here.context = { diagnostics = {} }
  for _, action in ipairs(ask("textDocument/codeAction", here)) do
    if action.kind == "quickfix" then
      out("fix: " .. action.title)
      vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
      break
    end
  end
  wait("end of diagnostics", function()
    return #vim.diagnostic.get(buffer) == 0
  end)
  out("fixed: " .. text(line))
  out("hover: " .. ask("textDocument/hover", at(line, 14)).contents.value:match("[^\n]*"))
  out("definition: " .. ask("textDocument/definition", at(line, 14))[1].uri:match("[^/]*$"))
  out("symbols: " .. #ask("textDocument/documentSymbol", { textDocument = document }))
  out("folds: " .. #ask("textDocument/foldingRange", { textDocument = document }))
  local uses = ask("textDocument/references", at(line, 14, { context = { includeDeclaration = true } }))
  out("references: " .. #uses)
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", at(line, 14, { newName = "Branch" })), "utf-16")
  out("renamed: " .. text(line))
  local declared = vim.fn.bufnr("types.yaml")
  out("there: " .. vim.fn.matchstr(vim.api.nvim_buf_get_lines(declared, 0, -1, false), "^  Branch:"))
  ask("workspace/symbol", { query = "Branch" }, declared)
  vim.api.nvim_buf_set_lines(buffer, line, line, false, { "      co" })
  out("completion: " .. labels(ask("textDocument/completion", at(line + 1, 9)).items))
  vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { "      # said  ", "", "", "" })
  local options = { tabSize = 2, insertSpaces = true }
  local form = ask("textDocument/formatting", { textDocument = document, options = options })
  vim.lsp.util.apply_text_edits(form, buffer, "utf-16")
  out(("formatted: '%s' '%s' '%s'"):format(text(line + 1), text(line + 2), text(line + 3):match("%S+")))
  local lenses = ask("textDocument/codeLens", { textDocument = document })
  out("plan: " .. ask("codeLens/resolve", lenses[1]).command.title)
  local page
  toscac.show("toscac.showTopology", buffer, function(path)
    page = path
  end)
  wait("page", function()
    return page
  end)
  out("page: " .. vim.fn.readfile(page)[1])
end

local good, problem = xpcall(work, debug.traceback)
if not good then
  out(problem)
end
os.exit(good and 0 or 1)
