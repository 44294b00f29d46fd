-- Totals are kept by statement-level triggers, so that whatever writes a row also writes its sums, in the same transaction.

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
create index customer_totals_last_payment on customer_totals (last_payment_at desc nulls last, customer_id desc);

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

create function default_currency() returns text language sql stable as $$
  select coalesce((select default_currency from stripe_accounts order by fetched_at desc limit 1), 'usd')
$$;

-- Banker's rounding of an exact sum; the inner round removes what 1/3 leaves behind after twenty digits.
create function round_half_even(value numeric) returns bigint language sql immutable as $$
  select case
    when abs(v - trunc(v)) = 0.5 then (2 * round(v / 2))::bigint
    else round(v)::bigint
  end from (select round(value, 9) as v) r
$$;

-- Trigger functions come in three: what an insert, an update or a delete changes is a different set of signed rows.
do $do$
declare
  operation text;
  changed text;
begin
  foreach operation in array array['insert', 'update', 'delete'] loop
    changed := case operation
      when 'insert' then '(select 1 as sign, n.* from new_rows n)'
      when 'delete' then '(select -1 as sign, o.* from old_rows o)'
      else '(select 1 as sign, n.* from new_rows n union all select -1, o.* from old_rows o)'
    end;

    execute format($f$
      create function payments_%1$s_totals() returns trigger language plpgsql as $b$
      declare
        home text := default_currency();
      begin
        insert into daily_revenue as d (day, currency, captured, refunded, lost, net, succeeded, failed)
        select (created_at at time zone 'UTC')::date, currency,
          sum(sign * case when status in ('succeeded', 'refunded') then amount_captured else 0 end),
          sum(sign * case when status in ('succeeded', 'refunded') then amount_refunded else 0 end),
          sum(sign * case when status in ('succeeded', 'refunded') then amount_lost else 0 end),
          sum(sign * net_amount),
          sum(sign * (status in ('succeeded', 'refunded'))::int),
          sum(sign * counts_as_failed::int)
        from %2$s c where deleted_at is null group by 1, 2
        order by 1, 2
        on conflict (day, currency) do update set
          captured = d.captured + excluded.captured, refunded = d.refunded + excluded.refunded,
          lost = d.lost + excluded.lost, net = d.net + excluded.net,
          succeeded = d.succeeded + excluded.succeeded, failed = d.failed + excluded.failed;

        insert into payment_totals as t (status, currency, payments, net)
        select status, currency, sum(sign), sum(sign * net_amount)
        from %2$s c where deleted_at is null group by 1, 2
        having sum(sign) <> 0 or sum(sign * net_amount) <> 0
        order by 1, 2
        on conflict (status, currency) do update set
          payments = t.payments + excluded.payments, net = t.net + excluded.net;

        insert into customer_totals as t (customer_id, total_revenue, other_revenue, last_payment_at)
        select customer_id,
          coalesce(sum(net) filter (where currency = home), 0),
          jsonb_object_agg(currency, net) filter (where currency <> home and net <> 0),
          max(newest)
        from (
          select customer_id, currency, sum(sign * net_amount) as net,
            max(created_at) filter (where sign = 1 and status in ('succeeded', 'refunded')) as newest
          from %2$s c where deleted_at is null and customer_id is not null
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
      end $b$;
    $f$, operation, changed);

    execute format($f$
      create function subscriptions_%1$s_totals() returns trigger language plpgsql as $b$
      begin
        insert into subscription_totals as t (product_id, status, currency, subscriptions, mrr, revenue)
        select coalesce(product_id, ''), status, currency, sum(sign), sum(sign * mrr), sum(sign * total_revenue)
        from %2$s c where deleted_at is null group by 1, 2, 3
        having sum(sign) <> 0 or sum(sign * mrr) <> 0 or sum(sign * total_revenue) <> 0
        order by 1, 2, 3
        on conflict (product_id, status, currency) do update set
          subscriptions = t.subscriptions + excluded.subscriptions,
          mrr = t.mrr + excluded.mrr, revenue = t.revenue + excluded.revenue;

        insert into daily_subscriptions as d (day, currency, started, ended, mrr_started, mrr_ended)
        select day, currency, sum(started), sum(ended), sum(mrr_started), sum(mrr_ended) from (
          select (running_from at time zone 'UTC')::date as day, currency,
            sign as started, 0 as ended, sign * mrr_running as mrr_started, 0 as mrr_ended
          from %2$s c where deleted_at is null and running_from is not null
          union all
          select (ended_at at time zone 'UTC')::date, currency, 0, sign, 0, sign * mrr_running
          from %2$s c where deleted_at is null and running_from is not null and ended_at is not null
        ) m
        group by 1, 2
        having sum(started) <> 0 or sum(ended) <> 0 or sum(mrr_started) <> 0 or sum(mrr_ended) <> 0
        order by 1, 2
        on conflict (day, currency) do update set
          started = d.started + excluded.started, ended = d.ended + excluded.ended,
          mrr_started = d.mrr_started + excluded.mrr_started, mrr_ended = d.mrr_ended + excluded.mrr_ended;

        perform refresh_customers(array(
          select customer_id from %2$s c group by customer_id
          having sum(sign * hashtextextended(concat_ws('|', id, status, product_id, created_at, deleted_at), 0)::numeric) <> 0
        ));
        return null;
      end $b$;
    $f$, operation, changed);

    execute format($f$
      create function customers_%1$s_totals() returns trigger language plpgsql as $b$
      begin
        insert into customer_counts as t (status, is_live, customers)
        select status, is_live, sum(sign) from %2$s c group by 1, 2 having sum(sign) <> 0 order by 1, 2
        on conflict (status, is_live) do update set customers = t.customers + excluded.customers;

        insert into daily_customers as d (day, created)
        select (created_at at time zone 'UTC')::date, sum(sign) from %2$s c group by 1 having sum(sign) <> 0 order by 1
        on conflict (day) do update set created = d.created + excluded.created;
        return null;
      end $b$;
    $f$, operation, changed);

    execute format($f$
      create function invoices_%1$s_money() returns trigger language plpgsql as $b$
      begin
        perform refresh_subscription_money(array(
          select distinct subscription_id from %2$s c where subscription_id is not null
        ));
        return null;
      end $b$;
    $f$, operation, changed);

    execute format($f$
      create function invoice_payments_%1$s_money() returns trigger language plpgsql as $b$
      begin
        perform refresh_subscription_money(array(
          select distinct i.subscription_id from %2$s c join invoices i on i.id = c.invoice_id
          where i.subscription_id is not null
        ));
        return null;
      end $b$;
    $f$, operation, changed);

    execute format($f$
      create function payments_%1$s_money() returns trigger language plpgsql as $b$
      begin
        if not exists (select from %2$s c where amount_refunded <> 0) then
          return null;
        end if;
        perform refresh_subscription_money(array(
          select distinct i.subscription_id from (
            select id from %2$s c group by id having sum(sign * amount_refunded) <> 0
          ) p
          join invoice_payments ip on ip.payment_id = p.id
          join invoices i on i.id = ip.invoice_id
          where i.subscription_id is not null
        ));
        return null;
      end $b$;
    $f$, operation, changed);

    execute format($f$
      create function disputes_%1$s_marks() returns trigger language plpgsql as $b$
      begin
        perform refresh_payment_disputes(array(
          select distinct payment_id from %2$s c where payment_id is not null
        ));
        return null;
      end $b$;
    $f$, operation, changed);
  end loop;
end $do$;

-- A statement that touches no row fires its triggers too: without the check for emptiness the refreshes would call each other forever.
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

-- A dispute in another currency than its payment cannot be taken off it.
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
    where (n.account_type_hint, n.suspended_hint, n.suspended_at, n.deleted_at)
      is distinct from (o.account_type_hint, o.suspended_hint, o.suspended_at, o.deleted_at)
  ));
  return null;
