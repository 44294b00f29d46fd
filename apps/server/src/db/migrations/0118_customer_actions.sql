-- Customers are added and changed as every other action at the provider is: written down first, then sent, then settled.
create unique index money_actions_one_open_save on money_actions (target_id)
  where kind = 'customer_update' and state in ('started', 'unknown');

-- What was kept of earlier calls, so that a repeat of one of them adds nobody twice.
insert into money_actions (id, kind, target_id, payload, payload_hash, state, provider_key, actor_type, actor_id, actor_name,
  created_at, finished_at, attempts, result_id, answer_status, answer, error)
select id, 'customer_' || kind, case when kind = 'create' then id else customer_id end, '{}', payload_hash,
  case when state = 'done' then 'done' else 'failed' end, 'customer-' || id, 'unknown', 'unknown', actor_name,
  created_at, created_at, 1, customer_id,
  case when state = 'done' then 200 end, case when state = 'done' then jsonb_build_object('id', customer_id) end,
  case when state <> 'done' then jsonb_build_object('code', 'outcome_unknown', 'message',
    'The console was updated while this was being saved. Look whether it was saved before you start it again.') end
from customer_writes
where state <> 'done' or customer_id is not null
on conflict (id) do nothing;
drop table customer_writes;
