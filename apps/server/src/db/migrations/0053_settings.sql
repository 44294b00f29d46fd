-- What an administrator set; everything else is the environment's or the default.
create table settings (
  key text primary key,
  value jsonb,
  -- A secret, sealed with SECRETS_KEY; then `value` is null.
  sealed text,
  version integer not null,
  updated_at timestamptz not null,
  updated_by text not null,
  updated_by_name text not null,
  check ((value is null) <> (sealed is null))
);

create table setting_versions (
  key text not null,
  version integer not null,
  -- Both null: back to the default.
  value jsonb,
  sealed text,
  at timestamptz not null,
  actor_id text not null,
  actor_name text not null,
  primary key (key, version)
);

create trigger settings_tell after insert or update or delete on settings
  for each statement execute function tell_change('settings');

-- Single figures are in the currency that was chosen, else in that of the account.
create or replace function default_currency() returns text language sql stable as $$
  select coalesce(
    (select value #>> '{}' from settings where key = 'company.currency'),
    (select default_currency from stripe_accounts order by fetched_at desc limit 1),
    'usd')
$$;
