-- Applies commits in order, each with all its writes or, when a guard does not hold, with none. Every guard of a commit
-- is looked at before its first write; every commit sees those before it.
--
-- ARGV[4]  the spaces that occur: "<T|K|N><1|0><name> ..." (watched together, by key, not; ordered or not)
-- ARGV[5]  how many commits
-- then for each commit
--   a descriptor of bytes: guards (and 128 when it passes although Redis is full), writes, arguments that follow (2 bytes), then
--     per guard  kind (0 absent, 1 unchanged, 2 holds), space
--     per write  kind (0 put, 1 put under a lease, 2 delete), space, guard of the same key (0: none)
--   per guard  name [, revision (8 bytes) unless absent]
--   per write  [name unless guarded] [, head of the change when watched] [, lease] [, value]
-- returns  {'K', outcome ...}; an outcome is a revision (8 bytes: done), 'R' guard (1 byte, from 0) found revision
--          (refused), 'L' lease (it has ended), or 'F' (Redis is full and nothing of it was done)
local spaces, prefixes, arrivals = {}, {}, {}
for kind, order, name in string.gmatch(ARGV[4], '(%u)(%d)(%w+)') do
  local n = #spaces + 1
  spaces[n] = { kind = kind, order = order, name = name, ordered = order == '1', feed = kind ~= 'N' }
  prefixes[n] = tag .. 'e' .. name .. '/'
  arrivals[n] = { n = 0 }
end
local count = tonumber(ARGV[5])
sweep(count)

local outcomes = { 'K' }
local names, keys, heads, alive = {}, {}, {}, {}
local at = 6

local function refused(g, head)
  return 'R' .. string.char(g - 1) .. (head == '' and NO_LEASE or sub(head, 1, 8))
end

-- Looks at the guards in order. The guard `fused`, an absent of a key that the commit then puts, is left to its SET NX,
-- which is guard and first write in one; it is looked at only when a later one fails, to name the first.
local function refusal(d, guards, fused)
  local first
  for g = 1, guards do
    local kind, space = byte(d, 2 * g + 3, 2 * g + 4)
    local name = ARGV[at]
    local key = prefixes[space] .. name
    names[g], keys[g] = name, key
    at = at + 1
    if g ~= fused then
      local head = call('GETRANGE', key, 0, 15)
      heads[g] = head
      local holds
      if kind == 0 then
        holds = head == ''
      else
        local rev = ARGV[at]
        at = at + 1
        holds = sub(head, 1, 8) == rev
        if kind == 2 and holds then
          local b1, b2, b3 = byte(rev, 1, 3)
          holds = b1 * 512 + b2 * 2 + floor(b3 / 128) == epoch
        end
      end
      if not holds then
        if fused > 0 and fused < g then
          local before = call('GETRANGE', keys[fused], 0, 15)
          if before ~= '' then
            return refused(fused, before)
          end
        end
        return refused(g, head)
      end
    end
  end
  return nil
end

-- A lease that is over refuses the whole commit, so it is looked for before the first write.
local function leaseOver(d, guards, writes)
  local a, base = at, 4 + 2 * guards
  for w = 1, writes do
    local kind, space, guard = byte(d, base + 3 * w - 2, base + 3 * w)
    if guard == 0 then
      a = a + 1
    end
    if spaces[space].feed then
      a = a + 1
    end
    if kind == 1 then
      local lease = ARGV[a]
      if alive[lease] == nil then
        alive[lease] = not over(lease)
      end
      if not alive[lease] then
        return 'L' .. lease
      end
      a = a + 2
    elseif kind == 0 then
      a = a + 1
    end
  end
  return nil
end

local function unlease(lease, space, name)
  if lease ~= NO_LEASE then
    call('SREM', tag .. 'k' .. lease, space.kind .. space.order .. space.name .. '/' .. name)
  end
end

-- Names come into the order many at a time.
local function arrive(s)
  local list = arrivals[s]
  if list.n > 0 then
    call('ZADD', tag .. 'i' .. spaces[s].name, unpack(list, 1, list.n))
    list.n = 0
  end
end

-- before: the head of what stood there, '' when nothing did; nil when it was not looked at
local function put(space, name, key, stored, before)
  if before then
    call('SET', key, stored)
  else
    local old = call('SET', key, stored, 'GET')
    before = old and sub(old, 1, 16) or ''
  end
  if before ~= '' then
    unlease(sub(before, 9, 16), space, name)
  end
  return before
end

local function write(d, guards, writes, rev, fused)
  local base = 4 + 2 * guards
  for w = 1, writes do
    local kind, s, guard = byte(d, base + 3 * w - 2, base + 3 * w)
    local space = spaces[s]
    local name, key, before, head
    if guard == 0 then
      name = ARGV[at]
      key = prefixes[s] .. name
      at = at + 1
    else
      name, key, before = names[guard], keys[guard], heads[guard]
    end
    if space.feed then
      head = ARGV[at]
      at = at + 1
    end
    if kind == 2 then
      if before ~= '' then
        arrive(s)
        local lease = delete(space.kind, space.order, space.name, name, rev, head)
        if lease then
          unlease(lease, space, name)
        end
      end
    else
      local lease = NO_LEASE
      if kind == 1 then
        lease = ARGV[at]
        at = at + 1
      end
      local stored = rev .. lease .. ARGV[at]
      at = at + 1
      if guard > 0 and guard == fused then
        -- Always the first write: see the client's order of writes.
        if not call('SET', key, stored, 'NX') then
          return refused(guard, call('GETRANGE', key, 0, 15))
        end
        before = ''
      else
        before = put(space, name, key, stored, before)
      end
      if before == '' and space.ordered then
        local list = arrivals[s]
        local n = list.n
        list[n + 1], list[n + 2] = '0', name
        list.n = n + 2
      end
      if lease ~= NO_LEASE then
        call('SADD', tag .. 'k' .. lease, space.kind .. space.order .. space.name .. '/' .. name)
      end
      if head then
        note(space.kind == 'T' and space.name or space.name .. '/' .. name, head, stored)
      end
    end
  end
  return nil
end

for i = 1, count do
  local d = ARGV[at]
  local guards, writes, high, low = byte(d, 1, 4)
  local passes = guards >= 128
  if passes then
    guards = guards - 128
  end
  at = at + 1
  local next = at + high * 256 + low
  if full and not passes then
    outcomes[i + 1] = 'F'
  else
    -- The client puts first what can be fused.
    local kind, _, fused = byte(d, 5 + 2 * guards, 7 + 2 * guards)
    if kind == 2 or fused == 0 or byte(d, 2 * fused + 3) ~= 0 then
      fused = 0
    end
    local outcome = refusal(d, guards, fused)
    if not outcome and string.find(d, '\1', 5 + 2 * guards, true) then
      outcome = leaseOver(d, guards, writes)
    end
    if not outcome then
      counter = counter + 1
      local rev = revision(counter)
      outcome = write(d, guards, writes, rev, fused) or rev
    end
    outcomes[i + 1] = outcome
  end
  at = next
end
for s = 1, #spaces do
  arrive(s)
end
publish()
return outcomes
