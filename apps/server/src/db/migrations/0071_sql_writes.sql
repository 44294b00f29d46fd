-- Changes by SQL: made in a transaction that stays open until somebody keeps it or takes it back.

update roles set permissions = permissions || '{admin.sql_write}' where id = 'super_admin';

create table sql_writes (
  id text primary key references sql_queries (id) on delete cascade,
  reason text not null check (char_length(reason) between 3 and 500),
  verb text not null check (verb in ('insert', 'update', 'delete')),
  table_name text not null,
  state text not null check (state in ('pending', 'committed', 'rolled_back')),
  affected bigint not null,
  -- The first rows as they were and as they are; forgotten once it ends.
  columns jsonb not null,
  before jsonb not null,
  after jsonb not null,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- Why it ended without anybody's asking.
  note text,
  -- What another process than the one that holds the transaction was asked to do with it, and by whom.
  wanted jsonb,
  check ((state = 'pending') = (ended_at is null))
);
create index sql_writes_pending on sql_writes (expires_at) where state = 'pending';
create trigger sql_writes_tell after insert or update or delete on sql_writes
  for each statement execute function tell_change('sql_console');

-- What a change of a site keeps right elsewhere is not the writer's to touch, so these act with the rights of their owner.
alter function sites_derive() security definer set search_path = public, pg_temp;
alter function sites_count() security definer set search_path = public, pg_temp;
alter function sites_plan_probe() security definer set search_path = public, pg_temp;
alter function sites_give_deployments() security definer set search_path = public, pg_temp;

-- Which tables a change may be made to, and which of their columns it may read and set. Left out are the audit log, the mirror of
-- Stripe, totals, and whatever gives access or holds a secret.
create function sql_console_writable() returns table (table_name text, columns text) language sql immutable as $$
  values
    ('customer_notes', 'id, customer_id, text, author_type, author_id, author_name, created_at, edited_at, edited_by, deleted_at'),
    ('customer_mail_choices', 'customer_id, takes_notices, gets_uptime_report, version, updated_at, updated_by'),
    ('sites', 'id, site_name, domain, subdomain, customer_id, template_type, status, status_reason, status_until, status_after,
      health_path, deployment_url, storage_used, storage_used_at, bandwidth_used, bandwidth_used_at, is_demo, created_at, updated_at,
      version, deleted_at'),
    ('site_checks', 'site_id, settings, interval_s, lease_s, version, changed_at'),
    ('site_beacons', 'site_id, is_on, heard_from, heard_at, version'),
    ('alert_rules', 'key, is_enabled, severity, threshold, muted_until, version, updated_at'),
    ('alerts', 'id, rule, subject, subject_id, subject_name, link, severity, status, title, detail, opened_at, acknowledged_at,
      acknowledged_by, snoozed_until, resolved_at, resolved_by, is_silenced, incident_id'),
    ('incidents', 'id, severity, status, title, opened_at, opened_by, resolved_at, resolved_by, is_false_positive, merged_into,
      postmortem, version'),
    ('maintenance_windows', 'id, title, starts_at, ends_at, is_for_all, silences, excludes_uptime, created_at, created_by'),
    ('maintenance_sites', 'window_id, site_id'),
    ('notifications', 'id, dedupe_key, type, severity, permission, title, body, link, created_at'),
    ('status_pages', 'id, slug, title, is_on, version, updated_at, updated_by'),
    ('status_page_sites', 'page_id, site_id, position, label'),
    ('sql_snippets', 'id, owner_type, owner_id, owner_name, name, query, is_shared, created_at, updated_at, version')
$$;

create function sql_console_grant_writer(writer name) returns void language plpgsql as $$
declare
  one record;
begin
  execute format('grant usage on schema public, sql_views to %I', writer);
  execute format('grant select on all tables in schema sql_views to %I', writer);
  for one in select * from sql_console_writable() loop
    execute format('grant select (%1$s), insert (%1$s), update (%1$s), delete on public.%2$I to %3$I', one.columns,
      one.table_name, writer);
  end loop;
end
$$;
