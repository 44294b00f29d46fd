-- One row per change at the provider that an administrator started; the id is the Idempotency-Key of the call. Which kinds there
-- are is said by the features that have them, so only the form of the name is checked here.
create table money_actions (
  id text primary key,
  kind text not null check (kind ~ '^[a-z]+(_[a-z]+)*$'),
  target_id text not null,
  payload jsonb not null,
  -- Only of invoices, where it tells two equal orders apart.
  payload_hash text,
  state text not null check (state in ('started', 'done', 'failed', 'unknown')),
  amount bigint check (amount > 0),
  currency text,
  provider_key text not null unique,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  finished_at timestamptz,
  attempts integer not null default 0,
  result_id text,
  -- The answer that a repeat of the call gets again.
  answer_status integer,
  answer jsonb,
  error jsonb,
  provider_request_id text,
  -- Somebody is at work on it, or it waits, until then; null: nothing is left to do.
  next_try_at timestamptz,
  -- Done, but the provider could not be asked for the payment afterwards: the mirror still shows it as it was.
  copy_stale boolean not null default false,
  -- A failure that the provider keeps under a key ends that key. Once the provider's own list proves that nothing happened, the
  -- action goes on under its next one.
  keys_used integer not null default 1 check (keys_used > 0),
  -- Since when somebody asks the provider about it: whoever settles it by hand waits for that to end.
  asked_at timestamptz
);
create index money_actions_target on money_actions (target_id, created_at desc);
create index money_actions_newest on money_actions (created_at desc);
create index money_actions_open on money_actions (created_at) where state in ('started', 'unknown');
create index money_actions_due on money_actions (next_try_at) where next_try_at is not null;
create index money_actions_claims on money_actions (target_id)
  where kind = 'refund' and (state in ('started', 'unknown') or copy_stale);
-- One change of a subscription at a time: what a second one would act on is not known before the first is settled.
create unique index money_actions_one_open_change on money_actions (target_id)
  where kind in ('cancel', 'undo_cancel', 'pause', 'resume', 'change_plan') and state in ('started', 'unknown');
create unique index money_actions_one_open_invoice on money_actions (target_id)
  where kind in ('invoice_send', 'invoice_void', 'invoice_uncollectible') and state in ('started', 'unknown');
-- Customers are added and changed as every other action at the provider is: written down first, then sent, then settled.
create unique index money_actions_one_open_save on money_actions (target_id)
  where kind = 'customer_update' and state in ('started', 'unknown');
create trigger money_actions_tell after insert or update or delete on money_actions
  for each statement execute function tell_change('money_actions');

-- What refunds that are not settled may take of a payment. One that is done is shown by the payment itself at once, also when that
-- could not be read again.
create view refund_claims as
  select target_id as payment_id, sum(amount)::bigint as amount
  from money_actions
  where kind = 'refund' and state in ('started', 'unknown')
  group by target_id;
