-- What was or may still be bought. A checkout that only saves a card sells nothing.
create index checkout_sessions_purchases on checkout_sessions (created_at desc, id desc)
  where deleted_at is null and mode <> 'setup';
-- Only a completed checkout is news.
create index checkout_sessions_completed on checkout_sessions (created_at desc, id desc)
  where deleted_at is null and mode <> 'setup' and status = 'complete';
create index checkout_sessions_customer_purchases on checkout_sessions (customer_id, created_at desc, id desc)
  where deleted_at is null and mode <> 'setup';
create index checkout_sessions_purchased on checkout_sessions (created_at desc, id desc)
  where deleted_at is null and mode <> 'setup' and status = 'complete'
    and payment_status in ('paid', 'no_payment_required');

-- Which site a checkout bought; a shop that does not say it sells a new one each time.
-- Written with RETURN, because an index is built without a search path that could find the function inside.
create function purchase_site_id(metadata jsonb, id text) returns text language sql immutable parallel safe
  return coalesce(nullif(btrim(metadata ->> 'site_id'), ''), nullif(btrim(metadata ->> 'siteId'), ''), id);

create index checkout_sessions_site on checkout_sessions (purchase_site_id(metadata, id), created_at desc)
  where deleted_at is null and mode <> 'setup' and status = 'complete'
    and payment_status in ('paid', 'no_payment_required');

create function purchase_search_text(metadata jsonb, id text, email text) returns text
  language sql immutable parallel safe
  return search_fold(coalesce(metadata ->> 'site_name', '') || E'\n' || coalesce(metadata ->> 'siteName', '') || E'\n' ||
    coalesce(metadata ->> 'business_name', '') || E'\n' || coalesce(metadata ->> 'businessName', '') || E'\n' ||
    purchase_site_id(metadata, id) || E'\n' || id || E'\n' || coalesce(email, ''));

create index checkout_sessions_search on checkout_sessions
  using gin (purchase_search_text(metadata, id, customer_email) gin_trgm_ops)
  where deleted_at is null and mode <> 'setup' and status = 'complete'
    and payment_status in ('paid', 'no_payment_required');

-- Purchases are searched by what was bought and by whom, whatever became of them. Written with RETURN, because an index is
-- built without a search path that could find the functions inside.
create function purchase_words(metadata jsonb, email text) returns text language sql immutable parallel safe
  return search_fold(coalesce(metadata ->> 'site_name', '') || E'\n' || coalesce(metadata ->> 'siteName', '') || E'\n' ||
    coalesce(metadata ->> 'business_name', '') || E'\n' || coalesce(metadata ->> 'businessName', '') || E'\n' ||
    coalesce(email, ''));

create function purchase_index_words(metadata jsonb, email text) returns text language sql immutable parallel safe
  return audit_digits(purchase_words(metadata, email));

create index checkout_sessions_words on checkout_sessions
  using gin (purchase_index_words(metadata, customer_email) gin_trgm_ops) with (gin_pending_list_limit = 256)
  where deleted_at is null and mode <> 'setup';
-- Computed by every ANALYZE, and no plan depends on it.
alter index checkout_sessions_words alter column 1 set statistics 0;
create trigger checkout_sessions_tell_purchases after insert or update or delete on checkout_sessions
  for each statement execute function tell_change('purchases');

-- Who has read which purchase. No foreign key: the mirror's tables are emptied when another account is connected.
create table purchase_reads (
  purchase_id text not null,
  actor_id text not null,
  read_at timestamptz not null,
  primary key (purchase_id, actor_id)
);
create index purchase_reads_age on purchase_reads (read_at);
create trigger purchase_reads_tell after insert or update or delete on purchase_reads
  for each statement execute function tell_change('purchases');

create table purchase_counts (
  id integer primary key check (id = 1),
  purchases bigint not null default 0
);
insert into purchase_counts (id) values (1);

create function checkout_sessions_purchases() returns trigger language plpgsql as $$
declare
  change bigint := 0;
begin
  if tg_op <> 'DELETE' then
    change := change + (select count(*) from new_rows where deleted_at is null and mode <> 'setup');
  end if;
  if tg_op <> 'INSERT' then
    change := change - (select count(*) from old_rows where deleted_at is null and mode <> 'setup');
  end if;
  if change <> 0 then
    insert into purchase_counts as t (id, purchases) values (1, change)
    on conflict (id) do update set purchases = t.purchases + excluded.purchases;
  end if;
  return null;
end $$;

create trigger checkout_sessions_insert_purchases after insert on checkout_sessions referencing new table as new_rows
  for each statement execute function checkout_sessions_purchases();
create trigger checkout_sessions_update_purchases after update on checkout_sessions
  referencing old table as old_rows new table as new_rows
  for each statement execute function checkout_sessions_purchases();
create trigger checkout_sessions_delete_purchases after delete on checkout_sessions referencing old table as old_rows
  for each statement execute function checkout_sessions_purchases();

create function checkout_sessions_truncate_purchases() returns trigger language plpgsql as $$
begin
  delete from purchase_counts;
  delete from purchase_reads;
  return null;
end $$;

create trigger checkout_sessions_truncate_purchases after truncate on checkout_sessions
  for each statement execute function checkout_sessions_truncate_purchases();

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
