-- What every verb begins with; the loader puts this text before each of the other files.
--
-- KEYS[1]  <tag>m, the meta hash of the namespace; <tag> is {prefix:namespace}, the hash tag of all its keys:
--            m          e epoch, r replication id, a required acknowledgements, c counter, s last sweep (ms),
--                       f last forgotten feed id, b barriers, o counter when the epoch began, v bytes in all feeds,
--                       d the latest id that was cut off any feed
--            e<space>/<name>  an entry: 8 bytes revision, 8 bytes lease (zeroes: none), value
--            i<space>   names of an ordered space (sorted set, all scores 0)
--            f<feed>    a feed (stream, id = epoch-counter, p = id before it, c = changes); <feed> is <space>
--                       or, for spaces watched by key, <space>/<name>
--            s<feed>    its state: "last-id bytes entries scored mark/bytes mark/bytes ..." (see publish); without entries
--                       and marks the feed is empty, and its last id is kept for those who have not read it (see forget)
--            g          all feeds, by the time when they may be forgotten unless they are written to
--            z, t       leases by end (ms), leases and their TTL (ms); k<lease> the keys under it
--            w<client>  wakes the blocked reader of one client
-- ARGV[1]  what the caller knows: "epoch:replication id:required acknowledgements"
-- ARGV[2]  limits of a feed: "bytes entries keep-millis"; all feeds together may hold four times these bytes
-- ARGV[3]  1 in a cluster, else 0
-- returns  {'E', known, o}  the caller knows another epoch (of one that follows: another, or one is due): nothing was done, ask again with what
--                        is known now; o is the
--                        counter when this epoch began, '' when that is not known
--          {'M'}         the slot is moving to another node: nothing was done
--          or what the verb returns
-- What the loader puts before all: local follows = true for a verb that is asked on another connection than the one that is written to. Such a
-- connection may lead to another server than that one for a while, during a failover, so it learns of epochs but begins none.
local call, sub, byte, match = redis.call, string.sub, string.byte, string.match
local pack, floor = struct.pack, math.floor
local tag = sub(KEYS[1], 1, -2)

local info = call('INFO', 'replication')
if not string.find(info, 'role:master', 1, true) then
  return redis.error_reply('READONLY this is a replica')
end
local replid = match(info, 'master_replid:(%x+)')

-- In a moving slot an access to a missing key fails, which could be in the middle of a commit. <tag>? never
-- exists: if asking for it fails, so that nothing else is tried.
if ARGV[3] == '1' and type(redis.pcall('EXISTS', tag .. '?')) ~= 'number' then
  return { 'M' }
end

local meta = call('HMGET', KEYS[1], 'e', 'r', 'a', 'c', 's', 'f', 'o', 'v', 'd')
local epoch, counter, swept = tonumber(meta[1] or 0), tonumber(meta[4] or 0), tonumber(meta[5] or 0)
local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)

-- A full Redis refuses a script at its first write that takes memory, and lets all pass behind one that does not. So
-- what frees memory, or keeps somebody alive, begins with this.
local function evenIfFull()
  call('DEL', tag .. '?')
end

-- The first write of a verb that does not. On a full Redis it is done nevertheless and `full` says so: then the verb decides
-- what of the rest is. Everything else that refuses a first write ends the script here.
local full = false
local function first(...)
  local done = redis.pcall(...)
  if type(done) == 'table' and done.err then
    full = string.find(done.err, 'OOM', 1, true) ~= nil
    if full then
      evenIfFull()
    end
    call(...)
  end
end

local known = epoch .. ':' .. (meta[2] or '') .. ':' .. (meta[3] or '')
if known ~= ARGV[1] or meta[2] ~= replid then
  local e, r, a = match(ARGV[1], '^(%d+):(%x*):(%d+)$')
  e = tonumber(e)
  -- Another life of the data set (failover, restart, restore), or a caller from one: what was given out there may be
  -- given out here again, so the epoch must be one that neither has seen.
  if not follows and (meta[2] ~= replid or e > epoch or (e == epoch and r ~= replid)) then
    epoch = math.max(epoch, e) + 1
    if epoch > 65535 then
      return redis.error_reply('BELFRYDAMAGED all 65535 epochs are used up')
    end
    evenIfFull()
    call('HSET', KEYS[1], 'e', epoch, 'r', replid, 'a', meta[3] or a, 'c', counter, 's', now, 'o', counter)
    meta[7] = string.format('%.0f', counter)
    local leases = call('HGETALL', tag .. 't')
    for i = 1, #leases, 2 do
      call('ZADD', tag .. 'z', now + leases[i + 1], leases[i])
    end
    known = epoch .. ':' .. replid .. ':' .. (meta[3] or a)
  end
  return { 'E', known, meta[7] or '' }
