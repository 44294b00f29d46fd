create extension if not exists pg_trgm;

-- Changes are told once per transaction and topic to every process, whoever makes them.
create function tell_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', tg_argv[0]);
  return null;
end $$;

create table instance_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- What an administrator set; everything else is the environment's or the default.
create table settings (
  key text primary key,
  value jsonb,
  -- A secret, sealed with SECRETS_KEY; then `value` is null.
  sealed text,
  version integer not null,
  updated_at timestamptz not null,
  updated_by text not null,
  updated_by_name text not null,
  check ((value is null) <> (sealed is null))
);
create trigger settings_tell after insert or update or delete on settings
  for each statement execute function tell_change('settings');

create table setting_versions (
  key text not null,
  version integer not null,
  -- Both null: back to the default.
  value jsonb,
  sealed text,
  at timestamptz not null,
  actor_id text not null,
  actor_name text not null,
  primary key (key, version)
);

create table notifications (
  id text primary key,
  -- One notification per cause: the same key is not told twice.
  dedupe_key text not null unique,
  type text not null,
  severity text not null check (severity in ('info', 'success', 'warning', 'error')),
  permission text not null,
  title text not null,
  body text,
  link text,
  created_at timestamptz not null
);
create index notifications_newest on notifications (created_at desc, id desc);
create trigger notifications_tell after insert or update or delete on notifications
  for each statement execute function tell_change('notifications');

create table notification_reads (
  notification_id text not null references notifications (id) on delete cascade,
  actor_id text not null,
  read_at timestamptz not null,
  primary key (notification_id, actor_id)
);
create trigger notification_reads_tell after insert or update or delete on notification_reads
  for each statement execute function tell_change('notifications');

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
-- Mails to people of the console are theirs, whatever address a customer has.
create index mails_receiver on mails (lower(to_address), created_at desc, id desc) where user_id is null;
create trigger mails_tell after insert or update or delete on mails
  for each statement execute function tell_change('mails');

-- One row per minute in which a console ran; a minute without a row is one in which none did.
create table health_minutes (
  minute timestamptz primary key,
  overall text not null check (overall in ('healthy', 'degraded', 'down'))
);

-- Whose an Idempotency-Key is, the first caller's, and what became of the request under it. A key that is owned and no more has
-- begun nothing yet.
create table idempotency_keys (
  key text primary key,
  caller text not null,
  used_at timestamptz not null,
  -- Method and path, such as `POST /stripe/payments/pi_1/refund`.
  request text,
  -- Of the body.
  fingerprint text,
  -- What the request began: an action, a run, a site. Its own state says how far it is.
  subject text,
  -- Only of requests that leave nothing else to answer a repeat by.
  answer jsonb,
  check ((request is null) = (subject is null)),
  check ((fingerprint is null) = (subject is null)),
  check (answer is null or subject is not null)
);

-- Work in steps that outlives its process, from its request to its end; its steps below are done in order, each once.
create table runs (
  id text primary key,
  -- Of the declaration that says what its steps do.
  name text not null,
  kind text not null,
  -- What it is about.
  subject text not null,
  -- Who hears of it.
  topic text not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  options jsonb not null,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- Tries in a row that did not get further.
  tries integer not null default 0,
  next_try_at timestamptz
);
create unique index runs_one_open on runs (name, subject) where state in ('waiting', 'running');
create index runs_due on runs (next_try_at) where state in ('waiting', 'running');
create index runs_subject on runs (name, subject, created_at desc, id desc);

create function tell_run() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', coalesce(new.topic, old.topic));
  return null;
end $$;

create trigger runs_tell after insert or update or delete on runs for each row execute function tell_run();

