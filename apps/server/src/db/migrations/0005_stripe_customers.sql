create table stripe_accounts (
  id text primary key,
  name text,
  default_currency text not null,
  livemode boolean not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null
);
create trigger stripe_accounts_tell after insert or update or delete on stripe_accounts
  for each statement execute function tell_change('plans');

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
  deleted_at timestamptz,
  first_seq bigint
);
create trigger products_tell after insert or update or delete on products
  for each statement execute function tell_change('plans');

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
  deleted_at timestamptz,
  first_seq bigint
);
create index prices_product on prices (product_id);
create trigger prices_tell after insert or update or delete on prices
  for each statement execute function tell_change('plans');

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
  deleted_at timestamptz,
  first_seq bigint
);
create trigger coupons_tell after insert or update or delete on coupons
  for each statement execute function tell_change('plans');

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
  status text not null default 'pending' check (status in ('active', 'suspended', 'cancelled', 'pending', 'deleted')),
  is_live boolean not null default false,
  account_type text not null default 'free' check (account_type in ('enterprise', 'professional', 'starter', 'free')),
  subscription_id text,
  site_count integer not null default 0,
  -- Given to whatever it buys, so it decides about MRR too.
  discount_coupon_id text,
  -- Copied from customer_states, so that lists and counters need no join.
  hidden_at timestamptz,
  first_seq bigint
) with (fillfactor = 85, toast_tuple_target = 256);
-- Every order that a list offers has an index; ties are broken by the id. An absent value counts as older or smaller than any
-- other, so that one index serves both directions.
create index customers_created on customers (created_at desc, id desc);
create index customers_status_created on customers (status, created_at desc, id desc);
create index customers_account_type_created on customers (account_type, created_at desc, id desc);
create index customers_country_created on customers (country, created_at desc, id desc);
create index customers_email on customers (lower(email)) where deleted_at is null;
create index customers_discount on customers (discount_coupon_id) where discount_coupon_id is not null;
create trigger customers_tell after insert or update or delete on customers
  for each statement execute function tell_change('customers');

create table subscriptions (
  id text primary key,
  customer_id text not null,
  status text not null,
  stripe_status text not null,
  currency text not null,
  -- null: what one of the items costs, or how often, is not known. Then its MRR is not counted either.
  amount bigint,
  -- mrr: what counts now, exact; mrr_running: what it pays a month whatever its status.
  mrr numeric not null default 0,
  mrr_running numeric not null default 0,
  -- When a discount or an item's trial ends and mrr has to be computed again.
  mrr_changes_at timestamptz,
  price_id text,
  product_id text,
  plan_nickname text,
  more_items integer not null default 0,
  billing_period text check (billing_period in ('monthly', 'yearly')),
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
  failed_payments integer not null default 0,
  -- Prices and coupons that the MRR was computed with: when one of them comes or changes it is computed again.
  mrr_depends_on text[] not null default '{}',
  mrr_known boolean not null default true,
  first_seq bigint
) with (fillfactor = 85, toast_tuple_target = 256);
create index subscriptions_created on subscriptions (created_at desc, id desc);
create index subscriptions_status_created on subscriptions (status, created_at desc, id desc);
create index subscriptions_customer on subscriptions (customer_id, created_at desc, id desc);
create index subscriptions_product_created on subscriptions (product_id, created_at desc, id desc);
create index subscriptions_amount on subscriptions (coalesce(amount, -1) desc, id desc);
create index subscriptions_period_end on subscriptions (coalesce(current_period_end, '-infinity') desc, id desc);
create index subscriptions_status_period_end on subscriptions (status, coalesce(current_period_end, '-infinity') desc, id desc);
create index subscriptions_revenue on subscriptions (total_revenue desc, id desc);
create index subscriptions_mrr_changes on subscriptions (mrr_changes_at) where mrr_changes_at is not null;
create index subscriptions_mrr_depends_on on subscriptions using gin (mrr_depends_on) where mrr_depends_on <> '{}';
create index subscriptions_unpriced on subscriptions (id) where not mrr_known and deleted_at is null;
create trigger subscriptions_tell after insert or update or delete on subscriptions
  for each statement execute function tell_change('subscriptions');
