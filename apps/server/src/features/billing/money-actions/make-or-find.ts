import { isProven, mayBeResent } from './action.ts'
import type { Work } from './perform.ts'
import { isKeptFailure, mayBeAskedAbout, NotDone, neverReached, refusalOf, StillOpen } from './verdict.ts'

type Ways<Made> = {
  /** Asks for it under its key: the provider makes it once. */
  send(): Promise<Made>
  /** What it has made by the provider's own list. */
  lookUp(): Promise<Made | null>
  /** Nothing happened under this key, and nothing will, for all that its last call before this one can tell. */
  ended(failure: unknown): Promise<Made>
}

/** Repeats the call under its key, or looks for what it has made once the provider may have forgotten the key. */
export async function makeOrFind<Made>(work: Work, { send, lookUp, ended }: Ways<Made>): Promise<Made> {
  const { ctx, action } = work
  if (!mayBeResent(ctx, action)) {
    const found = await lookUp()
    if (found) return found
    // Nothing is sent any more; the last call that was may still run.
    throw isProven(ctx, action) ? new NotDone(neverReached) : new StillOpen()
  }
  await work.mark()
  let failure: unknown
  try {
    return await send()
  } catch (error) {
    failure = error
  }
  const refusal = refusalOf(failure, true)
  // Under this key it would come back all day, whatever became of the call.
  const hasEnded = isKeptFailure(failure)
  if (!refusal && !hasEnded && !mayBeAskedAbout(failure)) throw failure
  const found = await lookUp()
  if (found) return found
  if (refusal) throw new NotDone(refusal)
  if (hasEnded) return ended(failure)
  throw failure
}
