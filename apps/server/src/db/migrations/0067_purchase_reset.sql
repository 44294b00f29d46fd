-- Which site a checkout bought; a shop that does not say it sells a new one each time.
-- Written with RETURN, because an index is built without a search path that could find the function inside.
create function purchase_site_id(metadata jsonb, id text) returns text language sql immutable parallel safe
  return coalesce(nullif(btrim(metadata ->> 'site_id'), ''), nullif(btrim(metadata ->> 'siteId'), ''), id);

create function purchase_search_text(metadata jsonb, id text, email text) returns text
  language sql immutable parallel safe
  return search_fold(coalesce(metadata ->> 'site_name', '') || E'\n' || coalesce(metadata ->> 'siteName', '') || E'\n' ||
    coalesce(metadata ->> 'business_name', '') || E'\n' || coalesce(metadata ->> 'businessName', '') || E'\n' ||
    purchase_site_id(metadata, id) || E'\n' || id || E'\n' || coalesce(email, ''));

create index checkout_sessions_purchased on checkout_sessions (created_at desc, id desc)
  where deleted_at is null and mode <> 'setup' and status = 'complete'
    and payment_status in ('paid', 'no_payment_required');
create index checkout_sessions_site on checkout_sessions (purchase_site_id(metadata, id), created_at desc)
  where deleted_at is null and mode <> 'setup' and status = 'complete'
    and payment_status in ('paid', 'no_payment_required');
create index checkout_sessions_search on checkout_sessions
  using gin (purchase_search_text(metadata, id, customer_email) gin_trgm_ops)
  where deleted_at is null and mode <> 'setup' and status = 'complete'
    and payment_status in ('paid', 'no_payment_required');

-- What was reset and what was undone. Entries are only added. No foreign key to the mirror: it may be emptied and filled
-- again, and this history outlives that.
create table purchase_resets (
  id text primary key,
  seq bigint generated always as identity unique,
  kind text not null check (kind in ('reset', 'undo')),
  -- The reset that an undo takes back.
  reset_id text references purchase_resets (id),
  purchase_id text not null,
  site_id text not null,
  site_name text not null,
  reason text not null check (char_length(reason) between 1 and 1000),
  original jsonb not null,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  at timestamptz not null,
  -- The call that made it: repeated, it makes no second one.
  request_id text not null,
  unique (request_id, purchase_id),
  check ((kind = 'undo') = (reset_id is not null))
);
create unique index purchase_resets_one_undo on purchase_resets (reset_id) where reset_id is not null;
create index purchase_resets_purchase on purchase_resets (purchase_id, seq desc);
create index purchase_resets_search on purchase_resets
  using gin (search_fold(site_name || E'\n' || site_id || E'\n' || purchase_id) gin_trgm_ops);

create function refuse_purchase_reset_change() returns trigger language plpgsql as $$
begin
  raise exception 'the history of purchase resets is append-only';
end $$;
create trigger purchase_resets_append_only before update or delete on purchase_resets
  for each row execute function refuse_purchase_reset_change();
create trigger purchase_resets_no_truncate before truncate on purchase_resets
  for each statement execute function refuse_purchase_reset_change();
create trigger purchase_resets_tell after insert on purchase_resets
  for each statement execute function tell_change('purchases');

-- Which purchases are reset now, by which entry: of two resets at once the key lets one in.
create table reset_purchases (
  purchase_id text primary key,
  reset_id text not null unique references purchase_resets (id)
);

-- What was answered under which Idempotency-Key.
create table purchase_reset_requests (
  id text primary key,
  payload_hash text not null,
  -- null until all of it is done.
  answer jsonb,
  created_at timestamptz not null
);
create index purchase_reset_requests_old on purchase_reset_requests (created_at);
