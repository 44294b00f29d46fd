-- What the mirror needs to keep itself true.

-- An object that was gone before its row came: a late answer must not bring it to life.
create table mirror_tombstones (
  object text not null,
  object_id text not null,
  deleted_at timestamptz not null,
  primary key (object, object_id)
);

-- Prices and coupons that an MRR was computed with: when one of them comes or changes it is computed again.
alter table subscriptions add column mrr_depends_on text[] not null default '{}';
create index subscriptions_mrr_depends_on on subscriptions using gin (mrr_depends_on) where mrr_depends_on <> '{}';
alter table customers add column discount_coupon_id text;
create index customers_discount on customers (discount_coupon_id) where discount_coupon_id is not null;

alter table webhook_events add column object_kind text;
create index webhook_events_pending_object on webhook_events (object_kind, object_id) where state = 'pending';

-- Rows that an import did not bring again have a smaller fetch_seq than this.
alter table mirror_imports add column started_seq bigint not null default 0;
-- Tries of a run that failed; it goes on from its cursors.
alter table mirror_imports add column attempts integer not null default 0;

-- What is wrong with a provider, since when; no row: nothing.
create table provider_problems (
  provider text primary key,
  kind text not null,
  message text not null,
  since timestamptz not null,
  last_at timestamptz not null,
  retry_at timestamptz
);
create trigger provider_problems_tell after insert or update or delete on provider_problems
  for each statement execute function tell_change('mirror');

create index webhook_events_received on webhook_events (received_at desc) where origin = 'webhook';
create index webhook_events_object on webhook_events (object_id) where object_id is not null;
