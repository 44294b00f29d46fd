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

insert into roles (id, name, display_name, description, permissions, is_system_role) values
  ('super_admin', 'super_admin', 'Super Admin', 'Everything, including what later versions add',
   '{customers.read,customers.write,customers.delete,sites.read,sites.write,sites.deploy,billing.read,billing.write,analytics.read,support.read,support.write,admin.users,admin.system}', true),
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

-- What a session may do before its sign-in is complete: give the second factor, choose a password, set up a second factor.
alter table sessions add column stage text not null default 'open'
  check (stage in ('open', 'second_factor', 'new_password', 'enrolment'));
alter table sessions add column second_factor_at timestamptz;
create index sessions_actor on sessions (actor_id, created_at desc);

-- Locks count for addresses and for accounts. An account is kept as a hash of what was typed: it may be nobody's.
alter table sign_in_lockouts rename column address to subject;
alter table sign_in_lockouts add column kind text not null default 'address' check (kind in ('address', 'account'));
alter table sign_in_lockouts add column user_id text;
alter table sign_in_attempts add column user_id text;
alter table sign_in_attempts add column reason text;

drop trigger sessions_tell on sessions;
create trigger sessions_tell after update on sessions for each row
  when (
    new.revoked_at is distinct from old.revoked_at
    or new.stage is distinct from old.stage
    or new.key_hash is distinct from old.key_hash
    or new.idle_expires_at < old.idle_expires_at
    or new.expires_at < old.expires_at
  )
  execute function tell_change('sessions');

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
create trigger roles_tell_sessions after update on roles for each row
  when (new.permissions is distinct from old.permissions or new.requires_second_factor is distinct from old.requires_second_factor)
  execute function tell_change('sessions');
create trigger users_tell after insert or update or delete on users
  for each statement execute function tell_change('users');
create trigger roles_tell after insert or update or delete on roles
  for each statement execute function tell_change('users');
create trigger user_links_tell after insert or update or delete on user_links
  for each statement execute function tell_change('users');
