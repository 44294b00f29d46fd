-- How old what is mirrored is: all that Stripe knew by then is here. Null until the first import is complete, because lists
-- and figures lack rows until then. Later imports and comparisons only move it; an import counts from its start.
create function mirror_as_of() returns text language sql stable parallel safe as $$
  select iso_utc(greatest(i.started_at, (
    select d.started_at from drift_reports d where d.state = 'done' order by d.started_at desc limit 1
  )))
  from mirror_imports i where i.state = 'done' order by i.started_at desc limit 1
$$;

-- Lists are kept as long as their own rows do not change, and the last page of an import may bring none.
create function tell_mirror_complete() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', topic)
  from unnest(array['customers', 'subscriptions', 'payments', 'invoices', 'plans', 'purchases']) topic;
  return null;
end $$;

create trigger mirror_imports_complete after update on mirror_imports
  for each row when (new.state = 'done' and old.state <> 'done') execute function tell_mirror_complete();
