-- Payments that failed in a range and whose they are, and what rose in a range: from the index alone.
drop index payments_failed;
create index payments_failed on payments (created_at) include (customer_id)
  where counts_as_failed and deleted_at is null;
create index mrr_movements_expansion on mrr_movements (currency, at) include (customer_id, subscription_id, before, after)
  where kind = 'expansion';

-- The same figures in double precision, which adds up in half the time; whole numbers up to 2^53 are exact in it.
create or replace function zone_traffic(first date, last date)
returns table (zone_id text, requests bigint, bytes bigint, visits bigint) language sql stable as $$
  select p.zone_id, sum(p.requests::float8)::bigint, sum(p.bytes::float8)::bigint,
    case when sum(p.visit_days) > 0 then sum(p.visits::float8)::bigint end
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
