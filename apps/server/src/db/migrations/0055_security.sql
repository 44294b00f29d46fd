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

create index sign_in_attempts_outcome on sign_in_attempts (succeeded, id desc);
create index sign_in_attempts_admin_key on sign_in_attempts (id desc) where succeeded and method in ('login', 'api');
