-- Notifications in browsers.

-- What the console signs with at push services. One row.
create table push_keys (
  id text primary key check (id = 'vapid'),
  public_key text not null,
  -- The private key, sealed.
  sealed text not null,
  created_at timestamptz not null
);

create table push_subscriptions (
  id text primary key,
  -- Whose browser it is: a person, or whoever holds the admin key.
  actor_type text not null check (actor_type in ('user', 'admin_key')),
  actor_id text not null,
  browser text not null,
  -- Of its address, so that a browser is there once.
  endpoint_hash bytea not null unique,
  -- Address and keys: whoever has them can write to the browser.
  sealed text not null,
  created_at timestamptz not null,
  last_sent_at timestamptz,
  last_error text
);
create index push_subscriptions_actor on push_subscriptions (actor_type, actor_id, created_at);
create trigger push_subscriptions_tell after insert or update or delete on push_subscriptions
  for each statement execute function tell_change('alerts');

alter table notification_channels drop constraint notification_channels_kind_check;
alter table notification_channels add constraint notification_channels_kind_check
  check (kind in ('webhook', 'slack', 'mail', 'push'));
-- All browsers are one channel.
create unique index notification_channels_push on notification_channels (kind) where kind = 'push';
