import type { Pool } from 'pg'

/** By which pg-boss carries out its schedules; no work of the console. */
export const internalQueue = '__pgboss__send-it'

/**
 * What the console adds to the table of pg-boss: indexes for its lists, and that failed jobs stay where they are instead of
 * being copied to a queue of dead letters. The job that it adds last says that all is there.
 */
const prepare = `do $$
begin
  perform pg_advisory_xact_lock(hashtextextended('job table', 0));
  if to_regclass('jobs.job_words') is not null then return; end if;

  create trigger keep_failed before insert on jobs.job_common
    for each row when (new.state = 'failed') execute function keep_failed_job();
  create index job_id on jobs.job_common (id);
  create index job_newest on jobs.job_common (created_on, id) where name <> '${internalQueue}';
  create index job_of_queue on jobs.job_common (name, created_on, id);
  create index job_pending on jobs.job_common (created_on, id) where state < 'active' and name <> '${internalQueue}';
  create index job_failed on jobs.job_common (created_on, id) where state = 'failed';
  create index job_rare on jobs.job_common (state, created_on, id) where state in ('active', 'cancelled');
  create index job_causes on jobs.job_common (job_fingerprint(name, output), completed_on) where state = 'failed';
  create index job_values on jobs.job_common using gin (job_values(data));
  create index job_words on jobs.job_common using gin (job_words(id, data, output) gin_trgm_ops);

  -- Last: a table with foreign keys yet to be checked takes no index.
  update jobs.queue set dead_letter = null where dead_letter is not null;
  update jobs.job set dead_letter = null where dead_letter is not null;
  with letters as (delete from jobs.job where name = 'dead-letters' returning *)
  insert into jobs.job (id, name, data, state, retry_limit, retry_count, created_on, completed_on, output, policy, singleton_key, group_id)
    select l.source_id, q.name, l.data, 'failed', l.source_retry_count, l.source_retry_count, l.source_created_on, l.created_on,
      l.source_output, q.policy, l.singleton_key, l.group_id
    from letters l join jobs.queue q on q.name = l.source_name
    where l.source_id is not null and l.source_created_on is not null and l.source_retry_count is not null
    on conflict do nothing;
  delete from jobs.queue where name = 'dead-letters';
end $$`

export async function prepareJobTable(pool: Pick<Pool, 'query'>): Promise<void> {
  await pool.query(prepare)
}
