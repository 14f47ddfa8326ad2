-- A new lease. Its id is a revision, so that no other life of the data set gives it to somebody else.
--
-- ARGV[4]  TTL in milliseconds
-- returns  {'K', lease (8 bytes)}
sweep(1)
counter = counter + 1
local lease = revision(counter)
call('ZADD', tag .. 'z', now + ARGV[4], lease)
call('HSET', tag .. 't', lease, ARGV[4])
publish()
return { 'K', lease }
