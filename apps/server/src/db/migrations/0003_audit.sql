create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('admin_key', 'user', 'api_key', 'job', 'webhook', 'anonymous')),
  actor_id text not null,
  actor_name text not null,
  action text not null,
  resource_type text not null,
  resource_id text,
  outcome text not null default 'done' check (outcome in ('done', 'denied', 'failed')),
  before jsonb,
  after jsonb,
  address text,
  user_agent text,
  request_id text
);
-- Newest first, whatever one filter is set. Days are a range of each.
create index audit_entries_resource on audit_entries (resource_type, resource_id, at desc, id desc);
create index audit_entries_action on audit_entries (action, at desc, id desc);
create index audit_entries_at on audit_entries (at desc, id desc);
create index audit_entries_kind on audit_entries (resource_type, at desc, id desc);
create index audit_entries_actor on audit_entries (actor_id, at desc, id desc);
create index audit_entries_actor_type on audit_entries (actor_type, at desc, id desc);
create index audit_entries_outcome on audit_entries (outcome, at desc, id desc) where outcome <> 'done';
create index audit_entries_address on audit_entries (address, at desc, id desc) where address is not null;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are append-only';
end $$;

create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_audit_change();
create trigger audit_entries_tell after insert on audit_entries
  for each statement execute function tell_change('audit');

-- Entries are chained in the order in which their transactions commit, so the lock on the head is the last that a
-- transaction takes and never part of a circle. The chain is a table of its own: an entry is never written twice.
create table audit_chain (
  seq bigint primary key,
  entry_id bigint not null unique,
  hash bytea not null
);
create trigger audit_chain_append_only before update or delete on audit_chain
  for each row execute function refuse_audit_change();
create trigger audit_chain_no_truncate before truncate on audit_chain
  for each statement execute function refuse_audit_change();

-- What the first entry is chained to.
create function audit_genesis() returns bytea language sql immutable as $$
  select sha256('agency-console audit')
$$;

create table audit_head (
  is_only boolean primary key default true check (is_only),
  seq bigint not null,
  hash bytea not null
);
create trigger audit_head_stays before delete on audit_head
  for each row execute function refuse_audit_change();
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

create constraint trigger audit_entries_chain after insert on audit_entries
  deferrable initially deferred for each row execute function chain_audit_entry();

create table audit_verifications (
  id text primary key,
  state text not null check (state in ('running', 'intact', 'broken', 'no_anchor', 'cancelled', 'failed')),
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

-- Keys that seal the heads of the audit chain outside the database. Each is random and lies here only sealed with
-- SECRETS_KEY, so a new SECRETS_KEY begins another one and the heads before stay provable.
create table audit_seal_keys (
  id text primary key,
  sealed text not null,
  created_at timestamptz not null
);

-- Which heads were written outside, so that their loss is noticed: a row for every file of heads.
create table audit_anchors (
  id text primary key,
  -- Machine and folder.
  place text not null,
  first_seq bigint not null,
  first_hash text not null,
  first_at timestamptz not null,
  last_seq bigint not null,
  last_hash text not null,
  last_at timestamptz not null
);

-- The head that left the machine on each day, and why it did not.
create table audit_sent_heads (
  day date not null,
  target text not null,
  seq bigint not null,
  at timestamptz not null,
  error text,
  primary key (day, target)
);

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
