-- The kind of actor, as the audit log tells it; null where it cannot be known of a change from before.
alter table site_status_changes add column actor_type text
  check (actor_type in ('admin_key', 'user', 'api_key', 'job', 'webhook', 'anonymous'));

update site_status_changes c set actor_type = known.actor_type
from (
  select actor_name, min(actor_type) as actor_type from audit_entries
  group by actor_name having min(actor_type) = max(actor_type)
) known
where known.actor_name = c.actor_name;

-- Different kinds bear the name: the entry that was written with the change tells which of them it was.
update site_status_changes c set actor_type = (
  select min(e.actor_type) from audit_entries e
  where e.resource_type = 'site' and e.resource_id = c.site_id and e.actor_name = c.actor_name
    and e.at between c.at - interval '1 second' and c.at + interval '1 second'
  having min(e.actor_type) = max(e.actor_type)
)
where c.actor_type is null;
