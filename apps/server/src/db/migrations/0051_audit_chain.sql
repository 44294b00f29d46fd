-- Entries are chained in the order in which their transactions commit, so the lock on the head is the last that a
-- transaction takes and never part of a circle. The chain is a table of its own: an entry is never written twice.
create table audit_chain (
  seq bigint primary key,
  entry_id bigint not null unique,
  hash bytea not null
);

-- What the first entry is chained to.
create function audit_genesis() returns bytea language sql immutable as $$
  select sha256('agency-console audit')
$$;

create table audit_head (
  is_only boolean primary key default true check (is_only),
  seq bigint not null,
  hash bytea not null
);
insert into audit_head (seq, hash) values (0, audit_genesis());

-- Everything that an entry says, in a form that no setting of a connection changes.
create function audit_digest(entry audit_entries, seq bigint, previous bytea) returns bytea language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    seq, entry.id, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor_type, entry.actor_id, entry.actor_name,
    entry.action, entry.resource_type, entry.resource_id, entry.outcome, entry.before, entry.after, entry.address,
    entry.user_agent, entry.request_id)::text, 'UTF8'))
$$;

create function chain_audit_entry() returns trigger language plpgsql as $$
declare head audit_head;
begin
  select * into head from audit_head for update;
  head.seq := head.seq + 1;
  head.hash := audit_digest(new, head.seq, head.hash);
  insert into audit_chain (seq, entry_id, hash) values (head.seq, new.id, head.hash);
  update audit_head set seq = head.seq, hash = head.hash;
  return null;
end $$;

-- What was written before is chained in its order.
do $$
declare entry audit_entries; head audit_head;
begin
  select * into head from audit_head;
  for entry in select * from audit_entries order by id loop
    head.seq := head.seq + 1;
    head.hash := audit_digest(entry, head.seq, head.hash);
    insert into audit_chain (seq, entry_id, hash) values (head.seq, entry.id, head.hash);
  end loop;
  update audit_head set seq = head.seq, hash = head.hash;
end $$;

create constraint trigger audit_entries_chain after insert on audit_entries
  deferrable initially deferred for each row execute function chain_audit_entry();
create trigger audit_chain_append_only before update or delete on audit_chain
  for each row execute function refuse_audit_change();
create trigger audit_chain_no_truncate before truncate on audit_chain
  for each statement execute function refuse_audit_change();
create trigger audit_head_stays before delete on audit_head
  for each row execute function refuse_audit_change();

create table audit_verifications (
  id text primary key,
  state text not null check (state in ('running', 'intact', 'broken', 'cancelled', 'failed')),
  started_at timestamptz not null,
  finished_at timestamptz,
  started_by text not null,
  total bigint not null,
  checked bigint not null default 0,
  -- What is wrong, and the first entry that it is wrong with.
  finding jsonb
);
create index audit_verifications_newest on audit_verifications (started_at desc);
create unique index audit_verifications_one on audit_verifications ((true)) where state = 'running';

create trigger audit_verifications_tell after insert or update on audit_verifications
  for each statement execute function tell_change('audit');

-- Newest first, whatever one filter is set. Days are a range of each.
drop index audit_entries_resource;
create index audit_entries_resource on audit_entries (resource_type, resource_id, at desc, id desc);
drop index audit_entries_action;
create index audit_entries_action on audit_entries (action, at desc, id desc);
create index audit_entries_at on audit_entries (at desc, id desc);
create index audit_entries_kind on audit_entries (resource_type, at desc, id desc);
create index audit_entries_actor on audit_entries (actor_id, at desc, id desc);
create index audit_entries_actor_type on audit_entries (actor_type, at desc, id desc);
create index audit_entries_outcome on audit_entries (outcome, at desc, id desc) where outcome <> 'done';
create index audit_entries_address on audit_entries (address, at desc, id desc) where address is not null;

-- Several filters at once, and the search: what each entry is marked with, and what is searched of it.
create function audit_marks(
  actor_type text, actor_id text, action text, resource_type text, resource_id text, outcome text, address text
) returns text[] language sql immutable parallel safe as $$
  select array['t:' || actor_type, 'u:' || actor_id, 'a:' || action, 'r:' || resource_type, 'i:' || resource_id,
    'o:' || outcome, 'n:' || address]
$$;
-- Parsed now: while an index is built no schema of ours is searched for functions.
create function audit_text(actor_name text, action text, resource_type text, resource_id text) returns text
language sql immutable parallel safe
return search_fold(actor_name || ' ' || action || ' ' || resource_type || ' ' || coalesce(resource_id, ''));
-- Trigrams know letters and digits of ASCII in every locale, so others are indexed as the digits of their bytes.
create function audit_digits(value text) returns text language sql immutable parallel safe as $$
  select translate(encode(convert_to(value, 'UTF8'), 'escape'), '\', '')
$$;
create function audit_index_text(actor_name text, action text, resource_type text, resource_id text) returns text
language sql immutable parallel safe
return audit_digits(audit_text(actor_name, action, resource_type, resource_id));
create index audit_entries_marks on audit_entries using gin (
  audit_marks(actor_type, actor_id, action, resource_type, resource_id, outcome, address),
  audit_index_text(actor_name, action, resource_type, resource_id) gin_trgm_ops
) with (gin_pending_list_limit = 256);
-- Computed by every ANALYZE, and no plan depends on them.
alter index audit_entries_marks alter column 1 set statistics 0;
alter index audit_entries_marks alter column 2 set statistics 0;
