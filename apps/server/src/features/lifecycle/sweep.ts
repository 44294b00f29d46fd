import type { RequestContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { findToErase, findWaiting } from '../customer-states/index.ts'
import { liftIfPaid } from './paid.ts'
import { startRun } from './start.ts'

const erasedAtOnce = 50

/** Once a minute, and when a process starts: what is due, and who has paid. */
export async function sweep(ctx: RequestContext): Promise<void> {
  for (const customer of await findWaiting(ctx.db)) await quietly(ctx, customer, () => liftIfPaid(ctx, customer))
  for (const customer of await findToErase(ctx.db, new Date(ctx.clock()), erasedAtOnce))
    await quietly(ctx, customer, () =>
      startRun(ctx, { customerId: customer, options: { kind: 'erase' }, claim: null }).then(() => {}),
    )
}

/** One that cannot be taken up now must not keep the others; the next minute tries again. */
async function quietly(ctx: RequestContext, customer: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isUsual = error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found')
    if (!isUsual) ctx.log.warn({ err: error, customer }, 'a customer could not be taken up')
  }
}
