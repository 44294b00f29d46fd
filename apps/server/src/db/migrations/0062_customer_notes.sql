create table customer_notes (
  id text primary key,
  -- No foreign key: the mirror may be emptied and filled again, and a note outlives that.
  customer_id text not null,
  text text not null check (char_length(text) between 1 and 4000),
  author_type text not null,
  author_id text not null,
  author_name text not null,
  created_at timestamptz not null,
  edited_at timestamptz,
  edited_by text,
  deleted_at timestamptz
);
create index customer_notes_newest on customer_notes (customer_id, created_at desc, id desc) where deleted_at is null;
create trigger customer_notes_tell after insert or update or delete on customer_notes
  for each statement execute function tell_change('notes');

-- What was sent to the provider under which Idempotency-Key, so that a repeat changes and records nothing twice.
create table customer_writes (
  id text primary key,
  kind text not null check (kind in ('create', 'update')),
  customer_id text,
  payload_hash text not null,
  -- What the change was made to; null until it was looked at.
  before jsonb,
  -- running: a process is at it until lease_end. unknown: its answer was lost. done: recorded.
  state text not null check (state in ('running', 'unknown', 'done')),
  lease_end timestamptz not null,
  actor_name text not null,
  created_at timestamptz not null
);
create index customer_writes_running on customer_writes (customer_id) where state = 'running';
create index customer_writes_old on customer_writes (created_at);

create index customers_email on customers (lower(email)) where deleted_at is null;
