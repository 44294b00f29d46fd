-- Somebody is at work on it, or it waits, until then; null: nothing is left to do.
alter table money_actions add column next_try_at timestamptz;
update money_actions set next_try_at = now() where state in ('started', 'unknown');

-- Done, but the provider could not be asked for the payment afterwards: the mirror still shows it as it was.
alter table money_actions add column copy_stale boolean not null default false;

create index money_actions_due on money_actions (next_try_at) where next_try_at is not null;
create index money_actions_claims on money_actions (target_id)
  where kind = 'refund' and (state in ('started', 'unknown') or copy_stale);

-- What refunds that are not settled, or not yet in the mirror, may take of a payment.
create view refund_claims as
  select target_id as payment_id, sum(amount)::bigint as amount
  from money_actions
  where kind = 'refund' and (state in ('started', 'unknown') or copy_stale)
  group by target_id;
