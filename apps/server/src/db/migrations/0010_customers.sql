create table customer_counts (
  status text not null,
  is_live boolean not null,
  customers bigint not null default 0,
  primary key (status, is_live)
);

create table daily_customers (
  day date primary key,
  created integer not null default 0
);

-- As for payments: new rows count +1, those that they replace -1.
create type customer_change as (sign integer, status text, is_live boolean, created_at timestamptz);

create function customers_totals() returns trigger language plpgsql as $$
declare
  changes customer_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(select (1, status, is_live, created_at)::customer_change from new_rows);
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(select (-1, status, is_live, created_at)::customer_change from old_rows);
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;

  insert into customer_counts as t (status, is_live, customers)
  select status, is_live, sum(sign) from unnest(changes) group by 1, 2 having sum(sign) <> 0 order by 1, 2
  on conflict (status, is_live) do update set customers = t.customers + excluded.customers;

  insert into daily_customers as d (day, created)
  select (created_at at time zone 'UTC')::date, sum(sign) from unnest(changes) group by 1 having sum(sign) <> 0 order by 1
  on conflict (day) do update set created = d.created + excluded.created;
  return null;
end $$;

create trigger customers_insert_totals after insert on customers referencing new table as new_rows
  for each statement execute function customers_totals();
create trigger customers_update_totals after update on customers
  referencing old table as old_rows new table as new_rows
  for each statement execute function customers_totals();
create trigger customers_delete_totals after delete on customers referencing old table as old_rows
  for each statement execute function customers_totals();

-- How many customers of each country the lists show.
create table customer_countries (
  country text primary key,
  customers bigint not null default 0
);

create function customers_countries() returns trigger language plpgsql as $$
declare
  added text[] := '{}';
  removed text[] := '{}';
begin
  if tg_op <> 'DELETE' then
    added := array(select country from new_rows where country is not null and hidden_at is null);
  end if;
  if tg_op <> 'INSERT' then
    removed := array(select country from old_rows where country is not null and hidden_at is null);
  end if;
  if added = removed then
    return null;
  end if;

  insert into customer_countries as t (country, customers)
  select country, sum(sign) from (
    select 1 as sign, country from unnest(added) country union all select -1, country from unnest(removed) country
  ) c
  group by 1 having sum(sign) <> 0 order by 1
  on conflict (country) do update set customers = t.customers + excluded.customers;
  return null;
end $$;

create trigger customers_insert_countries after insert on customers referencing new table as new_rows
  for each statement execute function customers_countries();
create trigger customers_update_countries after update on customers
  referencing old table as old_rows new table as new_rows
  for each statement execute function customers_countries();
create trigger customers_delete_countries after delete on customers referencing old table as old_rows
  for each statement execute function customers_countries();

-- Status, account type and newest live subscription of customers, from their subscriptions.
create function refresh_customers(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  update customers c set
    status = d.status, is_live = d.is_live, account_type = d.account_type, subscription_id = d.subscription_id
  from (
    select x.id,
      case
        when x.hidden_at is not null then 'deleted'
        when x.suspended_at is not null or x.suspended_hint then 'suspended'
        when s.live then 'active'
        when x.deleted_at is not null or s.all_ended then 'cancelled'
        else 'pending'
      end as status,
      coalesce(s.live, false) and x.deleted_at is null as is_live,
      case
        when x.account_type_hint in ('enterprise', 'professional', 'starter', 'free') then x.account_type_hint
        when s.tier in ('enterprise', 'professional', 'starter', 'free') then s.tier
        when s.live then 'starter'
        else 'free'
      end as account_type,
      s.newest_live as subscription_id
    from customers x
    left join lateral (
      select bool_or(u.status in ('active', 'trialing', 'past_due')) as live,
        bool_and(u.status = 'cancelled') as all_ended,
        (array_agg(u.id order by u.created_at desc, u.id desc)
          filter (where u.status in ('active', 'trialing', 'past_due')))[1] as newest_live,
        (array_agg(p.tier order by u.created_at desc, u.id desc)
          filter (where u.status in ('active', 'trialing', 'past_due')))[1] as tier
      from subscriptions u left join products p on p.id = u.product_id
      where u.customer_id = x.id and u.deleted_at is null
    ) s on true
    where x.id = any (ids)
  ) d
  where c.id = d.id
    and (c.status, c.is_live, c.account_type, c.subscription_id)
      is distinct from (d.status, d.is_live, d.account_type, d.subscription_id);
end $$;

-- A customer's own columns decide too: suspension, account type, deletion; and the row may come after its subscriptions.
create function customers_derive() returns trigger language plpgsql as $$
begin
  perform refresh_customers(array(select id from new_rows));
  insert into customer_totals (customer_id) select id from new_rows on conflict do nothing;
  return null;
end $$;

create function customers_derive_again() returns trigger language plpgsql as $$
begin
  perform refresh_customers(array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where (n.account_type_hint, n.suspended_hint, n.suspended_at, n.hidden_at, n.deleted_at)
      is distinct from (o.account_type_hint, o.suspended_hint, o.suspended_at, o.hidden_at, o.deleted_at)
  ));
  return null;
