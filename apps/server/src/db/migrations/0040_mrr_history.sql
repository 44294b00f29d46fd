-- What is known of a subscription's MRR over time. Rows say what it was from a moment on, not by how much it changed: they may come
-- in any order and twice, and make the same history. Exact rows are only ever added.
create table mrr_changes (
  id bigint generated always as identity primary key,
  subscription_id text not null,
  customer_id text not null,
  currency text not null,
  product_id text,
  at timestamptz not null,
  -- A month, from then on.
  mrr numeric not null,
  -- Reconstructed: before the first import, from paid invoices or from when the subscription began.
  basis text not null check (basis in ('exact', 'reconstructed')),
  -- event: as it was told; fetch: as it was found; time: a discount or a trial ended; invoice: as it was paid for.
  source text not null check (source in ('event', 'fetch', 'time', 'invoice')),
  event_id text
);
create index mrr_changes_subscription on mrr_changes (subscription_id, at, id);
create index mrr_changes_customer on mrr_changes (customer_id, currency);
create unique index mrr_changes_event on mrr_changes (event_id, subscription_id) where source = 'event';

-- What follows from it for a customer in a currency. Changes within the same quarter of an hour are one movement, so that a
-- subscription that takes the place of another is neither churn nor new. No time zone begins its days within a quarter.
create table mrr_movements (
  customer_id text not null,
  currency text not null,
  at timestamptz not null,
  kind text not null check (kind in ('new', 'expansion', 'reactivation', 'contraction', 'churn')),
  before numeric not null,
  after numeric not null,
  -- The subscription, when it was only one.
  subscription_id text,
  reconstructed boolean not null,
  -- When the customer first had MRR in this currency.
  first_at timestamptz not null,
  primary key (customer_id, currency, at)
);
create index mrr_movements_at on mrr_movements (at, currency) include (kind, before, after, reconstructed);
create index mrr_movements_first on mrr_movements (first_at, currency);

create table mrr_hours (
  hour timestamptz not null,
  currency text not null,
  kind text not null,
  movements bigint not null default 0,
  -- With its sign.
  amount numeric not null default 0,
  reconstructed bigint not null default 0,
  primary key (hour, currency, kind)
);

create type mrr_movement_change as (
  sign integer, currency text, at timestamptz, kind text, before numeric, after numeric, reconstructed boolean
);

create function mrr_movements_totals() returns trigger language plpgsql as $$
declare
  changes mrr_movement_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (1, currency, at, kind, before, after, reconstructed)::mrr_movement_change from new_rows
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (-1, currency, at, kind, before, after, reconstructed)::mrr_movement_change from old_rows
    );
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;
  insert into mrr_hours as h (hour, currency, kind, movements, amount, reconstructed)
  select date_trunc('hour', at, 'UTC'), currency, kind, sum(sign), sum(sign * (after - before)),
    sum(sign * reconstructed::int)
  from unnest(changes) group by 1, 2, 3
  having sum(sign) <> 0 or sum(sign * (after - before)) <> 0 or sum(sign * reconstructed::int) <> 0
  order by 1, 2, 3
  on conflict (hour, currency, kind) do update set
    movements = h.movements + excluded.movements, amount = h.amount + excluded.amount,
    reconstructed = h.reconstructed + excluded.reconstructed;
  return null;
end $$;

create trigger mrr_movements_insert_totals after insert on mrr_movements referencing new table as new_rows
  for each statement execute function mrr_movements_totals();
create trigger mrr_movements_update_totals after update on mrr_movements
  referencing old table as old_rows new table as new_rows
  for each statement execute function mrr_movements_totals();
create trigger mrr_movements_delete_totals after delete on mrr_movements referencing old table as old_rows
  for each statement execute function mrr_movements_totals();

