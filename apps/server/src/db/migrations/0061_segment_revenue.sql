-- The segment of a customer, which decides where its money counts: by its newest live subscription and account type.
alter table customers add column segment text not null default 'other'
  check (segment in ('free_trial', 'enterprise', 'professional', 'starter', 'other'));

-- Revenue by the hour and the segment that its customer is in now; refunds and lost disputes at their own time, as in
-- revenue_hours. A customer that changes its segment takes all of its money along.
create table segment_hours (
  hour timestamptz not null,
  currency text not null,
  segment text not null,
  net bigint not null default 0,
  primary key (hour, currency, segment)
);

create or replace function refresh_customers(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  update customers c set
    status = d.status, is_live = d.is_live, account_type = d.account_type, subscription_id = d.subscription_id,
    segment = d.segment
  from (
    select t.*, case
        when not t.is_live then 'other'
        when t.newest_status = 'trialing' then 'free_trial'
        when t.account_type in ('enterprise', 'professional', 'starter') then t.account_type
        else 'other'
      end as segment
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
        s.newest_live as subscription_id, s.newest_status
      from customers x
      left join lateral (
        select bool_or(u.status in ('active', 'trialing', 'past_due')) as live,
          bool_and(u.status = 'cancelled') as all_ended,
          (array_agg(u.id order by u.created_at desc, u.id desc)
            filter (where u.status in ('active', 'trialing', 'past_due')))[1] as newest_live,
          (array_agg(u.status order by u.created_at desc, u.id desc)
            filter (where u.status in ('active', 'trialing', 'past_due')))[1] as newest_status,
          (array_agg(p.tier order by u.created_at desc, u.id desc)
            filter (where u.status in ('active', 'trialing', 'past_due')))[1] as tier
        from subscriptions u left join products p on p.id = u.product_id
        where u.customer_id = x.id and u.deleted_at is null
      ) s on true
      where x.id = any (ids)
    ) t
  ) d
  where c.id = d.id
    and (c.status, c.is_live, c.account_type, c.subscription_id, c.segment)
      is distinct from (d.status, d.is_live, d.account_type, d.subscription_id, d.segment);
end $$;

-- Of those who were there before this file.
select refresh_customers(array(select id from customers));

create type segment_change as (customer_id text, at timestamptz, currency text, amount bigint);

create function add_segment_revenue(changes segment_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then
    return;
  end if;
  insert into segment_hours as h (hour, currency, segment, net)
  select date_trunc('hour', m.at, 'UTC'), m.currency, coalesce(c.segment, 'other'), sum(m.amount)
  from unnest(changes) m left join customers c on c.id = m.customer_id
  group by 1, 2, 3 having sum(m.amount) <> 0 order by 1, 2, 3
  on conflict (hour, currency, segment) do update set net = h.net + excluded.net;
end $$;

-- Whoever adds money of a customer and whoever changes its segment wait for each other at the customer's totals.
create function lock_customer_totals(ids text[]) returns void language plpgsql as $$
begin
  insert into customer_totals (customer_id) select distinct id from unnest(ids) id where id is not null order by id
  on conflict do nothing;
  perform from customer_totals where customer_id = any (ids) order by customer_id for update;
end $$;

create function payments_segments() returns trigger language plpgsql as $$
declare
  changes segment_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (customer_id, created_at, currency, net_amount)::segment_change
      from new_rows where deleted_at is null and net_amount <> 0
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (customer_id, created_at, currency, -net_amount)::segment_change
      from old_rows where deleted_at is null and net_amount <> 0
    );
  end if;
  perform add_segment_revenue(changes);
  return null;
end $$;

-- Named so that they come after payments_*_totals, which lock the customers' totals.
create trigger payments_insert_totals_of_segments after insert on payments referencing new table as new_rows
  for each statement execute function payments_segments();
create trigger payments_update_totals_of_segments after update on payments
  referencing old table as old_rows new table as new_rows
  for each statement execute function payments_segments();
create trigger payments_delete_totals_of_segments after delete on payments referencing old table as old_rows
  for each statement execute function payments_segments();

