import type { Queryable, Store } from '../store/store.ts'

/** A change is made alone among the changes, in one transaction. */
export async function inTransaction<T>(store: Store, work: (db: Queryable) => Promise<T>): Promise<T> {
  const client = await store.pool.connect()
  let broken = false
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`sandbox-cloudflare ${store.schema}`])
    const result = await work(client as Queryable)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}
