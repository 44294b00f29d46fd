-- Queries that people keep, for themselves or for everybody who may query.

create table sql_snippets (
  id text primary key,
  owner_type text not null,
  owner_id text not null,
  owner_name text not null,
  name text not null check (char_length(name) between 1 and 100),
  query text not null check (query <> ''),
  is_shared boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1
);
create index sql_snippets_own on sql_snippets (owner_type, owner_id);
create index sql_snippets_shared on sql_snippets (name) where is_shared;
create trigger sql_snippets_tell after insert or update or delete on sql_snippets
  for each statement execute function tell_change('sql_console');

-- A file may hold the first rows only: of a query nobody knows beforehand how many it has.
alter table exports add column is_cut boolean not null default false;
