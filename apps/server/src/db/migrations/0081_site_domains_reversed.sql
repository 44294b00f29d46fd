-- Finds the sites of a domain and of those below it: their names, read backwards, begin with the domain's.
create index sites_domain_reversed on sites ((reverse(domain)) collate "C") where deleted_at is null;