-- The movements of customers as their known changes make them. What was reconstructed counts until the first exact row only.
create function mrr_movements_of(ids text[]) returns table (
  customer_id text, currency text, at timestamptz, kind text, before numeric, after numeric, subscription_id text,
  reconstructed boolean, first_at timestamptz
) language sql stable as $$
  with known as (
    select c.*, min(c.at) filter (where c.basis = 'exact') over (partition by c.subscription_id) as exact_from
    from mrr_changes c where c.customer_id = any (ids)
  ),
  steps as (
    select k.customer_id, k.currency, k.subscription_id, k.at, k.basis,
      k.mrr - lag(k.mrr, 1, 0::numeric) over (
        partition by k.subscription_id, k.customer_id, k.currency order by k.at, k.id
      ) as delta
    from known k where k.basis = 'exact' or k.exact_from is null or k.at < k.exact_from
  ),
  quarters as (
    select s.customer_id, s.currency, min(s.at) as at, sum(s.delta) as delta,
      case when count(distinct s.subscription_id) = 1 then min(s.subscription_id) end as subscription_id,
      bool_or(s.basis = 'reconstructed') as reconstructed
    from steps s where s.delta <> 0
    group by s.customer_id, s.currency, date_bin('15 minutes', s.at, timestamptz '2000-01-01 00:00Z')
    having sum(s.delta) <> 0
  ),
  running as (
    select q.*, sum(q.delta) over before_and_now as after,
      min(q.at) over (partition by q.customer_id, q.currency) as first_at
    from quarters q window before_and_now as (partition by q.customer_id, q.currency order by q.at)
  )
  select r.customer_id, r.currency, r.at,
    case
      when r.after - r.delta = 0 then case when r.at = r.first_at then 'new' else 'reactivation' end
      when r.after = 0 then 'churn'
      when r.delta > 0 then 'expansion'
      else 'contraction'
    end,
    r.after - r.delta, r.after, r.subscription_id, r.reconstructed, r.first_at
  from running r
$$;

