-- Looks by days in UTC: a day that is over for a week is dropped whole, which leaves nothing to clean up.
alter table site_probes rename to site_probes_before;
alter table site_probes_before rename constraint site_probes_pkey to site_probes_before_pkey;
alter index site_probes_at rename to site_probes_before_at;

create table site_probes (like site_probes_before including defaults including constraints) partition by range (at);
alter table site_probes add primary key (site_id, at);
alter table site_probes add foreign key (site_id) references sites (id) on delete cascade;
create index site_probes_at on site_probes using brin (at);

create table site_probe_partitions (
  name text primary key,
  from_at timestamptz not null,
  until_at timestamptz not null
);

-- What was kept before stays together.
do $$
declare
  until_at timestamptz := date_trunc('day', greatest(now(), (select max(at) from site_probes_before)), 'UTC')
    + interval '1 day';
begin
  execute format(
    'alter table site_probes attach partition site_probes_before for values from (minvalue) to (%L)', until_at);
  insert into site_probe_partitions values ('site_probes_before', '-infinity', until_at);
end $$;

-- For what comes before its day was made.
create table site_probes_rest partition of site_probes default;

create function make_site_probe_day(at timestamptz) returns void language plpgsql as $$
declare
  day_start timestamptz := date_trunc('day', at, 'UTC');
  day_end timestamptz := day_start + interval '1 day';
  day_name text := 'site_probes_' || to_char(day_start at time zone 'UTC', 'YYYYMMDD');
begin
  -- Two processes would make it twice.
  lock table site_probe_partitions in share row exclusive mode;
  perform from site_probe_partitions p where p.from_at < day_end and p.until_at > day_start;
  if found then
    return;
  end if;
  execute format('create table %I (like site_probes including defaults including constraints)', day_name);
  execute format(
    'with early as (delete from site_probes_rest r where r.at >= %L and r.at < %L returning *) insert into %I select * from early',
    day_start, day_end, day_name);
  execute format(
    'alter table site_probes attach partition %I for values from (%L) to (%L)', day_name, day_start, day_end);
  insert into site_probe_partitions values (day_name, day_start, day_end);
end $$;

create function drop_site_probe_days(before timestamptz) returns void language plpgsql as $$
declare
  old text;
begin
  lock table site_probe_partitions in share row exclusive mode;
  for old in select p.name from site_probe_partitions p where p.until_at <= before loop
    execute format('drop table %I', old);
    delete from site_probe_partitions p where p.name = old;
  end loop;
  -- What lies in no day of its own goes row by row.
  delete from site_probes_rest r where r.at < before;
  if to_regclass('site_probes_before') is not null then
    delete from site_probes_before b where b.at < before;
  end if;
end $$;
