-- What is being done at the provider is a run; a suspension says what it is and what it took.
insert into runs (id, name, kind, subject, topic, state, options, actor_type, actor_id, actor_name, created_at, started_at,
  tries, next_try_at)
select id, 'sites.suspension', case state when 'suspending' then 'suspend' else 'resume' end, site_id, 'sites', 'running',
  '{}', 'job', 'sites.suspension', actor_name, created_at, created_at, tries, coalesce(next_try_at, created_at)
from site_suspensions
where state in ('suspending', 'resuming');
insert into run_steps (run_id, position, name, state, payload, note)
select id, 0, case state when 'suspending' then 'detach' else 'attach' end, 'waiting', '{}', note
from site_suspensions
where state in ('suspending', 'resuming');
drop index site_suspensions_due;
alter table site_suspensions drop column tries, drop column next_try_at;
