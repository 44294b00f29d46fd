-- Queues of which nothing is begun until somebody lets them go on.
create table queue_pauses (
  queue text primary key,
  paused_at timestamptz not null,
  paused_by text not null
);
create trigger queue_pauses_tell after insert or delete on queue_pauses
  for each statement execute function tell_change('queues');

create index runs_newest on runs (created_at, id);
create index runs_state on runs (state, created_at, id);

-- The table of jobs is pg-boss's, which makes it after the migrations; `platform/job-table.ts` adds to it what uses these.

-- They are bound when they are made: an index is built without a search path.

-- What a job names: every text and number among its data.
create function job_values(data jsonb) returns text[] language sql immutable parallel safe
  return array(
    select node #>> '{}' from jsonb_path_query(data, 'strict $.**') as node where jsonb_typeof(node) in ('string', 'number')
  );

create function job_error(output jsonb) returns text language sql immutable parallel safe
  return coalesce(output ->> 'message', output #>> '{value,message}', output #>> '{value}');

-- Failures of one cause: the same words in the same queue, whatever ids, numbers and quoted names stand among them.
create function job_fingerprint(queue text, output jsonb) returns text language sql immutable parallel safe
  return md5(queue || ' ' || regexp_replace(
    regexp_replace(lower(left(coalesce(job_error(output), ''), 500)), '"[^"]*"|''[^'']*''|`[^`]*`', '#', 'g'),
    '[[:alnum:]_.@:/-]*[0-9][[:alnum:]_.@:/-]*', '#', 'g'
  ));

-- What a job is searched by.
create function job_words(id uuid, data jsonb, output jsonb) returns text language sql immutable parallel safe
  return search_fold(id::text || ' ' || coalesce(data::text, '') || ' ' || coalesce(left(job_error(output), 1000), ''));

-- A failure stays for 30 days, so that somebody can look at it and try it again; what went well goes after a day.
create function keep_failed_job() returns trigger language plpgsql as $$
begin
  new.deletion_seconds := 30 * 86400;
  return new;
end $$;
