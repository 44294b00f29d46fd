-- What became of the request under an Idempotency-Key. A key that is owned and no more has begun nothing yet.
alter table idempotency_keys
  -- null where the key is older than this table.
  alter column caller drop not null,
  -- Method and path, such as `POST /stripe/payments/pi_1/refund`.
  add column request text,
  -- Of the body; null where the key is older than this column.
  add column fingerprint text,
  -- What the request began: an action, a run, a site. Its own state says how far it is.
  add column subject text,
  -- Only of requests that leave nothing else to answer a repeat by.
  add column answer jsonb,
  add check ((request is null) = (subject is null)),
  add check (answer is null or subject is not null);

-- What each feature has kept of its keys until now.
create function pg_temp.move_key(key text, caller text, used_at timestamptz, request text, subject text, answer jsonb)
returns void language sql as $$
  insert into idempotency_keys as k (key, caller, used_at, request, subject, answer)
  values ($1, $2, $3, $4, $5, $6)
  on conflict on constraint idempotency_keys_pkey do update
    set request = excluded.request, subject = excluded.subject, answer = excluded.answer
    where k.subject is null
$$;

select pg_temp.move_key(id, nullif(actor_type || ' ' || actor_id, 'unknown unknown'), created_at, case kind
    when 'refund' then 'POST /stripe/payments/' || target_id || '/refund'
    when 'cancel' then 'POST /stripe/subscriptions/' || target_id || '/cancel'
    when 'undo_cancel' then 'POST /stripe/subscriptions/' || target_id || '/undo-cancel'
    when 'pause' then 'POST /stripe/subscriptions/' || target_id || '/pause'
    when 'resume' then 'POST /stripe/subscriptions/' || target_id || '/resume'
    when 'change_plan' then 'POST /stripe/subscriptions/' || target_id || '/plan'
    when 'invoice_create' then 'POST /stripe/invoices'
    when 'invoice_send' then 'POST /stripe/invoices/' || target_id || '/send'
    when 'invoice_void' then 'POST /stripe/invoices/' || target_id || '/void'
    when 'invoice_uncollectible' then 'POST /stripe/invoices/' || target_id || '/mark-uncollectible'
    when 'customer_create' then 'POST /stripe/customers'
    when 'customer_update' then 'PATCH /stripe/customers/' || target_id
  end, id, null)
from money_actions
order by created_at;

-- Only what makes two orders the same is compared from now on.
alter table money_actions alter column payload_hash drop not null;

-- A repeat of a retried rollback does not say which one was retried: it is refused, as a key that was used otherwise.
select pg_temp.move_key(request_key, actor_type || ' ' || actor_id, queued_at, case kind
    when 'deploy' then 'POST /sites/' || site_id || '/deployments'
    when 'retry' then 'POST /deployments/' || retry_of || '/retry'
    else 'POST /sites/' || site_id || '/rollback'
  end, id, null)
from deployments
where request_key is not null
order by queued_at;
alter table deployments drop column request_key, drop column request_hash;

-- The console lifts a suspension under a key of its own.
select pg_temp.move_key(request_key,
  case when request_key like 'paid-%' then 'console' else actor_type || ' ' || actor_id end, created_at,
  case when request_key like 'paid-%' then 'lift the suspension of ' || customer_id
    else 'POST /stripe/customers/' || customer_id || '/' || kind end, id, null)
from lifecycle_runs
where request_key is not null
order by created_at;
alter table lifecycle_runs drop column request_key, drop column request_hash;

select pg_temp.move_key(id, null, created_at, 'POST /cloudflare/zones/' || domain_id || '/purge', id, null)
from domain_purges
order by created_at;

select pg_temp.move_key(request_key, null, created_at, 'POST /sites', id, null)
from sites
where request_key not like 'demo:%'
order by created_at;
alter table sites add column is_demo boolean not null default false;
update sites set is_demo = true where request_key like 'demo:%';
alter table sites drop column request_key, drop column request_hash;

select pg_temp.move_key(substr(key, 8), null, at, 'POST /sites/import', 'import', answer)
from site_imports
where key like 'import:%'
order by at;
delete from site_imports where key like 'import:%';
alter table site_imports drop column request_hash, drop column answer;

-- Of a call that was cut off it is not known what it was; what it did stands in the history under its key.
select pg_temp.move_key(id, null, created_at, case
    when answer ? 'reset' then 'POST /v1/admin/purchases/' || (answer -> 'reset' ->> 'purchaseId') || '/reset'
    when answer ? 'undo' then 'POST /v1/admin/purchase-resets/' || (answer -> 'undo' ->> 'resetId') || '/undo'
    else 'POST /v1/admin/purchase-resets'
  end, id, answer)
from purchase_reset_requests
where answer is not null
order by created_at;
drop table purchase_reset_requests;
