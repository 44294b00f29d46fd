-- What the provider did not say is null here, and nothing that is counted.
alter table payments drop constraint payments_status_check;
alter table payments alter column amount_captured drop not null, alter column amount_refunded drop not null;
alter table payments
  add constraint payments_status_check check (
    status in ('succeeded', 'pending', 'processing', 'failed', 'refunded', 'uncaptured', 'unknown')
  ),
  add constraint payments_paid_is_known check (
    status not in ('succeeded', 'refunded') or (amount_captured is not null and amount_refunded is not null)
  );
alter table charges alter column amount_captured drop not null;
alter table charges alter column amount_refunded drop not null;

-- null: what one of the items costs, or how often, is not known. Then its MRR is not counted either.
alter table subscriptions alter column amount drop not null;
alter table subscriptions alter column billing_period drop not null;
alter table subscriptions add column mrr_known boolean not null default true;
drop index subscriptions_amount;
create index subscriptions_amount on subscriptions (coalesce(amount, -1) desc, id desc);
create index subscriptions_unpriced on subscriptions (id) where not mrr_known and deleted_at is null;

-- Objects that came without what no row can be made of. A row of an earlier answer stays as it is.
create table unreadable_objects (
  object text not null,
  object_id text not null,
  missing text not null,
  seen_at timestamptz not null,
  primary key (object, object_id)
);
create trigger unreadable_objects_tell after insert or update or delete on unreadable_objects
  for each statement execute function tell_change('mirror');

-- What is here already was read with 0 for what was not said. None of these rows counted as revenue, so no total moves.
update charges set amount_captured = null
where amount_captured = 0 and jsonb_typeof(raw -> 'amount_captured') is distinct from 'number'
  and raw -> 'captured' is distinct from 'false';
update charges set amount_refunded = null where amount_refunded = 0 and jsonb_typeof(raw -> 'amount_refunded') is distinct from 'number';
update payments p set
  status = case when told.is_said then 'uncaptured' else 'unknown' end,
  amount_captured = case when told.is_said then 0 end
from (
  select x.id, jsonb_typeof(coalesce(c.raw, x.raw) -> 'amount_captured') is not distinct from 'number'
    or coalesce(c.raw, x.raw) -> 'captured' is not distinct from 'false' as is_said
  from payments x left join charges c on c.id = x.latest_charge_id
  where x.status in ('succeeded', 'refunded') and x.amount_captured = 0 and x.amount > 0
) told
where p.id = told.id;
update payments set status = 'uncaptured' where stripe_status = 'requires_capture' and status = 'pending';
update subscriptions s set amount = null, mrr_known = s.status not in ('active', 'past_due')
where exists (
  select from jsonb_array_elements(
    case jsonb_typeof(s.raw #> '{items,data}') when 'array' then s.raw #> '{items,data}' else '[]' end
  ) item
  where coalesce(jsonb_typeof(item -> 'price'), 'null') <> 'object'
);
update subscriptions set billing_period = null
where interval is null or interval_count is null or interval not in ('day', 'week', 'month', 'year');
