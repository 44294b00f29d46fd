-- Revenue by the hour: months and days of any time zone are made of hours, and where one begins within an hour the rest comes
-- from the rows. A refund counts when it was made and a lost dispute when it was opened, in other months than the payment perhaps.
create table revenue_hours (
  hour timestamptz not null,
  currency text not null,
  payments bigint not null default 0,
  gross bigint not null default 0,
  refunded bigint not null default 0,
  lost bigint not null default 0,
  tax bigint not null default 0,
  primary key (hour, currency)
);

-- When the payment was made that it is taken off; null while that does not count, or is in another currency.
alter table refunds add column taken_off timestamptz;
alter table disputes add column taken_off timestamptz;

create function payment_time(wanted text, of_currency text) returns timestamptz language sql stable as $$
  select created_at from payments
  where id = wanted and deleted_at is null and currency = of_currency and status in ('succeeded', 'refunded')
$$;

create function refunds_take_time() returns trigger language plpgsql as $$
begin
  new.taken_off := case
    when new.deleted_at is null and new.status not in ('failed', 'canceled') then payment_time(new.payment_id, new.currency)
  end;
  return new;
end $$;

create function disputes_take_time() returns trigger language plpgsql as $$
begin
  new.taken_off := case
    when new.deleted_at is null and new.status = 'lost' then payment_time(new.payment_id, new.currency)
  end;
  return new;
end $$;

create trigger refunds_take_time before insert or update on refunds for each row execute function refunds_take_time();
create trigger disputes_take_time before insert or update on disputes for each row execute function disputes_take_time();

create index refunds_made on refunds (created_at) include (currency, amount) where taken_off is not null;
create index refunds_taken_off on refunds (taken_off) include (currency, amount) where taken_off is not null;
create index disputes_opened on disputes (created_at) include (currency, amount) where taken_off is not null;
create index disputes_taken_off on disputes (taken_off) include (currency, amount) where taken_off is not null;
create index payments_refunded on payments (created_at) include (currency, amount_refunded)
  where deleted_at is null and amount_refunded <> 0;
-- What each customer paid in a range, from the index alone.
create index payments_customer_net on payments (customer_id, created_at) include (currency, net_amount) where deleted_at is null;

create type revenue_change as (at timestamptz, currency text, payments bigint, gross bigint, refunded bigint, lost bigint, tax bigint);

create function add_revenue(changes revenue_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then
    return;
  end if;
  insert into revenue_hours as h (hour, currency, payments, gross, refunded, lost, tax)
  select date_trunc('hour', at, 'UTC'), currency, sum(payments), sum(gross), sum(refunded), sum(lost), sum(tax)
  from unnest(changes) group by 1, 2
  having sum(payments) <> 0 or sum(gross) <> 0 or sum(refunded) <> 0 or sum(lost) <> 0 or sum(tax) <> 0
  order by 1, 2
  on conflict (hour, currency) do update set
    payments = h.payments + excluded.payments, gross = h.gross + excluded.gross,
    refunded = h.refunded + excluded.refunded, lost = h.lost + excluded.lost, tax = h.tax + excluded.tax;
end $$;

-- All of a payment counts at its own time; refunds and disputes then move their part of it to theirs.
create function payments_revenue() returns trigger language plpgsql as $$
declare
  changes revenue_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (created_at, currency, 1, amount_captured, amount_refunded, amount_lost, 0)::revenue_change
      from new_rows where deleted_at is null and status in ('succeeded', 'refunded')
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (created_at, currency, -1, -amount_captured, -amount_refunded, -amount_lost, 0)::revenue_change
      from old_rows where deleted_at is null and status in ('succeeded', 'refunded')
    );
  end if;
  perform add_revenue(changes);
  return null;
end $$;

create trigger payments_insert_revenue after insert on payments referencing new table as new_rows
  for each statement execute function payments_revenue();
create trigger payments_update_revenue after update on payments referencing old table as old_rows new table as new_rows
  for each statement execute function payments_revenue();
create trigger payments_delete_revenue after delete on payments referencing old table as old_rows
  for each statement execute function payments_revenue();

