-- When the provider tries next to collect an invoice; null: it does not.
alter table invoices add column next_attempt_at timestamptz;
update invoices set next_attempt_at = to_timestamp((raw #>> '{next_payment_attempt}')::double precision)
where status = 'open' and jsonb_typeof(raw #> '{next_payment_attempt}') = 'number';

-- Open invoices that were tried in vain, in every order that their list has, and what they add up to.
create index invoices_failing_next on invoices (coalesce(next_attempt_at, 'infinity'::timestamptz), id)
  include (currency, amount_remaining, next_attempt_at)
  where status = 'open' and attempt_count > 0 and amount_remaining > 0 and deleted_at is null;
create index invoices_failing_amount on invoices (amount_remaining, id)
  where status = 'open' and attempt_count > 0 and amount_remaining > 0 and deleted_at is null;
create index invoices_failing_created on invoices (created_at, id)
  where status = 'open' and attempt_count > 0 and amount_remaining > 0 and deleted_at is null;

-- Of the invoices that were paid in a month, those that had failed before are found by their failed charges.
create index invoices_paid_at on invoices (paid_at) include (id, currency, amount_paid)
  where status = 'paid' and attempt_count > 0 and amount_paid > 0 and deleted_at is null;
create index charges_failed on charges (payment_id) where status = 'failed' and deleted_at is null;
