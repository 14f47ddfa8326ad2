-- A new lease. Its id is a revision, so that no other life of the data set gives it to somebody else. Also when Redis is
-- full: it takes little, goes by itself, and without it nobody could be elected to make room.
--
-- ARGV[4]  TTL in milliseconds
-- returns  {'K', lease (8 bytes)}
evenIfFull()
sweep(1)
counter = counter + 1
local lease = revision(counter)
call('ZADD', tag .. 'z', now + ARGV[4], lease)
call('HSET', tag .. 't', lease, ARGV[4])
publish()
return { 'K', lease }
