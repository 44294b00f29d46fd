-- Which emails about their sites a customer gets; without a row: notices, and no report.
create table customer_mail_choices (
  customer_id text primary key,
  takes_notices boolean not null default true,
  gets_uptime_report boolean not null default false,
  version integer not null default 1,
  updated_at timestamptz not null,
  updated_by text not null
);
create trigger customer_mail_choices_tell after insert or update or delete on customer_mail_choices
  for each statement execute function tell_change('customers');

-- What was written to the customers that an incident affects, before it is filled in for each of them.
create table incident_notices (
  id text primary key,
  incident_id text not null references incidents (id),
  subject text not null check (subject <> ''),
  text text not null check (text <> ''),
  created_at timestamptz not null,
  created_by text not null
);
create index incident_notices_of on incident_notices (incident_id, created_at desc);
create trigger incident_notices_tell after insert or update or delete on incident_notices
  for each statement execute function tell_change('incidents');

-- To whom, and what became of it. Who they are and what could not be sent is read from the customer and the mail.
create table incident_notice_receivers (
  notice_id text not null references incident_notices (id),
  incident_id text not null references incidents (id),
  customer_id text not null,
  -- Of subject and text: nobody gets the same twice, whoever presses, and under whatever key.
  digest text not null,
  mail_id text not null unique,
  state text not null default 'queued' check (state in ('queued', 'sent', 'kept', 'failed')),
  primary key (notice_id, customer_id),
  unique (incident_id, customer_id, digest)
);
create trigger incident_notice_receivers_tell after update on incident_notice_receivers
  for each row execute function tell_change('incidents');

-- The outbox forgets mails after a while; what became of a notice stays.
create function follow_notice_mail() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update incident_notice_receivers set state = 'failed' where mail_id = old.id and state in ('queued', 'kept');
  else
    update incident_notice_receivers set state = new.state where mail_id = new.id;
  end if;
  return null;
end $$;
create trigger mails_notice_state after update of state on mails
  for each row when (old.state <> new.state and new.kind like 'customer.incident:%') execute function follow_notice_mail();
create trigger mails_notice_gone after delete on mails
  for each row when (old.kind like 'customer.incident:%') execute function follow_notice_mail();
