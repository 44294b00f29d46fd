import type { AppContext } from '../../context.ts'
import { appendHead } from './head-file.ts'
import { findHead } from './queries/chain.ts'

const gatherMs = 1000

/**
 * Writes the newest place of the chain to the log and to a file in the data folder, a second after it changed. A tail
 * that is cut off in the database, or a chain that is made anew there, does not fit what was written outside.
 */
export function createHeadKeeper(ctx: AppContext) {
  let written: string | undefined
  let timer: NodeJS.Timeout | undefined
  let leave: (() => void) | undefined
  let writing = Promise.resolve()
  let isToldUnwritable = false

  async function keep(): Promise<void> {
    const { seq, hash } = await findHead(ctx)
    if (seq === 0 || hash === written) return
    ctx.log.info({ seq, hash }, 'audit head')
    written = hash
    try {
      await appendHead(ctx.config, { at: new Date(ctx.clock()).toISOString(), seq, hash })
      isToldUnwritable = false
    } catch (error) {
      if (!isToldUnwritable) ctx.log.warn({ err: error }, 'the audit head could not be written to the data folder')
      isToldUnwritable = true
    }
  }

  function write(): Promise<void> {
    writing = writing
      .then(keep)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'the audit head could not be read'))
    return writing
  }

  function plan(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void write()
    }, gatherMs)
    timer.unref()
  }

  return {
    async start(): Promise<void> {
      leave = ctx.changes.subscribe((topics) => {
        if (topics.has('audit')) plan()
      })
      await write()
    },
    async stop(): Promise<void> {
      leave?.()
      clearTimeout(timer)
      timer = undefined
      await write()
    },
  }
}
