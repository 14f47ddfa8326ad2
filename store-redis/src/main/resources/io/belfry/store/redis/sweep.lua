-- Ends leases that are due and forgets feeds that were not written to for long: their keys are deleted, or their owners gone.
--
-- returns  {'K', TTL of the lease that ends next (ms), 0 when there is none}
evenIfFull()
sweep(0)
publish()
local _, _, keep = limits()
local quiet = call('ZRANGEBYSCORE', tag .. 'g', '-inf', now, 'LIMIT', 0, 200)
for i = 1, #quiet do
  forget(quiet[i], keep)
end
if #quiet > 0 then
  keepVolume()
end
local next = call('ZRANGE', tag .. 'z', 0, 0)[1]
return { 'K', next and tonumber(call('HGET', tag .. 't', next)) or 0 }
