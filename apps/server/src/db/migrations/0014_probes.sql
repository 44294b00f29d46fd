-- What the console measured of the sites itself.
create table site_probe_states (
  site_id text primary key references sites (id) on delete cascade,
  next_at timestamptz not null,
  -- Somebody is looking at the site; over by itself when that process dies.
  claimed_until timestamptz,
  -- In a row, up to now.
  failures integer not null default 0,
  -- Since when the site's health is what it is.
  since timestamptz,
  last jsonb,
  certificate jsonb
);
create index site_probe_states_due on site_probe_states (next_at);

-- A site that is new, or that a person changed in a way that may show, is looked at as soon as possible.
create function sites_plan_probe() returns trigger language plpgsql as $$
begin
  insert into site_probe_states (site_id, next_at) values (new.id, '-infinity')
  on conflict (site_id) do update set next_at = excluded.next_at;
  return null;
end $$;

create trigger sites_plan_probe after insert on sites for each row execute function sites_plan_probe();
create trigger sites_plan_probe_again after update of domain, deployment_url, health_path, at_provider on sites
  for each row when (
    (old.domain, old.deployment_url, old.health_path, old.at_provider)
    is distinct from (new.domain, new.deployment_url, new.health_path, new.at_provider)
  ) execute function sites_plan_probe();

create table site_probes (
  site_id text not null references sites (id) on delete cascade,
  at timestamptz not null,
  -- The site's health from here to the next probe.
  health text not null check (health in ('healthy', 'degraded', 'down', 'unknown')),
  in_maintenance boolean not null,
  is_failure boolean not null,
  status_code smallint,
  dns_ms real,
  connect_ms real,
  tls_ms real,
  ttfb_ms real,
  download_ms real,
  total_ms real,
  score smallint,
  primary key (site_id, at)
);
create index site_probes_at on site_probes using brin (at);

-- A whole hour of one site; made anew from the probes as long as these are kept.
create table site_probe_hours (
  site_id text not null references sites (id) on delete cascade,
  hour timestamptz not null,
  probes integer not null,
  failures integer not null,
  response_ms real,
  ttfb_ms real,
  score smallint,
  known_seconds integer not null,
  down_seconds integer not null,
  degraded_seconds integer not null,
  maintenance_seconds integer not null,
  primary key (site_id, hour)
);
create index site_probe_hours_hour on site_probe_hours using brin (hour);

-- A day of one site in UTC, as far as its hours are made; kept for ever.
create table site_probe_days (
  site_id text not null references sites (id) on delete cascade,
  day date not null,
  probes integer not null,
  failures integer not null,
  response_ms real,
  known_seconds integer not null,
  down_seconds integer not null,
  degraded_seconds integer not null,
  maintenance_seconds integer not null,
  primary key (site_id, day)
);

-- Up to which hour all of them are made.
create table site_probe_progress (
  only_row boolean primary key default true check (only_row),
  rolled_until timestamptz not null
);
