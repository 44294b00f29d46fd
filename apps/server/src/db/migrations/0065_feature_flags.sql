-- Feature flags as sites ask for them. What was changed when, and by whom, is the audit log's; a rollout in steps is a run.
create table feature_flags (
  id text primary key,
  -- Sites ask by it, so it never changes, and an archived flag keeps it.
  name text not null unique check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
  description text not null default '' check (char_length(description) <= 1000),
  enabled boolean not null default false,
  rollout_percentage integer not null check (rollout_percentage between 0 and 100),
  -- Of what the percentage counts.
  rollout_by text not null check (rollout_by in ('visitor', 'site', 'customer', 'revenue')),
  -- {customers, sites, plans, domains}: who sees it whatever the percentage, and who does not.
  always jsonb not null,
  never jsonb not null,
  -- Ids of flags that must be on too.
  prerequisites text[] not null default '{}',
  kind text not null check (kind in ('release', 'experiment', 'operational', 'permanent')),
  -- An administrator; one whose account is gone stays named.
  owner_id text,
  owner_name text,
  -- {sites, errors, refunds, switches_off}
  guard jsonb,
  -- When more of those who ask came to see it: the guard counts from here.
  widened_at timestamptz,
  -- Of the rollout that is open.
  paused_at timestamptz,
  paused_reason text,
  first_enabled_at timestamptz,
  last_evaluated_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  version integer not null default 1,
  check ((paused_at is null) = (paused_reason is null)),
  check ((owner_id is null) = (owner_name is null))
);
create index feature_flags_name on feature_flags (lower(name));
create trigger feature_flags_tell after insert or delete on feature_flags
  for each statement execute function tell_change('feature_flags');
-- That a flag was asked for is nobody's news.
create trigger feature_flags_tell_update after update on feature_flags for each row
  when ((old.version, old.paused_at) is distinct from (new.version, new.paused_at))
  execute function tell_change('feature_flags');

-- Customers by what they pay, the least first, as it was when the flag began to count by revenue: whoever is in stays in,
-- although others come to pay less. A bucket is a place from 0 to 9999.
create table feature_flag_ranks (
  flag_id text not null references feature_flags (id) on delete cascade,
  customer_id text not null,
  bucket integer not null check (bucket between 0 and 9999),
  primary key (flag_id, customer_id)
);
create index feature_flag_ranks_customer on feature_flag_ranks (customer_id);