create function refunds_revenue() returns trigger language plpgsql as $$
declare
  changes revenue_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (t.at, currency, 0, 0, t.sign * amount, 0, 0)::revenue_change
      from new_rows, lateral (values (created_at, 1), (taken_off, -1)) t (at, sign) where taken_off is not null
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (t.at, currency, 0, 0, t.sign * amount, 0, 0)::revenue_change
      from old_rows, lateral (values (created_at, -1), (taken_off, 1)) t (at, sign) where taken_off is not null
    );
  end if;
  perform add_revenue(changes);
  return null;
end $$;

create trigger refunds_insert_revenue after insert on refunds referencing new table as new_rows
  for each statement execute function refunds_revenue();
create trigger refunds_update_revenue after update on refunds referencing old table as old_rows new table as new_rows
  for each statement execute function refunds_revenue();
create trigger refunds_delete_revenue after delete on refunds referencing old table as old_rows
  for each statement execute function refunds_revenue();

create function disputes_revenue() returns trigger language plpgsql as $$
declare
  changes revenue_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (t.at, currency, 0, 0, 0, t.sign * amount, 0)::revenue_change
      from new_rows, lateral (values (created_at, 1), (taken_off, -1)) t (at, sign) where taken_off is not null
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (t.at, currency, 0, 0, 0, t.sign * amount, 0)::revenue_change
      from old_rows, lateral (values (created_at, -1), (taken_off, 1)) t (at, sign) where taken_off is not null
    );
  end if;
  perform add_revenue(changes);
  return null;
end $$;

create trigger disputes_insert_revenue after insert on disputes referencing new table as new_rows
  for each statement execute function disputes_revenue();
create trigger disputes_update_revenue after update on disputes referencing old table as old_rows new table as new_rows
  for each statement execute function disputes_revenue();
create trigger disputes_delete_revenue after delete on disputes referencing old table as old_rows
  for each statement execute function disputes_revenue();

-- A payment that comes after its refunds, or starts or ceases to count.
create function retake_times(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  if exists (select from refunds where payment_id = any (ids)) then
    update refunds r set taken_off = null
    where r.payment_id = any (ids) and r.deleted_at is null and r.status not in ('failed', 'canceled')
      and r.taken_off is distinct from payment_time(r.payment_id, r.currency);
  end if;
  if exists (select from disputes where payment_id = any (ids)) then
    update disputes d set taken_off = null
    where d.payment_id = any (ids) and d.deleted_at is null and d.status = 'lost'
      and d.taken_off is distinct from payment_time(d.payment_id, d.currency);
  end if;
end $$;

create function payments_insert_times() returns trigger language plpgsql as $$
begin
  perform retake_times(array(select id from new_rows));
  return null;
end $$;

create function payments_update_times() returns trigger language plpgsql as $$
begin
  perform retake_times(array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where (n.created_at, n.currency, n.status in ('succeeded', 'refunded'), n.deleted_at is null)
      is distinct from (o.created_at, o.currency, o.status in ('succeeded', 'refunded'), o.deleted_at is null)
  ));
  return null;
end $$;

create function payments_delete_times() returns trigger language plpgsql as $$
begin
  perform retake_times(array(select id from old_rows));
  return null;
end $$;

create trigger payments_insert_times after insert on payments referencing new table as new_rows
  for each statement execute function payments_insert_times();
create trigger payments_update_times after update on payments referencing old table as old_rows new table as new_rows
  for each statement execute function payments_update_times();
create trigger payments_delete_times after delete on payments referencing old table as old_rows
  for each statement execute function payments_delete_times();

-- Tax of paid invoices, by when they were paid.
alter table invoices add column tax bigint not null default 0;
alter table invoices add column paid_at timestamptz;

create function invoice_tax(raw jsonb) returns bigint language sql immutable as $$
  select coalesce(sum((t ->> 'amount')::bigint), 0)
  from jsonb_array_elements(case when jsonb_typeof(raw -> 'total_taxes') = 'array' then raw -> 'total_taxes' else '[]' end) t
$$;

create function invoices_tax() returns trigger language plpgsql as $$
declare
  changes revenue_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (paid_at, currency, 0, 0, 0, 0, tax)::revenue_change
      from new_rows where deleted_at is null and status = 'paid' and paid_at is not null and tax <> 0
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (paid_at, currency, 0, 0, 0, 0, -tax)::revenue_change
      from old_rows where deleted_at is null and status = 'paid' and paid_at is not null and tax <> 0
    );
  end if;
  perform add_revenue(changes);
  return null;
