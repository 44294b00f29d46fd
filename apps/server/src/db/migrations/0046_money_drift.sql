-- Where money and reality do not agree, as it was last found. Computed from the mirror, the sites, their checks, the domains and
-- the registrations; nothing here is a source of its own.
create table money_drift (
  -- The class and what it is about, so that a link to a row stays good.
  id text primary key,
  class text not null check (class in ('unpaid', 'undelivered', 'ended', 'zone', 'domain')),
  variant text not null,
  subject_name text not null,
  domain text,
  site_id text,
  zone_id text,
  customer_id text,
  customer_name text,
  subscription_id text,
  purchase_id text,
  since timestamptz not null,
  -- A month, by currency: what is paid, or what was paid before.
  money jsonb not null,
  -- For the order only: as if a unit of each currency were worth the same.
  money_order bigint not null,
  evidence jsonb not null,
  repairs jsonb not null,
  -- A digest of what decides; a dismissal holds for these facts only.
  facts text not null,
  found_at timestamptz not null,
  doc text generated always as (
    search_fold(subject_name || E'\n' || coalesce(domain, '') || E'\n' || coalesce(customer_name, ''))
  ) stored
);
create index money_drift_money on money_drift (money_order desc, id desc);
create index money_drift_since on money_drift (since desc, id desc);
create index money_drift_customer on money_drift (customer_id) where customer_id is not null;
-- By row: a look that found everything as it was is nobody's news.
create trigger money_drift_tell after insert or update or delete on money_drift
  for each row execute function tell_change('money_drift');

-- Beside the rows, which come and go: it holds until its end, as long as the facts are the same.
create table money_drift_dismissals (
  drift_id text primary key,
  facts text not null,
  reason text not null check (char_length(reason) between 1 and 500),
  until timestamptz not null,
  dismissed_at timestamptz not null,
  dismissed_by text not null
);
create trigger money_drift_dismissals_tell after insert or update or delete on money_drift_dismissals
  for each row execute function tell_change('money_drift');

create table money_drift_looks (
  only_row boolean primary key default true check (only_row),
  -- The last look that ended well.
  looked_at timestamptz,
  failed_at timestamptz,
  failure text,
  -- What could not be judged, and why.
  unjudged jsonb not null default '[]'
);
insert into money_drift_looks default values;
create trigger money_drift_looks_tell after update on money_drift_looks
  for each row when ((old.failure, old.unjudged) is distinct from (new.failure, new.unjudged))
  execute function tell_change('money_drift');
