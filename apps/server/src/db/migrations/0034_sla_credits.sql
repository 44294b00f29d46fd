-- What plans promise about uptime; the newest version is in force, and an incident is judged by the one of its time.
create table uptime_promises (
  plan_id text not null,
  version integer not null,
  -- null: nothing is promised any more.
  promise jsonb,
  created_at timestamptz not null,
  created_by text not null,
  primary key (plan_id, version)
);
create trigger uptime_promises_tell after insert on uptime_promises
  for each statement execute function tell_change('plans');
create trigger uptime_promises_stay before update or delete on uptime_promises
  for each row execute function refuse_change();

-- One credit for a customer and an incident, whoever presses how often. Only an action that has failed for certain makes room.
create table sla_credits (
  incident_id text not null references incidents (id),
  customer_id text not null,
  action_id text not null unique references money_actions (id) deferrable initially deferred,
  amount bigint not null check (amount > 0),
  currency text not null,
  -- The lines that the amount was computed from.
  lines jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (incident_id, customer_id)
);
create index sla_credits_customer on sla_credits (customer_id);
create trigger sla_credits_tell after insert or update or delete on sla_credits
  for each statement execute function tell_change('incidents');
