-- Traffic of a year is read by quarter, with the months and days that are missing at its ends or too many: of each zone some
-- five rows instead of twelve. Each day changes all rows of the running quarter: half of a page is left for that.
create table domain_analytics_quarters (
  zone_id text not null,
  quarter date not null,
  days bigint not null default 0,
  requests bigint not null default 0,
  bytes bigint not null default 0,
  visit_days bigint not null default 0,
  visits bigint not null default 0,
  primary key (zone_id, quarter)
) with (fillfactor = 50);
alter table domain_analytics_months set (fillfactor = 50);
create index domain_analytics_quarters_quarter on domain_analytics_quarters (quarter);

insert into domain_analytics_quarters (zone_id, quarter, days, requests, bytes, visit_days, visits)
select zone_id, date_trunc('quarter', month::timestamp)::date, sum(days), sum(requests), sum(bytes), sum(visit_days), sum(visits)
from domain_analytics_months group by 1, 2;

create or replace function add_domain_days(sign integer, days domain_analytics_days[]) returns void language plpgsql as $$
begin
  insert into domain_analytics_months as m (zone_id, month, days, requests, bytes, visit_days, visits)
  select zone_id, date_trunc('month', day::timestamp)::date, sign * count(*), sign * sum(requests), sign * sum(bytes),
    sign * count(visits), sign * coalesce(sum(visits), 0)
  from unnest(days) group by 1, 2 order by 1, 2
  on conflict (zone_id, month) do update set
    days = m.days + excluded.days, requests = m.requests + excluded.requests, bytes = m.bytes + excluded.bytes,
    visit_days = m.visit_days + excluded.visit_days, visits = m.visits + excluded.visits;
  insert into domain_analytics_quarters as q (zone_id, quarter, days, requests, bytes, visit_days, visits)
  select zone_id, date_trunc('quarter', day::timestamp)::date, sign * count(*), sign * sum(requests), sign * sum(bytes),
    sign * count(visits), sign * coalesce(sum(visits), 0)
  from unnest(days) group by 1, 2 order by 1, 2
  on conflict (zone_id, quarter) do update set
    days = q.days + excluded.days, requests = q.requests + excluded.requests, bytes = q.bytes + excluded.bytes,
    visit_days = q.visit_days + excluded.visit_days, visits = q.visits + excluded.visits;
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

create or replace function connection_days(of_connection text, first date, last date)
returns table (
  day date, requests bigint, cached_requests bigint, bytes bigint, page_views bigint, visits bigint, server_errors bigint,
  judged_requests bigint
) language sql stable as $$
  with others as materialized (
    select distinct q.zone_id from domain_analytics_quarters q
    where q.quarter >= date_trunc('quarter', first::timestamp)::date and q.quarter <= last and q.days > 0
      and not exists (select from domains z where z.id = q.zone_id and z.connection = of_connection)
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

create function nearest_month(day date) returns date language sql immutable as $$
  select date_trunc('month', day::timestamp + interval '16 days')::date
$$;
create function nearest_quarter(day date) returns date language sql immutable as $$
  select date_trunc('quarter', nearest_month(day)::timestamp + interval '1 month')::date
$$;

-- Traffic of zones in a range. The bounds stand where the planner sees them, for it to know how much of a table they take.
create or replace function zone_traffic(first date, last date)
returns table (zone_id text, requests bigint, bytes bigint, visits bigint) language sql stable as $$
  select p.zone_id, sum(p.requests)::bigint, sum(p.bytes)::bigint,
    case when sum(p.visit_days) > 0 then sum(p.visits)::bigint end
  from (
    select q.zone_id, q.days, q.requests, q.bytes, q.visit_days, q.visits
    from domain_analytics_quarters q where q.quarter >= nearest_quarter(first) and q.quarter < nearest_quarter(last + 1)
    union all
    select m.zone_id, e.sign * m.days, e.sign * m.requests, e.sign * m.bytes, e.sign * m.visit_days, e.sign * m.visits
    from (values
      (1, nearest_month(first), nearest_quarter(first)), (-1, nearest_quarter(first), nearest_month(first)),
      (1, nearest_quarter(last + 1), nearest_month(last + 1)), (-1, nearest_month(last + 1), nearest_quarter(last + 1))
    ) e (sign, since, until)
    join domain_analytics_months m on m.month >= e.since and m.month < e.until
    union all
    select d.zone_id, e.sign, e.sign * d.requests, e.sign * d.bytes, e.sign * (d.visits is not null)::int,
      e.sign * coalesce(d.visits, 0)
    from (values
      (1, first, nearest_month(first)), (-1, nearest_month(first), first),
      (1, nearest_month(last + 1), last + 1), (-1, last + 1, nearest_month(last + 1))
    ) e (sign, since, until)
    join domain_analytics_days d on d.day >= e.since and d.day < e.until
  ) p group by p.zone_id having sum(p.days) > 0
$$;
