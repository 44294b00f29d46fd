-- Whose site it was when the alert began, for the customer's timeline.
alter table alert_sites
  add column customer_id text,
  add column opened_at timestamptz,
  add column position bigint generated always as identity;
update alert_sites t set customer_id = s.customer_id, opened_at = a.opened_at
from sites s, alerts a where s.id = t.site_id and a.id = t.alert_id;
alter table alert_sites alter column opened_at set not null;
create index alert_sites_of_customer on alert_sites (customer_id, opened_at, position) where customer_id is not null;
