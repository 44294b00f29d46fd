import type { RequestContext, TransactionContext } from '../../context.ts'
import { advance } from '../../platform/runs/advance.ts'
import { findOfCustomer, findRow, lockRow } from './queries/sites.ts'
import { findOfSuspendedCustomer, findOpenSuspension } from './queries/suspensions.ts'
import { requestResumption, requestSuspension } from './suspension/request.ts'
import { siteSuspension } from './suspension/run.ts'
import { canTakeOffline } from './suspension/words.ts'

export type CustomerSite = {
  id: string
  domain: string
  /** The provider takes it offline, or has. */
  goesOffline: boolean
}

type Db = Pick<RequestContext, 'db'>

/** The customer's sites that a suspension reaches: those that are not suspended already. */
export async function sitesToSuspend({ db }: Db, customerId: string): Promise<CustomerSite[]> {
  const sites = await findOfCustomer(db, customerId)
  return sites
    .filter(({ status, at_provider }) => status !== 'suspended' || at_provider === 'resuming')
    .map((site) => ({ id: site.id, domain: site.domain, goesOffline: canTakeOffline(site) }))
}

/** Those that the customer's own suspension took, and nobody brought back since. */
export async function sitesToResume({ db }: Db, customerId: string): Promise<CustomerSite[]> {
  const suspensions = await findOfSuspendedCustomer(db, customerId)
  const sites = await findOfCustomer(db, customerId)
  return suspensions
    .filter(({ state }) => state !== 'resuming')
    .flatMap(({ site_id, provider }) => {
      const site = sites.find(({ id }) => id === site_id)
      return site ? [{ id: site.id, domain: site.domain, goesOffline: provider === 'pages' }] : []
    })
}

type Request = { customerId: string; reason: string; runId: string }

/** Suspends these sites in the name of their customer's suspension; those that are suspended already stay as they are. */
export async function suspendForCustomer(
  tx: TransactionContext,
  ids: readonly string[],
  request: Request,
): Promise<void> {
  for (const id of ids) {
    const site = await lockRow(tx.db, id)
    if (site) await requestSuspension(tx, site, request)
  }
}

/** Lifts what the customer's suspension brought; what was suspended for its own sake stays so. */
export async function resumeForCustomer(
  tx: TransactionContext,
  ids: readonly string[],
  { customerId, runId }: Pick<Request, 'customerId' | 'runId'>,
): Promise<void> {
  for (const id of ids) {
    const site = await lockRow(tx.db, id)
    if (!site) continue
    const open = await findOpenSuspension(tx.db, id)
    if (open?.customer_id === customerId) await requestResumption(tx, site, runId)
  }
}

export type SitesResult = {
  stillServed: number
  /** Their provider has not come to it yet, and why not. */
  left: { domain: string; note: string | null }[]
}

/** Goes on with what was asked for these sites, and says how far it is. */
export async function finishForCustomer(ctx: RequestContext, ids: readonly string[]): Promise<SitesResult> {
  const result: SitesResult = { stillServed: 0, left: [] }
  for (const id of ids) {
    await advance(ctx, siteSuspension, id)
    const site = await findRow(ctx.db, id)
    const open = site && (await findOpenSuspension(ctx.db, id))
    if (site?.at_provider === 'still_served') result.stillServed++
    if (open?.state === 'suspending' || open?.state === 'resuming')
      result.left.push({ domain: site?.domain ?? id, note: open.note })
  }
  return result
}
