-- The list of domains, newest or oldest first, without sorting all of them.
create index domains_created on domains (connection, (coalesce(created_on, '-infinity')), id);
