create table alerts (
  id text primary key,
  rule text not null,
  subject text not null,
  subject_id text not null,
  severity text not null check (severity in ('info', 'warning', 'error', 'critical')),
  status text not null check (status in ('open', 'acknowledged', 'snoozed', 'resolved')),
  cause_id text,
  opened_at timestamptz not null,
  resolved_at timestamptz
);

create table incidents (
  id text primary key,
  number integer not null,
  severity text not null,
  status text not null,
  title text not null,
  opened_at timestamptz not null,
  assignee_id text,
  is_false_positive boolean not null default false,
  merged_into text
);
