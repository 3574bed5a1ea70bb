-- attack.lua NAME: what a program in Lua could try. Every target is in the environment, and is a canary.
local get = os.getenv
local victim, outside = get('VICTIM'), get('OUTSIDE')
local function put(path, how) local file = assert(io.open(path, how or 'w')); file:write('changed'); file:close() end
local attacks = {
  overwrite = function() put(victim) end,
  append = function() put(victim, 'a') end,
  update = function() put(victim, 'r+') end,
  unlink = function() assert(os.remove(victim)) end,
  rename = function() assert(os.rename(victim, get('SECOND_VICTIM'))) end,
  make = function() put(outside .. '/new') end,
  home = function() put(get('HOME') .. '/.bashrc', 'a') end,
  workspace = function() assert(os.remove(get('VIEW') .. '/precious')) end,
  child = function() os.execute('echo changed > "$VICTIM"') end,
  piped = function() local to = io.popen('cat > "$VICTIM"', 'w'); to:write('x'); to:close() end,
  roots = function() put('/proc/' .. get('PID') .. '/cwd/victim') end,
}
print(pcall(attacks[arg[1]]))
