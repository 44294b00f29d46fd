-- Sites live here; what is measured of them is null until it was measured.
create table sites (
  id text primary key check (id ~ '^site_[a-z0-9]{16}$'),
  site_name text not null check (site_name <> ''),
  -- A host name in lower case and ASCII.
  domain text not null check (domain ~ '^[a-z0-9.-]{1,253}$'),
  subdomain text,
  -- No foreign key: the mirror owns customers, and may be emptied and filled again.
  customer_id text,
  -- The customer's name, or the email where there is none; kept by triggers.
  customer_name text,
  status text not null check (status in ('pending', 'deploying', 'active', 'suspended', 'maintenance', 'deleted')),
  status_reason text,
  -- Set by hand for a while: then `status_after` is its status again.
  status_until timestamptz,
  status_after text check (status_after in ('pending', 'deploying', 'active', 'suspended', 'maintenance')),
  -- What a suspension has come to at the provider.
  at_provider text not null default 'served'
    check (at_provider in ('served', 'suspending', 'offline', 'resuming', 'still_served')),
  health_status text not null default 'unknown' check (health_status in ('healthy', 'degraded', 'down', 'unknown')),
  health_checked_at timestamptz,
  health_detail text,
  response_ms integer,
  ssl_status text not null default 'pending' check (ssl_status in ('pending', 'active', 'expired', 'error')),
  ssl_expires_at timestamptz,
  ssl_issuer text,
  ssl_checked_at timestamptz,
  performance_score integer check (performance_score between 0 and 100),
  scored_at timestamptz,
  deployment_url text check (deployment_url ~ '^https?://'),
  last_deployment timestamptz,
  template_type text,
  storage_used double precision check (storage_used >= 0),
  storage_used_at timestamptz,
  bandwidth_used double precision check (bandwidth_used >= 0),
  bandwidth_used_at timestamptz,
  provider text check (provider in ('pages', 'hook')),
  -- pages: project, branch. hook: callback.
  provider_settings jsonb not null default '{}',
  hook_url_sealed text,
  hook_secret_sealed text,
  health_path text not null default '/' check (health_path ~ '^/'),
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz check ((deleted_at is not null) = (status = 'deleted')),
  -- As it is searched: site name, domain and customer name, a line each.
  doc text not null default '',
  sort_name text not null default '',
  is_demo boolean not null default false,
  check ((status_after is null) = (status_until is null))
);
create unique index sites_domain on sites (domain) where deleted_at is null;
-- Finds the sites of a domain and of those below it: their names, read backwards, begin with the domain's.
create index sites_domain_reversed on sites ((reverse(domain)) collate "C") where deleted_at is null;
create index sites_customer on sites (customer_id) where deleted_at is null;
create index sites_created on sites (created_at desc, id desc) where deleted_at is null;
create index sites_name on sites (sort_name, id) where deleted_at is null;
create index sites_customer_name on sites (lower(coalesce(customer_name, '')), id) where deleted_at is null;
create index sites_score on sites (coalesce(performance_score, -1), id) where deleted_at is null;
create index sites_storage on sites (coalesce(storage_used, -1), id) where deleted_at is null;
create index sites_last_deployment on sites (coalesce(last_deployment, '-infinity'), id) where deleted_at is null;
create index sites_status_created on sites (status, created_at desc, id desc) where deleted_at is null;
create index sites_health_created on sites (health_status, created_at desc, id desc) where deleted_at is null;
create index sites_trigrams on sites using gin (doc gin_trgm_ops) with (gin_pending_list_limit = 256);
create index sites_until on sites (status_until) where status_until is not null;
create trigger sites_tell after insert or delete on sites
  for each row execute function tell_change('sites');
-- That a site was looked at and is as before is nobody's news.
create trigger sites_tell_update after update on sites
  for each row when (
    (old.version, old.site_name, old.domain, old.customer_id, old.customer_name, old.status, old.status_reason,
      old.status_until, old.at_provider, old.health_status, old.ssl_status, old.performance_score, old.last_deployment,
      old.storage_used, old.bandwidth_used)
    is distinct from
    (new.version, new.site_name, new.domain, new.customer_id, new.customer_name, new.status, new.status_reason,
      new.status_until, new.at_provider, new.health_status, new.ssl_status, new.performance_score, new.last_deployment,
      new.storage_used, new.bandwidth_used)
  ) execute function tell_change('sites');

create function sites_derive() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.customer_id is distinct from old.customer_id then
    new.customer_name := (
      select coalesce(nullif(c.name, ''), nullif(c.email, '')) from customers c where c.id = new.customer_id
    );
  end if;
  new.doc := search_fold(new.site_name) || E'\n' || search_fold(new.domain) || E'\n'
    || search_fold(coalesce(new.customer_name, ''));
  new.sort_name := left(case when octet_length(new.site_name) = length(new.site_name) then lower(new.site_name)
    else lower(regexp_replace(normalize(new.site_name, NFKD), '[\u0300-\u036f]', '', 'g')) end, 200);
  return new;
end $$;

create trigger sites_derive before insert or update of site_name, domain, customer_id, customer_name on sites
  for each row execute function sites_derive();

