-- When the idle rules end the session: written with every heartbeat and every report of a tab, so that a check is one comparison.
alter table sessions add column idle_expires_at timestamptz;
update sessions set idle_expires_at = last_activity_at + interval '30 minutes';
alter table sessions alter column idle_expires_at set not null;
comment on column sessions.tabs is 'Tab id → { "state": "visible" | "hidden", "heard_at": milliseconds }';

-- A heartbeat only makes a session last longer, which no other process has to hear at once.
drop trigger sessions_tell on sessions;
create trigger sessions_tell after update on sessions for each row
  when (
    new.revoked_at is distinct from old.revoked_at
    or new.idle_expires_at < old.idle_expires_at
    or new.expires_at < old.expires_at
  )
  execute function tell_change('sessions');
create trigger sessions_tell_deleted after delete on sessions
  for each statement execute function tell_change('sessions');

-- What else decides whether a key is taken.
create trigger sign_in_lockouts_tell after insert or update on sign_in_lockouts for each row
  when (new.locked_until is not null)
  execute function tell_change('sessions');
create trigger admin_key_tell after insert or update on instance_settings for each row
  when (new.key = 'admin_key')
  execute function tell_change('sessions');

create index sign_in_attempts_newest on sign_in_attempts (at);
create index sessions_created on sessions (created_at);
