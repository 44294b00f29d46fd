-- The mirror of Stripe. Objects arrive in any order, so tables do not reference each other by foreign keys.
-- fetch_seq: taken from the sequence before the request that brought the row; an older fetch never overwrites a newer one.
-- deleted_at: tombstone; never undone, because the provider does not reuse ids.
create extension if not exists pg_trgm;
create sequence fetch_seq;

create table stripe_accounts (
  id text primary key,
  name text,
  default_currency text not null,
  livemode boolean not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null
);

create table products (
  id text primary key,
  name text not null,
  description text,
  active boolean not null,
  tier text,
  created_at timestamptz not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz
);

create table prices (
  id text primary key,
  product_id text,
  nickname text,
  active boolean not null,
  currency text not null,
  type text not null,
  interval text,
  interval_count integer,
  usage_type text,
  billing_scheme text not null,
  unit_amount bigint,
  created_at timestamptz not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz
);
create index prices_product on prices (product_id);

create table coupons (
  id text primary key,
  name text,
  percent_off numeric,
  amount_off bigint,
  currency text,
  duration text not null,
  created_at timestamptz not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz
);

create table customers (
  id text primary key,
  name text,
  email text,
  phone text,
  company text,
  country text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  -- As the metadata says; the derived columns below decide.
  account_type_hint text,
  suspended_hint boolean not null default false,
  suspended_at timestamptz,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz,
  -- Derived from subscriptions and products by triggers.
  status text not null default 'pending' check (status in ('active', 'suspended', 'cancelled', 'pending')),
  is_live boolean not null default false,
  account_type text not null default 'free' check (account_type in ('enterprise', 'professional', 'starter', 'free')),
  subscription_id text,
  site_count integer not null default 0
) with (fillfactor = 85, toast_tuple_target = 256);
create index customers_created on customers (created_at desc, id desc);
create index customers_status_created on customers (status, created_at desc, id desc);

create table subscriptions (
  id text primary key,
  customer_id text not null,
  status text not null,
  stripe_status text not null,
  currency text not null,
  amount bigint not null,
  -- mrr: what counts now, exact; mrr_running: what it pays a month whatever its status.
  mrr numeric not null default 0,
  mrr_running numeric not null default 0,
  -- When a discount or an item's trial ends and mrr has to be computed again.
  mrr_changes_at timestamptz,
  price_id text,
  product_id text,
  plan_nickname text,
  more_items integer not null default 0,
  billing_period text not null check (billing_period in ('monthly', 'yearly')),
  interval text,
  interval_count integer,
  current_period_start timestamptz,
  current_period_end timestamptz,
  periods_differ boolean not null default false,
  created_at timestamptz not null,
  -- Running: from the end of its trial (or its start) until it ended; null when it never ran.
  running_from timestamptz,
  trial_end timestamptz,
  cancel_at timestamptz,
  cancel_at_period_end boolean not null default false,
  cancelled_at timestamptz,
  ended_at timestamptz,
  pause_collection text,
  metadata jsonb not null default '{}',
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz,
  -- Derived from invoices and refunds by triggers.
  total_revenue bigint not null default 0,
  failed_payments integer not null default 0
) with (fillfactor = 85, toast_tuple_target = 256);
create index subscriptions_created on subscriptions (created_at desc, id desc);
create index subscriptions_status_created on subscriptions (status, created_at desc, id desc);
create index subscriptions_customer on subscriptions (customer_id, created_at desc, id desc);
create index subscriptions_product_created on subscriptions (product_id, created_at desc, id desc);
create index subscriptions_mrr_changes on subscriptions (mrr_changes_at) where mrr_changes_at is not null;

create table invoices (
  id text primary key,
  number text,
  customer_id text,
  subscription_id text,
  status text not null,
  amount_due bigint not null,
  amount_paid bigint not null,
  amount_remaining bigint not null,
  currency text not null,
  attempt_count integer not null,
  created_at timestamptz not null,
  due_at timestamptz,
  hosted_invoice_url text,
  invoice_pdf text,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz
) with (toast_tuple_target = 256);
create index invoices_subscription on invoices (subscription_id, created_at desc, id desc);
create index invoices_customer on invoices (customer_id, created_at desc, id desc);
create index invoices_open on invoices (created_at) where status in ('draft', 'open');

