-- As before, and told in one reading of sites and domains, also where all sites live in the zone of a longer name.
create or replace function site_zones(of_connection text)
returns table (site_id text, zone_id text, sites bigint) language sql stable as $$
  with zones as materialized (
    select name, min(id) as id from domains where connection = of_connection group by name
  ),
  own as materialized (
    select s.id as site_id, s.domain, z.id as zone_id
    from sites s left join zones z on z.name = s.domain
    where s.deleted_at is null
  ),
  homes as materialized (
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
  ),
  lived_in as materialized (select zone_id, count(*) as sites from homes group by zone_id)
  select h.site_id, h.zone_id, l.sites from homes h join lived_in l on l.zone_id = h.zone_id
$$;

-- Of each site its owner, and of each customer the plan: from the index alone.
drop index sites_customer;
create index sites_customer on sites (customer_id, id) where deleted_at is null;
create index subscriptions_plan on subscriptions (id) include (product_id);
