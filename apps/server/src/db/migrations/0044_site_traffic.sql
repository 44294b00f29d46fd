-- What only the samples tell of a day: visits, and answers of 500 and above.
alter table domain_analytics_days
  add column visits bigint check (visits >= 0),
  add column server_errors bigint check (server_errors >= 0),
  -- One request in so many was looked at for them.
  add column sample_interval real,
  -- The day was over, and settled, when its samples were read.
  add column samples_complete boolean not null default false;
create index domain_analytics_days_day on domain_analytics_days (day);
create index domain_analytics_days_unsampled on domain_analytics_days (zone_id, day) where not samples_complete;
alter table domain_analytics_zones add column samples_at timestamptz;

-- In which zone of a connection each site lives, the longest name that ends its domain, and how many live there.
create function site_zones(of_connection text)
returns table (site_id text, zone_id text, sites bigint) language sql stable as $$
  select s.id, z.id, count(*) over (partition by z.id)
  from sites s
  cross join lateral (
    select d.id
    from generate_series(1, cardinality(string_to_array(s.domain, '.'))) part
    join domains d on d.name = array_to_string((string_to_array(s.domain, '.'))[part:], '.')
      and d.connection = of_connection
    order by part limit 1
  ) z
  where s.deleted_at is null
$$;

-- A small script of a site that tells its visits; opted in, site by site.
create table site_beacons (
  site_id text primary key references sites (id) on delete cascade,
  is_on boolean not null,
  -- The first call since it was switched on; that day is not counted as a whole.
  heard_from timestamptz,
  heard_at timestamptz,
  version integer not null
);
create trigger site_beacons_tell after insert or delete on site_beacons
  for each statement execute function tell_change('sites');
-- That it was heard again is nobody's news.
create trigger site_beacons_tell_update after update on site_beacons
  for each row when ((old.version, old.heard_from) is distinct from (new.version, new.heard_from))
  execute function tell_change('sites');

-- By hours, so that days of any zone can be made of them.
create table site_beacon_hours (
  site_id text not null references sites (id) on delete cascade,
  hour timestamptz not null,
  visits integer not null default 0,
  page_views integer not null default 0,
  goals integer not null default 0,
  primary key (site_id, hour)
);
create index site_beacon_hours_hour on site_beacon_hours using brin (hour);

-- By days in UTC; kept for ever.
create table site_beacon_days (
  site_id text not null references sites (id) on delete cascade,
  day date not null,
  visits integer not null default 0,
  page_views integer not null default 0,
  goals integer not null default 0,
  -- It was heard before that day began, and was not switched off on it.
  is_whole boolean not null,
  primary key (site_id, day)
);
create index site_beacon_days_day on site_beacon_days (day);

-- By name, so that one can be told from another.
create table site_beacon_goals (
  site_id text not null references sites (id) on delete cascade,
  day date not null,
  goal text not null check (goal ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
  hits integer not null default 0,
  primary key (site_id, day, goal)
);

-- What is known of a site on a day (UTC), from one source: its beacon where that measured the whole day, else the zone
-- that it alone lives in. Visitors are in neither, since those of several days cannot be added.
create function site_traffic(of_connection text, first date, last date)
returns table (
  site_id text, day date, visits bigint, page_views bigint, goals bigint, events bigint, sample_interval real,
  source text
) language sql stable as $$
  select b.site_id, b.day, b.visits::bigint, b.page_views::bigint, b.goals::bigint,
    b.page_views::bigint + b.goals, null::real, 'beacon'
  from site_beacon_days b join sites s on s.id = b.site_id and s.deleted_at is null
  where b.is_whole and b.day between first and last
  union all
  select z.site_id, d.day, d.visits, d.page_views, null, d.page_views, d.sample_interval, 'cloudflare'
  from site_zones(of_connection) z
  join domain_analytics_days d on d.zone_id = z.zone_id and d.day between first and last
  where z.sites = 1 and not exists (
    select from site_beacon_days b where b.site_id = z.site_id and b.day = d.day and b.is_whole
  )
$$;
