-- The first call on a connection: the caller learns the epoch, and may set how many acknowledgements are required.
--
-- ARGV[4]  acknowledgements to require from now on, '' to leave them as they are
-- returns  {'K', known, counter when the epoch began, '' when that is not known}
if ARGV[4] ~= '' and ARGV[4] ~= meta[3] then
  evenIfFull()
  call('HSET', KEYS[1], 'a', ARGV[4])
  known = epoch .. ':' .. replid .. ':' .. ARGV[4]
end
return { 'K', known, meta[7] or '' }