end

local NO_LEASE = '\0\0\0\0\0\0\0\0'

local function revision(c)
  return pack('>I4I4', epoch * 32768 + floor(c / 4294967296), c % 4294967296)
end

-- Nobody looked for so long that a holder may not have been able to renew, or time went back: then leases start over.
local gap = now - swept
local function startsOver(ttl)
  return gap < 0 or gap * 2 > ttl
end

local function over(lease)
  local ends = call('ZSCORE', tag .. 'z', lease)
  if not ends then
    return true
  end
  return tonumber(ends) <= now and not startsOver(tonumber(call('HGET', tag .. 't', lease)))
end

local feeds, feedNames = {}, {}

-- Remembers a change for its feed. head = 2 bytes length of name, name, 4 bytes length of body;
-- body = the entry as stored, or, for a deletion, 8 bytes revision.
local function note(feed, head, body)
  local f = feeds[feed]
  if not f then
    f = { parts = {}, n = 0 }
    feeds[feed] = f
    feedNames[#feedNames + 1] = feed
  end
  local n, parts = f.n, f.parts
  parts[n + 1] = head
  parts[n + 2] = body
  f.n = n + 2
  f.at = counter
end

-- What an entry of a stream takes besides its changes, a feed besides its entries (Redis sets 4 KiB aside for the first
-- of a stream), and the state of an empty feed, about.
local ENTRY, FEED, EMPTY = 100, 5000, 400
-- An empty feed is remembered for as long as a feed is kept, but for longer than a reader takes from one look to the next.
local REMEMBERED_MIN = 3000
local volume = tonumber(meta[8] or 0)

local function keepVolume()
  call('HSET', KEYS[1], 'v', math.max(0, volume))
end

local function stateOf(name)
  local state = call('GET', tag .. 's' .. name) or ''
  local last, bytes, entries, scored, marks = match(state, '^(%S+) (%d+) (%d+) (%d+)(.*)$')
  if last then
    return last, bytes, entries, scored, marks
  end
  -- The first word is the last id, also of a state that an earlier version wrote.
  return match(state, '^%S+'), 0, 0, 0, ''
end

local function marked(marks)
  local sum = 0
  for bytes in string.gmatch(marks, '/(%d+)') do
    sum = sum + bytes
  end
  return sum
end

local function isAfter(one, other)
  local e, c = match(one, '^(%d+)%-(%d+)$')
  local oe, oc = match(other, '^(%d+)%-(%d+)$')
  e, c, oe, oc = e + 0, c + 0, oe + 0, oc + 0
  return e > oe or (e == oe and c > oc)
end

-- Raises an id that is kept in the meta hash.
local function raise(field, at, id)
  if isAfter(id, meta[at] or '0-0') then
    meta[at] = id
    call('HSET', KEYS[1], field, id)
  end
end

-- Who has not read this far and reads nothing may have missed something.
local function dropped(id)
  raise('d', 9, id)
end

-- Cuts off everything up to a mark, with it.
local function trim(name, mark)
  dropped(mark)
  local e, c = match(mark, '^(%d+)%-(%d+)$')
  call('XTRIM', tag .. 'f' .. name, 'MINID', '=', e .. '-' .. string.format('%.0f', c + 1))
end

-- Deletes a feed in two steps: first its entries, and later, when nobody has written to it meanwhile, its last id. From then
-- on watches that resume from before meta f must scan, because they may have missed something.
local function forget(name, keep)
  local last, bytes, entries, _, marks = stateOf(name)
  last = last or '0-0'
  volume = volume - bytes - marked(marks)
  dropped(last)
  call('DEL', tag .. 'f' .. name)
  if entries + 0 > 0 or marks ~= '' then
    volume = volume + EMPTY
    call('SET', tag .. 's' .. name, last .. ' ' .. EMPTY .. ' 0 ' .. now)
    call('ZADD', tag .. 'g', now + math.max(keep, REMEMBERED_MIN), name)
  else
    raise('f', 6, last)
    call('DEL', tag .. 's' .. name)
    call('ZREM', tag .. 'g', name)
  end
end

-- Cuts a feed down to what came after its last mark. False when it has none.
local function shrink(name, keep)
  local last, bytes, entries, _, marks = stateOf(name)
  if marks == '' then
    return false
  end
  trim(name, match(marks, '(%d+%-%d+)/%d+$'))
  volume = volume - marked(marks)
  call('SET', tag .. 's' .. name, last .. ' ' .. bytes .. ' ' .. entries .. ' ' .. now)
  call('ZADD', tag .. 'g', now + keep, name)
  return true
end

local function limits()
  local bytes, entries, keep = match(ARGV[2], '^(%d+) (%d+) (%d+)$')
  return bytes + 0, entries + 0, keep + 0
end

-- Appends one entry per feed with all its changes of this call. A mark is set when an eighth of the cap, or of the time
-- that feeds are kept, is over; what is older than the ninth mark back is cut off. Each entry names the one before it, so
-- that a reader sees what was cut. When all feeds together are too large, those that were written least recently go.
local function publish()
  if #feedNames == 0 then
    return
  end
  local bytesMax, entriesMax, keep = limits()
  for i = 1, #feedNames do
    local name = feedNames[i]
    local f = feeds[name]
    local body = table.concat(f.parts)
    local id = epoch .. '-' .. string.format('%.0f', f.at)
    local last, bytes, entries, scored, marks = stateOf(name)
    call('XADD', tag .. 'f' .. name, id, 'p', last or meta[6] or '0-0', 'c', body)
    local size = #body + ENTRY
    if entries + 0 == 0 and marks == '' then
      size = size + FEED
    end
    bytes, entries, volume = bytes + size, entries + 1, volume + size
    local fresh, age = scored == 0, now - scored
    local aged = not fresh and (age * 8 > keep or age < 0)
    if fresh or aged then
      scored = now
      call('ZADD', tag .. 'g', now + keep, name)
    end
    if aged or bytes * 8 >= bytesMax or entries * 8 >= entriesMax then
      marks = marks .. ' ' .. id .. '/' .. bytes
      bytes, entries = 0, 0
      local _, count = string.gsub(marks, ' ', '')
      if count > 8 then
        local first, cut = match(marks, '^ (%S+)/(%d+)')
        trim(name, first)
        volume = volume - cut
        marks = sub(marks, #first + #cut + 3)
      end
    end
    call('SET', tag .. 's' .. name, id .. ' ' .. bytes .. ' ' .. entries .. ' ' .. scored .. marks)
  end
  if volume > 4 * bytesMax then
    -- More than this call has added, so that it becomes less.
    local oldest = call('ZRANGE', tag .. 'g', 0, 63 + 4 * #feedNames)
    for i = 1, #oldest do
      if volume > 4 * bytesMax and not feeds[oldest[i]] and not shrink(oldest[i], keep) then
        forget(oldest[i], keep)
      end
    end
    for i = 1, #feedNames do
      if volume > 4 * bytesMax then
        shrink(feedNames[i], keep)
      end
    end
  end
  keepVolume()
end

-- Deletes an entry, its place in the order and what else knows it. kind: T watched together, K by key, N not;
-- order: 1 ordered, 0 not. Returns its lease when it was there.
local function delete(kind, order, space, name, rev, head)
  local stored = call('GETDEL', tag .. 'e' .. space .. '/' .. name)
  if not stored then
    return nil
  end
  if order == '1' then
    call('ZREM', tag .. 'i' .. space, name)
  end
  if kind == 'T' then
    note(space, head, rev)
  elseif kind == 'K' then
    note(space .. '/' .. name, head, rev)
  end
  return sub(stored, 9, 16)
end

-- Ends a lease with all its keys, by one revision.
local function finish(lease)
  local keys = call('SMEMBERS', tag .. 'k' .. lease)
  table.sort(keys)
  counter = counter + 1
  local rev = revision(counter)
  for i = 1, #keys do
    local kind, order, space, name = match(keys[i], '^(.)(.)(%w+)/(.*)$')
    -- A key that has left the lease stays, whatever this list says.
    if call('GETRANGE', tag .. 'e' .. space .. '/' .. name, 8, 15) == lease then
      delete(kind, order, space, name, rev, pack('>I2', #name) .. name .. pack('>I4', 8))
    end
  end
  call('DEL', tag .. 'k' .. lease)
  call('ZREM', tag .. 'z', lease)
  call('HDEL', tag .. 't', lease)
end

-- Ends what is due, ten at a time, after `steps` more revisions were set aside for the verb; counts as a sweep. The
-- first write of every verb that changes something.
local function sweep(steps)
  if gap < 0 or gap > 500 then
    local leases = call('HGETALL', tag .. 't')
    first('HSET', KEYS[1], 's', now)
    for i = 1, #leases, 2 do
      if startsOver(tonumber(leases[i + 1])) then
        call('ZADD', tag .. 'z', now + leases[i + 1], leases[i])
      end
    end
  end
  local due = call('ZRANGEBYSCORE', tag .. 'z', '-inf', now, 'LIMIT', 0, 10)
  first('HSET', KEYS[1], 'c', counter + #due + steps, 's', now)
  for i = 1, #due do
    finish(due[i])
  end
end

-- A write that makes WAIT on this connection cover all that this call has read.
local function barrier()
  if meta[3] ~= '0' then
    evenIfFull()
    call('HINCRBY', KEYS[1], 'b', 1)
  end
end
