-- Reports of a year read tens of thousands of hours and movements: from the index alone, without a look at each row.
alter table mrr_hours drop constraint mrr_hours_pkey,
  add primary key (hour, currency, kind) include (amount, movements, reconstructed);
alter table segment_hours drop constraint segment_hours_pkey, add primary key (hour, currency, segment) include (net);
drop index mrr_movements_first;
create index mrr_movements_first on mrr_movements (first_at, currency) include (at, kind, before, after, reconstructed);

-- Of each site its customer's plan.
create index customers_subscription on customers (id) include (subscription_id) where deleted_at is null;

-- Who left, and what they said to Stripe.
create index mrr_movements_churn on mrr_movements (currency, at, customer_id) include (before, subscription_id)
  where kind = 'churn';
create index subscriptions_left_unpaid on subscriptions (id) where raw #>> '{cancellation_details,reason}' = 'payment_failed';
create index subscriptions_left_price on subscriptions (id) where raw #>> '{cancellation_details,feedback}' = 'too_expensive';

-- The sites of a connection and their zones: each site is looked at once.
create or replace function site_zones(of_connection text)
returns table (site_id text, zone_id text, sites bigint) language sql stable as $$
  with own as materialized (
    select distinct on (s.id) s.id as site_id, s.domain, d.id as zone_id
    from sites s left join domains d on d.name = s.domain and d.connection = of_connection
    where s.deleted_at is null order by s.id, d.id
  ),
  homes as (
    select site_id, zone_id from own where zone_id is not null
    union all
    select o.site_id, z.id
    from own o
    cross join lateral (
      select d.id
      from generate_series(2, cardinality(string_to_array(o.domain, '.'))) part
      join domains d on d.name = array_to_string((string_to_array(o.domain, '.'))[part:], '.')
        and d.connection = of_connection
      order by part, d.id limit 1
    ) z
    where o.zone_id is null
  )
  select site_id, zone_id, count(*) over (partition by zone_id) from homes
$$;
