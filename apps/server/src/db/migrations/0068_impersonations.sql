-- Who acted as which customer, and why. Names are never copied: a customer that is erased leaves nothing here.
create table impersonations (
  id text primary key,
  way text not null check (way in ('portal', 'view')),
  -- requested: the provider is being asked. handed_over: its portal was opened, what happens there is not ours.
  state text not null check (
    (way = 'view' and state in ('live', 'ended')) or (way = 'portal' and state in ('requested', 'handed_over', 'failed'))
  ),
  -- No foreign keys: the mirror may be emptied and filled again, and sessions are forgotten after a while.
  customer_id text not null,
  session_id text not null,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  reason text not null check (char_length(reason) between 10 and 500),
  ticket_id text check (char_length(ticket_id) between 1 and 100),
  started_at timestamptz not null,
  until timestamptz check ((until is not null) = (way = 'view')),
  ended_at timestamptz check ((ended_at is not null) = (state in ('ended', 'failed'))),
  cause text check ((cause is not null) = (state in ('ended', 'failed'))),
  ended_by text,
  -- The mail that told the customer: sent off, or kept because there was no mail server.
  notice text check (notice in ('queued', 'kept'))
);
create index impersonations_newest on impersonations (started_at desc, id desc);
create index impersonations_open on impersonations (state) where state in ('live', 'requested');
create index impersonations_customer on impersonations (customer_id, started_at desc);
-- A session looks at one customer at a time.
create unique index impersonations_one_live on impersonations (session_id) where state = 'live';

create table impersonation_pages (
  impersonation_id text not null references impersonations (id) on delete cascade,
  page text not null,
  first_seen_at timestamptz not null,
  primary key (impersonation_id, page)
);

create trigger impersonations_tell after insert or update or delete on impersonations
  for each statement execute function tell_change('impersonations');
create trigger impersonation_pages_tell after insert on impersonation_pages
  for each row execute function tell_change('impersonations');
