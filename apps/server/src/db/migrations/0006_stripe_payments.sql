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
  deleted_at timestamptz,
  first_seq bigint
) with (toast_tuple_target = 256);
create index invoices_subscription on invoices (subscription_id, created_at desc, id desc);
create index invoices_customer on invoices (customer_id, created_at desc, id desc);
create index invoices_open on invoices (created_at) where status in ('draft', 'open');
-- Numbers of invoices are found by their beginning, and ids as those of payments are.
create index invoices_number on invoices (lower(number) text_pattern_ops, id) where deleted_at is null;
create trigger invoices_tell after insert or update or delete on invoices
  for each statement execute function tell_change('invoices');

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
  deleted_at timestamptz,
  first_seq bigint
);
create index invoice_payments_invoice on invoice_payments (invoice_id);
create index invoice_payments_payment on invoice_payments (payment_id);
create trigger invoice_payments_tell after insert or update or delete on invoice_payments
  for each statement execute function tell_change('invoices');

-- One row per payment intent; a charge without an intent is its own row.
create table payments (
  id text primary key,
  customer_id text,
  amount bigint not null,
  currency text not null,
  status text not null check (
    status in ('succeeded', 'pending', 'processing', 'failed', 'refunded', 'uncaptured', 'unknown')
  ),
  stripe_status text not null,
  -- null: the provider did not say.
  amount_captured bigint default 0,
  amount_refunded bigint default 0,
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
  deleted_at timestamptz,
  first_seq bigint,
  constraint payments_paid_is_known check (
    status not in ('succeeded', 'refunded') or (amount_captured is not null and amount_refunded is not null)
  )
) with (fillfactor = 90, toast_tuple_target = 256);
create index payments_created on payments (created_at desc, id desc);
create index payments_status_created on payments (status, created_at desc, id desc);
create index payments_amount on payments (amount desc, id desc);
-- Nine payments of ten succeeded: for them the index above is as good.
create index payments_status_amount on payments (status, amount desc, id desc) where status <> 'succeeded';
-- Holds what a search by customer reads first, so that it need not visit the rows.
create index payments_customer on payments (customer_id, created_at desc, id desc) where deleted_at is null;
create index payments_failed on payments (created_at) where counts_as_failed;
create index payments_disputed on payments (created_at desc, id desc) where disputed;
create index payments_charge on payments (latest_charge_id);
-- What came in between two moments is added up from the index alone.
create index payments_net on payments (created_at) include (currency, net_amount) where deleted_at is null;
create trigger payments_tell after insert or update or delete on payments
  for each statement execute function tell_change('payments');

create table charges (
  id text primary key,
  payment_id text not null,
  customer_id text,
  amount bigint not null,
  -- null: the provider did not say.
  amount_captured bigint,
  amount_refunded bigint,
  currency text not null,
  status text not null,
  failure_code text,
  failure_message text,
  created_at timestamptz not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz,
  first_seq bigint
) with (toast_tuple_target = 256);
create index charges_payment on charges (payment_id, created_at);
create trigger charges_tell after insert or update or delete on charges
  for each statement execute function tell_change('payments');

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
  deleted_at timestamptz,
  -- Of the payment, by a trigger.
  customer_id text,
  first_seq bigint
);
create index refunds_payment on refunds (payment_id, created_at);
create index refunds_action on refunds (action_id) where action_id is not null;
create index refunds_customer on refunds (customer_id, created_at desc, id desc) where deleted_at is null;
create trigger refunds_tell after insert or update or delete on refunds
  for each statement execute function tell_change('payments');

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
  deleted_at timestamptz,
  -- Of the payment, by a trigger.
  customer_id text,
  first_seq bigint
);
create index disputes_payment on disputes (payment_id);
create index disputes_customer on disputes (customer_id, created_at desc, id desc) where deleted_at is null;
create trigger disputes_tell after insert or update or delete on disputes
  for each statement execute function tell_change('payments');

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
  deleted_at timestamptz,
  first_seq bigint
) with (toast_tuple_target = 256);
create index checkout_sessions_created on checkout_sessions (created_at desc, id desc);
create index checkout_sessions_customer on checkout_sessions (customer_id, created_at desc);
create trigger checkout_sessions_tell after insert or update or delete on checkout_sessions
  for each statement execute function tell_change('payments');

