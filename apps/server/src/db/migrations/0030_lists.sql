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

-- Every order that a list offers has an index; ties are broken by the id. An absent value counts as older or smaller than any
-- other, so that one index serves both directions.
create index payments_amount on payments (amount desc, id desc);
-- Nine payments of ten succeeded: for them the index above is as good.
create index payments_status_amount on payments (status, amount desc, id desc) where status <> 'succeeded';
-- Holds what a search by customer reads first, so that it need not visit the rows.
drop index payments_customer;
create index payments_customer on payments (customer_id, created_at desc, id desc) where deleted_at is null;
create index payments_disputed on payments (created_at desc, id desc) where disputed;

create index subscriptions_amount on subscriptions (amount desc, id desc);
create index subscriptions_period_end on subscriptions (coalesce(current_period_end, '-infinity') desc, id desc);
create index subscriptions_status_period_end on subscriptions (status, coalesce(current_period_end, '-infinity') desc, id desc);
create index subscriptions_revenue on subscriptions (total_revenue desc, id desc);

create index customers_account_type_created on customers (account_type, created_at desc, id desc);
create index customers_country_created on customers (country, created_at desc, id desc);
drop index customer_totals_last_payment;
create index customer_totals_last_payment on customer_totals (coalesce(last_payment_at, '-infinity') desc, customer_id desc);

-- How many customers each country has.
create table customer_countries (
  country text primary key,
  customers bigint not null default 0
);
do $do$
declare
  operation text;
  changed text;
begin
  foreach operation in array array['insert', 'update', 'delete'] loop
    changed := case operation
      when 'insert' then '(select 1 as sign, country from new_rows)'
      when 'delete' then '(select -1 as sign, country from old_rows)'
      else '(select 1 as sign, country from new_rows union all select -1, country from old_rows)'
    end;
    execute format($f$
      create function customers_%1$s_countries() returns trigger language plpgsql as $b$
      begin
        insert into customer_countries as t (country, customers)
        select country, sum(sign) from %2$s c where country is not null group by 1 having sum(sign) <> 0 order by 1
        on conflict (country) do update set customers = t.customers + excluded.customers;
        return null;
      end $b$;
    $f$, operation, changed);
  end loop;
end $do$;
create trigger customers_insert_countries after insert on customers referencing new table as new_rows
  for each statement execute function customers_insert_countries();
create trigger customers_update_countries after update on customers
  referencing old table as old_rows new table as new_rows
  for each statement execute function customers_update_countries();
create trigger customers_delete_countries after delete on customers referencing old table as old_rows
  for each statement execute function customers_delete_countries();
insert into customer_countries (country, customers)
select country, count(*) from customers where country is not null group by country;

create function iso_utc(value timestamptz) returns text language sql stable parallel safe as $$
  select btrim(to_json(value at time zone 'UTC')::text, '"') || 'Z'
$$;
