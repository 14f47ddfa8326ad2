-- Wakes one client's blocked reader.
--
-- ARGV[4]  the client
-- returns  {'K'}
evenIfFull()
call('XADD', tag .. 'w' .. ARGV[4], 'MAXLEN', 1, '*', 'w', '1')
call('PEXPIRE', tag .. 'w' .. ARGV[4], 60000)
return { 'K' }
