-- How the server is, for people.
--
-- returns  {'K', revision, INFO}
return { 'K', revision(counter), call('INFO') }
