import type { Store } from './store.ts'

/** Remembers a value under its name over restarts: the first one that is made stays. */
export async function keep<T>(store: Store, name: string, make: () => T | Promise<T>): Promise<T> {
  const read = async () =>
    (await store.pool.query<{ value: T }>(`select value from ${store.schema}.kept where name = $1`, [name])).rows[0]
  const known = await read()
  if (known) return known.value
  await store.pool.query(`insert into ${store.schema}.kept (name, value) values ($1, $2) on conflict do nothing`, [
    name,
    JSON.stringify(await make()),
  ])
  const kept = await read()
  if (!kept) throw new Error(`Could not keep '${name}'`)
  return kept.value
}
