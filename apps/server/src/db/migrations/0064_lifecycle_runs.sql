-- One suspension, deletion and so on, from its request to its end; its steps below are done in order, each once.
create table lifecycle_runs (
  id text primary key,
  customer_id text not null,
  kind text not null check (kind in ('suspend', 'unsuspend', 'delete', 'erase')),
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  -- The caller's Idempotency-Key, and what was asked for under it.
  request_key text unique,
  request_hash text,
  options jsonb not null,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- Tries in a row that did not get further.
  tries integer not null default 0,
  next_try_at timestamptz
);
create unique index lifecycle_runs_one_open on lifecycle_runs (customer_id) where state in ('waiting', 'running');
create index lifecycle_runs_due on lifecycle_runs (next_try_at) where state in ('waiting', 'running');
create index lifecycle_runs_customer on lifecycle_runs (customer_id, created_at desc, id desc);

create table lifecycle_steps (
  run_id text not null references lifecycle_runs (id) on delete cascade,
  position integer not null,
  kind text not null check (kind in ('record', 'pause', 'resume', 'sites', 'mail', 'delete_at_stripe', 'erase')),
  -- The subscription, where the step is about one.
  target_id text,
  state text not null check (state in ('waiting', 'running', 'done', 'skipped', 'failed', 'cancelled')),
  payload jsonb not null,
  -- What became of it, or why it does not get further.
  note text,
  attempts integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  provider_request_id text,
  primary key (run_id, position)
);

create trigger customer_states_tell after insert or update or delete on customer_states
  for each statement execute function tell_change('lifecycle');
create trigger lifecycle_runs_tell after insert or update or delete on lifecycle_runs
  for each statement execute function tell_change('lifecycle');
create trigger lifecycle_steps_tell after insert or update or delete on lifecycle_steps
  for each statement execute function tell_change('lifecycle');
