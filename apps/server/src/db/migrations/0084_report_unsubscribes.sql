-- Who gets no more mails of a schedule, by the link in one of them; a row goes when the same link is used to start them again.
create table report_unsubscribes (
  schedule_id text not null references report_schedules (id) on delete cascade,
  -- An administrator or the customer, whether the schedule names them now or not.
  receiver_id text not null,
  at timestamptz not null,
  primary key (schedule_id, receiver_id)
);
create trigger report_unsubscribes_tell after insert or update or delete on report_unsubscribes
  for each statement execute function tell_change('report_schedules');

-- The link of its header; null where a mail is no list mail.
alter table mails add column sealed_unsubscribe text;
