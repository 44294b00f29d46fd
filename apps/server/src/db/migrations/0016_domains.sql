-- Cloudflare's zones as they were listed last: a cache, which survives a restart and an outage.
create table domains (
  id text primary key,
  connection text not null,
  name text not null,
  status text,
  paused boolean not null,
  type text,
  plan jsonb,
  account jsonb,
  created_on timestamptz,
  modified_on timestamptz,
  name_servers text[] not null,
  original_name_servers text[] not null,
  ssl_value text,
  ssl_checked_at timestamptz,
  ssl_problem text,
  dnssec_value text,
  dnssec_checked_at timestamptz,
  dnssec_problem text,
  -- When both were asked for last, whatever came of it.
  settings_at timestamptz,
  -- As it is searched: name, status and plan name, a line each.
  doc text generated always as (
    lower(name || E'\n' || coalesce(status, '') || E'\n' || coalesce(plan ->> 'name', ''))
  ) stored
);
create index domains_name on domains (name, id);
-- The list of domains, newest or oldest first, without sorting all of them.
create index domains_created on domains (connection, (coalesce(created_on, '-infinity')), id);
create index domains_settings on domains (settings_at nulls first);
create trigger domains_tell after insert or update or delete on domains
  for each statement execute function tell_change('domains');

-- How old the list of a connection is, why it is not newer, and until when somebody is at it.
create table domain_lists (
  connection text primary key,
  fetched_at timestamptz,
  failed_at timestamptz,
  failure text,
  refreshing_until timestamptz
);
create trigger domain_lists_tell after insert or update on domain_lists
  for each statement execute function tell_change('domains');

create table domain_purges (
  id text primary key,
  domain_id text not null,
  domain_name text not null,
  -- What was asked for; the same key with another body is refused.
  body jsonb not null,
  what text not null,
  state text not null check (state in ('started', 'done', 'failed', 'unknown')),
  problem text,
  actor_id text not null,
  actor_name text not null,
  created_at timestamptz not null,
  settled_at timestamptz
);
create index domain_purges_domain on domain_purges (domain_id, created_at desc);
create trigger domain_purges_tell after insert or update on domain_purges
  for each statement execute function tell_change('domains');

-- What each domain's traffic was, day by day (UTC): kept when Cloudflare has forgotten it.
create table domain_analytics_days (
  zone_id text not null,
  day date not null,
  requests bigint not null check (requests >= 0),
  cached_requests bigint check (cached_requests >= 0),
  bytes bigint not null check (bytes >= 0),
  cached_bytes bigint check (cached_bytes >= 0),
  threats bigint check (threats >= 0),
  page_views bigint check (page_views >= 0),
  -- Of this day alone: those of several days must not be added.
  unique_visitors bigint check (unique_visitors >= 0),
  -- The day was over, and settled, when it was read.
  is_complete boolean not null,
  is_sampled boolean not null,
  fetched_at timestamptz not null,
  primary key (zone_id, day)
);

create table domain_analytics_zones (
  zone_id text primary key,
  -- The `settings` node: what the plan gives of each dataset, in seconds.
  limits jsonb,
  limits_at timestamptz,
  -- The last reading of days that worked, and how far back any such reading reached.
  days_at timestamptz,
  days_from date,
  failed_at timestamptz,
  failure jsonb,
  -- Until when somebody is at it.
  refreshing_until timestamptz
);
-- Only what was read is told: a failure that is told would make every open screen try again.
create trigger domain_analytics_zones_tell_new after insert on domain_analytics_zones
  for each row when (new.days_at is not null) execute function tell_change('domain_analytics');
create trigger domain_analytics_zones_tell after update of days_at on domain_analytics_zones
  for each statement execute function tell_change('domain_analytics');

-- Hours and break-downs as they were read last: a cache.
create table domain_analytics_reads (
  zone_id text not null,
  name text not null,
  answer jsonb,
  fetched_at timestamptz,
  failed_at timestamptz,
  failure jsonb,
  primary key (zone_id, name)
);
create index domain_analytics_reads_age on domain_analytics_reads (coalesce(fetched_at, failed_at));
