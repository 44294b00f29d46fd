-- Every mail that the console wrote. Text may hold a link that lets somebody in, so it is sealed.
create table mails (
  id text primary key,
  kind text not null,
  to_address text not null,
  to_name text,
  subject text not null,
  sealed_text text not null,
  -- `kept`: there is no mail server, the outbox shows it.
  state text not null check (state in ('queued', 'sent', 'kept', 'failed')),
  created_at timestamptz not null,
  sent_at timestamptz,
  attempts integer not null default 0,
  error text,
  user_id text
);
create index mails_newest on mails (created_at desc, id desc);
create trigger mails_tell after insert or update or delete on mails
  for each statement execute function tell_change('mails');