create table run_steps (
  run_id text not null references runs (id) on delete cascade,
  position integer not null,
  name text not null,
  -- What the step is about, where that is another thing than the run's subject.
  target_id text,
  state text not null check (state in ('waiting', 'running', 'done', 'skipped', 'failed', 'cancelled')),
  payload jsonb not null,
  -- What became of it, or why it does not get further.
  note text,
  attempts integer not null default 0,
  -- Keys at the provider under which a failure is kept.
  keys_ended integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  provider_request_id text,
  primary key (run_id, position)
);

-- What is wrong with a provider, since when; no row: nothing.
create table provider_problems (
  provider text primary key,
  kind text not null,
  message text not null,
  since timestamptz not null,
  last_at timestamptz not null,
  retry_at timestamptz
);
create trigger provider_problems_tell after insert or update or delete on provider_problems
  for each statement execute function tell_change('mirror');

-- What was asked of a provider, in slots of five seconds, by connection: a token at an address. All processes count together.
create table provider_calls (
  connection text not null,
  scope text not null,
  slot bigint not null,
  used integer not null,
  primary key (connection, scope, slot)
);

create table provider_blocks (
  connection text not null,
  scope text not null,
  until timestamptz not null,
  primary key (connection, scope)
);

-- One call at a time decides: `most` of them fit into five minutes. Without a number nothing is counted.
create function take_provider_call(
  conn text, what text, at timestamptz, most integer,
  out allowed boolean, out is_blocked boolean, out retry_after integer
) language plpgsql as $$
declare
  this_slot bigint := floor(extract(epoch from at) / 5);
  blocked_until timestamptz;
  taken bigint;
  oldest bigint;
begin
  if most is not null then
    perform pg_advisory_xact_lock(hashtext('provider_calls'), hashtext(conn || what));
  end if;
  allowed := false;
  is_blocked := false;
  select until into blocked_until from provider_blocks where connection = conn and scope = what and until > at;
  if found then
    is_blocked := true;
    retry_after := ceil(extract(epoch from blocked_until - at));
    return;
  end if;
  if most is not null then
    delete from provider_calls where slot < this_slot - 60;
    select coalesce(sum(used), 0), min(slot) into taken, oldest
      from provider_calls where connection = conn and scope = what;
    if taken >= most then
      retry_after := greatest(1, ceil((coalesce(oldest, this_slot) + 61) * 5 - extract(epoch from at)));
      return;
    end if;
    insert into provider_calls values (conn, what, this_slot, 1)
      on conflict (connection, scope, slot) do update set used = provider_calls.used + 1;
  end if;
  allowed := true;
end $$;

create function iso_utc(value timestamptz) returns text language sql stable parallel safe as $$
  select btrim(to_json(value at time zone 'UTC')::text, '"') || 'Z'
$$;

-- Text as it is searched: composed, in lower case, on one line. Lower case of letters outside ASCII needs a locale that knows them.
do $do$
begin
  if lower('É') <> 'é' and exists (select from pg_collation where collname = 'und-x-icu') then
    create function search_fold(value text) returns text language sql immutable parallel safe as $$
      select case when octet_length(value) = length(value) then translate(lower(value collate "und-x-icu"), E'\n\r\t', '   ')
        else normalize(translate(lower(value collate "und-x-icu"), E'\n\r\t', '   '), NFC) end
    $$;
  else
    create function search_fold(value text) returns text language sql immutable parallel safe as $$
      select case when octet_length(value) = length(value) then translate(lower(value), E'\n\r\t', '   ')
        else normalize(translate(lower(value), E'\n\r\t', '   '), NFC) end
    $$;
  end if;
end $do$;

-- Each character and each pair of neighbours.
create function search_grams(value text) returns text[] language sql immutable parallel safe as $$
  select a || array(select x || y from unnest(a, a[2:]) as pairs (x, y) where y is not null) from string_to_array(value, null) as a
$$;

-- Trigrams know letters and digits of ASCII in every locale, so others are indexed as the digits of their bytes.
create function audit_digits(value text) returns text language sql immutable parallel safe as $$
  select translate(encode(convert_to(value, 'UTF8'), 'escape'), '\', '')
$$;
