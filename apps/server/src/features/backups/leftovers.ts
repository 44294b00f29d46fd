import type { AppContext } from '../../context.ts'
import { asideSchema, dropSchema, loadingSchema } from '../../db/archive/load-archive.ts'
import { withOwnClient } from '../../db/archive/write-archive.ts'
import { findSchemas } from './queries/schemas.ts'

/** Drops those that are there, at a time when nobody needs them. */
export async function removeSchemas(
  ctx: Pick<AppContext, 'db' | 'pool'>,
  which: { loading: boolean; aside: boolean },
): Promise<void> {
  const there = await findSchemas(ctx, [
    ...(which.loading ? [loadingSchema] : []),
    ...(which.aside ? [asideSchema] : []),
  ])
  if (there.length === 0) return
  const { signal } = new AbortController()
  await withOwnClient(ctx.pool.options, 'agency-console restore', signal, async (client) => {
    for (const schema of there) await dropSchema(client, schema)
  })
}
