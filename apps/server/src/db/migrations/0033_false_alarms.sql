-- What a false positive takes out of the figures.
create index alert_sites_site on alert_sites (site_id);
create index incidents_false_positive on incidents (id) where is_false_positive;

-- An alert opens once the failure is confirmed; the outage counts from its first failed look, a little earlier.
create function saw_from(opened_at timestamptz) returns timestamptz language sql immutable as $$
  select opened_at - interval '5 minutes'
$$;

-- The one place that says whether what was seen of a site at a moment was never so.
create function is_false_alarm(of_site text, moment timestamptz) returns boolean language sql stable as $$
  select exists (
    select from alert_sites t join alerts a on a.id = t.alert_id join incidents i on i.id = a.incident_id
    where t.site_id = of_site and i.is_false_positive and saw_from(a.opened_at) <= moment
      and (a.resolved_at is null or moment < a.resolved_at)
  )
$$;

-- Of hours that are made: they stay as they were measured, so that the mark can be taken back when the looks are gone.
create table site_excused_hours (
  site_id text not null references sites (id) on delete cascade,
  hour timestamptz not null,
  known_seconds integer not null,
  down_seconds integer not null,
  degraded_seconds integer not null,
  primary key (site_id, hour)
);

-- The hours and days that every figure is made of.
create view counted_site_hours as
  select h.site_id, h.hour, h.probes, h.failures, h.response_ms, h.ttfb_ms, h.score,
    greatest(h.known_seconds - coalesce(x.known_seconds, 0), 0) as known_seconds,
    greatest(h.down_seconds - coalesce(x.down_seconds, 0), 0) as down_seconds,
    greatest(h.degraded_seconds - coalesce(x.degraded_seconds, 0), 0) as degraded_seconds,
    h.maintenance_seconds
  from site_probe_hours h left join site_excused_hours x on x.site_id = h.site_id and x.hour = h.hour;

create view counted_site_days as
  select d.site_id, d.day, d.probes, d.failures, d.response_ms,
    greatest(d.known_seconds - coalesce(x.known_seconds, 0), 0)::integer as known_seconds,
    greatest(d.down_seconds - coalesce(x.down_seconds, 0), 0)::integer as down_seconds,
    greatest(d.degraded_seconds - coalesce(x.degraded_seconds, 0), 0)::integer as degraded_seconds,
    d.maintenance_seconds
  from site_probe_days d
  left join (
    select site_id, (hour at time zone 'UTC')::date as day, sum(known_seconds) as known_seconds,
      sum(down_seconds) as down_seconds, sum(degraded_seconds) as degraded_seconds
    from site_excused_hours
    -- Of an hour that is not made yet the day holds nothing.
    where hour < coalesce((select rolled_until from site_probe_progress), '-infinity') group by 1, 2
  ) x on x.site_id = d.site_id and x.day = d.day;
