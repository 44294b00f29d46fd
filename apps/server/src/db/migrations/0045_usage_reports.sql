-- As formatMoney has it on the web: where the provider's minor unit is not a hundredth.
create function currency_digits(currency text) returns integer language sql immutable as $$
  select case
    when currency in ('bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof',
      'xpf') then 0
    when currency in ('bhd', 'jod', 'kwd', 'omr', 'tnd') then 3
    else 2
  end
$$;

-- What a plan's product says in its metadata; null where that is no number above zero.
create function plan_limit(product jsonb, name text) returns numeric language sql immutable as $$
  select case when product -> 'metadata' ->> name ~ '^\d{1,9}(\.\d{1,3})?$'
    then nullif((product -> 'metadata' ->> name)::numeric, 0) end
$$;

create index deployments_completed on deployments (completed_at) where completed_at is not null;

-- Traffic of a year: by zone in whole months, and of all zones by day. What is not known of a zone or day is counted apart, since
-- nothing known is not zero.
create table domain_analytics_months (
  zone_id text not null,
  month date not null,
  days bigint not null default 0,
  requests bigint not null default 0,
  bytes bigint not null default 0,
  visit_days bigint not null default 0,
  visits bigint not null default 0,
  primary key (zone_id, month)
);
create index domain_analytics_months_month on domain_analytics_months (month);

create table domain_analytics_day_totals (
  day date primary key,
  zones bigint not null default 0,
  requests bigint not null default 0,
  bytes bigint not null default 0,
  cached_zones bigint not null default 0,
  cached_requests bigint not null default 0,
  view_zones bigint not null default 0,
  page_views bigint not null default 0,
  visit_zones bigint not null default 0,
  visits bigint not null default 0,
  -- Of the zones whose answers of 500 and above are known.
  judged_zones bigint not null default 0,
  judged_requests bigint not null default 0,
  server_errors bigint not null default 0
);

create function add_domain_days(sign integer, days domain_analytics_days[]) returns void language plpgsql as $$
begin
  insert into domain_analytics_months as m (zone_id, month, days, requests, bytes, visit_days, visits)
  select zone_id, date_trunc('month', day::timestamp)::date, sign * count(*), sign * sum(requests), sign * sum(bytes),
    sign * count(visits), sign * coalesce(sum(visits), 0)
  from unnest(days) group by 1, 2 order by 1, 2
  on conflict (zone_id, month) do update set
    days = m.days + excluded.days, requests = m.requests + excluded.requests, bytes = m.bytes + excluded.bytes,
    visit_days = m.visit_days + excluded.visit_days, visits = m.visits + excluded.visits;
  insert into domain_analytics_day_totals as t (
    day, zones, requests, bytes, cached_zones, cached_requests, view_zones, page_views, visit_zones, visits, judged_zones,
    judged_requests, server_errors
  )
  select day, sign * count(*), sign * sum(requests), sign * sum(bytes), sign * count(cached_requests),
    sign * coalesce(sum(cached_requests), 0), sign * count(page_views), sign * coalesce(sum(page_views), 0),
    sign * count(visits), sign * coalesce(sum(visits), 0), sign * count(server_errors),
    sign * coalesce(sum(requests) filter (where server_errors is not null), 0), sign * coalesce(sum(server_errors), 0)
  from unnest(days) group by day order by day
  on conflict (day) do update set
    zones = t.zones + excluded.zones, requests = t.requests + excluded.requests, bytes = t.bytes + excluded.bytes,
    cached_zones = t.cached_zones + excluded.cached_zones, cached_requests = t.cached_requests + excluded.cached_requests,
    view_zones = t.view_zones + excluded.view_zones, page_views = t.page_views + excluded.page_views,
    visit_zones = t.visit_zones + excluded.visit_zones, visits = t.visits + excluded.visits,
    judged_zones = t.judged_zones + excluded.judged_zones, judged_requests = t.judged_requests + excluded.judged_requests,
    server_errors = t.server_errors + excluded.server_errors;
