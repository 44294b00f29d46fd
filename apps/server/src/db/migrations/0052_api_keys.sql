create table api_keys (
  id text primary key,
  name text not null check (name <> ''),
  -- The part that is shown and that tells which key is meant.
  key_prefix text not null,
  -- SHA-256 of a key of 256 random bits.
  key_hash bytea not null unique,
  permissions text[] not null check (cardinality(permissions) > 0),
  rate_limit_per_minute integer not null default 600 check (rate_limit_per_minute between 1 and 10000),
  created_at timestamptz not null,
  -- A key can do no more than whoever made it can do now: 'admin_key', or a user's id.
  created_by text not null,
  created_by_name text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  -- After a re-roll the key before it stays good for a while.
  previous_hash bytea unique,
  previous_prefix text,
  previous_expires_at timestamptz,
  rolled_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  last_used_endpoint text,
  use_count bigint not null default 0,
  -- How many days before its end the last reminder was sent.
  reminded_days integer
);
create index api_keys_newest on api_keys (created_at desc, id desc);
create index api_keys_expiring on api_keys (expires_at) where revoked_at is null and expires_at is not null;

create trigger api_keys_tell after insert or delete on api_keys
  for each statement execute function tell_change('api_keys');
create trigger api_keys_tell_change after update on api_keys for each row
  when (
    new.revoked_at is distinct from old.revoked_at or new.permissions is distinct from old.permissions
    or new.name is distinct from old.name or new.expires_at is distinct from old.expires_at
    or new.key_hash is distinct from old.key_hash or new.previous_expires_at is distinct from old.previous_expires_at
    or new.rate_limit_per_minute is distinct from old.rate_limit_per_minute
  )
  execute function tell_change('api_keys');
create trigger api_keys_tell_sessions after update on api_keys for each row
  when (
    new.revoked_at is distinct from old.revoked_at or new.permissions is distinct from old.permissions
    or new.expires_at is distinct from old.expires_at or new.key_hash is distinct from old.key_hash
    or new.previous_expires_at is distinct from old.previous_expires_at
    or new.rate_limit_per_minute is distinct from old.rate_limit_per_minute
  )
  execute function tell_change('sessions');
create trigger api_keys_tell_deleted after delete on api_keys
  for each statement execute function tell_change('sessions');
