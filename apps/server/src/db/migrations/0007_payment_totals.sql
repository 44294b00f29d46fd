-- Totals are kept by statement-level triggers, so that whatever writes a row also writes its sums, in the same transaction.

-- Single figures are in the currency that was chosen, else in that of the account.
create function default_currency() returns text language sql stable as $$
  select coalesce(
    (select value #>> '{}' from settings where key = 'company.currency'),
    (select default_currency from stripe_accounts order by fetched_at desc limit 1),
    'usd')
$$;

-- Banker's rounding of an exact sum; the inner round removes what 1/3 leaves behind after twenty digits.
create function round_half_even(value numeric) returns bigint language sql immutable as $$
  select case
    when abs(v - trunc(v)) = 0.5 then (2 * round(v / 2))::bigint
    else round(v)::bigint
  end from (select round(value, 9) as v) r
$$;

create table daily_revenue (
  day date not null,
  currency text not null,
  captured bigint not null default 0,
  refunded bigint not null default 0,
  lost bigint not null default 0,
  net bigint not null default 0,
  succeeded integer not null default 0,
  failed integer not null default 0,
  primary key (day, currency)
);

create table payment_totals (
  status text not null,
  currency text not null,
  payments bigint not null default 0,
  net bigint not null default 0,
  primary key (status, currency)
);

create table customer_totals (
  customer_id text primary key,
  -- In the account's default currency.
  total_revenue bigint not null default 0,
  -- { "eur": 1200 }: the other currencies, null without any.
  other_revenue jsonb,
  last_payment_at timestamptz
) with (fillfactor = 80);
create index customer_totals_revenue on customer_totals (total_revenue desc, customer_id desc);
create index customer_totals_last_payment on customer_totals (coalesce(last_payment_at, '-infinity') desc, customer_id desc);

-- New rows count +1, those that they replace -1. An insert has no old rows and a delete no new ones, so PostgreSQL wants a trigger
-- for each of the three; they share one function, which collects what it adds up first.
create type payment_change as (
  sign integer,
  status text,
  currency text,
  customer_id text,
  created_at timestamptz,
  captured bigint,
  refunded bigint,
  lost bigint,
  net bigint,
  counts_as_failed boolean
);

create function payments_totals() returns trigger language plpgsql as $$
declare
  home text := default_currency();
  changes payment_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (1, status, currency, customer_id, created_at, amount_captured, amount_refunded, amount_lost, net_amount,
        counts_as_failed)::payment_change
      from new_rows where deleted_at is null
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (-1, status, currency, customer_id, created_at, amount_captured, amount_refunded, amount_lost, net_amount,
        counts_as_failed)::payment_change
      from old_rows where deleted_at is null
    );
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;

  insert into daily_revenue as d (day, currency, captured, refunded, lost, net, succeeded, failed)
  select (created_at at time zone 'UTC')::date, currency,
    sum(sign * case when status in ('succeeded', 'refunded') then captured else 0 end),
    sum(sign * case when status in ('succeeded', 'refunded') then refunded else 0 end),
    sum(sign * case when status in ('succeeded', 'refunded') then lost else 0 end),
    sum(sign * net),
    sum(sign * (status in ('succeeded', 'refunded'))::int),
    sum(sign * counts_as_failed::int)
  from unnest(changes) group by 1, 2
  order by 1, 2
  on conflict (day, currency) do update set
    captured = d.captured + excluded.captured, refunded = d.refunded + excluded.refunded,
    lost = d.lost + excluded.lost, net = d.net + excluded.net,
    succeeded = d.succeeded + excluded.succeeded, failed = d.failed + excluded.failed;

  insert into payment_totals as t (status, currency, payments, net)
  select status, currency, sum(sign), sum(sign * net)
  from unnest(changes) group by 1, 2
  having sum(sign) <> 0 or sum(sign * net) <> 0
  order by 1, 2
  on conflict (status, currency) do update set
    payments = t.payments + excluded.payments, net = t.net + excluded.net;

  insert into customer_totals as t (customer_id, total_revenue, other_revenue, last_payment_at)
  select customer_id,
    coalesce(sum(net) filter (where currency = home), 0),
    jsonb_object_agg(currency, net) filter (where currency <> home and net <> 0),
    max(newest)
  from (
    select customer_id, currency, sum(sign * net) as net,
      max(created_at) filter (where sign = 1 and status in ('succeeded', 'refunded')) as newest
    from unnest(changes) where customer_id is not null
    group by customer_id, currency
  ) p
  group by customer_id
  having bool_or(net <> 0) or max(newest) is not null
  order by customer_id
  on conflict (customer_id) do update set
    total_revenue = t.total_revenue + excluded.total_revenue,
    other_revenue = case
      when excluded.other_revenue is null then t.other_revenue
      else (
        select jsonb_object_agg(key, value) from (
          select key, sum(value::bigint) as value from (
            select * from jsonb_each_text(coalesce(t.other_revenue, '{}'))
            union all select * from jsonb_each_text(excluded.other_revenue)
          ) e group by key
        ) s where value <> 0
      )
    end,
    last_payment_at = greatest(t.last_payment_at, excluded.last_payment_at);
  return null;
