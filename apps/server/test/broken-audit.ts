import type { Pool } from 'pg'

export const auditFailures = {
  'its entry cannot be written':
    'create trigger broken before insert on audit_entries for each row execute function break_it()',
  'its commit fails':
    'create constraint trigger broken after insert on audit_entries deferrable initially deferred for each row execute function break_it()',
}

export const mendAudit = (pool: Pool) => pool.query('drop trigger if exists broken on audit_entries')

/** Works while no entry of the audit log can be written. */
export async function breakingAudit<T>(
  pool: Pool,
  how: keyof typeof auditFailures,
  work: () => Promise<T>,
): Promise<T> {
  await pool.query(
    "create or replace function break_it() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$",
  )
  await pool.query(auditFailures[how])
  try {
    return await work()
  } finally {
    await mendAudit(pool)
  }
}