end $$;

create trigger customers_insert_derive after insert on customers referencing new table as new_rows
  for each statement execute function customers_derive();
create trigger customers_update_derive after update on customers
  referencing old table as old_rows new table as new_rows
  for each statement execute function customers_derive_again();

create function products_derive() returns trigger language plpgsql as $$
begin
  perform refresh_customers(array(
    select distinct s.customer_id from new_rows n join subscriptions s on s.product_id = n.id
  ));
  return null;
end $$;

create function products_derive_again() returns trigger language plpgsql as $$
begin
  perform refresh_customers(array(
    select distinct s.customer_id from new_rows n
    join old_rows o on o.id = n.id and n.tier is distinct from o.tier
    join subscriptions s on s.product_id = n.id
  ));
  return null;
end $$;

create trigger products_insert_derive after insert on products referencing new table as new_rows
  for each statement execute function products_derive();
create trigger products_update_derive after update on products
  referencing old table as old_rows new table as new_rows
  for each statement execute function products_derive_again();

-- What the console itself decided about customers. Beside the mirror, whose rows may be emptied and filled again.
create table customer_states (
  customer_id text primary key,
  suspended_at timestamptz,
  suspension_reason text check (suspension_reason in ('non_payment', 'abuse', 'customer_request', 'other')),
  suspension_note text,
  suspended_by text,
  suspension_run_id text,
  -- Overdue when it was suspended for non-payment: once they are paid the suspension is lifted.
  awaited_invoices text[] not null default '{}',
  deleted_at timestamptz,
  deleted_by text,
  erase_at timestamptz,
  erased_at timestamptz,
  check ((suspended_at is null) = (suspension_reason is null)),
  check (deleted_at is not null or (erase_at is null and erased_at is null))
);
create index customer_states_awaiting on customer_states (customer_id) where suspension_reason = 'non_payment';
create index customer_states_to_erase on customer_states (erase_at) where erased_at is null and erase_at is not null;
create index customer_states_erased on customer_states (customer_id) where erased_at is not null;
create trigger customer_states_tell after insert or update or delete on customer_states
  for each statement execute function tell_change('lifecycle');

create function copy_customer_states(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  update customers c set suspended_at = s.suspended_at, hidden_at = s.deleted_at
  from customer_states s
  where s.customer_id = any (ids) and c.id = s.customer_id
    and (c.suspended_at, c.hidden_at) is distinct from (s.suspended_at, s.deleted_at);
end $$;

create function customer_states_copy() returns trigger language plpgsql as $$
begin
  perform copy_customer_states(array(select customer_id from new_rows));
  return null;
end $$;

create trigger customer_states_insert_copy after insert on customer_states referencing new table as new_rows
  for each statement execute function customer_states_copy();
create trigger customer_states_update_copy after update on customer_states referencing new table as new_rows
  for each statement execute function customer_states_copy();

create function customers_take_states() returns trigger language plpgsql as $$
begin
  perform copy_customer_states(array(select n.id from new_rows n join customer_states s on s.customer_id = n.id));
  return null;
end $$;

create trigger customers_take_states after insert on customers referencing new table as new_rows
  for each statement execute function customers_take_states();

create table customer_notes (
  id text primary key,
  -- No foreign key: the mirror may be emptied and filled again, and a note outlives that.
  customer_id text not null,
  text text not null check (char_length(text) between 1 and 4000),
  author_type text not null,
  author_id text not null,
  author_name text not null,
  created_at timestamptz not null,
  edited_at timestamptz,
  edited_by text,
  deleted_at timestamptz
);
create index customer_notes_newest on customer_notes (customer_id, created_at desc, id desc) where deleted_at is null;
create trigger customer_notes_tell after insert or update or delete on customer_notes
  for each statement execute function tell_change('notes');
