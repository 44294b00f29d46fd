-- How all sites together were on a day (UTC). Whole microseconds, so that sums stay exact.
create table probe_day_totals (
  day date primary key,
  sites bigint not null default 0,
  known_seconds bigint not null default 0,
  down_seconds bigint not null default 0,
  -- Of days on which a site answered: how often, and how long that took.
  answered bigint not null default 0,
  response_us numeric not null default 0
);

create function add_probe_days(sign integer, days site_probe_days[]) returns void language plpgsql as $$
begin
  insert into probe_day_totals as t (day, sites, known_seconds, down_seconds, answered, response_us)
  select day, sign * count(*), sign * sum(known_seconds), sign * sum(down_seconds),
    sign * coalesce(sum(probes - failures) filter (where response_ms is not null), 0),
    sign * coalesce(sum(round(response_ms::numeric * 1000) * (probes - failures)), 0)
  from unnest(days) group by day order by day
  on conflict (day) do update set
    sites = t.sites + excluded.sites, known_seconds = t.known_seconds + excluded.known_seconds,
    down_seconds = t.down_seconds + excluded.down_seconds, answered = t.answered + excluded.answered,
    response_us = t.response_us + excluded.response_us;
end $$;

create function site_probe_days_totals() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    perform add_probe_days(1, array(select row(n.*)::site_probe_days from new_rows n));
  end if;
  if tg_op <> 'INSERT' then
    perform add_probe_days(-1, array(select row(o.*)::site_probe_days from old_rows o));
  end if;
  return null;
end $$;

create trigger site_probe_days_insert_totals after insert on site_probe_days referencing new table as new_rows
  for each statement execute function site_probe_days_totals();
create trigger site_probe_days_update_totals after update on site_probe_days
  referencing old table as old_rows new table as new_rows
  for each statement execute function site_probe_days_totals();
create trigger site_probe_days_delete_totals after delete on site_probe_days referencing old table as old_rows
  for each statement execute function site_probe_days_totals();

-- Day by day, so that no more than one is held at a time.
select add_probe_days(1, array(select d from site_probe_days d where d.day = days.day))
from (select distinct day from site_probe_days) days;

-- How many subscriptions ran at a moment: whole days from their totals, the day of the moment from the rows.
create index subscriptions_running_from on subscriptions (running_from) where running_from is not null and deleted_at is null;
create index subscriptions_ended on subscriptions (ended_at) where running_from is not null and deleted_at is null;
create index subscriptions_renewing on subscriptions (current_period_end) include (mrr) where mrr <> 0 and deleted_at is null;
create index site_probe_days_down on site_probe_days (day, site_id) where down_seconds > 0;
create index payments_paid_by on payments (created_at) include (customer_id, currency, net_amount) where deleted_at is null;

-- The card that a customer paid with last, until the end of which month it is good.
create table customer_cards (
  customer_id text primary key,
  paid_at timestamptz not null,
  -- The first day on which it is not good any more.
  expires_on date not null
);
create index customer_cards_expiry on customer_cards (expires_on);

create function charges_take_cards() returns trigger language plpgsql as $$
begin
  insert into customer_cards as c (customer_id, paid_at, expires_on)
  select distinct on (customer_id) customer_id, created_at, (make_date(year, month, 1) + interval '1 month')::date
  from (
    select customer_id, created_at, id,
      case when raw #>> '{payment_method_details,card,exp_year}' ~ '^[0-9]{4}$'
        then (raw #>> '{payment_method_details,card,exp_year}')::int end as year,
      case when raw #>> '{payment_method_details,card,exp_month}' ~ '^([1-9]|1[0-2])$'
        then (raw #>> '{payment_method_details,card,exp_month}')::int end as month
    from new_rows where customer_id is not null and status = 'succeeded' and deleted_at is null
  ) n
  where year > 0 and month is not null
  order by customer_id, created_at desc, id desc
  on conflict (customer_id) do update set paid_at = excluded.paid_at, expires_on = excluded.expires_on
  where c.paid_at <= excluded.paid_at and (c.paid_at, c.expires_on) is distinct from (excluded.paid_at, excluded.expires_on);
  return null;
end $$;

create trigger charges_insert_cards after insert on charges referencing new table as new_rows
  for each statement execute function charges_take_cards();
create trigger charges_update_cards after update on charges referencing new table as new_rows
  for each statement execute function charges_take_cards();

insert into customer_cards (customer_id, paid_at, expires_on)
select distinct on (customer_id) customer_id, created_at,
  (make_date((raw #>> '{payment_method_details,card,exp_year}')::int, (raw #>> '{payment_method_details,card,exp_month}')::int, 1)
    + interval '1 month')::date
from charges
where customer_id is not null and status = 'succeeded' and deleted_at is null
  and raw #>> '{payment_method_details,card,exp_year}' ~ '^[0-9]{4}$'
  and raw #>> '{payment_method_details,card,exp_month}' ~ '^([1-9]|1[0-2])$'
order by customer_id, created_at desc, id desc;
