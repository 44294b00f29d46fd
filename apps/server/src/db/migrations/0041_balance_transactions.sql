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
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz,
  first_seq bigint
) with (toast_tuple_target = 256);
create index balance_transactions_created on balance_transactions (created_at desc, id desc);
create index balance_transactions_source on balance_transactions (source_id);
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
