import type { TouchedThing } from '@agency/contract/queues'
import type { AppContext } from '../../context.ts'
import { findNames, type Ref } from './queries/touched.ts'

type Kind = TouchedThing['kind']
type Data = Record<string, unknown>

const the = (kind: Kind, id: unknown): Ref[] => (typeof id === 'string' && id !== '' ? [{ kind, id }] : [])
const fromStripe: ReadonlySet<string> = new Set<Kind>([
  ...(['customer', 'subscription', 'payment', 'invoice', 'refund', 'dispute', 'charge'] as const),
])

/** What the data of a job names, by its queue; every other job is about the console itself. */
const named: Record<string, (data: Data) => Ref[]> = {
  'mirror.apply': ({ kind, id }) => the(fromStripe.has(String(kind)) ? (kind as Kind) : 'object', id),
  'mail.send': ({ id }) => the('mail', id),
  'channels.deliver': ({ id }) => the('delivery', id),
  'exports.make': ({ id }) => the('export', id),
  'lifecycle.paid': ({ customer }) => the('customer', customer),
  'lifecycle.run': ({ subject }) => the('customer', subject),
  'sites.suspension': ({ subject }) => the('site', subject),
  'report-schedules.deliver': ({ subject }) => the('report_schedule', subject),
  'billing.resolve-actions': ({ subject }) => the('money_action', subject),
}

const refsOf = (queue: string, data: Data): Ref[] => named[queue]?.(data) ?? []

type Named = { queue_name: string; data: Data }

/** What each of these touched, in their order. */
export async function findTouched(
  { pool }: Pick<AppContext, 'pool'>,
  jobs: readonly Named[],
): Promise<TouchedThing[][]> {
  const refs = jobs.map(({ queue_name, data }) => refsOf(queue_name, data))
  const known = await findNames(pool, refs.flat())
  return refs.map((own) =>
    own.map((ref) => known.get(`${ref.kind} ${ref.id}`) ?? { ...ref, name: null, customer: null }),
  )
}
