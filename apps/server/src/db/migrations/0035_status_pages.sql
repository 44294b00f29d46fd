-- Public pages that say how sites are: that of the agency ('agency'), and those of customers who are to have one.
create table status_pages (
  id text primary key,
  slug text unique check ((slug is null) = (id = 'agency')),
  title text not null check (title <> ''),
  is_on boolean not null,
  version integer not null default 1,
  updated_at timestamptz not null,
  updated_by text not null
);
create trigger status_pages_tell after insert or update or delete on status_pages
  for each statement execute function tell_change('settings');

-- What a page shows, in its order. The label takes the place of the domain; a site's own name is never public.
create table status_page_sites (
  page_id text not null references status_pages (id) on delete cascade,
  site_id text not null references sites (id) on delete cascade,
  position integer not null,
  label text check (label <> ''),
  primary key (page_id, site_id)
);

-- The only words of an incident that leave the console.
create table incident_public_updates (
  id text primary key,
  incident_id text not null references incidents (id),
  at timestamptz not null,
  actor text not null,
  text text not null check (text <> ''),
  position bigint generated always as identity
);
create index incident_public_updates_of on incident_public_updates (incident_id, position desc);
create trigger incident_public_updates_tell after insert on incident_public_updates
  for each statement execute function tell_change('incidents');
create trigger incident_public_updates_stay before update or delete on incident_public_updates
  for each row execute function refuse_change();

-- A report that was sent is not sent again, whatever ends the process.
create table uptime_report_mails (
  customer_id text not null,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  mail_id text not null,
  created_at timestamptz not null,
  primary key (customer_id, month)
);
