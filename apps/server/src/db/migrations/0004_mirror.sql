-- The mirror of Stripe. Objects arrive in any order, so tables do not reference each other by foreign keys.
-- fetch_seq: taken from the sequence before the request that brought the row; an older fetch never overwrites a newer one.
-- first_seq: the fetch that brought the row here first; what a listing that proves to be none has brought is taken back by it.
-- deleted_at: tombstone; never undone, because the provider does not reuse ids.
create sequence fetch_seq;

create table webhook_events (
  id text primary key,
  type text not null,
  created_at timestamptz not null,
  api_version text,
  object_id text,
  payload jsonb not null,
  origin text not null check (origin in ('webhook', 'reconcile')),
  received_at timestamptz not null,
  state text not null check (state in ('pending', 'applied', 'ignored', 'dead')),
  attempts integer not null default 0,
  applied_at timestamptz,
  error text,
  object_kind text
);
create index webhook_events_state on webhook_events (state, received_at) where state in ('pending', 'dead');
create index webhook_events_applied on webhook_events (applied_at desc) where state = 'applied';
create index webhook_events_pending_object on webhook_events (object_kind, object_id) where state = 'pending';
create index webhook_events_received on webhook_events (received_at desc) where origin = 'webhook';
create index webhook_events_object on webhook_events (object_id) where object_id is not null;
create trigger webhook_events_tell after insert or update or delete on webhook_events
  for each statement execute function tell_change('mirror');

-- Deliveries that were refused or dropped, since the last good one.
create table webhook_refusals (
  reason text primary key check (reason in ('signature', 'livemode')),
  first_at timestamptz not null,
  last_at timestamptz not null
);

create table mirror_imports (
  id text primary key,
  state text not null check (state in ('running', 'done', 'failed', 'cancelled')),
  reason text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  error text,
  -- Rows that an import did not bring again have a smaller fetch_seq than this.
  started_seq bigint not null default 0,
  -- Tries of a run that failed; it goes on from its cursors.
  attempts integer not null default 0
);
create unique index mirror_imports_one_running on mirror_imports ((true)) where state = 'running';
create trigger mirror_imports_tell after insert or update or delete on mirror_imports
  for each statement execute function tell_change('mirror');

create table mirror_import_steps (
  import_id text not null references mirror_imports (id) on delete cascade,
  position integer not null,
  object text not null,
  state text not null check (state in ('waiting', 'running', 'done')),
  -- The last id of the last page that was written, in the same transaction as its rows.
  cursor text,
  objects integer not null default 0,
  pages integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (import_id, position)
);
create trigger mirror_import_steps_tell after insert or update or delete on mirror_import_steps
  for each statement execute function tell_change('mirror');

create table drift_reports (
  id text primary key,
  kind text not null check (kind in ('events', 'walk')),
  state text not null check (state in ('running', 'done', 'failed')),
  started_at timestamptz not null,
  finished_at timestamptz,
  checked integer not null default 0,
  differed integer not null default 0,
  repaired integer not null default 0,
  error text
);
create index drift_reports_newest on drift_reports (started_at desc);
create trigger drift_reports_tell after insert or update or delete on drift_reports
  for each statement execute function tell_change('mirror');

create table drift_rows (
  report_id text not null references drift_reports (id) on delete cascade,
  object text not null,
  object_id text not null,
  difference text not null,
  repaired boolean not null,
  primary key (report_id, object, object_id)
);

-- An object that was gone before its row came: a late answer must not bring it to life.
create table mirror_tombstones (
  object text not null,
  object_id text not null,
  deleted_at timestamptz not null,
  primary key (object, object_id)
);

-- Objects that came without what no row can be made of. A row of an earlier answer stays as it is.
create table unreadable_objects (
  object text not null,
  object_id text not null,
  missing text not null,
  seen_at timestamptz not null,
  primary key (object, object_id)
);
create trigger unreadable_objects_tell after insert or update or delete on unreadable_objects
  for each statement execute function tell_change('mirror');

-- How old what is mirrored is: all that Stripe knew by then is here. Null until the first import is complete, because lists
-- and figures lack rows until then. Later imports and comparisons only move it; an import counts from its start.
create function mirror_as_of() returns text language sql stable parallel safe as $$
  select iso_utc(greatest(i.started_at, (
    select d.started_at from drift_reports d where d.state = 'done' order by d.started_at desc limit 1
  )))
  from mirror_imports i where i.state = 'done' order by i.started_at desc limit 1
$$;

-- Lists are kept as long as their own rows do not change, and the last page of an import may bring none.
create function tell_mirror_complete() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', topic)
  from unnest(array['customers', 'subscriptions', 'payments', 'invoices', 'plans', 'purchases']) topic;
  return null;
end $$;

create trigger mirror_imports_complete after update on mirror_imports
  for each row when (new.state = 'done' and old.state <> 'done') execute function tell_mirror_complete();
