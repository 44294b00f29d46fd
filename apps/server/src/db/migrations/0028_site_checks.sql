-- How a site is checked, where that is not as usual.
create table site_checks (
  site_id text primary key references sites (id) on delete cascade,
  settings jsonb not null,
  interval_s smallint not null,
  -- A check takes no longer; after that it is anybody's.
  lease_s smallint not null,
  version integer not null,
  changed_at timestamptz not null
);
create index site_checks_interval on site_checks (interval_s desc);
create trigger site_checks_tell after insert or update or delete on site_checks
  for each statement execute function tell_change('sites');

-- The last looks, the newest as the lowest bit; 1 is one that failed.
alter table site_probe_states add column recent smallint not null default 0;
-- A look tells of the time until the next one, but of no more than two intervals, as they were then.
alter table site_probes add column good_for_s smallint not null default 150;
