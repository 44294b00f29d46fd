import type { AppContext } from '../../context.ts'
import { counted } from '../../platform/counted.ts'
import { findRefused, findUnreadable } from '../mirror/index.ts'
import { type Measured, part } from './parts.ts'
import { findMirrorFigures } from './queries.ts'
import { durationText } from './words.ts'

const lateEventMs = 5 * 60_000
/** A provider that fails for longer than this is more than a moment's trouble. */
const lastingMs = 5 * 60_000
/** Stripe is compared with every ten minutes. */
const oldMs = 60 * 60_000

const notConnected = part('unknown', 'Stripe is not connected')

export type MirrorFacts = NonNullable<Awaited<ReturnType<typeof findMirrorFacts>>>

/** What is known of the copy of Stripe; null without Stripe. */
export async function findMirrorFacts(ctx: AppContext) {
  if (!ctx.stripe) return null
  // Nobody waits for it: one after the other they need one connection.
  const figures = await findMirrorFigures(ctx)
  const refused = await findRefused(ctx)
  const unreadable = await findUnreadable(ctx.db)
  return { ...figures, refused, unreadable, now: ctx.clock() }
}

type Finding = (facts: MirrorFacts) => Measured | null

const findProblem: Finding = ({ problem, now }) => {
  if (!problem) return null
  const problemMs = now - problem.since.getTime()
  return part(problem.kind === 'auth' || problemMs > lastingMs ? 'error' : 'warning', problem.message)
}

const findFailedImport: Finding = ({ import: newest }) =>
  newest?.state === 'failed' ? part('error', `The import failed: ${newest.error ?? 'unknown reason'}`) : null

const findRefusal: Finding = ({ refused, now }) => {
  if (!refused) return null
  const since = durationText(now - refused.since.getTime())
  return part(refused.isError ? 'error' : 'warning', `${refused.finding} First ${since} ago.`)
}

const findDead: Finding = ({ dead }) =>
  dead > 0 ? part('warning', `${counted(dead, 'change')} from Stripe could not be applied`) : null

const findUnread: Finding = ({ unreadable }) => {
  if (!unreadable) return null
  const { count, object_id, missing } = unreadable
  const objects = counted(count, 'object')
  return part('warning', `${objects} from Stripe cannot be read: ${object_id} came without ${missing}`)
}

const findLate: Finding = ({ pending, oldestPendingAt, now }) => {
  const waitMs = oldestPendingAt ? now - oldestPendingAt.getTime() : 0
  if (waitMs <= lateEventMs) return null
  return part('warning', `${counted(pending, 'change')} waiting, the oldest for ${durationText(waitMs)}`)
}

const findOld: Finding = ({ import: newest, asOf, now }) => {
  if (!asOf || newest?.state === 'running' || now - asOf.getTime() <= oldMs) return null
  return part('warning', `Last compared with Stripe ${durationText(now - asOf.getTime())} ago`)
}

const findProgress: Finding = ({ import: newest }) => {
  if (newest?.state === 'running') return part('healthy', 'Importing from Stripe')
  return newest ? null : part('unknown', 'No import yet')
}

const applied: Finding = ({ pending }) =>
  part('healthy', pending === 0 ? 'Every change is applied' : `${counted(pending, 'change')} being applied`)

const compared: Finding = ({ asOf, now }) =>
  asOf ? part('healthy', `Compared with Stripe ${durationText(now - asOf.getTime())} ago`) : null

const firstOf =
  (...findings: readonly Finding[]) =>
  (facts: MirrorFacts | null): Measured => {
    if (!facts) return notConnected
    for (const find of findings) {
      const found = find(facts)
      if (found) return found
    }
    return part('unknown', 'No import yet')
  }

/** Whether the copy of Stripe is true and current. */
export const judgeStripeCopy = firstOf(
  ...[findProblem, findFailedImport, findRefusal, findDead, findUnread, findLate, findOld, findProgress, applied],
)

/** The same findings, told apart: how the copy is, and how its news come in. */
export const judgeMirror = firstOf(findProblem, findFailedImport, findUnread, findOld, findProgress, compared)
export const judgeWebhooks = firstOf(findRefusal, findDead, findLate, findProgress, applied)
