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
