import { z } from 'zod'
import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { createSecretBox, type SecretBox } from '../../platform/secrets.ts'
import { lockMirror } from '../mirror/index.ts'
import { probeSoon } from '../probes/index.ts'
import { findDemoSites, hasSites, isDemoFilled, markDemoFilled, unmarkDemo } from './queries/imports.ts'
import { lockDomains, lockRow } from './queries/sites.ts'
import { changeStatus } from './service/change-status.ts'
import { auditedOf, insertSite } from './service/create-site.ts'

const demoSite = z.object({
  label: z.string(),
  name: z.string(),
  domain: z.string(),
  customer_id: z.string().nullable(),
  template_type: z.string().nullable(),
  provider: z.enum(['pages', 'hook']),
  project: z.string().nullable(),
  hook: z.object({ url: z.string(), secret: z.string() }).nullable(),
  deployment_url: z.string(),
})
type DemoSite = z.output<typeof demoSite>

const demoAnswer = z.object({ sites: z.array(demoSite) })

function providerOf({ provider, project, hook }: DemoSite, box: SecretBox) {
  if (provider === 'pages') return { provider, provider_settings: { project, branch: null } }
  return {
    provider,
    provider_settings: { host: hook ? new URL(hook.url).host : null, callback: hook !== null },
    hook_url_sealed: hook && box.seal(hook.url),
    hook_secret_sealed: hook && box.seal(hook.secret),
  }
}

async function addDemoSite(tx: TransactionContext, site: DemoSite, box: SecretBox): Promise<void> {
  const { name, domain, customer_id, template_type, deployment_url } = site
  const inserted = await insertSite(
    tx,
    { site_name: name, domain, subdomain: null, customer_id, deployment_url, template_type },
    { status: 'active', cause: 'imported', is_demo: true, ...providerOf(site, box) },
  )
  await probeSoon(tx, inserted.id)
  await recordAudit(tx, { action: 'site.create', resource: 'site', id: inserted.id, after: auditedOf(inserted) })
}

/** The sites that the sandbox hosts, once, into a console that has none. */
async function fill(ctx: RequestContext, demoSites: NonNullable<RequestContext['demoSites']>): Promise<void> {
  const { sites } = demoAnswer.parse(await demoSites())
  const box = await ctx.instance(createSecretBox)
  await inTransaction(ctx, async (tx) => {
    await lockMirror(tx.db)
    await lockDomains(tx.db)
    if (await isDemoFilled(tx.db)) return
    await markDemoFilled(tx.db, new Date(tx.clock()))
    if (await hasSites(tx.db)) return
    for (const site of sites) await addDemoSite(tx, site, box)
  })
}

/** A console that was connected to a real account shows nothing that only the demo had. */
async function clear(ctx: RequestContext): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockMirror(tx.db)
    for (const { id } of await findDemoSites(tx.db)) {
      const site = await lockRow(tx.db, id)
      if (!site) continue
      await changeStatus(tx, site, { to: 'deleted', cause: 'deletion', reason: 'The demo has ended' })
      await recordAudit(tx, { action: 'site.delete', resource: 'site', id, before: auditedOf(site) })
    }
    await unmarkDemo(tx.db)
  })
}

/** Keeps the demo's sites in a demo, and out of everything else. */
export async function keepDemo(ctx: RequestContext): Promise<void> {
  const isDemo = ctx.config.mode === 'demo'
  const isFilled = await isDemoFilled(ctx.db)
  if (isDemo && ctx.demoSites && !isFilled) await fill(ctx, ctx.demoSites)
  if (!isDemo && isFilled) await clear(ctx)
}
