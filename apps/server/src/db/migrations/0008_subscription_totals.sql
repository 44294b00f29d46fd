create table subscription_totals (
  product_id text not null,
  status text not null,
  currency text not null,
  subscriptions bigint not null default 0,
  mrr numeric not null default 0,
  revenue bigint not null default 0,
  primary key (product_id, status, currency)
);

-- Starts and ends by day (UTC): summed up to a day they give what was running then.
create table daily_subscriptions (
  day date not null,
  currency text not null,
  started integer not null default 0,
  ended integer not null default 0,
  mrr_started numeric not null default 0,
  mrr_ended numeric not null default 0,
  primary key (day, currency)
);

-- As for payments: new rows count +1, those that they replace -1.
create type subscription_change as (
  sign integer,
  id text,
  customer_id text,
  product_id text,
  status text,
  currency text,
  mrr numeric,
  mrr_running numeric,
  revenue bigint,
  created_at timestamptz,
  running_from timestamptz,
  ended_at timestamptz,
  deleted_at timestamptz
);

create function subscriptions_totals() returns trigger language plpgsql as $$
declare
  changes subscription_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (1, id, customer_id, product_id, status, currency, mrr, mrr_running, total_revenue, created_at, running_from,
        ended_at, deleted_at)::subscription_change
      from new_rows
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (-1, id, customer_id, product_id, status, currency, mrr, mrr_running, total_revenue, created_at, running_from,
        ended_at, deleted_at)::subscription_change
      from old_rows
    );
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;

  insert into subscription_totals as t (product_id, status, currency, subscriptions, mrr, revenue)
  select coalesce(product_id, ''), status, currency, sum(sign), sum(sign * mrr), sum(sign * revenue)
  from unnest(changes) where deleted_at is null group by 1, 2, 3
  having sum(sign) <> 0 or sum(sign * mrr) <> 0 or sum(sign * revenue) <> 0
  order by 1, 2, 3
  on conflict (product_id, status, currency) do update set
    subscriptions = t.subscriptions + excluded.subscriptions,
    mrr = t.mrr + excluded.mrr, revenue = t.revenue + excluded.revenue;

  insert into daily_subscriptions as d (day, currency, started, ended, mrr_started, mrr_ended)
  select day, currency, sum(started), sum(ended), sum(mrr_started), sum(mrr_ended) from (
    select (running_from at time zone 'UTC')::date as day, currency,
      sign as started, 0 as ended, sign * mrr_running as mrr_started, 0 as mrr_ended
    from unnest(changes) where deleted_at is null and running_from is not null
    union all
    select (ended_at at time zone 'UTC')::date, currency, 0, sign, 0, sign * mrr_running
    from unnest(changes) where deleted_at is null and running_from is not null and ended_at is not null
  ) m
  group by 1, 2
  having sum(started) <> 0 or sum(ended) <> 0 or sum(mrr_started) <> 0 or sum(mrr_ended) <> 0
  order by 1, 2
  on conflict (day, currency) do update set
    started = d.started + excluded.started, ended = d.ended + excluded.ended,
    mrr_started = d.mrr_started + excluded.mrr_started, mrr_ended = d.mrr_ended + excluded.mrr_ended;

  perform refresh_customers(array(
    select customer_id from unnest(changes) group by customer_id
    having sum(sign * hashtextextended(concat_ws('|', id, status, product_id, created_at, deleted_at), 0)::numeric) <> 0
  ));
  return null;
end $$;

create trigger subscriptions_insert_totals after insert on subscriptions referencing new table as new_rows
  for each statement execute function subscriptions_totals();
create trigger subscriptions_update_totals after update on subscriptions
  referencing old table as old_rows new table as new_rows
  for each statement execute function subscriptions_totals();
create trigger subscriptions_delete_totals after delete on subscriptions referencing old table as old_rows
  for each statement execute function subscriptions_totals();

