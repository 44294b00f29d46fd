import type { AppContext } from '../../context.ts'
import { findRefusals, type RefusalReason, saveRefusal } from './queries/refusals.ts'

const quietMs = 10_000

/** Anybody can send what is refused, so it is written down seldom. */
export function createRefusals({ db, clock }: AppContext) {
  const writtenAt = new Map<RefusalReason, number>()
  return {
    async note(reason: RefusalReason): Promise<void> {
      const now = clock()
      if (now - (writtenAt.get(reason) ?? Number.NEGATIVE_INFINITY) < quietMs) return
      writtenAt.set(reason, now)
      await saveRefusal(db, reason, new Date(now))
    },
    /** The next one is news again. */
    forget: () => writtenAt.clear(),
  }
}

export type Refused = { isError: boolean; since: Date; finding: string; advice: string }

const asked = 'The console fetches events every ten minutes instead.'

const words: Record<RefusalReason, Omit<Refused, 'since'>> = {
  signature: {
    isError: true,
    finding: `Deliveries from Stripe are refused: no signing secret of this console fits. ${asked}`,
    advice:
      'Check the webhook signing secret under System Config and the clock of this machine. Without one that was set, a restart makes a new endpoint if its secret cannot be opened.',
  },
  livemode: {
    isError: false,
    finding: `Deliveries of the other mode of Stripe arrive here, test instead of live or the reverse, and are dropped. ${asked}`,
    advice: 'Point the webhook endpoint of this mode here, or set the key of the other mode.',
  },
}

/** What is wrong with the deliveries since the last good one, the worst first. */
export async function findRefused({ db, clock }: Pick<AppContext, 'db' | 'clock'>): Promise<Refused | null> {
  const [worst] = await findRefusals(db, new Date(clock()))
  return worst ? { ...words[worst.reason], since: worst.firstAt } : null
}
