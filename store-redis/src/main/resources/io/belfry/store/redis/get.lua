-- The entries that exist among the asked; those of leases that are over do not.
--
-- ARGV[4..]  <space>/<name>
-- returns    {'K', entry or nothing ...} in the order asked
barrier()
local found = { 'K' }
for i = 4, #ARGV do
  local stored = call('GET', tag .. 'e' .. ARGV[i])
  if stored then
    local lease = sub(stored, 9, 16)
    if lease ~= NO_LEASE and over(lease) then
      stored = false
    end
  end
  found[i - 2] = stored
end
return found