-- Revenue and failed payments of subscriptions, from their invoices less what was refunded of those.
create function refresh_subscription_money(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  update subscriptions s set total_revenue = d.revenue, failed_payments = d.failed
  from (
    select x.id,
      coalesce(sum(i.amount_paid), 0) - coalesce(sum(r.refunded), 0) as revenue,
      count(*) filter (where i.attempt_count > 0 and i.status in ('open', 'uncollectible')) as failed
    from unnest(ids) as x (id)
    left join invoices i on i.subscription_id = x.id and i.deleted_at is null
    left join lateral (
      select sum(p.amount_refunded) as refunded
      from invoice_payments ip join payments p on p.id = ip.payment_id
      where ip.invoice_id = i.id and ip.status = 'paid'
    ) r on i.status = 'paid'
    group by x.id
  ) d
  where s.id = d.id and (s.total_revenue, s.failed_payments) is distinct from (d.revenue, d.failed::int);
end $$;

create function invoices_money() returns trigger language plpgsql as $$
declare
  ids text[];
begin
  if tg_op <> 'DELETE' then
    ids := array(select subscription_id from new_rows where subscription_id is not null);
  end if;
  if tg_op <> 'INSERT' then
    ids := ids || array(select subscription_id from old_rows where subscription_id is not null);
  end if;
  perform refresh_subscription_money(array(select distinct id from unnest(ids) id));
  return null;
end $$;

create trigger invoices_insert_money after insert on invoices referencing new table as new_rows
  for each statement execute function invoices_money();
create trigger invoices_update_money after update on invoices referencing old table as old_rows new table as new_rows
  for each statement execute function invoices_money();
create trigger invoices_delete_money after delete on invoices referencing old table as old_rows
  for each statement execute function invoices_money();

create function invoice_payments_money() returns trigger language plpgsql as $$
declare
  ids text[];
begin
  if tg_op <> 'DELETE' then
    ids := array(select invoice_id from new_rows);
  end if;
  if tg_op <> 'INSERT' then
    ids := ids || array(select invoice_id from old_rows);
  end if;
  perform refresh_subscription_money(array(
    select distinct i.subscription_id from unnest(ids) c (invoice_id) join invoices i on i.id = c.invoice_id
    where i.subscription_id is not null
  ));
  return null;
end $$;

create trigger invoice_payments_insert_money after insert on invoice_payments referencing new table as new_rows
  for each statement execute function invoice_payments_money();
create trigger invoice_payments_update_money after update on invoice_payments
  referencing old table as old_rows new table as new_rows
  for each statement execute function invoice_payments_money();
create trigger invoice_payments_delete_money after delete on invoice_payments referencing old table as old_rows
  for each statement execute function invoice_payments_money();

create type refunded_change as (payment_id text, amount bigint);

create function payments_money() returns trigger language plpgsql as $$
declare
  changes refunded_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(select (id, amount_refunded)::refunded_change from new_rows where amount_refunded <> 0);
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(select (id, -amount_refunded)::refunded_change from old_rows where amount_refunded <> 0);
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;
  perform refresh_subscription_money(array(
    select distinct i.subscription_id from (
      select payment_id from unnest(changes) group by payment_id having sum(amount) <> 0
    ) p
    join invoice_payments ip on ip.payment_id = p.payment_id
    join invoices i on i.id = ip.invoice_id
    where i.subscription_id is not null
  ));
  return null;
end $$;

create trigger payments_insert_money after insert on payments referencing new table as new_rows
  for each statement execute function payments_money();
create trigger payments_update_money after update on payments referencing old table as old_rows new table as new_rows
  for each statement execute function payments_money();
create trigger payments_delete_money after delete on payments referencing old table as old_rows
  for each statement execute function payments_money();

-- A subscription that arrives after its invoices.
create function subscriptions_take_money() returns trigger language plpgsql as $$
begin
  perform refresh_subscription_money(array(
    select n.id from new_rows n where exists (select from invoices i where i.subscription_id = n.id)
  ));
  return null;
end $$;

create trigger subscriptions_take_money after insert on subscriptions referencing new table as new_rows
  for each statement execute function subscriptions_take_money();
