import { AsyncLocalStorage } from 'node:async_hooks'

const awaited = new AsyncLocalStorage<{ endsAt: number }>()

/** How long somebody still waits for what is done here, in milliseconds; `Infinity` where nobody does. */
export function remainingMs(): number {
  const { endsAt = Number.POSITIVE_INFINITY } = awaited.getStore() ?? {}
  return endsAt - performance.now()
}

/**
 * Somebody waits for this work no longer than `ms`. It is not ended: whoever calls out gives up in what remains. What it left
 * running once it was done is awaited by nobody.
 */
export async function awaitedFor<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const waiting = { endsAt: performance.now() + ms }
  try {
    return await awaited.run(waiting, work)
  } finally {
    waiting.endsAt = Number.POSITIVE_INFINITY
  }
}
