-- The totals by the hour once more by the day in UTC, which most of a range is made of: a year of hours is 8,760 rows and more.
create table mrr_days (
  day timestamptz not null,
  currency text not null,
  kind text not null,
  movements bigint not null default 0,
  amount numeric not null default 0,
  reconstructed bigint not null default 0,
  primary key (day, currency, kind)
);
create table revenue_days (
  day timestamptz not null,
  currency text not null,
  payments bigint not null default 0,
  gross bigint not null default 0,
  refunded bigint not null default 0,
  lost bigint not null default 0,
  tax bigint not null default 0,
  primary key (day, currency)
);
create table segment_days (
  day timestamptz not null,
  currency text not null,
  segment text not null,
  net bigint not null default 0,
  primary key (day, currency, segment)
);
create table balance_days (
  day timestamptz not null,
  currency text not null,
  part text not null,
  transactions bigint not null default 0,
  amount bigint not null default 0,
  fee bigint not null default 0,
  net bigint not null default 0,
  converted bigint not null default 0,
  primary key (day, currency, part)
);

create function mrr_hours_days() returns trigger language plpgsql as $$
declare
  added mrr_hours[];
  removed mrr_hours[];
begin
  added := array(select n::mrr_hours from new_rows n);
  if cardinality(added) = 0 then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    removed := array(select o::mrr_hours from old_rows o);
  end if;
  insert into mrr_days as d (day, currency, kind, movements, amount, reconstructed)
  select date_trunc('day', hour, 'UTC'), currency, kind, sum(sign * movements), sum(sign * amount), sum(sign * reconstructed)
  from (select 1 as sign, a.* from unnest(added) a union all select -1, r.* from unnest(removed) r) h
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (day, currency, kind) do update set
    movements = d.movements + excluded.movements, amount = d.amount + excluded.amount,
    reconstructed = d.reconstructed + excluded.reconstructed;
  return null;
end $$;

create function revenue_hours_days() returns trigger language plpgsql as $$
declare
  added revenue_hours[];
  removed revenue_hours[];
begin
  added := array(select n::revenue_hours from new_rows n);
  if cardinality(added) = 0 then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    removed := array(select o::revenue_hours from old_rows o);
  end if;
  insert into revenue_days as d (day, currency, payments, gross, refunded, lost, tax)
  select date_trunc('day', hour, 'UTC'), currency, sum(sign * payments), sum(sign * gross), sum(sign * refunded),
    sum(sign * lost), sum(sign * tax)
  from (select 1 as sign, a.* from unnest(added) a union all select -1, r.* from unnest(removed) r) h
  group by 1, 2 order by 1, 2
  on conflict (day, currency) do update set
    payments = d.payments + excluded.payments, gross = d.gross + excluded.gross,
    refunded = d.refunded + excluded.refunded, lost = d.lost + excluded.lost, tax = d.tax + excluded.tax;
  return null;
end $$;

create function segment_hours_days() returns trigger language plpgsql as $$
declare
  added segment_hours[];
  removed segment_hours[];
begin
  added := array(select n::segment_hours from new_rows n);
  if cardinality(added) = 0 then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    removed := array(select o::segment_hours from old_rows o);
  end if;
  insert into segment_days as d (day, currency, segment, net)
  select date_trunc('day', hour, 'UTC'), currency, segment, sum(sign * net)
  from (select 1 as sign, a.* from unnest(added) a union all select -1, r.* from unnest(removed) r) h
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (day, currency, segment) do update set net = d.net + excluded.net;
  return null;
end $$;

create function balance_hours_days() returns trigger language plpgsql as $$
declare
  added balance_hours[];
  removed balance_hours[];
begin
  added := array(select n::balance_hours from new_rows n);
  if cardinality(added) = 0 then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    removed := array(select o::balance_hours from old_rows o);
  end if;
  insert into balance_days as d (day, currency, part, transactions, amount, fee, net, converted)
  select date_trunc('day', hour, 'UTC'), currency, part, sum(sign * transactions), sum(sign * amount), sum(sign * fee),
    sum(sign * net), sum(sign * converted)
  from (select 1 as sign, a.* from unnest(added) a union all select -1, r.* from unnest(removed) r) h
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (day, currency, part) do update set
    transactions = d.transactions + excluded.transactions, amount = d.amount + excluded.amount,
    fee = d.fee + excluded.fee, net = d.net + excluded.net, converted = d.converted + excluded.converted;
  return null;
end $$;

-- Hours are added to and never deleted.
create trigger mrr_hours_insert_days after insert on mrr_hours referencing new table as new_rows
  for each statement execute function mrr_hours_days();
create trigger mrr_hours_update_days after update on mrr_hours referencing old table as old_rows new table as new_rows
  for each statement execute function mrr_hours_days();
create trigger revenue_hours_insert_days after insert on revenue_hours referencing new table as new_rows
  for each statement execute function revenue_hours_days();
create trigger revenue_hours_update_days after update on revenue_hours referencing old table as old_rows new table as new_rows
  for each statement execute function revenue_hours_days();
create trigger segment_hours_insert_days after insert on segment_hours referencing new table as new_rows
  for each statement execute function segment_hours_days();
create trigger segment_hours_update_days after update on segment_hours referencing old table as old_rows new table as new_rows
  for each statement execute function segment_hours_days();
create trigger balance_hours_insert_days after insert on balance_hours referencing new table as new_rows
  for each statement execute function balance_hours_days();
create trigger balance_hours_update_days after update on balance_hours referencing old table as old_rows new table as new_rows
  for each statement execute function balance_hours_days();

-- What was there before this file.
insert into mrr_days
select date_trunc('day', hour, 'UTC'), currency, kind, sum(movements), sum(amount), sum(reconstructed)
from mrr_hours group by 1, 2, 3;
insert into revenue_days
select date_trunc('day', hour, 'UTC'), currency, sum(payments), sum(gross), sum(refunded), sum(lost), sum(tax)
from revenue_hours group by 1, 2;
insert into segment_days
select date_trunc('day', hour, 'UTC'), currency, segment, sum(net) from segment_hours group by 1, 2, 3;
insert into balance_days
select date_trunc('day', hour, 'UTC'), currency, part, sum(transactions), sum(amount), sum(fee), sum(net), sum(converted)
from balance_hours group by 1, 2, 3;
