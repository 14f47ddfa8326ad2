-- One page of an ordered space.
--
-- ARGV[4]  the space
-- ARGV[5]  from, as ZRANGEBYLEX wants it
-- ARGV[6]  to, likewise
-- ARGV[7]  how many at most
-- ARGV[8]  bytes after which a page is full
-- returns  {'K', revision, '1' when there is more, last name looked at, name, entry, ...}
barrier()
local limit, bytesMax, bytes = tonumber(ARGV[7]), tonumber(ARGV[8]), 0
local names = call('ZRANGEBYLEX', tag .. 'i' .. ARGV[4], ARGV[5], ARGV[6], 'LIMIT', 0, limit + 1)
local page = { 'K', revision(counter), '', '' }
for i = 1, #names do
  if i > limit or bytes >= bytesMax then
    page[3] = '1'
    break
  end
  local stored = call('GET', tag .. 'e' .. ARGV[4] .. '/' .. names[i])
  page[4] = names[i]
  if stored then
    local lease = sub(stored, 9, 16)
    if lease == NO_LEASE or not over(lease) then
      bytes = bytes + #stored
      page[#page + 1] = names[i]
      page[#page + 1] = stored
    end
  end
end
return page
