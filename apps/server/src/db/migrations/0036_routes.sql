-- Who is sent what: routes lead from what happened to a channel. They take the place of the alert recipients.

-- Where one may read the whole target, there is nothing to seal.
alter table notification_channels
  alter column target_sealed drop not null,
  -- Takes what other channels could not deliver.
  add column is_escalation boolean not null default false,
  -- Tries in a row that failed; since when it counts as dead.
  add column failures integer not null default 0,
  add column dead_since timestamptz;
update notification_channels set target_sealed = null where kind = 'mail';
alter table notification_channels add constraint notification_channels_sealed
  check ((target_sealed is not null) = (kind in ('webhook', 'slack')));
create unique index notification_channels_escalation on notification_channels (is_escalation) where is_escalation;

create table notification_routes (
  id text primary key,
  channel_id text not null references notification_channels (id) on delete cascade,
  min_severity text not null check (min_severity in ('info', 'warning', 'error', 'critical')),
  -- Empty: of whomever, and what concerns no customer.
  customer_ids text[] not null default '{}',
  plan_ids text[] not null default '{}',
  -- Minutes of the day in between which only what is critical is sent at once.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  time_zone text,
  is_enabled boolean not null default true,
  created_at timestamptz not null,
  version integer not null default 1,
  check (num_nulls(quiet_from, quiet_until, time_zone) in (0, 3)),
  check (quiet_from <> quiet_until)
);
create index notification_routes_channel on notification_routes (channel_id);
create trigger notification_routes_tell after insert or update or delete on notification_routes
  for each statement execute function tell_change('alerts');

insert into notification_routes (id, channel_id, min_severity, created_at)
select 'route_' || gen_random_uuid(), id, min_severity, created_at from notification_channels;
alter table notification_channels drop column min_severity;

-- The alert recipients were written to about errors.
with recipients as (
  select string_agg(address, ', ' order by position) as addresses, max(s.updated_at) as at
  from settings s, jsonb_array_elements_text(s.value) with ordinality a (address, position)
  where s.key = 'alerts.recipients'
), added as (
  insert into notification_channels (id, kind, name, target_shown, created_at)
  select 'channel_' || gen_random_uuid(), 'mail',
    case when exists (select from notification_channels where lower(name) = 'alert recipients')
      then 'Alert recipients (from the settings)' else 'Alert recipients' end,
    addresses, at
  from recipients where addresses is not null
  returning id, created_at
)
insert into notification_routes (id, channel_id, min_severity, created_at)
select 'route_' || gen_random_uuid(), id, 'error', created_at from added;
delete from settings where key = 'alerts.recipients';
delete from setting_versions where key = 'alerts.recipients';

do $$ begin
  if to_regclass('jobs.schedule') is not null then
    delete from jobs.schedule where name = 'mail.alerts';
  end if;
end $$;

alter table channel_deliveries
  drop constraint channel_deliveries_type_check,
  drop constraint channel_deliveries_state_check,
  add constraint channel_deliveries_type_check
    check (type in ('alert.opened', 'alert.resolved', 'notice', 'digest', 'test')),
  -- held: until quiet hours end; digested: sent with the digest.
  add constraint channel_deliveries_state_check check (state in ('queued', 'held', 'digested', 'sent', 'failed')),
  -- What is told once to a channel, however often and by whichever route.
  add column message_key text,
  add column held_until timestamptz,
  add column digest_id text references channel_deliveries (id) on delete set null,
  -- What became of it at each address of a mail channel.
  add column recipients jsonb not null default '{}';
create unique index channel_deliveries_key on channel_deliveries (channel_id, message_key) where message_key is not null;
create index channel_deliveries_held on channel_deliveries (held_until) where state = 'held';
create index channel_deliveries_digest on channel_deliveries (digest_id) where digest_id is not null;
create index channel_deliveries_link on channel_deliveries ((message ->> 'link'));

-- As much of it as routes look at.
alter table notifications
  add column level text not null default 'info' check (level in ('info', 'warning', 'error', 'critical')),
  add column customer_ids text[] not null default '{}';
update notifications set level = case severity when 'success' then 'info' else severity end;

-- Single-use links in alert mails; only the hash of what the link holds.
create table acknowledge_links (
  token_hash bytea primary key,
  alert_id text not null references alerts (id) on delete cascade,
  -- To whom the mail went.
  address text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index acknowledge_links_expiry on acknowledge_links (expires_at);
