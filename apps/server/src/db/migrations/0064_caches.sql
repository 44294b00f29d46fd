-- The processes that hold caches of their own, as they say themselves once a minute.
create table cache_processes (
  id text primary key,
  -- `console` or `worker`, where it runs and under which number.
  role text not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);

-- What a cache held when its process last said so. What is kept in the database has no process of its own: ''.
create table cache_states (
  process text not null,
  name text not null,
  keys integer not null,
  bytes bigint not null,
  last_eviction_at timestamptz,
  -- How long it took on average to read what was not there, since the process started; null: nothing was read yet.
  load_ms double precision,
  at timestamptz not null,
  primary key (process, name)
);

-- Ten minutes each, for a day.
create table cache_slots (
  process text not null,
  name text not null,
  slot timestamptz not null,
  hits integer not null,
  misses integer not null,
  evictions integer not null,
  primary key (process, name, slot)
);
create index cache_slots_age on cache_slots (slot);

-- What every process is asked to do with its caches, for as long as somebody waits for the answers.
create table cache_commands (
  id text primary key,
  kind text not null check (kind in ('report', 'find', 'clear')),
  -- null: all names, all keys.
  name text,
  pattern text,
  created_at timestamptz not null
);
create trigger cache_commands_tell after insert on cache_commands
  for each statement execute function tell_change('caches');

create table cache_replies (
  command_id text not null references cache_commands (id) on delete cascade,
  process text not null,
  name text not null,
  keys integer not null,
  samples text[] not null default '{}',
  primary key (command_id, process, name)
);
create trigger cache_replies_tell after insert on cache_replies
  for each statement execute function tell_change('caches');
