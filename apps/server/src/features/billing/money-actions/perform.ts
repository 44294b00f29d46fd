import type { RequestContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { type ActionChange, type ActionRow, patchIn } from '../queries/money-actions.ts'
import { isHeld } from './action.ts'
import type { Started } from './begin.ts'
import { type Done, leaveUnknown, settleDone, settleFailed, unrecorded } from './settle.ts'
import { NotDone, reasonOf, StillOpen } from './verdict.ts'

/** One action, and what it is done with. */
export type Work = {
  ctx: RequestContext
  stripe: StripeGateway
  /** For looks at what became of it. */
  look: StripeGateway
  action: ActionRow
  /** 1 within the request that began it. */
  tries: number
  /** Written down before a call, with what is known by then. Throws where somebody else has the action: then nothing may be sent. */
  mark(change?: ActionChange): Promise<void>
}

const heldUp = 'The console was busy'

/** The first try of what was begun, within the request. What it leaves open a run finds out. */
export async function perform<Answer>(
  ctx: RequestContext,
  { action, fetchSeq, stripe }: Started,
  /** Answers what was done. Throws `NotDone`, or what leaves it open. */
  send: (work: Work, fetchSeq: number) => Promise<Done<Answer>>,
): Promise<Answer> {
  if (!isHeld(ctx, action)) throw await leaveUnknown(ctx, action, heldUp)
  const mark = async (change: ActionChange = {}): Promise<void> => {
    const isOurs = await patchIn(ctx.db, action, { ...change, sent_at: new Date(ctx.clock()) })
    if (!isOurs) throw new StillOpen(heldUp)
  }
  const work: Work = { ctx, stripe, look: stripe.in('brief'), action, tries: 1, mark }
  const done = await send(work, fetchSeq).catch(async (error: unknown) => {
    throw await (error instanceof NotDone
      ? settleFailed(ctx, action, error)
      : leaveUnknown(ctx, action, reasonOf(error)))
  })
  return settleDone(ctx, action, done).catch((error: unknown) => {
    throw unrecorded(ctx, action, error)
  })
}
