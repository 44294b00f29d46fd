import type { ResponseOf } from '@agency/contract/endpoint'
import type { importSites as contract } from '@agency/contract/sites'
import type { ImportRow } from '@agency/contract/types'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { bindKey, type Claim, keepAnswer } from '../../../platform/idempotency-keys.ts'
import { lockMirror } from '../../mirror/index.ts'
import { insertMany } from '../queries/imports.ts'
import { findOwnersByIds } from '../queries/owners.ts'
import { findRow, findTakenDomains, lockDomains } from '../queries/sites.ts'
import { type ImportedSite, type ReadRow, readImportRow } from '../rules/import-row.ts'
import { requestSuspension } from '../suspension/request.ts'
import { changeSites } from './change-sites.ts'
import { newSiteId } from './ids.ts'

type Answer = ResponseOf<typeof contract>
type Planned = { rows: ImportRow[]; sites: (ImportedSite & { id: string })[] }

const withReason = (row: ReadRow, reason: string): ReadRow => ({ ...row, site: null, reason })

/** Each domain once: not one that a site has, nor one that stands further up in the list. */
function withoutRepeats(rows: readonly ReadRow[], taken: ReadonlySet<string>): ReadRow[] {
  const seen = new Set<string>()
  return rows.map((row) => {
    if (row.site === null) return row
    const { domain } = row.site
    if (taken.has(domain)) return withReason(row, 'Another site has this domain')
    if (seen.has(domain)) return withReason(row, 'Duplicate domain in the list')
    seen.add(domain)
    return row
  })
}

function withOwner(row: ReadRow, owners: ReadonlySet<string>): ReadRow {
  const { site } = row
  const asked = site?.customer_id ?? site?.customer_name ?? null
  if (site === null || asked === null || (site.customer_id !== null && owners.has(site.customer_id))) return row
  const note = `Its customer ${[...asked].slice(0, 80).join('')} is unknown: imported without customer`
  return { ...row, site: { ...site, customer_id: null }, notes: [...row.notes, note] }
}

/** What an import does; the preview tells it. */
async function plan(
  ctx: Pick<RequestContext, 'db' | 'clock' | 'demoHosts'>,
  values: readonly unknown[],
): Promise<Planned> {
  const read = values.map((value) => readImportRow(value, ctx.clock(), ctx))
  const sites = read.flatMap(({ site }) => (site === null ? [] : [site]))
  const taken = await findTakenDomains(ctx.db, [...new Set(sites.map(({ domain }) => domain))])
  const ids = new Set(sites.flatMap(({ customer_id }) => (customer_id === null ? [] : [customer_id])))
  const owners = await findOwnersByIds(ctx.db, [...ids])
  const rows = withoutRepeats(read, taken).map((row) => withOwner(row, owners))
  return {
    rows: rows.map(({ site_name, domain, site, reason, notes }, position) => ({
      ...{ position, site_name, domain, reason, notes },
      outcome: site === null ? 'skip' : 'create',
    })),
    sites: rows.flatMap(({ site }) => (site === null ? [] : [{ ...site, id: newSiteId() }])),
  }
}

const answerOf = ({ rows, sites }: Planned): Answer => ({
  ...{ created: sites.length, skipped: rows.length - sites.length, rows },
})

export const previewImport = async (ctx: RequestContext, values: readonly unknown[]): Promise<Answer> =>
  answerOf(await plan(ctx, values))

async function write(tx: TransactionContext, { sites }: Planned): Promise<void> {
  const at = new Date(tx.clock())
  const rows = sites.map(({ customer_name: _, status, created_at, ...site }) => ({
    ...site,
    ...{ status: status === 'suspended' ? 'pending' : status, created_at: created_at ?? at, updated_at: at },
  }))
  await insertMany(tx.db, rows, { at, cause: 'imported', actor_type: tx.actor.type, actor_name: tx.actor.name })
  for (const { id } of sites.filter(({ status }) => status === 'suspended')) {
    const row = await findRow(tx.db, id)
    if (row) await requestSuspension(tx, row, { reason: 'Suspended in the older console', customerId: null })
  }
}

/** Takes over what an older console kept in a browser. */
export function importSites(ctx: RequestContext, values: readonly unknown[], claim: Claim | null): Promise<Answer> {
  return changeSites(ctx, async (tx) => {
    await bindKey(tx, claim, 'import')
    await lockMirror(tx.db)
    await lockDomains(tx.db)
    const planned = await plan(tx, values)
    const answer = answerOf(planned)
    await write(tx, planned)
    await keepAnswer(tx, claim, answer)
    await recordAudit(tx, {
      action: 'sites.import',
      resource: 'sites',
      id: null,
      after: {
        ...{ created: answer.created, skipped: answer.skipped },
        sites: planned.sites.map(({ id, site_name, domain }) => ({ id, site_name, domain })),
      },
    })
    return answer
  })
}
