-- What the console itself stands on, as it was last looked at. One process at a time looks: whoever finds it due.
create table monitored_services (
  key text primary key,
  status text not null default 'unknown' check (status in ('healthy', 'degraded', 'unhealthy', 'unknown')),
  detail text not null default '',
  -- Since when it has this status.
  since timestamptz,
  checked_at timestamptz,
  response_ms real,
  next_at timestamptz not null default '-infinity'
);
insert into monitored_services (key)
select unnest(array[
  'database', 'jobs', 'cache', 'storage', 'network', 'event_loop', 'mail', 'stripe', 'cloudflare', 'webhooks', 'mirror'
]);
-- That a service was looked at and is as before is nobody's news.
create trigger monitored_services_tell after update on monitored_services
  for each row when (old.status <> new.status) execute function tell_change('monitoring');

create table service_checks (
  key text not null references monitored_services (key),
  at timestamptz not null,
  -- From here to the next check.
  status text not null check (status in ('healthy', 'degraded', 'unhealthy', 'unknown')),
  response_ms real,
  primary key (key, at)
);

-- A whole hour of one service; made anew from the checks as long as these are kept.
create table service_hours (
  key text not null references monitored_services (key),
  hour timestamptz not null,
  checks integer not null,
  response_ms real,
  known_seconds integer not null,
  down_seconds integer not null,
  degraded_seconds integer not null,
  maintenance_seconds integer not null,
  primary key (key, hour)
);

-- A day of one service in UTC, as far as its hours are made; kept for ever.
create table service_days (
  key text not null references monitored_services (key),
  day date not null,
  checks integer not null,
  response_ms real,
  known_seconds integer not null,
  down_seconds integer not null,
  degraded_seconds integer not null,
  maintenance_seconds integer not null,
  primary key (key, day)
);

-- What a process measured of itself within a minute. A minute without a row was not measured.
create table metric_minutes (
  metric text not null,
  minute timestamptz not null,
  value real not null,
  max real not null,
  primary key (metric, minute)
);

create table metric_hours (
  metric text not null,
  hour timestamptz not null,
  -- The mean of the minutes, and the greatest.
  value real not null,
  max real not null,
  minutes integer not null,
  primary key (metric, hour)
);

-- The worst first, then by name: the order of the monitored sites as one text, so that it can be read on from any of them.
create function site_health_order(health text, name text) returns text language sql immutable parallel safe as $$
  select case health when 'down' then '0' when 'degraded' then '1' when 'unknown' then '2' else '3' end || name
$$;
create index sites_health_order on sites (site_health_order(health_status, sort_name), id) where deleted_at is null;
