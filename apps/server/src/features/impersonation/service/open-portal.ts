import type { Impersonation } from '@agency/contract/types'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { ProviderError } from '../../../integrations/stripe/errors.ts'
import type { PortalSession } from '../../../integrations/stripe/gateway.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { type ImpersonationRow, patchImpersonation } from '../queries/impersonations.ts'
import { type Asked, begin, sessionOf, shownTo, tellCustomer } from './begin.ts'
import { settleEnded } from './settle.ts'

type Opened = { impersonation: Impersonation; url: string }

/** The address lets in whoever holds it: it is answered once, and neither stored, logged nor audited. */
export async function openPortal(ctx: RequestContext, asked: Asked): Promise<Opened> {
  const sessionId = sessionOf(ctx)
  const { stripe } = ctx
  if (!stripe) throw new AppError('not_connected', 'Stripe is not connected')
  await settleEnded(ctx)
  const begun = await inTransaction(ctx, (tx) => begin(tx, sessionId, asked, { way: 'portal' }))
  const { row } = begun
  let session: PortalSession
  try {
    session = await stripe.createPortalSession(row.customer_id, returnAddress(ctx))
  } catch (error) {
    await recordFailure(ctx, row, error)
    throw error
  }
  await recordHandover(ctx, begun, session, asked.notify)
  return { impersonation: await shownTo(ctx, row.id), url: session.url }
}

/** Never made of the request's own Host header, which anybody may set. */
const returnAddress = ({ config }: RequestContext): string | undefined =>
  config.publicUrl ? new URL('/admin/impersonation', config.publicUrl).href : undefined

const told = (row: ImpersonationRow) => ({ impersonation_id: row.id, way: row.way })

async function recordHandover(
  ctx: RequestContext,
  { row, customer }: Awaited<ReturnType<typeof begin>>,
  { requestId }: PortalSession,
  notify: boolean,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const changed = await patchImpersonation(tx.db, row, { state: 'handed_over' })
    if (!changed) throw new AppError('conflict', 'Timed out. Nothing was opened: try again.')
    if (notify) await tellCustomer(tx, { row: changed, customer })
    await recordAudit(tx, {
      action: 'impersonation.start',
      resource: 'customer',
      id: row.customer_id,
      after: { ...told(row), state: 'done', provider_request_id: requestId },
    })
  })
}

async function recordFailure(ctx: RequestContext, row: ImpersonationRow, error: unknown): Promise<void> {
  const known = error instanceof ProviderError ? error : undefined
  await inTransaction(ctx, async (tx) => {
    const failed = { state: 'failed', cause: 'provider_failed', ended_at: new Date(tx.clock()) }
    if (!(await patchImpersonation(tx.db, row, failed))) return
    await recordAudit(tx, {
      action: 'impersonation.start',
      resource: 'customer',
      id: row.customer_id,
      outcome: 'failed',
      after: {
        ...told(row),
        state: 'failed',
        cause: 'provider_failed',
        error: known?.message ?? 'Unknown error in the call to Stripe',
        provider_request_id: known?.requestId ?? null,
      },
    })
  })
}
