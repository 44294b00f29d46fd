-- What Stripe's balance moved by: fees, and what was left after them, in the currency it settles in.
create table balance_transactions (
  id text primary key,
  type text not null,
  category text not null,
  -- The charge, refund or dispute that it is of.
  source_id text,
  amount bigint not null,
  fee bigint not null,
  net bigint not null,
  currency text not null,
  -- From the currency that the customer paid in; null when nothing was converted.
  exchange_rate numeric,
  status text not null,
  created_at timestamptz not null,
  available_at timestamptz,
  -- Which line of a settlement it is part of. Payouts and the like move what was earned and earn nothing.
  part text not null generated always as (
    case
      when category in ('charge', 'charge_failure') then 'charges'
      when category in ('refund', 'refund_failure', 'partial_capture_reversal') then 'refunds'
      when category in ('dispute', 'dispute_reversal') then 'disputes'
      when category in ('fee', 'network_cost', 'tax') then 'fees'
      when category in (
        'payout', 'payout_reversal', 'payout_minimum_balance_hold', 'payout_minimum_balance_release', 'topup', 'topup_reversal',
        'transfer', 'transfer_reversal', 'reserve_transaction', 'risk_reserved_funds'
      ) then 'moved'
      else 'other'
    end
  ) stored,
  -- Whose money it was: the customer of the charge, refund or dispute; null while that is not here, or is nobody's.
  customer_id text,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz,
  first_seq bigint
) with (toast_tuple_target = 256);
create index balance_transactions_created on balance_transactions (created_at desc, id desc);
create index balance_transactions_source on balance_transactions (source_id);
-- What each customer's money came to in a range, from the index alone.
create index balance_transactions_customer on balance_transactions (customer_id, created_at)
  include (currency, part, amount, fee) where deleted_at is null;
create trigger balance_transactions_tell after insert or update or delete on balance_transactions
  for each statement execute function tell_change('payments');

create table balance_hours (
  hour timestamptz not null,
  currency text not null,
  part text not null,
  transactions bigint not null default 0,
  amount bigint not null default 0,
  fee bigint not null default 0,
  net bigint not null default 0,
  converted bigint not null default 0,
  primary key (hour, currency, part)
);

create type balance_change as (
  sign integer, currency text, part text, created_at timestamptz, amount bigint, fee bigint, net bigint, converted integer
);

create function balance_transactions_totals() returns trigger language plpgsql as $$
declare
  changes balance_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (1, currency, part, created_at, amount, fee, net, (exchange_rate is not null)::int)::balance_change
      from new_rows where deleted_at is null
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (-1, currency, part, created_at, amount, fee, net, (exchange_rate is not null)::int)::balance_change
      from old_rows where deleted_at is null
    );
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;
  insert into balance_hours as h (hour, currency, part, transactions, amount, fee, net, converted)
  select date_trunc('hour', created_at, 'UTC'), currency, part, sum(sign), sum(sign * amount), sum(sign * fee),
    sum(sign * net), sum(sign * converted)
  from unnest(changes) group by 1, 2, 3
  order by 1, 2, 3
  on conflict (hour, currency, part) do update set
    transactions = h.transactions + excluded.transactions, amount = h.amount + excluded.amount,
    fee = h.fee + excluded.fee, net = h.net + excluded.net, converted = h.converted + excluded.converted;
  return null;
end $$;

create trigger balance_transactions_insert_totals after insert on balance_transactions referencing new table as new_rows
  for each statement execute function balance_transactions_totals();
create trigger balance_transactions_update_totals after update on balance_transactions
  referencing old table as old_rows new table as new_rows
  for each statement execute function balance_transactions_totals();
create trigger balance_transactions_delete_totals after delete on balance_transactions referencing old table as old_rows
  for each statement execute function balance_transactions_totals();

create function balance_transactions_take_customer() returns trigger language plpgsql as $$
begin
  new.customer_id := coalesce(
    (select customer_id from charges where id = new.source_id),
    (select customer_id from refunds where id = new.source_id),
    (select customer_id from disputes where id = new.source_id)
  );
  return new;
end $$;

create trigger balance_transactions_take_customer before insert or update on balance_transactions
  for each row execute function balance_transactions_take_customer();

-- A charge, refund or dispute that comes after its transactions, or has another customer now.
create function balance_sources_give_customer() returns trigger language plpgsql as $$
begin
  update balance_transactions b set customer_id = null from new_rows n
  where b.source_id = n.id and b.customer_id is distinct from n.customer_id;
  return null;
end $$;

create function balance_sources_take_back() returns trigger language plpgsql as $$
begin
  update balance_transactions b set customer_id = null from old_rows o where b.source_id = o.id and b.customer_id is not null;
  return null;
end $$;

create trigger charges_insert_customer after insert on charges referencing new table as new_rows
  for each statement execute function balance_sources_give_customer();
create trigger charges_update_customer after update on charges referencing new table as new_rows
  for each statement execute function balance_sources_give_customer();
create trigger charges_delete_customer after delete on charges referencing old table as old_rows
  for each statement execute function balance_sources_take_back();

create trigger refunds_insert_customer after insert on refunds referencing new table as new_rows
  for each statement execute function balance_sources_give_customer();
create trigger refunds_update_customer after update on refunds referencing new table as new_rows
  for each statement execute function balance_sources_give_customer();
create trigger refunds_delete_customer after delete on refunds referencing old table as old_rows
  for each statement execute function balance_sources_take_back();

create trigger disputes_insert_customer after insert on disputes referencing new table as new_rows
  for each statement execute function balance_sources_give_customer();
create trigger disputes_update_customer after update on disputes referencing new table as new_rows
  for each statement execute function balance_sources_give_customer();
create trigger disputes_delete_customer after delete on disputes referencing old table as old_rows
  for each statement execute function balance_sources_take_back();
