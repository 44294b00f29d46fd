-- A deployment of a site, asked for here or told of by the provider. Which process works on one stands in it: a process
-- that ends leaves a lease that runs out.
create table deployments (
  id text primary key,
  site_id text not null references sites (id),
  kind text not null check (kind in ('deploy', 'retry', 'rollback')),
  origin text not null check (origin in ('console', 'provider')),
  status text not null check (status in ('queued', 'building', 'deploying', 'success', 'failed', 'cancelled')),
  reason text check (char_length(reason) between 1 and 500),
  failure text,
  provider text not null check (provider in ('pages', 'hook')),
  -- What only one deployment at a time may change: the provider's project, or the site behind a hook.
  lane text not null,
  -- Of equal ones only one waits.
  same_as text not null,
  provider_deployment_id text,
  build_id text,
  version text,
  commit_hash text,
  commit_message text,
  branch text,
  url text,
  stages jsonb not null default '[]',
  environment_version integer,
  environment_note text,
  rolled_back_to text references deployments (id),
  restores_environment boolean not null default false,
  retry_of text references deployments (id),
  served jsonb,
  queued_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  duration integer check (duration >= 0),
  actor_type text,
  actor_id text,
  actor_name text,
  cancel_requested_at timestamptz,
  cancelled_by text,
  -- Written before the provider is asked, so that a lost answer is looked for and never asked for twice.
  sent_at timestamptz,
  known_before text[],
  -- The provider has answered that it took it.
  accepted_at timestamptz,
  -- The provider has ended with it; what is served is being looked at.
  built_at timestamptz,
  -- Why nothing is heard of it at the moment.
  wait_note text,
  lease_owner text,
  lease_until timestamptz,
  callback_hash text unique,
  is_log_complete boolean not null default false,
  -- Whoever had the site when it was asked for: it stays in that history when the site changes hands. One that nobody had goes to
  -- its first owner.
  owner_id text,
  -- What the provider answered instead of whether it took the call; null again once that is known.
  provider_error text,
  check ((status in ('success', 'failed', 'cancelled')) = (completed_at is not null))
);
create unique index deployments_one_running on deployments (lane)
  where status in ('building', 'deploying') and origin = 'console';
create unique index deployments_one_waiting on deployments (site_id, same_as) where status = 'queued';
create unique index deployments_provider on deployments (lane, provider_deployment_id) where kind <> 'rollback';
create index deployments_open on deployments (queued_at, id) where status in ('queued', 'building', 'deploying');
create index deployments_newest on deployments (queued_at desc, id desc);
create index deployments_status on deployments (status, queued_at desc, id desc);
create index deployments_site on deployments (site_id, queued_at desc, id desc);
create index deployments_owner on deployments (owner_id, queued_at desc, id desc);
create index deployments_search on deployments using gin (
  search_fold(id || E'\n' || coalesce(version, '') || E'\n' || coalesce(commit_hash, '') || E'\n' ||
    coalesce(commit_message, '') || E'\n' || coalesce(branch, '')) gin_trgm_ops
);
-- The work on one does not tell every open list: a lease or a next look is nobody's news.
create trigger deployments_tell_insert after insert or delete on deployments
  for each statement execute function tell_change('deployments');
create trigger deployments_tell_update after update of status, failure, version, commit_hash, commit_message, url, stages,
  environment_note, wait_note, provider_error, served, cancel_requested_at, is_log_complete, provider_deployment_id,
  build_id on deployments
  for each statement execute function tell_change('deployments');

create function deployments_take_owner() returns trigger language plpgsql as $$
begin
  new.owner_id := (select customer_id from sites where id = new.site_id);
  return new;
end $$;

create trigger deployments_take_owner before insert on deployments
  for each row execute function deployments_take_owner();

create function sites_give_deployments() returns trigger language plpgsql as $$
begin
  update deployments set owner_id = new.customer_id where site_id = new.id and owner_id is null;
  return null;
end $$;

create trigger sites_give_deployments after update of customer_id on sites
  for each row when (old.customer_id is null and new.customer_id is not null)
  execute function sites_give_deployments();

create table deployment_counts (
  site_id text not null,
  status text not null,
  deployments bigint not null,
  primary key (site_id, status)
);

create table deployment_totals (
  status text primary key,
  deployments bigint not null
);

-- As for payments: new rows count +1, those that they replace -1.
create type deployment_change as (sign integer, site_id text, status text);

create function deployments_counts() returns trigger language plpgsql as $$
declare
  changes deployment_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(select (1, site_id, status)::deployment_change from new_rows);
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(select (-1, site_id, status)::deployment_change from old_rows);
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;

  insert into deployment_counts as t (site_id, status, deployments)
  select site_id, status, sum(sign) from unnest(changes) group by site_id, status having sum(sign) <> 0 order by 1, 2
  on conflict (site_id, status) do update set deployments = t.deployments + excluded.deployments;

  insert into deployment_totals as t (status, deployments)
  select status, sum(sign) from unnest(changes) group by status having sum(sign) <> 0 order by 1
  on conflict (status) do update set deployments = t.deployments + excluded.deployments;
  return null;
end $$;

create trigger deployments_insert_counts after insert on deployments referencing new table as new_rows
  for each statement execute function deployments_counts();
create trigger deployments_update_counts after update on deployments
  referencing old table as old_rows new table as new_rows
  for each statement execute function deployments_counts();
create trigger deployments_delete_counts after delete on deployments referencing old table as old_rows
  for each statement execute function deployments_counts();

-- Numbered from 1 without gaps. A line that came after a lost one leaves a place that it may still take.
create table deployment_log_lines (
  deployment_id text not null references deployments (id) on delete cascade,
  number integer not null check (number > 0),
  at timestamptz not null,
  text text not null,
  is_missing boolean not null default false,
  -- It took the place of another text: whoever has read that text already is told of the line after all.
  is_late boolean not null default false,
  -- Lines that were not received are one row, however many they are: from its number to this one.
  missing_until integer check (missing_until >= number),
  primary key (deployment_id, number)
);
create index deployment_log_lines_late on deployment_log_lines (deployment_id, number) where is_late;
create index deployment_log_lines_missing on deployment_log_lines (deployment_id, number) where is_missing;
create trigger deployment_log_lines_tell after insert or update on deployment_log_lines
  for each statement execute function tell_change('deployment_log');

-- Signed status calls that were taken: each signature counts once.
create table deployment_callbacks (
  deployment_id text not null references deployments (id) on delete cascade,
  signature text not null,
  received_at timestamptz not null,
  primary key (deployment_id, signature)
);

-- Takes up what a provider had before the site was linked to it, once per link.
create table deployment_histories (
  site_id text primary key references sites (id) on delete cascade,
  lane text not null,
  taken_at timestamptz not null
);