create function customers_name_sites() returns trigger language plpgsql as $$
begin
  perform from new_rows n join sites s on s.customer_id = n.id
  where s.customer_name is distinct from coalesce(nullif(n.name, ''), nullif(n.email, '')) limit 1;
  if not found then
    return null;
  end if;
  update sites s set customer_name = coalesce(nullif(n.name, ''), nullif(n.email, ''))
  from new_rows n
  where s.customer_id = n.id and s.customer_name is distinct from coalesce(nullif(n.name, ''), nullif(n.email, ''));
  return null;
end $$;

create trigger customers_insert_name_sites after insert on customers referencing new table as new_rows
  for each statement execute function customers_name_sites();
create trigger customers_update_name_sites after update on customers referencing new table as new_rows
  for each statement execute function customers_name_sites();

-- How many there are of each kind that a list or a card asks for.
create table site_counts (
  status text not null,
  health_status text not null,
  ssl_status text not null,
  sites bigint not null default 0,
  primary key (status, health_status, ssl_status)
);

-- As for payments: new rows count +1, those that they replace -1.
create type site_change as (sign integer, customer_id text, status text, health_status text, ssl_status text);

create function sites_count() returns trigger language plpgsql as $$
declare
  changes site_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (1, customer_id, status, health_status, ssl_status)::site_change from new_rows where deleted_at is null
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (-1, customer_id, status, health_status, ssl_status)::site_change from old_rows where deleted_at is null
    );
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;

  insert into site_counts as t (status, health_status, ssl_status, sites)
  select status, health_status, ssl_status, sum(sign) from unnest(changes)
  group by 1, 2, 3 having sum(sign) <> 0 order by 1, 2, 3
  on conflict (status, health_status, ssl_status) do update set sites = t.sites + excluded.sites;

  update customers c set site_count = c.site_count + d.change
  from (
    select customer_id, sum(sign)::integer as change from unnest(changes) where customer_id is not null
    group by 1 having sum(sign) <> 0
  ) d
  where c.id = d.customer_id;
  return null;
end $$;

create trigger sites_insert_count after insert on sites referencing new table as new_rows
  for each statement execute function sites_count();
create trigger sites_update_count after update on sites referencing old table as old_rows new table as new_rows
  for each statement execute function sites_count();
create trigger sites_delete_count after delete on sites referencing old table as old_rows
  for each statement execute function sites_count();

-- The mirror's rows are filled again after a change of account: how many sites each has is not the mirror's to know.
create function customers_take_site_count() returns trigger language plpgsql as $$
begin
  update customers c set site_count = s.sites
  from (
    select customer_id, count(*)::integer as sites from sites
    where deleted_at is null and customer_id in (select id from new_rows) group by 1
  ) s
  where c.id = s.customer_id and c.site_count <> s.sites;
  return null;
end $$;

create trigger customers_take_site_count after insert on customers referencing new table as new_rows
  for each statement execute function customers_take_site_count();

create table site_status_changes (
  id bigint generated always as identity primary key,
  site_id text not null references sites (id) on delete cascade,
  at timestamptz not null,
  from_status text,
  to_status text not null,
  cause text not null
    check (cause in ('created', 'imported', 'by_hand', 'expired', 'deployment', 'suspension', 'resumption', 'deletion')),
  reason text,
  until timestamptz,
  actor_name text not null,
  actor_type text
    check (actor_type in ('admin_key', 'user', 'api_key', 'job', 'webhook', 'anonymous'))
);
create index site_status_changes_newest on site_status_changes (site_id, id desc);
create trigger site_status_changes_tell after insert or update or delete on site_status_changes
  for each statement execute function tell_change('sites');

-- Which fields each version changed, so that who comes too late is told.
create table site_edits (
  site_id text not null references sites (id) on delete cascade,
  version integer not null,
  at timestamptz not null,
  actor_name text not null,
  fields text[] not null,
  primary key (site_id, version)
);

-- A save of the environment is a version of its own; the values are one sealed object of names and values.
create table site_environments (
  site_id text not null references sites (id) on delete cascade,
  version integer not null,
  created_at timestamptz not null,
  actor_name text not null,
  names text[] not null,
  added text[] not null,
  removed text[] not null,
  changed text[] not null,
  rolled_back_to integer,
  sealed text not null,
  primary key (site_id, version)
);
create trigger site_environments_tell after insert or update or delete on site_environments
  for each statement execute function tell_change('sites');

-- A suspension from its request until it was lifted, with what it took from the provider. What is done there is a run.
create table site_suspensions (
  id text primary key,
  site_id text not null references sites (id) on delete cascade,
  state text not null check (state in ('suspending', 'suspended', 'resuming', 'lifted')),
  reason text not null,
  actor_name text not null,
  -- The customer whose suspension brought it; only lifting that one lifts this.
  customer_id text,
  status_before text not null,
  provider text,
  project text,
  -- Found at the project before they were taken away, and given back on resuming.
  domains text[] not null default '{}',
  -- What it has come to, or why it does not get further.
  note text,
  created_at timestamptz not null,
  suspended_at timestamptz,
  lifted_at timestamptz,
  lifted_by text
);
create unique index site_suspensions_one_open on site_suspensions (site_id) where state <> 'lifted';
create index site_suspensions_site on site_suspensions (site_id, created_at desc);
create index site_suspensions_customer on site_suspensions (customer_id) where state <> 'lifted';
create trigger site_suspensions_tell after insert or update or delete on site_suspensions
  for each statement execute function tell_change('sites');

-- Fillings that happen once; `demo` is that of a demo.
create table site_imports (
  key text primary key,
  at timestamptz not null
);
