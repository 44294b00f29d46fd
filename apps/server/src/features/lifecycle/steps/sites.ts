import type { RequestContext } from '../../../context.ts'
import { inTransaction } from '../../../context.ts'
import { counted } from '../../../platform/counted.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepPayload } from '../../../platform/runs/change.ts'
import type { Outcome } from '../../../platform/runs/durable-run.ts'
import type { RunRow, StepRow } from '../../../platform/runs/queries.ts'
import { finishForCustomer, resumeForCustomer, suspendForCustomer } from '../../sites/index.ts'
import { noSites } from '../words.ts'

type Payload = { sites?: string[]; asked?: boolean }

/** So often the run waits for a provider that does not come to it; then the sites go on by themselves. */
const waits = 3

const reasons: Record<string, string> = {
  suspend: 'The customer was suspended',
  delete: 'The customer was deleted',
}

/** Asked for once, together with the note that it was: a site that somebody brought back meanwhile is left alone. */
async function ask(ctx: RequestContext, run: RunRow, step: StepRow, sites: readonly string[]): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const reason = reasons[run.kind]
    const request = { customerId: run.subject, runId: run.id }
    if (reason === undefined) await resumeForCustomer(tx, sites, request)
    else await suspendForCustomer(tx, sites, { ...request, reason })
    await keepPayload(tx, step, { ...(step.payload as Payload), asked: true })
  })
}

/** Without what every wait ends with. */
const whyNot = (note: string | null): string =>
  note?.replace(/\. Retrying automatically\.$/, '') ?? 'waiting for the host'

/** Takes the customer's sites offline, or brings back those that its suspension took. */
export async function changeSites(ctx: RequestContext, run: RunRow, step: StepRow): Promise<Outcome> {
  const { sites = [], asked = false } = step.payload as Payload
  if (sites.length === 0) return { state: 'skipped', note: noSites }
  if (!asked) await ask(ctx, run, step, sites)
  const { stillServed, left } = await finishForCustomer(ctx, sites)
  const [first] = left
  if (first && run.tries < waits) throw new AppError('unavailable', `${first.domain}: ${whyNot(first.note)}`)
  const notes = [
    counted(sites.length, 'site'),
    ...(stillServed > 0 ? [`${stillServed} still live: the host cannot take sites offline`] : []),
    ...(left.length > 0 ? [`${left.length} still in progress at the host`] : []),
  ]
  return { state: 'done', note: notes.join('; ') }
}
