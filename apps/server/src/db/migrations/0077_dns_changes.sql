-- Changes of DNS records that were made in the console: what is under way, what a lost answer is settled by, and what undo
-- puts back.
create table dns_changes (
  id text primary key,
  -- The order in which they were begun.
  position bigint generated always as identity,
  zone_id text not null,
  zone_name text not null,
  kind text not null check (kind in ('create', 'update', 'delete')),
  -- The record that it is about, once it has one.
  record_id text,
  -- What nobody else may change meanwhile: that record, or what is added.
  subject text not null,
  -- The record as somebody saw it, and as it should be.
  shown jsonb,
  wanted jsonb,
  -- As Cloudflare had it before and after.
  before jsonb,
  after jsonb,
  what text not null,
  state text not null check (state in ('started', 'done', 'failed', 'unknown')),
  -- Of one that failed: how its caller was told.
  problem text,
  problem_code text,
  problem_parameter text,
  undoes text references dns_changes (id),
  actor_id text not null,
  actor_name text not null,
  created_at timestamptz not null,
  settled_at timestamptz
);
create unique index dns_changes_under_way on dns_changes (zone_id, subject) where state = 'started';
create unique index dns_changes_undone_once on dns_changes (undoes) where state <> 'failed';
create index dns_changes_newest on dns_changes (zone_id, position desc);
create index dns_changes_open on dns_changes (created_at) where state in ('started', 'unknown');
-- Told once it is known: each open screen reads the records from Cloudflare again.
create trigger dns_changes_tell after update of state on dns_changes
  for each statement execute function tell_change('dns_records');
