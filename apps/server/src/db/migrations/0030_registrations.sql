-- A domain as its registry knows it; looked at once a day.
create table registered_domains (
  domain text primary key,
  expires_at timestamptz,
  registrar text,
  -- Why the last look told nothing; what was known before stays.
  problem text,
  checked_at timestamptz,
  next_at timestamptz not null
);
create index registered_domains_due on registered_domains (next_at);
create index registered_domains_expiry on registered_domains (expires_at);

-- On which registered domain a site's name stands. Without a domain it was not found out.
create table site_registrations (
  site_id text primary key references sites (id) on delete cascade,
  host text not null,
  domain text references registered_domains (domain),
  problem text,
  next_at timestamptz not null
);
create index site_registrations_domain on site_registrations (domain);
