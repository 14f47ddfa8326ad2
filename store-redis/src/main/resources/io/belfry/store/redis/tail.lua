-- Where the namespace and some feeds stand; with no feeds, whether the caller still knows the epoch.
--
-- ARGV[4..]  feeds
-- returns    {'K', revision, per feed: the id up to which nothing of it is left, '' when its last entry is there}
local ends = { 'K', revision(counter) }
for i = 4, #ARGV do
  local state = call('GET', tag .. 's' .. ARGV[i])
  if not state then
    ends[i - 1] = meta[6] or ''
  else
    ends[i - 1] = call('XLEN', tag .. 'f' .. ARGV[i]) > 0 and '' or match(state, '^%S+')
  end
end
return ends
