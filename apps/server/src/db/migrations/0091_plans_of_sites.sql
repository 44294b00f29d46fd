-- The plan of a customer: the product of its newest live subscription. With it a site's plan is one look away.
alter table customers add column product_id text;

create function customers_take_plan() returns trigger language plpgsql as $$
begin
  new.product_id := (select product_id from subscriptions where id = new.subscription_id);
  return new;
end $$;

create function subscriptions_give_plan() returns trigger language plpgsql as $$
begin
  update customers set product_id = new.product_id where id = new.customer_id and subscription_id = new.id;
  return null;
end $$;

-- Of those who were there before this file.
update customers c set product_id = s.product_id from subscriptions s where s.id = c.subscription_id;

create trigger customers_take_plan before insert or update of subscription_id on customers
  for each row execute function customers_take_plan();
create trigger subscriptions_give_plan after update on subscriptions
  for each row when (old.product_id is distinct from new.product_id) execute function subscriptions_give_plan();

drop index customers_subscription;
drop index subscriptions_plan;
create index customers_plan on customers (id) include (product_id) where deleted_at is null;

-- Of each site the zone that it lives in: of its own name, or of the nearest name above.
create function site_homes(of_connection text) returns table (site_id text, zone_id text) language sql stable as $$
  with zones as materialized (
    select name, min(id) as id from domains where connection = of_connection group by name
  ),
  own as materialized (
    select s.id as site_id, s.domain, z.id as zone_id
    from sites s left join zones z on z.name = s.domain
    where s.deleted_at is null
  )
  select site_id, zone_id from own where zone_id is not null
  union all
  (
    select distinct on (o.site_id) o.site_id, z.id
    from own o
    cross join lateral generate_series(2, cardinality(string_to_array(o.domain, '.'))) part
    join zones z on z.name = array_to_string((string_to_array(o.domain, '.'))[part:], '.')
    where o.zone_id is null
    order by o.site_id, part
  )
$$;

-- As before, with how many sites live in the zone. Counted apart: the planner takes a zone of a single site for rare.
create or replace function site_zones(of_connection text)
returns table (site_id text, zone_id text, sites bigint) language sql stable as $$
  with homes as materialized (select * from site_homes(of_connection)),
  lived_in as materialized (select zone_id, count(*) as sites from homes group by zone_id)
  select h.site_id, h.zone_id, l.sites from homes h join lived_in l on l.zone_id = h.zone_id
$$;
