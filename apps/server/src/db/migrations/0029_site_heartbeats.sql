-- Calls that a site's host makes: that they stop tells what no look from outside can see.
create table site_heartbeats (
  site_id text primary key references sites (id) on delete cascade,
  token_hash bytea unique,
  is_on boolean not null,
  every_minutes integer not null check (every_minutes >= 1),
  grace_minutes integer not null check (grace_minutes >= 0),
  when_missing text not null check (when_missing in ('degraded', 'down')),
  -- Since when calls are expected.
  on_at timestamptz,
  last_at timestamptz,
  -- From then on calls are missing.
  due_at timestamptz,
  is_missing boolean not null default false,
  version integer not null
);
create index site_heartbeats_due on site_heartbeats (due_at) where is_on;
-- That a call came, and is as before, is nobody's news.
create trigger site_heartbeats_tell after insert or delete on site_heartbeats
  for each statement execute function tell_change('sites');
create trigger site_heartbeats_tell_update after update on site_heartbeats
  for each row when ((old.version, old.is_missing) is distinct from (new.version, new.is_missing))
  execute function tell_change('sites');
