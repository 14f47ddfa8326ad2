-- Whether the user may do all that the verbs do. Stands alone, without begin.lua: a command that is not permitted would end
-- a verb half-way, so all of them are asked for before the first. Redis before 7 cannot tell.
--
-- KEYS[1]  <tag>m
-- returns  {'K'}, or the error NOPERM with the command that is missing
if redis.acl_check_cmd then
  local tag = string.sub(KEYS[1], 1, -2)
  local key = tag .. '?'
  local used = {
    { 'CLIENT', 'ID' }, { 'DEL', key }, { 'EXISTS', key }, { 'GET', key }, { 'GETDEL', key },
    { 'GETRANGE', key, '0', '15' }, { 'HDEL', key, 'f' }, { 'HEXISTS', key, 'f' }, { 'HGET', key, 'f' },
    { 'HGETALL', key }, { 'HINCRBY', key, 'f', '1' }, { 'HMGET', key, 'f' }, { 'HSET', key, 'f', 'v' },
    { 'INFO', 'replication' }, { 'PEXPIRE', key, '1' }, { 'SADD', key, 'v' }, { 'SET', key, 'v', 'GET' },
    { 'SMEMBERS', key }, { 'SREM', key, 'v' }, { 'TIME' }, { 'WAIT', '0', '1' }, { 'XADD', key, '*', 'f', 'v' },
    { 'XLEN', key }, { 'XREAD', 'STREAMS', key, '0' }, { 'XTRIM', key, 'MINID', '=', '0-1' },
    { 'ZADD', key, '0', 'v' }, { 'ZRANGE', key, '0', '0' }, { 'ZRANGEBYLEX', key, '-', '+' },
    { 'ZRANGEBYSCORE', key, '-inf', '0' }, { 'ZREM', key, 'v' }, { 'ZSCORE', key, 'v' },
  }
  for i = 1, #used do
    if not redis.acl_check_cmd(unpack(used[i])) then
      return redis.error_reply('NOPERM the user must be permitted ' .. used[i][1] .. ' on ' .. tag .. '*')
    end
  end
end
return { 'K' }
