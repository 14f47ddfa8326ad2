-- Ends a lease with all its keys.
--
-- ARGV[4]  lease (8 bytes)
-- returns  {'K'}
evenIfFull()
sweep(1)
if call('HEXISTS', tag .. 't', ARGV[4]) == 1 then
  finish(ARGV[4])
end
publish()
return { 'K' }