create table invoice_payments (
  id text primary key,
  invoice_id text not null,
  -- The payment intent, or the charge of a payment without one.
  payment_id text,
  status text not null,
  amount_paid bigint,
  currency text not null,
  created_at timestamptz not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz
);
create index invoice_payments_invoice on invoice_payments (invoice_id);
create index invoice_payments_payment on invoice_payments (payment_id);

-- One row per payment intent; a charge without an intent is its own row.
create table payments (
  id text primary key,
  customer_id text,
  amount bigint not null,
  currency text not null,
  status text not null check (status in ('succeeded', 'pending', 'processing', 'failed', 'refunded')),
  stripe_status text not null,
  amount_captured bigint not null default 0,
  amount_refunded bigint not null default 0,
  -- Lost in closed disputes: written from the disputes table.
  amount_lost bigint not null default 0,
  -- Revenue of this payment; 0 unless it succeeded.
  net_amount bigint generated always as (
    case when status in ('succeeded', 'refunded') then amount_captured - amount_refunded - amount_lost else 0 end
  ) stored,
  -- 'failed' and really tried; a cancelled intent without an error is not a failed payment.
  counts_as_failed boolean not null default false,
  payment_method_type text,
  description text,
  created_at timestamptz not null,
  latest_charge_id text,
  disputed boolean not null default false,
  dispute_status text,
  failure_code text,
  failure_message text,
  receipt_email text,
  metadata jsonb not null default '{}',
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz
) with (fillfactor = 90, toast_tuple_target = 256);
create index payments_created on payments (created_at desc, id desc);
create index payments_status_created on payments (status, created_at desc, id desc);
create index payments_customer on payments (customer_id, created_at desc, id desc);
create index payments_failed on payments (created_at) where counts_as_failed;
create index payments_charge on payments (latest_charge_id);

create table charges (
  id text primary key,
  payment_id text not null,
  customer_id text,
  amount bigint not null,
  amount_captured bigint not null,
  amount_refunded bigint not null,
  currency text not null,
  status text not null,
  failure_code text,
  failure_message text,
  created_at timestamptz not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz
) with (toast_tuple_target = 256);
create index charges_payment on charges (payment_id, created_at);

create table refunds (
  id text primary key,
  payment_id text,
  charge_id text,
  amount bigint not null,
  currency text not null,
  status text not null,
  reason text,
  failure_reason text,
  action_id text,
  created_at timestamptz not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz
);
create index refunds_payment on refunds (payment_id, created_at);
create index refunds_action on refunds (action_id) where action_id is not null;

create table disputes (
  id text primary key,
  payment_id text,
  charge_id text,
  amount bigint not null,
  currency text not null,
  status text not null,
  reason text not null,
  evidence_due_at timestamptz,
  created_at timestamptz not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz
);
create index disputes_payment on disputes (payment_id);

create table checkout_sessions (
  id text primary key,
  customer_id text,
  payment_id text,
  subscription_id text,
  mode text not null,
  status text,
  payment_status text not null,
  amount_total bigint,
  currency text,
  customer_email text,
  created_at timestamptz not null,
  metadata jsonb not null default '{}',
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz
) with (toast_tuple_target = 256);
create index checkout_sessions_created on checkout_sessions (created_at desc, id desc);
create index checkout_sessions_customer on checkout_sessions (customer_id, created_at desc);

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
  error text
);
create index webhook_events_state on webhook_events (state, received_at) where state in ('pending', 'dead');
create index webhook_events_applied on webhook_events (applied_at desc) where state = 'applied';

create table mirror_imports (
  id text primary key,
  state text not null check (state in ('running', 'done', 'failed', 'cancelled')),
  reason text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  error text
);
create unique index mirror_imports_one_running on mirror_imports ((true)) where state = 'running';

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

create table drift_rows (
  report_id text not null references drift_reports (id) on delete cascade,
  object text not null,
  object_id text not null,
  difference text not null,
  repaired boolean not null,
  primary key (report_id, object, object_id)
);
