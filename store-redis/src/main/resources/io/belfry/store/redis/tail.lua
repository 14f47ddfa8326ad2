-- Where the namespace and some feeds stand; with no feeds, whether the caller still knows the epoch.
--
-- ARGV[4..]  feeds
-- returns    {'K', revision, the latest id that was cut off any feed ('': none),
--            per feed: its last id (at most, when its state is gone), '1' when that entry is there and '' when it is not}
local ends = { 'K', revision(counter), meta[9] or '' }
for i = 4, #ARGV do
  local state = call('GET', tag .. 's' .. ARGV[i])
  ends[#ends + 1] = state and match(state, '^%S+') or meta[6] or ''
  ends[#ends + 1] = state and call('XLEN', tag .. 'f' .. ARGV[i]) > 0 and '1' or ''
end
return ends
