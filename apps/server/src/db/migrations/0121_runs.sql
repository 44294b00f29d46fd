-- Work in steps that outlives its process, from its request to its end; its steps below are done in order, each once.
create table runs (
  id text primary key,
  -- Of the declaration that says what its steps do.
  name text not null,
  kind text not null,
  -- What it is about.
  subject text not null,
  -- Who hears of it.
  topic text not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
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
create unique index runs_one_open on runs (name, subject) where state in ('waiting', 'running');
create index runs_due on runs (next_try_at) where state in ('waiting', 'running');
create index runs_subject on runs (name, subject, created_at desc, id desc);

create table run_steps (
  run_id text not null references runs (id) on delete cascade,
  position integer not null,
  name text not null,
  -- What the step is about, where that is another thing than the run's subject.
  target_id text,
  state text not null check (state in ('waiting', 'running', 'done', 'skipped', 'failed', 'cancelled')),
  payload jsonb not null,
  -- What became of it, or why it does not get further.
  note text,
  attempts integer not null default 0,
  -- Keys at the provider under which a failure is kept.
  keys_ended integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  provider_request_id text,
  primary key (run_id, position)
);

create function tell_run() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', coalesce(new.topic, old.topic));
  return null;
end $$;
create trigger runs_tell after insert or update or delete on runs for each row execute function tell_run();

insert into runs (id, name, kind, subject, topic, state, options, actor_type, actor_id,
  actor_name, created_at, started_at, finished_at, tries, next_try_at)
select id, 'lifecycle.run', kind, customer_id, 'lifecycle', state, options, actor_type, actor_id,
  actor_name, created_at, started_at, finished_at, tries, next_try_at
from lifecycle_runs;
insert into run_steps (run_id, position, name, target_id, state, payload, note, attempts, keys_ended, started_at,
  finished_at, provider_request_id)
select run_id, position, kind, target_id, state, payload - 'key', note, attempts,
  coalesce((payload ->> 'key')::integer, 0), started_at, finished_at, provider_request_id
from lifecycle_steps;
drop table lifecycle_steps, lifecycle_runs;