end $$;

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

-- A payment that arrives after its dispute.
create function payments_take_disputes() returns trigger language plpgsql as $$
begin
  perform refresh_payment_disputes(array(select n.id from new_rows n join disputes d on d.payment_id = n.id));
  return null;
end $$;

-- A subscription that arrives after its invoices.
create function subscriptions_take_money() returns trigger language plpgsql as $$
begin
  perform refresh_subscription_money(array(
    select n.id from new_rows n where exists (select from invoices i where i.subscription_id = n.id)
  ));
  return null;
end $$;

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

create trigger payments_insert_totals after insert on payments referencing new table as new_rows
  for each statement execute function payments_insert_totals();
create trigger payments_update_totals after update on payments referencing old table as old_rows new table as new_rows
  for each statement execute function payments_update_totals();
create trigger payments_delete_totals after delete on payments referencing old table as old_rows
  for each statement execute function payments_delete_totals();
create trigger payments_insert_money after insert on payments referencing new table as new_rows
  for each statement execute function payments_insert_money();
create trigger payments_update_money after update on payments referencing old table as old_rows new table as new_rows
  for each statement execute function payments_update_money();
create trigger payments_delete_money after delete on payments referencing old table as old_rows
  for each statement execute function payments_delete_money();
create trigger payments_take_disputes after insert on payments referencing new table as new_rows
  for each statement execute function payments_take_disputes();
