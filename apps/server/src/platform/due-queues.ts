import type { Logger } from './logger.ts'

type DueQueues = {
  find(): Promise<string[]>
  tell(queue: string): void
  everyMs: number
  log: Pick<Logger, 'warn'>
}

/**
 * Tells over and over of the queues that have something due: a wake-up may be lost with its connection, and times to come and
 * retries have none. One question for all, where each worker of each queue would ask on its own. Returns the way to stop.
 */
export function tellDueQueues({ find, tell, everyMs, log }: DueQueues): () => void {
  let isStopped = false
  let timer = setTimeout(look, everyMs)

  async function look(): Promise<void> {
    try {
      for (const queue of await find()) if (!isStopped) tell(queue)
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'what is due in the queues could not be looked for')
    }
    if (!isStopped) timer = setTimeout(look, everyMs)
  }

  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
