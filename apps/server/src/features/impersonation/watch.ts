import { type AppContext, asSystem } from '../../context.ts'
import { settleEnded } from './service/settle.ts'

/** Writes down at once which views ended with a session, a role or an account, rather than with the next minute. */
export function createEndingWatch(ctx: AppContext) {
  let leave: (() => void) | undefined
  let settling = Promise.resolve()

  function settle(): void {
    settling = settling
      .then(() => settleEnded(asSystem(ctx, 'job', 'impersonation.settle')))
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'ended impersonations could not be written down'))
  }

  return {
    start(): void {
      leave = ctx.changes.subscribe((topics) => {
        if (topics.has('sessions')) settle()
      })
    },
    async stop(): Promise<void> {
      leave?.()
      await settling
    },
  }
}
