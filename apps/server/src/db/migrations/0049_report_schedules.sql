-- Reports that are sent by mail, weekly or monthly, and what became of each.

-- The same mail once more, as a page; null where it is text only.
alter table mails add column sealed_html text;

create table mail_attachments (
  mail_id text not null references mails (id) on delete cascade,
  position integer not null,
  file_name text not null,
  content_type text not null,
  bytes bytea not null,
  primary key (mail_id, position)
);

create table report_schedules (
  id text primary key,
  report text not null check (report in ('revenue', 'customers', 'usage', 'performance', 'customer')),
  -- Whose report it is, and who gets it.
  customer_id text,
  -- Which administrators get it. One whose account is gone stays named until somebody takes the id out.
  receiver_ids text[] not null default '{}',
  -- Of the file that comes along.
  format text check (format in ('csv', 'xlsx', 'pdf')),
  cadence text not null check (cadence in ('weekly', 'monthly')),
  -- 0 is Sunday.
  weekday integer check (weekday between 0 and 6),
  -- The last day in a month that has no such day.
  month_day integer check (month_day between 1 and 31),
  hour integer not null check (hour between 0 and 23),
  time_zone text not null,
  state text not null check (state in ('active', 'paused', 'stopped')),
  -- Why it stopped.
  reason text,
  -- By whose permissions it is sent.
  owner_type text not null,
  owner_id text not null,
  owner_name text not null,
  created_at timestamptz not null,
  next_at timestamptz,
  version integer not null default 1,
  check ((report = 'customer') = (customer_id is not null)),
  check ((report = 'customer') = (receiver_ids = '{}')),
  check ((cadence = 'weekly') = (weekday is not null)),
  check ((cadence = 'monthly') = (month_day is not null)),
  check ((state = 'active') = (next_at is not null)),
  check ((state = 'stopped') = (reason is not null))
);
create index report_schedules_due on report_schedules (next_at) where next_at is not null;
create index report_schedules_customer on report_schedules (customer_id) where customer_id is not null;
create trigger report_schedules_tell after insert or update or delete on report_schedules
  for each statement execute function tell_change('report_schedules');

create table report_deliveries (
  id text primary key,
  schedule_id text not null references report_schedules (id) on delete cascade,
  cause text not null check (cause in ('schedule', 'now')),
  -- Who pressed Send now.
  ordered_by text,
  due_at timestamptz not null,
  -- What it is about, both included.
  first_day date not null,
  last_day date not null,
  state text not null check (state in ('open', 'done', 'failed')),
  reason text,
  -- The file that came along, and why there is none.
  export_id text,
  file_problem text,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'open') = (finished_at is null)),
  check ((state = 'failed') = (reason is not null)),
  check ((cause = 'now') = (ordered_by is not null))
);
-- No date is sent twice, however many processes look.
create unique index report_deliveries_once on report_deliveries (schedule_id, due_at) where cause = 'schedule';
create index report_deliveries_newest on report_deliveries (schedule_id, created_at desc, id desc);
create index report_deliveries_age on report_deliveries (created_at) where state <> 'open';
create trigger report_deliveries_tell after insert or update or delete on report_deliveries
  for each statement execute function tell_change('report_schedules');

create table report_receivers (
  delivery_id text not null references report_deliveries (id) on delete cascade,
  position integer not null,
  -- Of an administrator, whose name stays when the account is gone, or of the customer.
  receiver_id text not null,
  name text,
  state text not null check (state in ('waiting', 'mailed', 'skipped')),
  reason text,
  mail_id text,
  primary key (delivery_id, position),
  check ((state = 'skipped') = (reason is not null)),
  check ((state = 'mailed') = (mail_id is not null))
);
-- What becomes of a mail is shown with the schedule, to people who do not hear of mails.
create trigger mails_tell_schedules after update on mails
  for each statement execute function tell_change('report_schedules');
