-- Starts a lease over, unless it has ended.
--
-- ARGV[4]  lease (8 bytes)
-- returns  {'K', 1 renewed | 0 it has ended}
evenIfFull()
local ended = over(ARGV[4])
sweep(1)
local ttl = call('HGET', tag .. 't', ARGV[4])
if ttl and ended then
  -- Due, but behind ten others in the sweep: it does not come back.
  finish(ARGV[4])
elseif ttl then
  call('ZADD', tag .. 'z', now + ttl, ARGV[4])
end
publish()
return { 'K', (ttl and not ended) and 1 or 0 }
