-- What was asked of Cloudflare, in slots of five seconds, by connection: a token at an address. All processes count together.
create table cloudflare_calls (
  connection text not null,
  scope text not null check (scope in ('rest', 'graphql')),
  slot bigint not null,
  used integer not null,
  primary key (connection, scope, slot)
);
create table cloudflare_blocks (
  connection text not null,
  scope text not null,
  until timestamptz not null,
  primary key (connection, scope)
);

-- One call at a time decides: `most` of them fit into five minutes.
create function take_cloudflare_call(
  conn text, what text, at timestamptz, most integer,
  out allowed boolean, out is_blocked boolean, out retry_after integer
) language plpgsql as $$
declare
  this_slot bigint := floor(extract(epoch from at) / 5);
  blocked_until timestamptz;
  taken bigint;
  oldest bigint;
begin
  perform pg_advisory_xact_lock(hashtext('cloudflare_calls'), hashtext(conn || what));
  allowed := false;
  is_blocked := false;
  select until into blocked_until from cloudflare_blocks where connection = conn and scope = what and until > at;
  if found then
    is_blocked := true;
    retry_after := ceil(extract(epoch from blocked_until - at));
    return;
  end if;
  delete from cloudflare_calls where slot < this_slot - 60;
  select coalesce(sum(used), 0), min(slot) into taken, oldest
    from cloudflare_calls where connection = conn and scope = what;
  if taken >= most then
    retry_after := greatest(1, ceil((coalesce(oldest, this_slot) + 61) * 5 - extract(epoch from at)));
    return;
  end if;
  insert into cloudflare_calls values (conn, what, this_slot, 1)
    on conflict (connection, scope, slot) do update set used = cloudflare_calls.used + 1;
  allowed := true;
end $$;

-- Cloudflare's zones as they were listed last: a cache, which survives a restart and an outage.
create table domains (
  id text primary key,
  connection text not null,
  name text not null,
  status text,
  paused boolean not null,
  type text,
  plan jsonb,
  account jsonb,
  created_on timestamptz,
  modified_on timestamptz,
  name_servers text[] not null,
  original_name_servers text[] not null,
  ssl_value text,
  ssl_checked_at timestamptz,
  ssl_problem text,
  dnssec_value text,
  dnssec_checked_at timestamptz,
  dnssec_problem text,
  -- When both were asked for last, whatever came of it.
  settings_at timestamptz,
  -- As it is searched: name, status and plan name, a line each.
  doc text generated always as (
    lower(name || E'\n' || coalesce(status, '') || E'\n' || coalesce(plan ->> 'name', ''))
  ) stored
);
create index domains_name on domains (name, id);
create index domains_settings on domains (settings_at nulls first);

-- How old the list of a connection is, why it is not newer, and until when somebody is at it.
create table domain_lists (
  connection text primary key,
  fetched_at timestamptz,
  failed_at timestamptz,
  failure text,
  refreshing_until timestamptz
);

create table domain_purges (
  id text primary key,
  domain_id text not null,
  domain_name text not null,
  -- What was asked for; the same key with another body is refused.
  body jsonb not null,
  what text not null,
  state text not null check (state in ('started', 'done', 'failed', 'unknown')),
  problem text,
  actor_id text not null,
  actor_name text not null,
  created_at timestamptz not null,
  settled_at timestamptz
);
create index domain_purges_domain on domain_purges (domain_id, created_at desc);

create trigger domains_tell after insert or update or delete on domains
  for each statement execute function tell_change('domains');
create trigger domain_lists_tell after insert or update on domain_lists
  for each statement execute function tell_change('domains');
create trigger domain_purges_tell after insert or update on domain_purges
  for each statement execute function tell_change('domains');
