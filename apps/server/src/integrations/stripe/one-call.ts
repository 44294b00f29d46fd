import { AsyncLocalStorage } from 'node:async_hooks'
import { remainingMs } from '../../platform/awaited.ts'
import { LateError, within } from '../../platform/within.ts'

/** How long one call may take with all its tries, and what may be tried again within that. */
export type Patience = {
  tryMs: number
  callMs: number
  /** What the limit of calls refuses is sent again while there is time. */
  waitsForLimit: boolean
  /** It ends with the request that it is made for. */
  isAwaited: boolean
}

/** One call as whoever asks for it sees it, however often it is sent. */
export type OneCall = Patience & {
  /** By `performance.now()`. */
  endsAt: number
  /** A try of it may have been carried out, so that a later refusal says nothing of it. */
  mayHaveRun: boolean
}

const calls = new AsyncLocalStorage<OneCall>()

/** The call that is under way here; undefined outside of any. */
export const callUnderWay = (): OneCall | undefined => calls.getStore()

export function beginCall(patience: Patience): OneCall {
  const leftMs = patience.isAwaited ? Math.min(patience.callMs, remainingMs()) : patience.callMs
  return { ...patience, endsAt: performance.now() + leftMs, mayHaveRun: false }
}

/** Waits for it no longer than its time, also when an answer has begun and does not end. */
export function runCall<T>(call: OneCall, work: () => Promise<T>): Promise<T> {
  return calls
    .run(call, () => within(Math.max(0, call.endsAt - performance.now()), work()))
    .catch((error: unknown) => {
      call.mayHaveRun ||= error instanceof LateError
      throw error
    })
}
