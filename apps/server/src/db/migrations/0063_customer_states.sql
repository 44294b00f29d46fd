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

-- Copied into the mirror's row, so that lists and counters need no join.
alter table customers add column hidden_at timestamptz;
alter table customers drop constraint customers_status_check;
alter table customers add constraint customers_status_check
  check (status in ('active', 'suspended', 'cancelled', 'pending', 'deleted'));

create or replace function refresh_customers(ids text[]) returns void language plpgsql as $$
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

create or replace function customers_derive_again() returns trigger language plpgsql as $$
begin
  perform refresh_customers(array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where (n.account_type_hint, n.suspended_hint, n.suspended_at, n.hidden_at, n.deleted_at)
      is distinct from (o.account_type_hint, o.suspended_hint, o.suspended_at, o.hidden_at, o.deleted_at)
  ));
  return null;
end $$;

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

-- Searches that stay in their own table leave out what is hidden too.
alter table customer_search add column hidden boolean not null default false;

create or replace function write_customer_search(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  insert into customer_search as s (customer_id, created_at, sort_name, doc, who_length, words_length, hidden)
  select c.id, c.created_at,
    left(case when octet_length(f.title) = length(f.title) then lower(f.title)
      else lower(regexp_replace(normalize(f.title, NFKD), '[\u0300-\u036f]', '', 'g')) end, 200),
    f.who || E'\n' || f.company || E'\n' || search_fold(c.id),
    length(f.who), length(f.who) + 1 + length(f.company), c.hidden_at is not null
  from customers c
  cross join lateral (
    select search_fold(coalesce(c.name, '')) || E'\n' || search_fold(coalesce(c.email, '')) as who,
      search_fold(coalesce(c.company, '')) as company,
      coalesce(nullif(c.name, ''), nullif(c.email, ''), c.id) as title
  ) f
  where c.id = any (ids)
  order by c.id
  on conflict (customer_id) do update set
    created_at = excluded.created_at, sort_name = excluded.sort_name, doc = excluded.doc,
    who_length = excluded.who_length, words_length = excluded.words_length, hidden = excluded.hidden;
end $$;

create or replace function customers_update_search() returns trigger language plpgsql as $$
begin
  perform write_customer_search(array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where (n.name, n.email, n.company, n.created_at, n.hidden_at)
      is distinct from (o.name, o.email, o.company, o.created_at, o.hidden_at)
  ));
  return null;
end $$;

-- Countries are offered with how many customers the lists show there.
do $do$
declare
  operation text;
  changed text;
begin
  foreach operation in array array['insert', 'update', 'delete'] loop
    changed := case operation
      when 'insert' then '(select 1 as sign, country, hidden_at from new_rows)'
      when 'delete' then '(select -1 as sign, country, hidden_at from old_rows)'
      else '(select 1 as sign, country, hidden_at from new_rows union all select -1, country, hidden_at from old_rows)'
    end;
    execute format($f$
      create or replace function customers_%1$s_countries() returns trigger language plpgsql as $b$
      begin
        insert into customer_countries as t (country, customers)
        select country, sum(sign) from %2$s c where country is not null and hidden_at is null
        group by 1 having sum(sign) <> 0 order by 1
        on conflict (country) do update set customers = t.customers + excluded.customers;
        return null;
      end $b$;
    $f$, operation, changed);
  end loop;
end $do$;
