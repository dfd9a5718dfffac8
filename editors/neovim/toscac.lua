-- TOSCA in neovim 0.7 or later: put this file on the runtime path and
-- `require("toscac").setup()` into init.lua.
local M = {}

-- A file is ours if one of its first keys says so, whatever its name is.
local marks = {
  "^tosca_definitions_version%s*:",
  "^heat_template_version%s*:",
  "^instance_groups%s*:",
}

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
  if not M.client then
    M.client = vim.lsp.start_client({
      name = "toscac",
      cmd = options.cmd or { "tosca-lsp" },
      root_dir = folder,
      on_exit = function()
        M.client = nil
      end,
      on_attach = options.on_attach,
    })
  end
  if M.client then
    vim.lsp.buf_attach_client(buffer, M.client)
  end
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
end

return M
