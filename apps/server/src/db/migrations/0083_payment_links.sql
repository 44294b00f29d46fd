-- Addresses by which customers buy at Stripe. It says of none when it was made, but its ids sort by age, by their bytes.
create table payment_links (
  id text collate "C" primary key,
  url text,
  active boolean not null,
  currency text not null,
  allow_promotion_codes boolean not null,
  trial_days integer,
  -- How often it was paid and may be, where that is limited.
  completed_sessions bigint,
  most_sessions bigint,
  -- What it sells: price, product, quantity, amount, interval.
  items jsonb not null,
  raw jsonb not null,
  fetch_seq bigint not null,
  fetched_at timestamptz not null,
  source text not null,
  deleted_at timestamptz,
  first_seq bigint
);
create trigger payment_links_tell after insert or update or delete on payment_links
  for each statement execute function tell_change('plans');

create view sql_views.payment_links as
  select id, url, active, currency, allow_promotion_codes, trial_days, completed_sessions, most_sessions, items, deleted_at
  from payment_links;
comment on view sql_views.payment_links is 'Payment links of Stripe: addresses by which customers buy';
comment on column sql_views.payment_links.items is 'What it sells; amounts in minor units of the currency, for the whole quantity';
comment on column sql_views.payment_links.most_sessions is 'How often it may be paid; empty for no limit';
