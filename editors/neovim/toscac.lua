-- TOSCA in neovim 0.7 or later: put this file on the runtime path and
-- `require("toscac").setup()` into init.lua.
local M = {}

-- A file is ours if one of its first keys says so, whatever its name is.
local marks = {
  "^tosca_definitions_version%s*:",
  "^heat_template_version%s*:",
  "^instance_groups%s*:",
}

-- The server of each folder.
M.clients = {}

local function is_ours(buffer)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, 200, false)) do
    for _, mark in ipairs(marks) do
      if line:match(mark) then
        return true
      end
    end
  end
  return false
end

function M.start(buffer, options)
  options = options or {}
  local name = vim.api.nvim_buf_get_name(buffer)
  local folder = vim.fn.fnamemodify(name, ":p:h")
  local git = vim.fn.finddir(".git", folder .. ";")
  if git ~= "" then
    folder = vim.fn.fnamemodify(git, ":p:h:h")
  end
  if not M.clients[folder] then
    M.clients[folder] = vim.lsp.start_client({
      name = "toscac",
      cmd = options.cmd or { "tosca-lsp" },
      root_dir = folder,
      on_exit = function()
        M.clients[folder] = nil
      end,
      on_attach = options.on_attach,
    })
  end
  if M.clients[folder] then
    vim.lsp.buf_attach_client(buffer, M.clients[folder])
  end
end

-- Writes the page that `command` (toscac.showPlan, toscac.showTopology or
-- toscac.showMachine) makes of the file in `buffer`, and gives its path to `open`, which
-- by default is the browser.
function M.show(command, buffer, open)
  open = open or function(path)
    vim.fn.jobstart({ vim.fn.has("mac") == 1 and "open" or "xdg-open", path })
  end
  local params = { command = command, arguments = { vim.uri_from_bufnr(buffer) } }
  vim.lsp.buf_request(buffer, "workspace/executeCommand", params, function(problem, page)
    if problem then
      vim.notify(problem.message, vim.log.levels.ERROR)
      return
    end
    local path = vim.fn.tempname() .. (page.format == "html" and ".html" or ".txt")
    vim.fn.writefile(vim.split(page.text, "\n"), path)
    open(path)
  end)
end

function M.setup(options)
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
    pattern = { "*.yaml", "*.yml", "*.tosca" },
    callback = function(event)
      if is_ours(event.buf) then
        M.start(event.buf, options)
      end
    end,
  })
  -- What code lenses run.
  for _, view in ipairs({ "Plan", "Topology", "Machine" }) do
    vim.lsp.commands["toscac.show" .. view] = function(command, context)
      M.show(command.command, context.bufnr)
    end
  end
end

return M
