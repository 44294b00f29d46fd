import type { BodyOf } from '@agency/contract/endpoint'
import type { setSiteStatus } from '@agency/contract/sites'
import type { SiteDetails, SiteStatus } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { findOverdue, lockRow, type SiteRow } from '../queries/sites.ts'
import { nextByHand, settled } from '../rules/transitions.ts'
import { changeSites } from './change-sites.ts'
import { changeStatus } from './change-status.ts'
import { lockSite } from './find-site.ts'
import { getSite } from './get-site.ts'

const longestMs = 366 * 86_400_000

function untilOf(ctx: RequestContext, text: string | null, site: SiteRow, to: SiteStatus) {
  if (text === null) return null
  const at = new Date(text)
  const ahead = at.getTime() - ctx.clock()
  if (ahead <= 0 || ahead > longestMs)
    throw new AppError('invalid_request', 'Choose an end within the next year', { parameter: 'until' })
  // A second setting by hand ends where the first would have ended.
  const before = site.status === to ? settled('deploying', site.last_deployment !== null) : (site.status as SiteStatus)
  const after = (site.status_after ?? before) as SiteStatus
  if (after === to)
    throw new AppError('invalid_request', `The site is already ${to}: remove the end`, { parameter: 'until' })
  return { at, after }
}

/** Sets the status by hand, for a reason, and for a while where an end is given. */
export function setStatus(ctx: RequestContext, id: string, body: BodyOf<typeof setSiteStatus>): Promise<SiteDetails> {
  return changeSites(ctx, async (tx) => {
    const site = await lockSite(tx, id)
    if (!nextByHand(site.status as SiteStatus).includes(body.status))
      throw new AppError(
        'conflict',
        `A site that is ${site.status} cannot be set to ${body.status} by hand. Nothing was changed.`,
      )
    const until = untilOf(ctx, body.until, site, body.status)
    await changeStatus(tx, site, { to: body.status, cause: 'by_hand', reason: body.reason, until })
    await recordAudit(tx, {
      action: 'site.set_status',
      resource: 'site',
      id,
      before: { status: site.status },
      after: { status: body.status, reason: body.reason, until: body.until },
    })
    return getSite(tx, id)
  })
}

/** What was set by hand for a while is over. */
export async function expireStatuses(ctx: RequestContext): Promise<void> {
  for (const id of await findOverdue(ctx.db, new Date(ctx.clock())))
    await changeSites(ctx, async (tx) => {
      const site = await lockRow(tx.db, id)
      if (!site?.status_until || !site.status_after || site.status_until.getTime() > tx.clock()) return
      const to = site.status_after as SiteStatus
      await changeStatus(tx, site, { to, cause: 'expired', reason: 'Manual status ended' })
      await recordAudit(tx, {
        action: 'site.expire_status',
        resource: 'site',
        id,
        before: { status: site.status, reason: site.status_reason },
        after: { status: to },
      })
    })
}