end $$;

create function domain_analytics_days_totals() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    perform add_domain_days(1, array(select row(n.*)::domain_analytics_days from new_rows n));
  end if;
  if tg_op <> 'INSERT' then
    perform add_domain_days(-1, array(select row(o.*)::domain_analytics_days from old_rows o));
  end if;
  return null;
end $$;

create trigger domain_analytics_days_insert_totals after insert on domain_analytics_days
  referencing new table as new_rows for each statement execute function domain_analytics_days_totals();
create trigger domain_analytics_days_update_totals after update on domain_analytics_days
  referencing old table as old_rows new table as new_rows
  for each statement execute function domain_analytics_days_totals();
create trigger domain_analytics_days_delete_totals after delete on domain_analytics_days
  referencing old table as old_rows for each statement execute function domain_analytics_days_totals();

select add_domain_days(1, array(select d from domain_analytics_days d where d.day = days.day))
from (select distinct day from domain_analytics_days) days;

-- The same of the zones of a connection, which are all of them as a rule; what none of them knows is null.
create function connection_days(of_connection text, first date, last date)
returns table (
  day date, requests bigint, cached_requests bigint, bytes bigint, page_views bigint, visits bigint, server_errors bigint,
  judged_requests bigint
) language sql stable as $$
  with others as materialized (
    select distinct m.zone_id from domain_analytics_months m
    where not exists (select from domains z where z.id = m.zone_id and z.connection = of_connection)
  ),
  parts as (
    select t.* from domain_analytics_day_totals t where t.day between first and last
    union all
    select d.day, -count(*), -sum(d.requests), -sum(d.bytes), -count(d.cached_requests), -coalesce(sum(d.cached_requests), 0),
      -count(d.page_views), -coalesce(sum(d.page_views), 0), -count(d.visits), -coalesce(sum(d.visits), 0),
      -count(d.server_errors), -coalesce(sum(d.requests) filter (where d.server_errors is not null), 0),
      -coalesce(sum(d.server_errors), 0)
    from others o join domain_analytics_days d on d.zone_id = o.zone_id and d.day between first and last group by d.day
  )
  select day, sum(requests)::bigint, case when sum(cached_zones) > 0 then sum(cached_requests)::bigint end,
    sum(bytes)::bigint, case when sum(view_zones) > 0 then sum(page_views)::bigint end,
    case when sum(visit_zones) > 0 then sum(visits)::bigint end,
    case when sum(judged_zones) > 0 then sum(server_errors)::bigint end,
    case when sum(judged_zones) > 0 then sum(judged_requests)::bigint end
  from parts group by day having sum(zones) > 0
$$;

-- Traffic of zones in a range: of whole months, with the days that are missing at its ends, or without those that are too many.
create function zone_traffic(first date, last date)
returns table (zone_id text, requests bigint, bytes bigint, visits bigint) language sql stable as $$
  with b as materialized (
    select date_trunc('month', first::timestamp + interval '16 days')::date as months_from,
      date_trunc('month', last::timestamp + interval '16 days')::date as months_until
  )
  select p.zone_id, sum(p.requests)::bigint, sum(p.bytes)::bigint,
    case when sum(p.visit_days) > 0 then sum(p.visits)::bigint end
  from (
    select m.zone_id, m.days, m.requests, m.bytes, m.visit_days, m.visits
    from b join domain_analytics_months m on m.month >= b.months_from and m.month < b.months_until
    union all
    select d.zone_id, e.sign, e.sign * d.requests, e.sign * d.bytes, e.sign * (d.visits is not null)::int,
      e.sign * coalesce(d.visits, 0)
    from b cross join lateral (values
      (1, first, b.months_from), (-1, b.months_from, first),
      (1, b.months_until, last + 1), (-1, last + 1, b.months_until)
    ) e (sign, since, until)
    join domain_analytics_days d on d.day >= e.since and d.day < e.until
  ) p group by p.zone_id having sum(p.days) > 0
$$;
