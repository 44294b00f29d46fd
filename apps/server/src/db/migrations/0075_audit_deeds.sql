-- Which deed an audit entry tells of, by what the entry itself says: the chain proves it, and no entry is written twice.
-- Null: the entry is a deed of its own. `thing:` is a deed whose states have actions of their own.
create function audit_deed(action text, resource_type text, resource_id text, request_id text, after jsonb) returns text
language plpgsql immutable parallel safe as $$
begin
  -- Not SQL: put in place of each call, it would make the timeline's statement take longer to plan than to run.
  return case
  when resource_type = 'deployment' and action in ('deployment.create', 'deployment.retry', 'deployment.roll_back',
    'deployment.succeed', 'deployment.fail', 'deployment.cancel') then 'thing:deployment:' || resource_id
  when action in ('export.create', 'export.ready', 'export.fail', 'export.cancel') then 'thing:export:' || resource_id
  when action in ('audit.verify', 'audit.verify_end', 'audit.cancel_verification') then 'thing:audit:' || resource_id
  when action in ('sql.write', 'sql.commit', 'sql.roll_back') then 'thing:sql:' || resource_id
  when action like 'impersonation.%' then 'thing:impersonation:' || (after ->> 'impersonation_id')
  when (action like '%.export' or action like '%.export\_end' or action like '%.export\_log%')
    and request_id not like 'job:%' then 'thing:request:' || request_id
  -- Callers may choose the ids of actions and purges, so these never meet the others.
  else coalesce('action:' || (after ->> 'action_id'), 'purge:' || (after ->> 'purge_id'),
    'run:' || coalesce(after ->> 'deed_id', after ->> 'run_id'))
  end;
end $$;

create index audit_entries_deed on audit_entries (audit_deed(action, resource_type, resource_id, request_id, after), at, id)
  where audit_deed(action, resource_type, resource_id, request_id, after) is not null;

-- The entry that says how far a deed is. Steps of a run tell of other things than the run itself.
create function audit_deed_head(deed text) returns bigint language sql stable strict parallel safe as $$
  select e.id from audit_entries e
  where audit_deed(e.action, e.resource_type, e.resource_id, e.request_id, e.after) = deed and (deed like 'thing:%' or e.action = (
    select f.action from audit_entries f
    where audit_deed(f.action, f.resource_type, f.resource_id, f.request_id, f.after) = deed order by f.at, f.id limit 1))
  order by e.at desc, e.id desc limit 1
$$;

-- Deployments and the like are found by the name of their site.
create index audit_entries_site on audit_entries ((after ->> 'site_id')) where after ->> 'site_id' is not null;

-- What the entries of a suspension, or of its end, are told together by: the change of the customer that caused it, or itself.
alter table site_suspensions add column deed_id text;
