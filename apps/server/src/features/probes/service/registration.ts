import type { SiteRegistration } from '@agency/contract/registrations'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { findRegistration } from '../queries/registrations.ts'

const dayMs = 86_400_000

export async function getRegistration(ctx: RequestContext, id: string): Promise<SiteRegistration> {
  const found = await findRegistration(ctx, id)
  if (!found) throw notFound(`Site ${id}`)
  const { domain, expiresAt, registrar, checkedAt, problem } = found
  return {
    ...{ domain, registrar, problem },
    expires_at: expiresAt?.toISOString() ?? null,
    days_left: expiresAt === null ? null : Math.floor((expiresAt.getTime() - ctx.clock()) / dayMs),
    checked_at: checkedAt?.toISOString() ?? null,
  }
}