create function refresh_mrr_movements(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  with fresh as materialized (
    select * from mrr_movements_of(ids)
  ),
  gone as (
    delete from mrr_movements m where m.customer_id = any (ids)
      and not exists (select from fresh f where (f.customer_id, f.currency, f.at) = (m.customer_id, m.currency, m.at))
  )
  insert into mrr_movements as m (
    customer_id, currency, at, kind, before, after, subscription_id, reconstructed, first_at
  )
  select f.customer_id, f.currency, f.at, f.kind, f.before, f.after, f.subscription_id, f.reconstructed, f.first_at
  from fresh f order by f.customer_id, f.currency, f.at
  on conflict (customer_id, currency, at) do update set
    kind = excluded.kind, before = excluded.before, after = excluded.after, subscription_id = excluded.subscription_id,
    reconstructed = excluded.reconstructed, first_at = excluded.first_at
  where (m.kind, m.before, m.after, m.reconstructed, m.first_at)
      is distinct from (excluded.kind, excluded.before, excluded.after, excluded.reconstructed, excluded.first_at)
    or m.subscription_id is distinct from excluded.subscription_id;
end $$;

-- Nothing is exact that was so before the console looked.
create function mrr_exact_from() returns timestamptz language sql stable as $$
  select min(started_at) from mirror_imports
$$;

-- Adds what is not known yet about subscriptions as their rows are now; `moments` is when each was looked at. The last change of a
-- subscription is its row's MRR, always.
create function note_mrr(ids text[], moments timestamptz[]) returns void language plpgsql as $$
declare
  exact_from timestamptz := mrr_exact_from();
begin
  if cardinality(ids) = 0 then
    return;
  end if;

  -- When it began, as it says itself.
  insert into mrr_changes (subscription_id, customer_id, currency, product_id, at, mrr, basis, source)
  select s.id, s.customer_id, s.currency, s.product_id, least(s.running_from, s.ended_at, s.fetched_at),
    case when s.mrr <> 0 then s.mrr else s.mrr_running end,
    case
      when s.mrr <> 0 and s.running_from >= exact_from then 'exact'
      when s.mrr <> 0 and exact_from is null and s.source <> 'import' then 'exact'
      else 'reconstructed'
    end,
    'fetch'
  from subscriptions s
  where s.id = any (ids) and s.running_from is not null and s.running_from <= s.fetched_at
    and (s.mrr <> 0 or s.mrr_running <> 0)
    and not exists (select from mrr_changes c where c.subscription_id = s.id);

  insert into mrr_changes (subscription_id, customer_id, currency, product_id, at, mrr, basis, source, event_id)
  select w.subscription_id, w.customer_id, w.currency, w.product_id,
    greatest(w.last_at, case
      when w.deleted_at is not null then w.deleted_at
      when w.mrr = 0 and w.ended_at is not null then w.ended_at
      else coalesce(e.created_at, w.moment)
    end),
    w.mrr, 'exact', 'fetch', e.id
  from (
    select s.id as subscription_id, coalesce(l.customer_id, s.customer_id) as customer_id,
      coalesce(l.currency, s.currency) as currency, s.product_id, n.moment, s.deleted_at, s.ended_at, l.at as last_at,
      coalesce(l.mrr, 0) as before,
      case
        when s.deleted_at is null and (l.customer_id is null or (l.customer_id, l.currency) = (s.customer_id, s.currency))
          then s.mrr
        else 0
      end as mrr
    from unnest(ids, moments) as n (id, moment)
    join subscriptions s on s.id = n.id
    left join lateral (
      select distinct on (c.customer_id, c.currency) c.customer_id, c.currency, c.at, c.mrr
      from (
        select k.*, min(k.at) filter (where k.basis = 'exact') over () as exact_at
        from mrr_changes k where k.subscription_id = s.id
      ) c
      where c.basis = 'exact' or c.exact_at is null or c.at < c.exact_at
      order by c.customer_id, c.currency, c.at desc, c.id desc
    ) l on true
    union all
    -- It has another owner than all that is known of it.
    select s.id, s.customer_id, s.currency, s.product_id, n.moment, s.deleted_at, s.ended_at, null, 0, s.mrr
    from unnest(ids, moments) as n (id, moment)
    join subscriptions s on s.id = n.id
    where s.deleted_at is null and exists (select from mrr_changes c where c.subscription_id = s.id)
      and not exists (
        select from mrr_changes c
        where c.subscription_id = s.id and (c.customer_id, c.currency) = (s.customer_id, s.currency)
      )
  ) w
  left join lateral (
    -- One that says itself what the MRR was has its own row.
    select v.id, v.created_at from webhook_events v
    where v.state = 'pending' and v.object_kind = 'subscription' and v.object_id = w.subscription_id
      and not exists (select from mrr_changes c where c.event_id = v.id)
    order by v.created_at desc, v.id desc limit 1
  ) e on true
  where w.mrr <> w.before;

  perform refresh_mrr_movements(array(select distinct customer_id from mrr_changes where subscription_id = any (ids)));
end $$;

-- What time brings is known to the second; whoever computes again says when it is.
create function subscriptions_note_mrr() returns trigger language plpgsql as $$
declare
  ids text[];
  moments timestamptz[];
  looked_at timestamptz := nullif(current_setting('console.mrr_moment', true), '')::timestamptz;
begin
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(coalesce(looked_at, fetched_at)) into ids, moments
    from new_rows where mrr <> 0 or running_from is not null;
  else
    select array_agg(n.id), array_agg(case
        when looked_at is null then n.fetched_at
        when o.mrr_changes_at <= looked_at then o.mrr_changes_at
        else looked_at
      end) into ids, moments
    from new_rows n join old_rows o on o.id = n.id
    where (n.mrr, n.running_from, n.ended_at, n.deleted_at, n.customer_id, n.currency)
      is distinct from (o.mrr, o.running_from, o.ended_at, o.deleted_at, o.customer_id, o.currency);
  end if;
  perform note_mrr(coalesce(ids, '{}'), coalesce(moments, '{}'));
  return null;
end $$;

-- A row that is taken back was never there.
create function subscriptions_forget_mrr() returns trigger language plpgsql as $$
declare
  ids text[] := array(select id from old_rows);
  owners text[] := array(select distinct customer_id from mrr_changes where subscription_id = any (ids));
begin
  if cardinality(owners) > 0 then
    delete from mrr_changes where subscription_id = any (ids);
    perform refresh_mrr_movements(owners);
  end if;
  return null;
end $$;

create trigger subscriptions_insert_mrr after insert on subscriptions referencing new table as new_rows
  for each statement execute function subscriptions_note_mrr();
create trigger subscriptions_update_mrr after update on subscriptions
  referencing old table as old_rows new table as new_rows
  for each statement execute function subscriptions_note_mrr();
create trigger subscriptions_delete_mrr after delete on subscriptions referencing old table as old_rows
  for each statement execute function subscriptions_forget_mrr();

-- What was there before this file.
select note_mrr(array_agg(id order by id), array_agg(fetched_at order by id)) from subscriptions;

create index subscriptions_leaving on subscriptions (currency, id) include (mrr)
  where mrr <> 0 and deleted_at is null and (cancel_at_period_end or cancel_at is not null);
create index subscriptions_late on subscriptions (currency, id) include (mrr)
  where mrr <> 0 and deleted_at is null and status = 'past_due';
