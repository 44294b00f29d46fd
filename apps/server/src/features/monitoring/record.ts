import { type AppContext, inTransaction } from '../../context.ts'
import { dueAfterMs, staleAfterMs } from './intervals.ts'
import { insertMinute, insertSiteResponse, type MinuteValue, type SeenService, saveServices } from './queries/record.ts'

type Db = Pick<AppContext, 'db'>

/** Keeps how the services are. Of several processes that look, the one that finds them due is heard. */
export function recordServices(ctx: Db, seen: readonly SeenService[], at: Date): Promise<void> {
  const staleBefore = new Date(at.getTime() - staleAfterMs)
  return saveServices(ctx, seen, { at, staleBefore, nextAt: new Date(at.getTime() + dueAfterMs) })
}

/** Keeps a minute that is over, once: the process that comes first is the one that is shown. */
export async function recordMinute(ctx: Db, minute: Date, values: readonly MinuteValue[]): Promise<void> {
  const [first, ...others] = values
  if (!first) return
  await inTransaction(ctx, async (tx) => {
    if (!(await insertMinute(tx, minute, [first]))) return
    await insertMinute(tx, minute, others)
    await insertSiteResponse(tx, minute)
  })
}
