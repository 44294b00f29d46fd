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

alter table audit_verifications drop constraint audit_verifications_state_check,
  add constraint audit_verifications_state_check
    check (state in ('running', 'intact', 'broken', 'no_anchor', 'cancelled', 'failed'));
