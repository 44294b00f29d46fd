import type { CheckSettings, SiteChecks, updateSiteChecks } from '@agency/contract/checks'
import type { BodyOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { differing, refusalOf } from '../check-rules.ts'
import { type AskedSite, settingsOf, urlOf } from '../check-settings.ts'
import { probeSoon } from '../probe-soon.ts'
import { findChecks, type KeptChecks, lockChecks, upsertChecks } from '../queries/checks.ts'

const toShown = (kept: KeptChecks, settings: CheckSettings): SiteChecks => ({
  ...settings,
  version: kept.version,
  url: urlOf(kept, settings.path) ?? `https://${kept.domain}/`,
  changed_at: kept.changedAt?.toISOString() ?? null,
})

export async function getChecks(ctx: RequestContext, id: string): Promise<SiteChecks> {
  const kept = await findChecks(ctx, id)
  if (!kept) throw notFound(`Site ${id}`)
  return toShown(kept, settingsOf(kept.settings))
}

export type CheckChange = { [Name in keyof CheckSettings]?: CheckSettings[Name] | undefined }

/** What was not given stays, and so does what was given as undefined. */
export function changed(before: CheckSettings, change: CheckChange): CheckSettings {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given) }
}

export function refuseWrong(settings: CheckSettings, site: AskedSite): void {
  const refusal = refusalOf(settings, site)
  if (refusal) throw new AppError('invalid_request', refusal.message, { parameter: refusal.parameter })
}

export async function updateChecks(
  ctx: RequestContext,
  id: string,
  { version, ...change }: BodyOf<typeof updateSiteChecks>,
): Promise<SiteChecks> {
  const checks = await inTransaction(ctx, async (tx) => {
    const kept = await lockChecks(tx, id)
    if (!kept) throw notFound(`Site ${id}`)
    const before = settingsOf(kept.settings)
    const after = changed(before, change)
    const fields = differing(before, after)
    if (fields.length === 0) return toShown(kept, before)
    if (version !== kept.version)
      throw new AppError('conflict', 'Someone else changed the checks of this site. Nothing was saved.', {
        parameter: 'version',
      })
    refuseWrong(after, kept)
    const next = { settings: after, version: kept.version + 1, changedAt: new Date(tx.clock()) }
    await upsertChecks(tx, id, next)
    await probeSoon(tx, id)
    const pick = (from: CheckSettings) => Object.fromEntries(fields.map((name) => [name, from[name]]))
    await recordAudit(tx, {
      ...{ action: 'site.update_checks', resource: 'site', id },
      ...{ before: pick(before), after: pick(after) },
    })
    return toShown({ ...kept, version: next.version, changedAt: next.changedAt }, after)
  })
  ctx.changes.tell('sites')
  return checks
}
