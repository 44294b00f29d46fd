-- What a refund that is done takes is shown by the payment itself at once, also when it could not be read again.
create or replace view refund_claims as
  select target_id as payment_id, sum(amount)::bigint as amount
  from money_actions
  where kind = 'refund' and state in ('started', 'unknown')
  group by target_id;

-- Those that were waiting for their payment to be read when this was introduced.
update payments p set
  amount_refunded = proven.amount,
  status = case when p.status = 'succeeded' and proven.amount = p.amount_captured then 'refunded' else p.status end
from (
  select t.id, least(t.amount_captured, greatest(t.amount_refunded, coalesce(sum(r.amount), 0))) as amount
  from payments t join refunds r on r.payment_id = t.id and r.deleted_at is null and r.status not in ('failed', 'canceled')
  where t.id in (select target_id from money_actions where kind = 'refund' and copy_stale)
  group by t.id
) proven
where p.id = proven.id and p.deleted_at is null and p.amount_refunded < proven.amount;
