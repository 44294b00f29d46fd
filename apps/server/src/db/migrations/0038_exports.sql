-- Files of lists and reports, made by a job and kept for a day.

create table exports (
  id text primary key,
  kind text not null,
  title text not null,
  format text not null check (format in ('csv', 'json', 'jsonl', 'xlsx', 'pdf')),
  -- By what its rows are chosen.
  parameters jsonb not null,
  -- What whoever takes the file must hold.
  permission text not null,
  maker_type text not null,
  maker_id text not null,
  maker_name text not null,
  state text not null check (state in ('queued', 'running', 'ready', 'failed', 'expired', 'cancelled')),
  -- A process that dies half-way leaves a try that the next one begins anew.
  tries integer not null default 0,
  rows_done bigint not null default 0,
  rows_total bigint,
  reason text,
  file_name text,
  bytes bigint,
  sha256 text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz,
  -- Whole or nothing: only what is ready has a file to speak of.
  check ((state in ('ready', 'expired')) = (sha256 is not null)),
  check ((state in ('failed')) = (reason is not null)),
  check ((state in ('ready', 'expired')) = (expires_at is not null))
);
create index exports_newest on exports (created_at, id);
create index exports_maker on exports (maker_type, maker_id, created_at, id);
create index exports_open on exports (state, created_at) where state in ('queued', 'running', 'ready');
create trigger exports_tell after insert or update or delete on exports
  for each statement execute function tell_change('exports');