end $$;

create trigger payments_insert_totals after insert on payments referencing new table as new_rows
  for each statement execute function payments_totals();
create trigger payments_update_totals after update on payments referencing old table as old_rows new table as new_rows
  for each statement execute function payments_totals();
create trigger payments_delete_totals after delete on payments referencing old table as old_rows
  for each statement execute function payments_totals();

-- The newest payment of a customer may stop being one: then the date is looked up again.
create function payments_last_date() returns trigger language plpgsql as $$
begin
  update customer_totals t set last_payment_at = (
    select max(p.created_at) from payments p
    where p.customer_id = t.customer_id and p.status in ('succeeded', 'refunded') and p.deleted_at is null
  )
  where t.customer_id in (
    select o.customer_id from old_rows o left join new_rows n on n.id = o.id
    where o.status in ('succeeded', 'refunded')
      and (n.id is null or n.status not in ('succeeded', 'refunded') or n.deleted_at is not null
        or n.customer_id is distinct from o.customer_id or n.created_at <> o.created_at)
  );
  return null;
end $$;

create trigger payments_update_last_date after update on payments
  referencing old table as old_rows new table as new_rows
  for each statement execute function payments_last_date();

-- A dispute in another currency than its payment cannot be taken off it.
-- A statement that touches no row fires its triggers too: without the check for emptiness this refresh and the others like it would
-- call each other forever.
create function refresh_payment_disputes(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  update payments p set disputed = d.disputed, dispute_status = d.status, amount_lost = d.lost
  from (
    select x.id, count(t.id) > 0 as disputed,
      (array_agg(t.status order by t.created_at desc, t.id desc) filter (where t.id is not null))[1] as status,
      coalesce(sum(t.amount) filter (where t.status = 'lost' and t.currency = x.currency), 0) as lost
    from payments x left join disputes t on t.payment_id = x.id and t.deleted_at is null
    where x.id = any (ids)
    group by x.id
  ) d
  where p.id = d.id and (p.disputed, p.dispute_status, p.amount_lost) is distinct from (d.disputed, d.status, d.lost);
end $$;

create function disputes_marks() returns trigger language plpgsql as $$
declare
  ids text[];
begin
  if tg_op <> 'DELETE' then
    ids := array(select payment_id from new_rows where payment_id is not null);
  end if;
  if tg_op <> 'INSERT' then
    ids := ids || array(select payment_id from old_rows where payment_id is not null);
  end if;
  perform refresh_payment_disputes(ids);
  return null;
end $$;

create trigger disputes_insert_marks after insert on disputes referencing new table as new_rows
  for each statement execute function disputes_marks();
create trigger disputes_update_marks after update on disputes referencing old table as old_rows new table as new_rows
  for each statement execute function disputes_marks();
create trigger disputes_delete_marks after delete on disputes referencing old table as old_rows
  for each statement execute function disputes_marks();

-- A payment that arrives after its dispute.
create function payments_take_disputes() returns trigger language plpgsql as $$
begin
  perform refresh_payment_disputes(array(select n.id from new_rows n join disputes d on d.payment_id = n.id));
  return null;
end $$;

create trigger payments_take_disputes after insert on payments referencing new table as new_rows
  for each statement execute function payments_take_disputes();
