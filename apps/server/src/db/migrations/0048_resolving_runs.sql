-- What becomes of a money action whose answer was lost is found out by a run of `billing.resolve-actions` (0001): its tries, its
-- next one and its lock are the run's. So it is for one that is done while the mirror still shows what was before.
insert into runs (id, name, kind, subject, topic, state, options, actor_type, actor_id, actor_name, created_at, tries, next_try_at)
  select gen_random_uuid()::text, 'billing.resolve-actions', kind, id, 'money_actions', 'waiting', '{}',
    actor_type, actor_id, actor_name, created_at, attempts, coalesce(next_try_at, created_at)
  from money_actions where state = 'unknown' or (state = 'done' and copy_stale);
insert into run_steps (run_id, position, name, state, payload)
  select r.id, s.position, s.name, 'waiting', '{}'
  from runs r cross join (values (0, 'settle'), (1, 'copy')) s (position, name)
  where r.name = 'billing.resolve-actions';
-- Sent at least once. What was begun and not heard of since is found by that moment.
update money_actions set sent_at = created_at where sent_at is null and attempts > 0;
alter table money_actions drop column next_try_at, drop column asked_at, drop column attempts;
comment on column money_actions.sent_at is 'When it was last heard of: a call was written down before it was sent. Null: it needed none.';