-- Refunds and lost disputes, which both have a customer, an amount and the time of the payment that they are taken off.
create function take_back_segments() returns trigger language plpgsql as $$
declare
  changes segment_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (customer_id, t.at, currency, t.sign * amount)::segment_change
      from new_rows, lateral (values (taken_off, 1), (created_at, -1)) t (at, sign) where taken_off is not null
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (customer_id, t.at, currency, t.sign * amount)::segment_change
      from old_rows, lateral (values (taken_off, -1), (created_at, 1)) t (at, sign) where taken_off is not null
    );
  end if;
  if cardinality(changes) > 0 then
    perform lock_customer_totals(array(select customer_id from unnest(changes)));
    perform add_segment_revenue(changes);
  end if;
  return null;
end $$;

create trigger refunds_insert_segments after insert on refunds referencing new table as new_rows
  for each statement execute function take_back_segments();
create trigger refunds_update_segments after update on refunds referencing old table as old_rows new table as new_rows
  for each statement execute function take_back_segments();
create trigger refunds_delete_segments after delete on refunds referencing old table as old_rows
  for each statement execute function take_back_segments();
create trigger disputes_insert_segments after insert on disputes referencing new table as new_rows
  for each statement execute function take_back_segments();
create trigger disputes_update_segments after update on disputes referencing old table as old_rows new table as new_rows
  for each statement execute function take_back_segments();
create trigger disputes_delete_segments after delete on disputes referencing old table as old_rows
  for each statement execute function take_back_segments();

create function customer_money(ids text[]) returns setof segment_change language sql stable as $$
  select customer_id, created_at, currency, net_amount from payments
  where customer_id = any (ids) and deleted_at is null and net_amount <> 0
  union all
  select customer_id, t.at, currency, t.sign * amount
  from refunds, lateral (values (taken_off, 1), (created_at, -1)) t (at, sign)
  where customer_id = any (ids) and taken_off is not null
  union all
  select customer_id, t.at, currency, t.sign * amount
  from disputes, lateral (values (taken_off, 1), (created_at, -1)) t (at, sign)
  where customer_id = any (ids) and taken_off is not null
$$;

create type segment_move as (customer_id text, was text, becomes text);

-- The money of a customer without a row counts as other.
create function customers_move_segments() returns trigger language plpgsql as $$
declare
  moves segment_move[];
begin
  if tg_op = 'DELETE' then
    moves := array(select (id, segment, 'other')::segment_move from old_rows where segment <> 'other');
  else
    moves := array(
      select (n.id, o.segment, n.segment)::segment_move
      from new_rows n join old_rows o on o.id = n.id where n.segment <> o.segment
    );
  end if;
  if cardinality(moves) = 0 then
    return null;
  end if;
  perform lock_customer_totals(array(select customer_id from unnest(moves)));
  insert into segment_hours as h (hour, currency, segment, net)
  select date_trunc('hour', m.at, 'UTC'), m.currency, t.segment, sum(t.sign * m.amount)
  from customer_money(array(select customer_id from unnest(moves))) m
  join unnest(moves) v on v.customer_id = m.customer_id
  cross join lateral (values (v.becomes, 1), (v.was, -1)) t (segment, sign)
  group by 1, 2, 3 having sum(t.sign * m.amount) <> 0 order by 1, 2, 3
  on conflict (hour, currency, segment) do update set net = h.net + excluded.net;
  return null;
end $$;

create trigger customers_update_segments after update on customers
  referencing old table as old_rows new table as new_rows
  for each statement execute function customers_move_segments();
create trigger customers_delete_segments after delete on customers referencing old table as old_rows
  for each statement execute function customers_move_segments();

-- How many there are in each segment, from the index alone.
create index customers_live_segment on customers (segment) where is_live;

-- What was there before this file.
insert into segment_hours (hour, currency, segment, net)
select date_trunc('hour', m.at, 'UTC'), m.currency, coalesce(c.segment, 'other'), sum(m.amount)
from (
  select customer_id, created_at as at, currency, net_amount as amount from payments where deleted_at is null and net_amount <> 0
  union all
  select r.customer_id, t.at, r.currency, t.sign * r.amount
  from (
    select customer_id, taken_off, created_at, currency, amount from refunds
    union all select customer_id, taken_off, created_at, currency, amount from disputes
  ) r, lateral (values (r.taken_off, 1), (r.created_at, -1)) t (at, sign)
  where r.taken_off is not null
) m left join customers c on c.id = m.customer_id
group by 1, 2, 3 having sum(m.amount) <> 0;
