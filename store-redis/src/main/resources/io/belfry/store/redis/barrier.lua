-- Writes something, so that a WAIT behind it covers everything that was there when it was called.
--
-- returns  {'K'}
barrier()
return { 'K' }
