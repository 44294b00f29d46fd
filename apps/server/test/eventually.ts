import { vi } from 'vitest'

/** What happens elsewhere, in another process or in a queue, is seen in a moment; the limit is for what hangs. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 })