end $$;

create trigger invoices_insert_tax after insert on invoices referencing new table as new_rows
  for each statement execute function invoices_tax();
create trigger invoices_update_tax after update on invoices referencing old table as old_rows new table as new_rows
  for each statement execute function invoices_tax();
create trigger invoices_delete_tax after delete on invoices referencing old table as old_rows
  for each statement execute function invoices_tax();
create index invoices_taxed on invoices (paid_at) include (currency, tax) where status = 'paid' and tax <> 0 and deleted_at is null;

-- Lines of more than a month of paid invoices: what is paid ahead. A refund is a line of its own, taken off from when it was made.
create table invoice_terms (
  invoice_id text not null,
  line_id text not null,
  -- Empty for the line itself.
  refund_id text not null default '',
  customer_id text,
  subscription_id text,
  currency text not null,
  amount bigint not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  paid_at timestamptz not null,
  -- When its subscription ended: nothing is owed any more.
  stopped_at timestamptz,
  primary key (invoice_id, line_id, refund_id)
);
create index invoice_terms_end on invoice_terms (ends_at, paid_at);
create index invoice_terms_subscription on invoice_terms (subscription_id);

create function long_lines(ids text[]) returns table (
  invoice_id text, line_id text, customer_id text, subscription_id text, currency text, amount bigint, amount_paid bigint,
  starts_at timestamptz, ends_at timestamptz, paid_at timestamptz
) language sql stable as $$
  select i.id, l ->> 'id', i.customer_id, i.subscription_id, i.currency,
    (l ->> 'amount')::bigint - coalesce((
      select sum((d ->> 'amount')::bigint)
      from jsonb_array_elements(case when jsonb_typeof(l -> 'discount_amounts') = 'array' then l -> 'discount_amounts' else '[]' end) d
    ), 0),
    i.amount_paid, to_timestamp((l #>> '{period,start}')::bigint), to_timestamp((l #>> '{period,end}')::bigint),
    coalesce(i.paid_at, i.created_at)
  from invoices i,
    lateral jsonb_array_elements(case when jsonb_typeof(i.raw #> '{lines,data}') = 'array' then i.raw #> '{lines,data}' else '[]' end) l
  where i.id = any (ids) and i.status = 'paid' and i.deleted_at is null and l ->> 'id' is not null
    and jsonb_typeof(l -> 'amount') = 'number' and jsonb_typeof(l #> '{period,start}') = 'number'
    and jsonb_typeof(l #> '{period,end}') = 'number'
    and (l #>> '{period,end}')::bigint - (l #>> '{period,start}')::bigint > 32 * 86400
$$;

create function refresh_invoice_terms(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  delete from invoice_terms where invoice_id = any (ids);
  insert into invoice_terms (
    invoice_id, line_id, refund_id, customer_id, subscription_id, currency, amount, starts_at, ends_at, paid_at, stopped_at
  )
  select l.invoice_id, l.line_id, '', l.customer_id, l.subscription_id, l.currency, l.amount, l.starts_at, l.ends_at, l.paid_at,
    s.ended_at
  from long_lines(ids) l left join subscriptions s on s.id = l.subscription_id
  where l.amount <> 0
  union all
  select l.invoice_id, l.line_id, r.id, l.customer_id, l.subscription_id, l.currency,
    -round_half_even(r.amount::numeric * l.amount / l.amount_paid), l.starts_at, l.ends_at, greatest(r.created_at, l.paid_at),
    s.ended_at
  from long_lines(ids) l
  join invoice_payments ip on ip.invoice_id = l.invoice_id and ip.status = 'paid' and ip.deleted_at is null
  join refunds r on r.payment_id = ip.payment_id and r.taken_off is not null and r.currency = l.currency
  left join subscriptions s on s.id = l.subscription_id
  where l.amount <> 0 and l.amount_paid > 0
  on conflict do nothing;
end $$;

create function invoices_terms() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform refresh_invoice_terms(array(select id from new_rows where status = 'paid'));
  elsif tg_op = 'UPDATE' then
    perform refresh_invoice_terms(array(
      select n.id from new_rows n join old_rows o on o.id = n.id where n.status = 'paid' or o.status = 'paid'
    ));
  else
    delete from invoice_terms where invoice_id in (select id from old_rows);
  end if;
  return null;
end $$;

create trigger invoices_insert_terms after insert on invoices referencing new table as new_rows
  for each statement execute function invoices_terms();
create trigger invoices_update_terms after update on invoices referencing old table as old_rows new table as new_rows
  for each statement execute function invoices_terms();
create trigger invoices_delete_terms after delete on invoices referencing old table as old_rows
  for each statement execute function invoices_terms();

create function refunds_terms() returns trigger language plpgsql as $$
declare
  ids text[];
begin
  if tg_op <> 'DELETE' then
    ids := array(select payment_id from new_rows where payment_id is not null);
  end if;
  if tg_op <> 'INSERT' then
    ids := ids || array(select payment_id from old_rows where payment_id is not null);
  end if;
  perform refresh_invoice_terms(array(
    select distinct t.invoice_id from invoice_payments ip join invoice_terms t on t.invoice_id = ip.invoice_id
    where ip.payment_id = any (ids)
  ));
  return null;
end $$;

create trigger refunds_insert_terms after insert on refunds referencing new table as new_rows
  for each statement execute function refunds_terms();
create trigger refunds_update_terms after update on refunds referencing old table as old_rows new table as new_rows
  for each statement execute function refunds_terms();
create trigger refunds_delete_terms after delete on refunds referencing old table as old_rows
  for each statement execute function refunds_terms();

create function invoice_payments_terms() returns trigger language plpgsql as $$
declare
  ids text[];
begin
  if tg_op <> 'DELETE' then
    ids := array(select invoice_id from new_rows);
  end if;
  if tg_op <> 'INSERT' then
    ids := ids || array(select invoice_id from old_rows);
  end if;
  perform refresh_invoice_terms(array(
    select distinct t.invoice_id from invoice_terms t join invoice_payments ip on ip.invoice_id = t.invoice_id
    join refunds r on r.payment_id = ip.payment_id
    where t.invoice_id = any (ids)
  ));
  return null;
end $$;

create trigger invoice_payments_insert_terms after insert on invoice_payments referencing new table as new_rows
  for each statement execute function invoice_payments_terms();
create trigger invoice_payments_update_terms after update on invoice_payments
  referencing old table as old_rows new table as new_rows
  for each statement execute function invoice_payments_terms();
create trigger invoice_payments_delete_terms after delete on invoice_payments referencing old table as old_rows
  for each statement execute function invoice_payments_terms();

create function subscriptions_stop_terms() returns trigger language plpgsql as $$
declare
  ids text[] := array(
    select n.id from new_rows n join old_rows o on o.id = n.id where n.ended_at is distinct from o.ended_at
  );
begin
  if cardinality(ids) > 0 then
    update invoice_terms t set stopped_at = s.ended_at from subscriptions s
    where s.id = t.subscription_id and s.id = any (ids) and t.stopped_at is distinct from s.ended_at;
  end if;
  return null;
end $$;

create function subscriptions_stop_late_terms() returns trigger language plpgsql as $$
begin
  update invoice_terms t set stopped_at = n.ended_at from new_rows n
  where n.id = t.subscription_id and t.stopped_at is distinct from n.ended_at;
  return null;
end $$;

create trigger subscriptions_insert_terms after insert on subscriptions referencing new table as new_rows
  for each statement execute function subscriptions_stop_late_terms();
create trigger subscriptions_update_terms after update on subscriptions
  referencing old table as old_rows new table as new_rows
  for each statement execute function subscriptions_stop_terms();

-- What was there before this file.
update refunds set taken_off = null;
update disputes set taken_off = null;
update invoices set tax = invoice_tax(raw), paid_at = to_timestamp((raw #>> '{status_transitions,paid_at}')::bigint);
insert into revenue_hours as h (hour, currency, payments, gross, refunded, lost)
select date_trunc('hour', created_at, 'UTC'), currency, count(*), sum(amount_captured), sum(amount_refunded), sum(amount_lost)
from payments where deleted_at is null and status in ('succeeded', 'refunded') group by 1, 2
on conflict (hour, currency) do update set
  payments = h.payments + excluded.payments, gross = h.gross + excluded.gross,
  refunded = h.refunded + excluded.refunded, lost = h.lost + excluded.lost;