create trigger payments_update_last_date after update on payments
  referencing old table as old_rows new table as new_rows
  for each statement execute function payments_last_date();

create trigger subscriptions_insert_totals after insert on subscriptions referencing new table as new_rows
  for each statement execute function subscriptions_insert_totals();
create trigger subscriptions_take_money after insert on subscriptions referencing new table as new_rows
  for each statement execute function subscriptions_take_money();
create trigger subscriptions_update_totals after update on subscriptions
  referencing old table as old_rows new table as new_rows
  for each statement execute function subscriptions_update_totals();
create trigger subscriptions_delete_totals after delete on subscriptions referencing old table as old_rows
  for each statement execute function subscriptions_delete_totals();

create trigger customers_insert_derive after insert on customers referencing new table as new_rows
  for each statement execute function customers_derive();
create trigger customers_update_derive after update on customers
  referencing old table as old_rows new table as new_rows
  for each statement execute function customers_derive_again();
create trigger customers_insert_totals after insert on customers referencing new table as new_rows
  for each statement execute function customers_insert_totals();
create trigger customers_update_totals after update on customers
  referencing old table as old_rows new table as new_rows
  for each statement execute function customers_update_totals();
create trigger customers_delete_totals after delete on customers referencing old table as old_rows
  for each statement execute function customers_delete_totals();

create trigger products_insert_derive after insert on products referencing new table as new_rows
  for each statement execute function products_derive();
create trigger products_update_derive after update on products
  referencing old table as old_rows new table as new_rows
  for each statement execute function products_derive_again();

create trigger invoices_insert_money after insert on invoices referencing new table as new_rows
  for each statement execute function invoices_insert_money();
create trigger invoices_update_money after update on invoices referencing old table as old_rows new table as new_rows
  for each statement execute function invoices_update_money();
create trigger invoices_delete_money after delete on invoices referencing old table as old_rows
  for each statement execute function invoices_delete_money();

create trigger invoice_payments_insert_money after insert on invoice_payments referencing new table as new_rows
  for each statement execute function invoice_payments_insert_money();
create trigger invoice_payments_update_money after update on invoice_payments
  referencing old table as old_rows new table as new_rows
  for each statement execute function invoice_payments_update_money();
create trigger invoice_payments_delete_money after delete on invoice_payments referencing old table as old_rows
  for each statement execute function invoice_payments_delete_money();

create trigger disputes_insert_marks after insert on disputes referencing new table as new_rows
  for each statement execute function disputes_insert_marks();
create trigger disputes_update_marks after update on disputes referencing old table as old_rows new table as new_rows
  for each statement execute function disputes_update_marks();
create trigger disputes_delete_marks after delete on disputes referencing old table as old_rows
  for each statement execute function disputes_delete_marks();

do $do$
declare
  told record;
begin
  for told in
    select * from (values
      ('customers', 'customers'), ('subscriptions', 'subscriptions'), ('payments', 'payments'),
      ('charges', 'payments'), ('refunds', 'payments'), ('disputes', 'payments'),
      ('invoices', 'invoices'), ('invoice_payments', 'invoices'), ('checkout_sessions', 'payments'),
      ('products', 'plans'), ('prices', 'plans'), ('coupons', 'plans'), ('stripe_accounts', 'plans'),
      ('mirror_imports', 'mirror'), ('mirror_import_steps', 'mirror'), ('drift_reports', 'mirror'),
      ('webhook_events', 'mirror')
    ) as t (name, topic)
  loop
    execute format(
      'create trigger %1$I_tell after insert or update or delete on %1$I for each statement execute function tell_change(%2$L)',
      told.name, told.topic);
  end loop;
end $do$;
