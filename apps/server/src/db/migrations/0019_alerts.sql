-- What alarms, who looks after it, and what became of it.

-- Only what was changed; everything else is the rule's default.
create table alert_rules (
  key text primary key,
  is_enabled boolean not null,
  severity text not null check (severity in ('info', 'warning', 'error', 'critical')),
  threshold double precision,
  muted_until timestamptz,
  version integer not null,
  updated_at timestamptz not null
);
create trigger alert_rules_tell after insert or update or delete on alert_rules
  for each statement execute function tell_change('alerts');

create table incidents (
  id text primary key,
  number integer generated always as identity unique,
  severity text not null check (severity in ('sev1', 'sev2', 'sev3', 'sev4')),
  status text not null check (status in ('open', 'investigating', 'identified', 'monitoring', 'resolved', 'merged')),
  title text not null check (title <> ''),
  opened_at timestamptz not null,
  -- The name of a person; null: the console itself.
  opened_by text,
  resolved_at timestamptz,
  resolved_by text,
  assignee_id text references users (id) on delete set null,
  is_false_positive boolean not null default false,
  merged_into text references incidents (id),
  postmortem text,
  version integer not null default 1,
  check ((status in ('resolved', 'merged')) = (resolved_at is not null)),
  check ((status = 'merged') = (merged_into is not null))
);
create index incidents_newest on incidents (opened_at desc, id desc);
create index incidents_active on incidents (id) where resolved_at is null;
create trigger incidents_tell after insert or update or delete on incidents
  for each statement execute function tell_change('incidents');

create table incident_events (
  id text primary key,
  incident_id text not null references incidents (id),
  at timestamptz not null,
  kind text not null,
  actor text,
  text text not null,
  -- Breaks ties of one instant.
  position bigint generated always as identity
);
create index incident_events_of on incident_events (incident_id, position);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is written once', tg_table_name;
end $$;

create trigger incident_events_stay before update or delete on incident_events
  for each row execute function refuse_change();

create table alerts (
  id text primary key,
  rule text not null,
  subject text not null check (subject in ('site', 'sites', 'service', 'metric', 'billing', 'console')),
  subject_id text not null,
  subject_name text not null,
  link text,
  severity text not null check (severity in ('info', 'warning', 'error', 'critical')),
  status text not null check (status in ('open', 'acknowledged', 'snoozed', 'resolved')),
  title text not null,
  detail text not null,
  opened_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Since when it is not seen any more, while it is held.
  clear_since timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  snoozed_until timestamptz,
  assignee_id text references users (id) on delete set null,
  resolved_at timestamptz,
  resolved_by text,
  -- Ended by hand while it was still seen: it does not come back before it was away.
  is_seen_still boolean not null default false,
  reopened integer not null default 0,
  first_reopened_at timestamptz,
  is_flapping boolean not null default false,
  -- Maintenance is meant to be seen in it: no notice, no incident.
  is_silenced boolean not null default false,
  -- null: to be told, if it is one that is told.
  notified_at timestamptz,
  times_notified integer not null default 0,
  -- That it is over was told.
  end_notified_at timestamptz,
  cause_id text references alerts (id),
  incident_id text references incidents (id),
  -- For the order only: of several currencies the figures are added as they are.
  mrr_at_risk bigint not null default 0,
  check ((status = 'resolved') = (resolved_at is not null)),
  check ((status = 'snoozed') = (snoozed_until is not null))
);
create unique index alerts_active on alerts (rule, subject, subject_id) where status <> 'resolved';
create index alerts_subject on alerts (subject, subject_id) where status <> 'resolved';
create index alerts_newest on alerts (opened_at desc, id desc);
create index alerts_key_newest on alerts (rule, subject, subject_id, opened_at desc);
create index alerts_cause on alerts (cause_id) where cause_id is not null;
create index alerts_incident on alerts (incident_id) where incident_id is not null;
create index alerts_seen_still on alerts (id) where is_seen_still;
create trigger alerts_tell after insert or update or delete on alerts
  for each statement execute function tell_change('alerts');

-- The sites that an alert is about.
create table alert_sites (
  alert_id text not null references alerts (id),
  site_id text not null references sites (id) on delete cascade,
  primary key (alert_id, site_id)
);

create table alert_events (
  id text primary key,
  alert_id text not null references alerts (id),
  at timestamptz not null,
  kind text not null,
  actor text,
  text text not null,
  position bigint generated always as identity
);
create index alert_events_of on alert_events (alert_id, position);
create trigger alert_events_stay before update or delete on alert_events
  for each row execute function refuse_change();

create table maintenance_windows (
  id text primary key,
  title text not null check (title <> ''),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at >= starts_at),
  -- Without rows in maintenance_sites, and this: every site.
  is_for_all boolean not null,
  silences boolean not null,
  excludes_uptime boolean not null,
  created_at timestamptz not null,
  created_by text not null
);
create index maintenance_windows_ends on maintenance_windows (ends_at);
create trigger maintenance_windows_tell after insert or update or delete on maintenance_windows
  for each statement execute function tell_change('alerts');

create table maintenance_sites (
  window_id text not null references maintenance_windows (id) on delete cascade,
  site_id text not null references sites (id) on delete cascade,
  primary key (window_id, site_id)
);
create index maintenance_sites_site on maintenance_sites (site_id);

-- The one place that says whether a site is in maintenance, which neither counts as up nor as down.
create function site_in_maintenance(site_id text, status text, at timestamptz) returns boolean language sql stable as $$
  select status = 'maintenance' or exists (
    select from maintenance_windows w
    where w.excludes_uptime and w.starts_at <= at and w.ends_at > at and (
      w.is_for_all or exists (
        select from maintenance_sites m where m.window_id = w.id and m.site_id = site_in_maintenance.site_id
      )
    )
  )
$$;
