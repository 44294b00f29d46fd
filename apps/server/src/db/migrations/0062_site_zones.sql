-- As before, and most sites live in the zone of their own name: these are joined at once, and only the others are looked up name by name.
create or replace function site_zones(of_connection text)
returns table (site_id text, zone_id text, sites bigint) language sql stable as $$
  with own as materialized (
    select distinct on (s.id) s.id as site_id, d.id as zone_id
    from sites s join domains d on d.name = s.domain and d.connection = of_connection
    where s.deleted_at is null order by s.id, d.id
  ),
  homes as (
    select site_id, zone_id from own
    union all
    select s.id, z.id
    from sites s
    cross join lateral (
      select d.id
      from generate_series(2, cardinality(string_to_array(s.domain, '.'))) part
      join domains d on d.name = array_to_string((string_to_array(s.domain, '.'))[part:], '.')
        and d.connection = of_connection
      order by part, d.id limit 1
    ) z
    where s.deleted_at is null and not exists (select from own where own.site_id = s.id)
  )
  select site_id, zone_id, count(*) over (partition by zone_id) from homes
$$;
