-- Beside customers, so that a new status or a payment does not touch the large text indexes.
create table customer_search (
  customer_id text primary key,
  created_at timestamptz not null,
  -- The name as it is sorted: without case and accents; whoever has none is sorted by email, then by id.
  sort_name text not null,
  -- name, email, company and id, a line each: a term never spans two of them.
  doc text not null,
  -- Up to where doc holds name and email, and where name, email and company.
  who_length integer not null,
  words_length integer not null,
  -- Searches that stay in this table leave out what is hidden too.
  hidden boolean not null default false
);
create index customer_search_created on customer_search (created_at desc, customer_id desc);
create index customer_search_name on customer_search (sort_name, customer_id);
-- A short list of what is not in the index yet: every search reads it whole.
create index customer_search_trigrams on customer_search using gin (doc gin_trgm_ops) with (gin_pending_list_limit = 256);
create index customer_search_grams on customer_search using gin (search_grams(left(doc, words_length)))
  with (gin_pending_list_limit = 256);
-- Grams of a sample would be computed by every ANALYZE, and no plan depends on them.
alter index customer_search_grams alter column 1 set statistics 0;
-- Owners of payments and subscriptions are found by name and email alone.
create index customer_search_who on customer_search using gin (left(doc, who_length) gin_trgm_ops)
  with (gin_pending_list_limit = 256);
alter index customer_search_who alter column 1 set statistics 0;

create function write_customer_search(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  insert into customer_search as s (customer_id, created_at, sort_name, doc, who_length, words_length, hidden)
  select c.id, c.created_at,
    left(case when octet_length(f.title) = length(f.title) then lower(f.title)
      else lower(regexp_replace(normalize(f.title, NFKD), '[\u0300-\u036f]', '', 'g')) end, 200),
    f.who || E'\n' || f.company || E'\n' || search_fold(c.id),
    length(f.who), length(f.who) + 1 + length(f.company), c.hidden_at is not null
  from customers c
  cross join lateral (
    select search_fold(coalesce(c.name, '')) || E'\n' || search_fold(coalesce(c.email, '')) as who,
      search_fold(coalesce(c.company, '')) as company,
      coalesce(nullif(c.name, ''), nullif(c.email, ''), c.id) as title
  ) f
  where c.id = any (ids)
  order by c.id
  on conflict (customer_id) do update set
    created_at = excluded.created_at, sort_name = excluded.sort_name, doc = excluded.doc,
    who_length = excluded.who_length, words_length = excluded.words_length, hidden = excluded.hidden;
end $$;

create function customers_insert_search() returns trigger language plpgsql as $$
begin
  perform write_customer_search(array(select id from new_rows));
  return null;
end $$;

create function customers_update_search() returns trigger language plpgsql as $$
begin
  perform write_customer_search(array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where (n.name, n.email, n.company, n.created_at, n.hidden_at)
      is distinct from (o.name, o.email, o.company, o.created_at, o.hidden_at)
  ));
  return null;
end $$;

create function customers_delete_search() returns trigger language plpgsql as $$
begin
  delete from customer_search where customer_id in (select id from old_rows);
  return null;
end $$;

create trigger customers_insert_search after insert on customers referencing new table as new_rows
  for each statement execute function customers_insert_search();
create trigger customers_update_search after update on customers
  referencing old table as old_rows new table as new_rows
  for each statement execute function customers_update_search();
create trigger customers_delete_search after delete on customers referencing old table as old_rows
  for each statement execute function customers_delete_search();

-- Payments repeat their descriptions: each is kept and indexed once.
create table payment_descriptions (
  hash bigint primary key,
  doc text not null
);
create index payment_descriptions_trigrams on payment_descriptions using gin (doc gin_trgm_ops)
  with (gin_pending_list_limit = 256);
create index payments_description on payments (hashtextextended(description, 0), created_at desc, id desc)
  where description is not null;

create function payments_insert_descriptions() returns trigger language plpgsql as $$
begin
  insert into payment_descriptions (hash, doc)
  select d.hash, search_fold(d.description) from (
    select distinct on (1) hashtextextended(description, 0) as hash, description
    from new_rows where description is not null
    order by 1
  ) d
  where not exists (select from payment_descriptions known where known.hash = d.hash)
  on conflict (hash) do nothing;
  return null;
end $$;

create function payments_update_descriptions() returns trigger language plpgsql as $$
begin
  insert into payment_descriptions (hash, doc)
  select d.hash, search_fold(d.description) from (
    select distinct on (1) hashtextextended(n.description, 0) as hash, n.description
    from new_rows n join old_rows o on o.id = n.id
    where n.description is distinct from o.description and n.description is not null
    order by 1
  ) d
  where not exists (select from payment_descriptions known where known.hash = d.hash)
  on conflict (hash) do nothing;
  return null;
end $$;

create trigger payments_insert_descriptions after insert on payments referencing new table as new_rows
  for each statement execute function payments_insert_descriptions();
create trigger payments_update_descriptions after update on payments
  referencing old table as old_rows new table as new_rows
  for each statement execute function payments_update_descriptions();
