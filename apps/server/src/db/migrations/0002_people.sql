create table roles (
  id text primary key,
  name text not null unique check (name ~ '^[a-z][a-z0-9_]{1,39}$'),
  display_name text not null check (display_name <> ''),
  description text not null default '',
  permissions text[] not null,
  is_system_role boolean not null default false,
  requires_second_factor boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index roles_display_name on roles (lower(display_name));
create trigger roles_tell after insert or update or delete on roles
  for each statement execute function tell_change('users');
create trigger roles_tell_sessions after update on roles for each row
  when (new.permissions is distinct from old.permissions or new.requires_second_factor is distinct from old.requires_second_factor)
  execute function tell_change('sessions');

insert into roles (id, name, display_name, description, permissions, is_system_role) values
  ('super_admin', 'super_admin', 'Super Admin', 'Everything, including what later versions add',
   '{customers.read,customers.write,customers.delete,sites.read,sites.write,sites.deploy,billing.read,billing.write,
     analytics.read,support.read,support.write,admin.users,admin.system}', true),
  ('admin', 'admin', 'Admin', 'Customers, sites and billing, read and write; analytics',
   '{customers.read,customers.write,sites.read,sites.write,billing.read,billing.write,analytics.read}', true),
  ('support', 'support', 'Support', 'Sees customers and sites, works with support notes and tickets',
   '{customers.read,sites.read,support.read,support.write}', true),
  ('readonly', 'readonly', 'Read Only', 'Sees analytics and reports',
   '{analytics.read}', true);

create table users (
  id text primary key,
  email text not null check (email = lower(email)),
  name text not null check (name <> ''),
  role_id text not null references roles (id),
  is_active boolean not null default true,
  -- Argon2id; null until an invitation was accepted.
  password_hash text,
  password_set_at timestamptz,
  -- Set while the password is a temporary one: it must be changed at the first sign-in and is void from then on.
  temporary_password_expires_at timestamptz,
  -- Sealed with SECRETS_KEY. Counts only once it is enabled.
  totp_secret text,
  totp_enabled_at timestamptz,
  -- A code is good once: the time step of the newest that was taken.
  totp_last_step bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_login_at timestamptz,
  login_count integer not null default 0,
  last_activity_at timestamptz,
  created_by text not null,
  created_by_name text not null
);
create unique index users_email on users (email);
create index users_role on users (role_id);
create index users_by_name on users (lower(name), id);
create index users_by_creation on users (created_at, id);
create index users_by_sign_in on users ((coalesce(last_login_at, '-infinity')), id);
create trigger users_tell after insert or update or delete on users
  for each statement execute function tell_change('users');
-- Who a key stands for and what that person may do: every process must know before its next answer.
create trigger users_tell_sessions after update on users for each row
  when (
    new.role_id is distinct from old.role_id
    or new.is_active is distinct from old.is_active
    or new.name is distinct from old.name
    or new.email is distinct from old.email
  )
  execute function tell_change('sessions');
create trigger users_tell_deleted after delete on users
  for each statement execute function tell_change('sessions');

create table recovery_codes (
  user_id text not null references users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Invitations and password resets: single use, only the hash of what the link holds.
create table user_links (
  id text primary key,
  kind text not null check (kind in ('invitation', 'password_reset')),
  user_id text not null references users (id) on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
);
create index user_links_user on user_links (user_id, created_at desc);
create trigger user_links_tell after insert or update or delete on user_links
  for each statement execute function tell_change('users');

-- Keys are never stored: key_hash is SHA-256 of a 256-bit random key.
create table sessions (
  id text primary key,
  key_hash bytea not null unique,
  actor_type text not null check (actor_type in ('admin_key', 'user')),
  actor_id text not null,
  actor_name text not null,
  role text not null,
  created_at timestamptz not null,
  last_activity_at timestamptz not null,
  expires_at timestamptz not null,
  -- All of them hidden means the longer idle limit.
  tabs jsonb not null default '{}',
  hidden_since timestamptz,
  revoked_at timestamptz,
  revoked_reason text,
  address text,
  user_agent text,
  -- When the idle rules end the session: written with every heartbeat and every report of a tab, so that a check is one comparison.
  idle_expires_at timestamptz not null,
  -- What a session may do before its sign-in is complete: give the second factor, choose a password, set up a second factor.
  stage text not null default 'open' check (stage in ('open', 'second_factor', 'new_password', 'enrolment')),
  second_factor_at timestamptz
);
comment on column sessions.tabs is 'Tab id → { "state": "visible" | "hidden", "heard_at": milliseconds }';
create index sessions_live on sessions (expires_at) where revoked_at is null;
create index sessions_created on sessions (created_at);
create index sessions_actor on sessions (actor_id, created_at desc);

-- A heartbeat only makes a session last longer, which no other process has to hear at once. Everything else it must know before
-- it answers the next request.
create trigger sessions_tell after update on sessions for each row
  when (
    new.revoked_at is distinct from old.revoked_at
    or new.stage is distinct from old.stage
    or new.key_hash is distinct from old.key_hash
    or new.idle_expires_at < old.idle_expires_at
    or new.expires_at < old.expires_at
  )
  execute function tell_change('sessions');
create trigger sessions_tell_deleted after delete on sessions
  for each statement execute function tell_change('sessions');

create table sign_in_attempts (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  address text not null,
  method text not null,
  succeeded boolean not null,
  user_agent text,
  user_id text,
  reason text
);
create index sign_in_attempts_address on sign_in_attempts (address, at desc);
create index sign_in_attempts_newest on sign_in_attempts (at);
create index sign_in_attempts_outcome on sign_in_attempts (succeeded, id desc);
create index sign_in_attempts_admin_key on sign_in_attempts (id desc) where succeeded and method in ('login', 'api');

-- Locks count for addresses and for accounts. An account is kept as a hash of what was typed: it may be nobody's.
create table sign_in_lockouts (
  subject text primary key,
  failures integer not null,
  first_failure_at timestamptz not null,
  last_failure_at timestamptz not null,
  locked_until timestamptz,
  kind text not null default 'address' check (kind in ('address', 'account')),
  user_id text
);
-- What else decides whether a key is taken.
create trigger sign_in_lockouts_tell after insert or update on sign_in_lockouts for each row
  when (new.locked_until is not null)
  execute function tell_change('sessions');
create trigger admin_key_tell after insert or update on instance_settings for each row
  when (new.key = 'admin_key')
  execute function tell_change('sessions');

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

-- One row per run of the security checks, so that their score has a history.
create table security_runs (
  id text primary key,
  at timestamptz not null,
  actor_name text not null,
  score integer not null check (score between 0 and 100),
  findings jsonb not null
);
create index security_runs_newest on security_runs (at desc);
create trigger security_runs_tell after insert on security_runs
  for each statement execute function tell_change('security');

-- Who acted as which customer, and why. Names are never copied: a customer that is erased leaves nothing here.
create table impersonations (
  id text primary key,
  way text not null check (way in ('portal', 'view')),
  -- requested: the provider is being asked. handed_over: its portal was opened, what happens there is not ours.
  state text not null check (
    (way = 'view' and state in ('live', 'ended')) or (way = 'portal' and state in ('requested', 'handed_over', 'failed'))
  ),
  -- No foreign keys: the mirror may be emptied and filled again, and sessions are forgotten after a while.
  customer_id text not null,
  session_id text not null,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  reason text not null check (char_length(reason) between 10 and 500),
  ticket_id text check (char_length(ticket_id) between 1 and 100),
  started_at timestamptz not null,
  until timestamptz check ((until is not null) = (way = 'view')),
  ended_at timestamptz check ((ended_at is not null) = (state in ('ended', 'failed'))),
  cause text check ((cause is not null) = (state in ('ended', 'failed'))),
  ended_by text,
  -- The mail that told the customer: sent off, or kept because there was no mail server.
  notice text check (notice in ('queued', 'kept'))
);
create index impersonations_newest on impersonations (started_at desc, id desc);
create index impersonations_open on impersonations (state) where state in ('live', 'requested');
create index impersonations_customer on impersonations (customer_id, started_at desc);
-- A session looks at one customer at a time.
create unique index impersonations_one_live on impersonations (session_id) where state = 'live';
create trigger impersonations_tell after insert or update or delete on impersonations
  for each statement execute function tell_change('impersonations');

create table impersonation_pages (
  impersonation_id text not null references impersonations (id) on delete cascade,
  page text not null,
  first_seen_at timestamptz not null,
  primary key (impersonation_id, page)
);
create trigger impersonation_pages_tell after insert on impersonation_pages
  for each row execute function tell_change('impersonations');
