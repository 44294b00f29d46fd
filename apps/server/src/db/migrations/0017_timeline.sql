-- What happened with a customer is merged from many tables, each read along an index that begins with the customer.

-- When an invoice reached a state, as the provider says; null while it has not.
create function invoice_moment(raw jsonb, moment text) returns timestamptz language sql immutable parallel safe as $$
  select case when jsonb_typeof(raw #> array['status_transitions', moment]) = 'number'
    then to_timestamp((raw #>> array['status_transitions', moment])::double precision) end
$$;

-- Finalized at once: that it was created says it.
create index invoices_finalized on invoices (customer_id, invoice_moment(raw, 'finalized_at') desc, id desc)
  where deleted_at is null and invoice_moment(raw, 'finalized_at') <> created_at;
create index invoices_paid on invoices (customer_id, invoice_moment(raw, 'paid_at') desc, id desc)
  where deleted_at is null and invoice_moment(raw, 'paid_at') is not null;
create index invoices_voided on invoices (customer_id, invoice_moment(raw, 'voided_at') desc, id desc)
  where deleted_at is null and invoice_moment(raw, 'voided_at') is not null;
create index invoices_uncollectible on invoices (customer_id, invoice_moment(raw, 'marked_uncollectible_at') desc, id desc)
  where deleted_at is null and invoice_moment(raw, 'marked_uncollectible_at') is not null;

-- What only an event tells and no object remembers. Events are forgotten after a while, their moments are not.
create table customer_moments (
  event_id text primary key,
  customer_id text not null,
  kind text not null check (kind in ('invoice', 'subscription')),
  object_id text not null,
  -- What happened, in the order in which it is told.
  stories text[] not null check (cardinality(stories) > 0),
  at timestamptz not null,
  amount bigint,
  currency text,
  -- The prices before and after a change of plan.
  from_price text,
  to_price text
);
create index customer_moments_newest on customer_moments (customer_id, kind, at desc, event_id desc);

create function subscription_prices(items jsonb) returns text[] language sql immutable parallel safe as $$
  select array(
    select item #>> '{price,id}' from jsonb_array_elements(
      case when jsonb_typeof(items -> 'data') = 'array' then items -> 'data' else '[]' end
    ) item order by 1
  )
$$;

create function subscription_quantities(items jsonb) returns text[] language sql immutable parallel safe as $$
  select array(
    select item ->> 'quantity' from jsonb_array_elements(
      case when jsonb_typeof(items -> 'data') = 'array' then items -> 'data' else '[]' end
    ) item order by item #>> '{price,id}'
  )
$$;

-- What a change of a subscription means. A renewal changes the items too, but neither their prices nor their quantities.
create function subscription_stories(before jsonb, now jsonb) returns text[] language sql immutable parallel safe as $$
  select array_remove(array[
    case when before ? 'items' and subscription_prices(before -> 'items') <> subscription_prices(now -> 'items')
      then 'plan_changed'
      when before ? 'items' and subscription_quantities(before -> 'items') <> subscription_quantities(now -> 'items')
      then 'quantity_changed' end,
    case when before ? 'pause_collection' then
      case when jsonb_typeof(now -> 'pause_collection') = 'object'
        then case when jsonb_typeof(before -> 'pause_collection') = 'null' then 'paused' end
        else 'resumed' end end,
    case when now ->> 'status' = 'canceled' then null
      when before -> 'cancel_at_period_end' = 'false' and now -> 'cancel_at_period_end' = 'true' then 'cancel_scheduled'
      when before -> 'cancel_at_period_end' = 'true' and now -> 'cancel_at_period_end' = 'false'
        and jsonb_typeof(now -> 'cancel_at') = 'null' then 'cancel_undone'
      when before -> 'cancel_at' = 'null' and jsonb_typeof(now -> 'cancel_at') = 'number' then 'cancel_scheduled'
      when jsonb_typeof(before -> 'cancel_at') = 'number' and jsonb_typeof(now -> 'cancel_at') = 'null'
        then 'cancel_undone' end,
    case when before ? 'status' and now ->> 'status' in ('active', 'past_due', 'unpaid') then now ->> 'status' end
  ], null)
$$;

create function write_customer_moment(event webhook_events) returns void language plpgsql as $$
declare
  object jsonb := event.payload #> '{data,object}';
  previous jsonb := coalesce(event.payload #> '{data,previous_attributes}', '{}');
  owner text := case jsonb_typeof(object -> 'customer')
    when 'string' then object ->> 'customer' when 'object' then object #>> '{customer,id}' end;
  told text[] := case event.type
    when 'invoice.sent' then array['sent']
    when 'invoice.payment_failed' then array['payment_failed']
    when 'customer.subscription.paused' then array['paused']
    when 'customer.subscription.resumed' then array['resumed']
    when 'customer.subscription.updated' then subscription_stories(previous, object)
  end;
  -- A change of several prices at once is told without their names.
  old_prices text[] := subscription_prices(previous -> 'items');
  new_prices text[] := subscription_prices(object -> 'items');
  names_plans boolean := 'plan_changed' = any (told) and cardinality(old_prices) = 1 and cardinality(new_prices) = 1;
begin
  if owner is null or object ->> 'id' is null or coalesce(cardinality(told), 0) = 0 then
    return;
  end if;
  insert into customer_moments (
    event_id, customer_id, kind, object_id, stories, at, amount, currency, from_price, to_price
  ) values (
    event.id, owner, split_part(replace(event.type, 'customer.', ''), '.', 1), object ->> 'id', told, event.created_at,
    case when event.type like 'invoice.%' and jsonb_typeof(object -> 'amount_due') = 'number'
      then round((object ->> 'amount_due')::numeric)::bigint end,
    case when event.type like 'invoice.%' then object ->> 'currency' end,
    case when names_plans then old_prices[1] end, case when names_plans then new_prices[1] end
  ) on conflict do nothing;
end $$;

create function webhook_events_moment() returns trigger language plpgsql as $$
begin
  perform write_customer_moment(new);
  return null;
end $$;

create trigger webhook_events_moment after insert on webhook_events for each row
  when (new.type in ('invoice.sent', 'invoice.payment_failed', 'customer.subscription.updated',
    'customer.subscription.paused', 'customer.subscription.resumed'))
  execute function webhook_events_moment();

-- Emptied with the mirror.
create function webhook_events_truncate_moments() returns trigger language plpgsql as $$
begin
  delete from customer_moments;
  return null;
end $$;

create trigger webhook_events_truncate_moments after truncate on webhook_events
  for each statement execute function webhook_events_truncate_moments();

-- Which customer an audit entry is about. Beside the entries, which are never written twice.
create table customer_audit (
  entry_id bigint primary key,
  customer_id text not null,
  resource_type text not null,
  at timestamptz not null
);
create index customer_audit_newest on customer_audit (customer_id, resource_type, at desc, entry_id desc);

create function audit_customer(entry audit_entries) returns text language sql stable as $$
  select case when entry.resource_type = 'customer' then entry.resource_id else coalesce(
    entry.after ->> 'customer_id', entry.before ->> 'customer_id',
    case entry.resource_type
      when 'payment' then (select customer_id from payments where id = entry.resource_id)
      when 'subscription' then (select customer_id from subscriptions where id = entry.resource_id)
      when 'invoice' then (select customer_id from invoices where id = entry.resource_id)
      when 'purchase' then (select customer_id from checkout_sessions where id = entry.resource_id)
    end) end
$$;

create function write_customer_audit(entry audit_entries) returns void language plpgsql as $$
declare
  owner text := audit_customer(entry);
begin
  if owner is not null then
    insert into customer_audit (entry_id, customer_id, resource_type, at)
    values (entry.id, owner, entry.resource_type, entry.at);
  end if;
end $$;

create function audit_entries_customer() returns trigger language plpgsql as $$
begin
  perform write_customer_audit(new);
  return null;
end $$;

create trigger audit_entries_customer after insert on audit_entries
  for each row execute function audit_entries_customer();
