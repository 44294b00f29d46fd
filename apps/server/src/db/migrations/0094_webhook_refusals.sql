-- Deliveries that were refused or dropped, since the last good one.
create table webhook_refusals (
  reason text primary key check (reason in ('signature', 'livemode')),
  first_at timestamptz not null,
  last_at timestamptz not null
);