-- Rows are kept short by moving the provider's JSON out of line. Without this the ids, the longest of the other columns, would be
-- moved out as well, and every list would fetch each of them by itself.
do $do$
declare
  kept record;
begin
  for kept in
    select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and a.atttypid = 'text'::regtype and a.attnum > 0
      and not a.attisdropped
      and c.relname in ('customers', 'subscriptions', 'invoices', 'payments', 'charges', 'checkout_sessions')
  loop
    execute format('alter table %I alter column %I set storage main', kept.relname, kept.attname);
  end loop;
end $do$;

-- Ids are found by their beginning: by their own index where the database sorts by bytes, else by one made for it.
do $do$
begin
  if not exists (
    select from pg_database
    where datname = current_database() and (datcollate in ('C', 'POSIX') or datlocprovider = 'b')
  ) then
    create index customers_id_beginning on customers (id text_pattern_ops);
    create index payments_id_beginning on payments (id text_pattern_ops);
    create index subscriptions_id_beginning on subscriptions (id text_pattern_ops);
    create index invoices_id_beginning on invoices (id text_pattern_ops);
    create index checkout_sessions_id_beginning on checkout_sessions (id text_pattern_ops);
  end if;
end $do$;

-- Refunds and disputes name their payment only. Like every owner here it may come after what it owns.
create function take_customer_of_payment() returns trigger language plpgsql as $$
begin
  new.customer_id := (select customer_id from payments where id = new.payment_id);
  return new;
end $$;

create trigger refunds_take_customer before insert or update of payment_id on refunds
  for each row execute function take_customer_of_payment();
create trigger disputes_take_customer before insert or update of payment_id on disputes
  for each row execute function take_customer_of_payment();

-- A statement that touches no row fires its triggers too: without the question nothing would stop them from calling each other.
create function give_customer_of_payments(ids text[]) returns void language plpgsql as $$
begin
  if exists (
    select from refunds r join payments p on p.id = r.payment_id
    where r.payment_id = any (ids) and r.customer_id is distinct from p.customer_id
  ) then
    update refunds r set customer_id = p.customer_id from payments p
    where p.id = r.payment_id and r.payment_id = any (ids) and r.customer_id is distinct from p.customer_id;
  end if;
  if exists (
    select from disputes d join payments p on p.id = d.payment_id
    where d.payment_id = any (ids) and d.customer_id is distinct from p.customer_id
  ) then
    update disputes d set customer_id = p.customer_id from payments p
    where p.id = d.payment_id and d.payment_id = any (ids) and d.customer_id is distinct from p.customer_id;
  end if;
end $$;

create function payments_insert_customer() returns trigger language plpgsql as $$
declare
  ids text[] := array(select id from new_rows where customer_id is not null);
begin
  if cardinality(ids) > 0 then
    perform give_customer_of_payments(ids);
  end if;
  return null;
end $$;

create function payments_update_customer() returns trigger language plpgsql as $$
declare
  ids text[] := array(
    select n.id from new_rows n join old_rows o on o.id = n.id where n.customer_id is distinct from o.customer_id
  );
begin
  if cardinality(ids) > 0 then
    perform give_customer_of_payments(ids);
  end if;
  return null;
end $$;

create trigger payments_insert_customer after insert on payments referencing new table as new_rows
  for each statement execute function payments_insert_customer();
create trigger payments_update_customer after update on payments
  referencing old table as old_rows new table as new_rows
  for each statement execute function payments_update_customer();
