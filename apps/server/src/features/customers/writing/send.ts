import type { RequestContext } from '../../../context.ts'
import { ProviderError } from '../../../integrations/stripe/errors.ts'
import type { Answer, ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { AppError } from '../../../platform/errors.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import type { WriteRow } from '../queries/writes.ts'
import { abandonWrite, leaveUnknown, type Sent } from './write.ts'

type Steps = {
  send(): Promise<Answer>
  /** What was sent, if it has happened; null when it has not. */
  find(): Promise<ProviderObject | null>
  isRepeat: boolean
}

/** Sends it; where the answer is lost, looks whether it has happened. Throws what is then known. */
export async function sendWrite(ctx: RequestContext, row: WriteRow, { send, find, isRepeat }: Steps): Promise<Sent> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  try {
    return { ...(await send()), fetchSeq }
  } catch (error) {
    if (isRefusal(error, isRepeat)) {
      await abandonWrite(ctx, row)
      throw error
    }
    const found = await find().catch(() => undefined)
    if (found) return { object: found, fetchSeq, requestId: null }
    if (found === null && wasAnswered(error)) {
      await abandonWrite(ctx, row)
      throw new AppError(error.code, `${error.message}. Nothing was saved: try again.`, error.extras)
    }
    await leaveUnknown(ctx, row)
    ctx.log.warn({ err: error, actionId: row.id }, 'outcome of saving a customer is unknown')
    throw new AppError('outcome_unknown', unknownText(error), { cause: error })
  }
}

/** Whether the error proves that nothing happened. A key that is refused now may have been good at an earlier try. */
function isRefusal(error: unknown, isRepeat: boolean): boolean {
  if (!(error instanceof ProviderError)) return false
  const { kind, providerStatus, mayHaveRun } = error
  if (kind === 'invalid' || kind === 'not_found') return true
  if (!isRepeat && !mayHaveRun && (kind === 'rate_limit' || kind === 'unavailable')) return true
  return !isRepeat && (kind === 'auth' || (kind === 'conflict' && providerStatus === 400))
}

/** Stripe has come to an end with it; only a conflict says that an earlier try still runs. */
const wasAnswered = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.providerStatus !== undefined && error.kind !== 'conflict'

function unknownText(error: unknown): string {
  const why = error instanceof ProviderError ? error.message : 'The call to Stripe ended in a way that is not known'
  return `${why}. So it is not known yet whether it was saved. Trying again is safe: nothing is saved twice.`
}
