-- Ends leases that are due and forgets feeds of keys that were deleted long ago.
--
-- returns  {'K', TTL of the lease that ends next (ms), 0 when there is none}
evenIfFull()
sweep(0)
publish()
local gone = call('ZRANGEBYSCORE', tag .. 'g', '-inf', now, 'LIMIT', 0, 10)
for i = 1, #gone do
  local last = match(call('GET', tag .. 's' .. gone[i]) or '0-0', '^%S+')
  local e, c = match(last, '^(%d+)%-(%d+)$')
  local fe, fc = match(meta[6] or '0-0', '^(%d+)%-(%d+)$')
  if e + 0 > fe + 0 or (e == fe and c + 0 > fc + 0) then
    meta[6] = last
    call('HSET', KEYS[1], 'f', last)
  end
  call('DEL', tag .. 's' .. gone[i], tag .. 'f' .. gone[i])
  call('ZREM', tag .. 'g', gone[i])
end
local next = call('ZRANGE', tag .. 'z', 0, 0)[1]
return { 'K', next and tonumber(call('HGET', tag .. 't', next)) or 0 }
