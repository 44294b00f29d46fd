-- A deployment is told of in the history of whoever had the site when it was asked for, and stays there when the site
-- changes hands. One that nobody had goes to its first owner.
alter table deployments add column owner_id text;
update deployments d set owner_id = s.customer_id from sites s where s.id = d.site_id and s.customer_id is not null;
create index deployments_owner on deployments (owner_id, queued_at desc, id desc);

create function deployments_take_owner() returns trigger language plpgsql as $$
begin
  new.owner_id := (select customer_id from sites where id = new.site_id);
  return new;
end $$;
create trigger deployments_take_owner before insert on deployments
  for each row execute function deployments_take_owner();

create function sites_give_deployments() returns trigger language plpgsql as $$
begin
  update deployments set owner_id = new.customer_id where site_id = new.id and owner_id is null;
  return null;
end $$;
create trigger sites_give_deployments after update of customer_id on sites
  for each row when (old.customer_id is null and new.customer_id is not null)
  execute function sites_give_deployments();
