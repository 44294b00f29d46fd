-- Where alerts are sent to, and what became of each.
create table notification_channels (
  id text primary key,
  kind text not null check (kind in ('webhook', 'slack', 'mail')),
  name text not null check (name <> ''),
  -- An address may hold a secret, so it is sealed; what may be shown of it stands beside it.
  target_sealed text not null,
  target_shown text not null,
  secret_sealed text,
  min_severity text not null check (min_severity in ('info', 'warning', 'error', 'critical')),
  is_enabled boolean not null default true,
  created_at timestamptz not null,
  last_sent_at timestamptz,
  failing_since timestamptz,
  last_error text,
  version integer not null default 1
);
create unique index notification_channels_name on notification_channels (lower(name));
create trigger notification_channels_tell after insert or update or delete on notification_channels
  for each statement execute function tell_change('alerts');

create table channel_deliveries (
  id text primary key,
  channel_id text not null references notification_channels (id) on delete cascade,
  type text not null check (type in ('alert.opened', 'alert.resolved', 'test')),
  -- What is sent: title, detail, severity, link.
  message jsonb not null,
  alert_id text references alerts (id) on delete set null,
  state text not null check (state in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  error text,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index channel_deliveries_newest on channel_deliveries (created_at desc, id desc);
create index channel_deliveries_channel on channel_deliveries (channel_id, created_at desc, id desc);
create trigger channel_deliveries_tell after insert or update or delete on channel_deliveries
  for each statement execute function tell_change('alerts');
