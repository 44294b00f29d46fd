create table instance_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

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
  -- Tab id → 'visible' | 'hidden'; all hidden means the longer idle limit.
  tabs jsonb not null default '{}',
  hidden_since timestamptz,
  revoked_at timestamptz,
  revoked_reason text,
  address text,
  user_agent text
);
create index sessions_live on sessions (expires_at) where revoked_at is null;

create table sign_in_attempts (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  address text not null,
  method text not null,
  succeeded boolean not null,
  user_agent text
);
create index sign_in_attempts_address on sign_in_attempts (address, at desc);

create table sign_in_lockouts (
  address text primary key,
  failures integer not null,
  first_failure_at timestamptz not null,
  last_failure_at timestamptz not null,
  locked_until timestamptz
);

create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('admin_key', 'user', 'api_key', 'job', 'webhook', 'anonymous')),
  actor_id text not null,
  actor_name text not null,
  action text not null,
  resource_type text not null,
  resource_id text,
  outcome text not null default 'done' check (outcome in ('done', 'denied', 'failed')),
  before jsonb,
  after jsonb,
  address text,
  user_agent text,
  request_id text
);
create index audit_entries_resource on audit_entries (resource_type, resource_id, id desc);
create index audit_entries_action on audit_entries (action, id desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are append-only';
end $$;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_audit_change();

create table notifications (
  id text primary key,
  -- One notification per cause: the same key is not told twice.
  dedupe_key text not null unique,
  type text not null,
  severity text not null check (severity in ('info', 'success', 'warning', 'error')),
  permission text not null,
  title text not null,
  body text,
  link text,
  created_at timestamptz not null
);
create index notifications_newest on notifications (created_at desc, id desc);

create table notification_reads (
  notification_id text not null references notifications (id) on delete cascade,
  actor_id text not null,
  read_at timestamptz not null,
  primary key (notification_id, actor_id)
);

-- One row per refund or cancellation that an administrator started; the id is the Idempotency-Key of the call.
create table money_actions (
  id text primary key,
  kind text not null check (kind in ('refund', 'cancel')),
  target_id text not null,
  payload jsonb not null,
  payload_hash text not null,
  state text not null check (state in ('started', 'done', 'failed', 'unknown')),
  amount bigint check (amount > 0),
  currency text,
  provider_key text not null unique,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  finished_at timestamptz,
  attempts integer not null default 0,
  result_id text,
  -- The answer that a repeat of the call gets again.
  answer_status integer,
  answer jsonb,
  error jsonb,
  provider_request_id text
);
create index money_actions_target on money_actions (target_id, created_at desc);
create index money_actions_newest on money_actions (created_at desc);
create unique index money_actions_one_open_cancel on money_actions (target_id)
  where kind = 'cancel' and state in ('started', 'unknown');
create index money_actions_open on money_actions (created_at) where state in ('started', 'unknown');

-- Changes are told once per transaction and topic to every process, whoever makes them.
create function tell_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', tg_argv[0]);
  return null;
end $$;

create trigger notifications_tell after insert or update or delete on notifications
  for each statement execute function tell_change('notifications');
create trigger notification_reads_tell after insert or update or delete on notification_reads
  for each statement execute function tell_change('notifications');
create trigger money_actions_tell after insert or update or delete on money_actions
  for each statement execute function tell_change('money_actions');
create trigger audit_entries_tell after insert on audit_entries
  for each statement execute function tell_change('audit');
-- A changed session must be known by every process before its next request is answered.
create trigger sessions_tell after update or delete on sessions
  for each statement execute function tell_change('sessions');
