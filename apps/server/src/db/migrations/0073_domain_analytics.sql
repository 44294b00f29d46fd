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

-- Only what was read is told: a failure that is told would make every open screen try again.
create trigger domain_analytics_zones_tell_new after insert on domain_analytics_zones
  for each row when (new.days_at is not null) execute function tell_change('domain_analytics');
create trigger domain_analytics_zones_tell after update of days_at on domain_analytics_zones
  for each statement execute function tell_change('domain_analytics');
