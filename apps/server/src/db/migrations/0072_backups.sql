-- How far a step of a run is, where it can tell.
alter table run_steps
  add column progress_done bigint,
  add column progress_total bigint,
  add column progress_text text;

create function tell_run_step() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', r.topic) from runs r where r.id = new.run_id;
  return null;
end $$;
create trigger run_steps_tell_progress after update on run_steps for each row
  when (new.progress_done is distinct from old.progress_done and new.progress_done is not null)
  execute function tell_run_step();

-- Keys that open backups. Each is random and lies here only sealed with SECRETS_KEY.
create table backup_keys (
  -- What the head of a file says of its key.
  id text primary key,
  sealed text not null,
  created_at timestamptz not null,
  -- It left the console with the recovery kit.
  printed_at timestamptz
);

create table backups (
  id text primary key,
  name text not null check (char_length(name) between 1 and 120),
  type text not null check (type in ('full', 'incremental')),
  cause text not null check (cause in ('asked', 'schedule', 'before_restore', 'command')),
  state text not null check (state in ('open', 'done', 'failed', 'cancelled')),
  -- Why it failed.
  reason text,
  key_id text,
  -- Of the file as it was read back.
  bytes bigint,
  sha256 text,
  row_count bigint,
  -- What its last frame says: rows and digest of each table, and the totals of the money.
  summary jsonb,
  -- Of which instant it is.
  snapshot_at timestamptz,
  -- When it was read back from the store outside this machine; null: it is in the data folder alone.
  stored_at timestamptz,
  maker_type text not null,
  maker_id text not null,
  maker_name text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- Whole or nothing: a backup is one only after it was read back.
  check ((state = 'done') = (sha256 is not null)),
  check ((state = 'done') = (snapshot_at is not null)),
  check ((state = 'failed') = (reason is not null)),
  check ((state = 'open') = (finished_at is null))
);
create index backups_newest on backups (created_at desc, id desc);
create unique index backups_one_open on backups ((true)) where state = 'open';
create trigger backups_tell after insert or update or delete on backups
  for each statement execute function tell_change('backups');

create table restores (
  id text primary key,
  -- Which backup; no foreign key, because the backup may be deleted.
  backup_id text not null,
  backup_name text not null,
  -- Of which instant the data is that came back.
  snapshot_at timestamptz not null,
  -- open: the backup is being loaded. replaying: it is in place, and what the world did since comes in. returned: taken back.
  state text not null check (state in ('open', 'replaying', 'done', 'failed', 'cancelled', 'returned')),
  reason text,
  -- The restore that this one takes back.
  returns_id text,
  -- What was written down of the data that was replaced.
  safety_backup_id text,
  -- What the replaced data had, and what came along or was applied again.
  report jsonb not null default '[]',
  maker_type text not null,
  maker_id text not null,
  maker_name text not null,
  created_at timestamptz not null,
  switched_at timestamptz,
  finished_at timestamptz,
  -- Until then the replaced data is kept aside.
  aside_until timestamptz,
  check ((state in ('failed')) = (reason is not null))
);
create index restores_newest on restores (created_at desc, id desc);
create unique index restores_one_open on restores ((true)) where state in ('open', 'replaying');
create trigger restores_tell after insert or update or delete on restores
  for each statement execute function tell_change('backups');

-- When backups are made by themselves, and how many of those are kept.
create table backup_plan (
  is_only boolean primary key default true check (is_only),
  cadence text not null default 'off' check (cadence in ('off', 'daily', 'weekly')),
  -- 0 is Sunday.
  weekday integer not null default 0 check (weekday between 0 and 6),
  hour integer not null default 3 check (hour between 0 and 23),
  time_zone text not null default 'UTC',
  keep integer not null default 14 check (keep between 1 and 365),
  next_at timestamptz,
  version integer not null default 1,
  check ((cadence = 'off') = (next_at is null))
);
insert into backup_plan default values;
create trigger backup_plan_tell after update on backup_plan
  for each statement execute function tell_change('backups');

-- Backups that were restored into a database of their own, to prove that they can be.
create table backup_drills (
  id text primary key,
  backup_id text not null,
  backup_name text not null,
  snapshot_at timestamptz not null,
  state text not null check (state in ('open', 'done', 'failed')),
  reason text,
  -- Of how many tables and rows, and how many totals were compared.
  report jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'failed') = (reason is not null)),
  check ((state = 'done') = (report is not null))
);
create index backup_drills_newest on backup_drills (created_at desc, id desc);
create unique index backup_drills_one_open on backup_drills ((true)) where state = 'open';
create trigger backup_drills_tell after insert or update on backup_drills
  for each statement execute function tell_change('backups');

-- How old the newest backup is, and whether the last one failed, is watched as a service of the console's own.
insert into monitored_services (key) values ('backups');
