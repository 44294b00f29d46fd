import type { BodyOf } from '@agency/contract/endpoint'
import type { updateSiteSettings } from '@agency/contract/sites'
import type { SiteSettings } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { ProbeError } from '../../../platform/probe/probe-error.ts'
import { checkUrl } from '../../../platform/probe/target.ts'
import { createSecretBox, type SecretBox } from '../../../platform/secrets.ts'
import { probeSoon } from '../../probes/index.ts'
import { findRow, patchRow, type SiteRow } from '../queries/sites.ts'
import { changeSites } from './change-sites.ts'
import { lockSite } from './find-site.ts'
import { type ProviderSettings, providerSettingsOf, toSettings } from './shown.ts'
import { checkVersion, nextVersion } from './version.ts'

type Body = BodyOf<typeof updateSiteSettings>

export async function getSettings({ db }: RequestContext, id: string): Promise<SiteSettings> {
  const site = await findRow(db, id)
  if (!site) throw notFound(`Site ${id}`)
  return toSettings(site)
}

const refuse = (parameter: string, message: string): AppError => new AppError('invalid_request', message, { parameter })

/** Where nothing may be asked, nothing may be deployed to either. */
function checkHookUrl(ctx: RequestContext, text: string): URL {
  try {
    return checkUrl(text, { demoHosts: ctx.demoHosts })
  } catch (error) {
    if (error instanceof ProbeError) throw refuse('hook.url', `${error.message}. Enter the address of a deploy hook.`)
    throw error
  }
}

/** Asked before anything is written: a project that Cloudflare does not know cannot be deployed to. */
async function checkProject({ cloudflare }: RequestContext, project: string | undefined): Promise<void> {
  if (project === undefined || !cloudflare) return
  if (!(await cloudflare.findProject(project)))
    throw refuse('pages.project', `Pages project ${project} not found at Cloudflare. Choose one from the list.`)
}

type Columns = Pick<SiteRow, 'provider' | 'hook_url_sealed' | 'hook_secret_sealed' | 'health_path'> & {
  provider_settings: ProviderSettings
}

const nothingSealed = { hook_url_sealed: null, hook_secret_sealed: null }

function pagesColumns(site: SiteRow, pages: Body['pages']) {
  const { project, branch } = providerSettingsOf(site)
  const chosen = pages ?? (project === undefined ? undefined : { project, branch: branch ?? null })
  if (!chosen) throw refuse('pages.project', 'Choose a Pages project')
  return { ...nothingSealed, provider_settings: { ...chosen } }
}

function hookColumns(ctx: RequestContext, box: SecretBox, site: SiteRow, hook: NonNullable<Body['hook']>) {
  const { callback, host } = providerSettingsOf(site)
  if (hook.url === undefined && site.hook_url_sealed === null)
    throw refuse('hook.url', 'Enter the deploy hook’s address')
  const url = hook.url === undefined ? null : checkHookUrl(ctx, hook.url)
  const now = url?.host ?? host
  const secret = hook.secret === undefined ? site.hook_secret_sealed : hook.secret && box.seal(hook.secret)
  return {
    hook_url_sealed: url ? box.seal(url.href) : site.hook_url_sealed,
    hook_secret_sealed: secret,
    provider_settings: { ...(now !== undefined && { host: now }), callback: hook.callback ?? callback ?? false },
  }
}

function columnsOf(ctx: RequestContext, box: SecretBox, site: SiteRow, body: Body): Columns {
  const provider = body.provider === undefined ? site.provider : body.provider
  const rest = { provider, health_path: body.health_path ?? site.health_path }
  if (provider === 'pages') return { ...rest, ...pagesColumns(site, body.pages) }
  if (provider === 'hook') return { ...rest, ...hookColumns(ctx, box, site, body.hook ?? {}) }
  return { ...rest, ...nothingSealed, provider_settings: {} }
}

/** What differs, by the fields that a person knows. */
function fieldsOf(site: SiteRow, after: Columns): string[] {
  const before = providerSettingsOf(site)
  const pairs: [field: string, before: unknown, after: unknown][] = [
    ['provider', site.provider, after.provider],
    ['project', before.project, after.provider_settings.project],
    ['branch', before.branch ?? null, after.provider_settings.branch ?? null],
    ['hook address', site.hook_url_sealed, after.hook_url_sealed],
    ['hook secret', site.hook_secret_sealed, after.hook_secret_sealed],
    ['callback', before.callback ?? false, after.provider_settings.callback ?? false],
    ['health path', site.health_path, after.health_path],
  ]
  return pairs.filter(([, was, is]) => was !== is).map(([field]) => field)
}

const audited = (site: Pick<SiteRow, 'provider' | 'provider_settings' | 'health_path'>) => ({
  ...{ provider: site.provider, ...providerSettingsOf(site), health_path: site.health_path },
})

/** Changes how a site is deployed and checked. Address and secret of a hook go in and never come out. */
export async function updateSettings(ctx: RequestContext, id: string, body: Body): Promise<SiteSettings> {
  const box = await ctx.instance(createSecretBox)
  await checkProject(ctx, body.provider === 'pages' || body.provider === undefined ? body.pages?.project : undefined)
  return changeSites(ctx, async (tx) => {
    const site = await lockSite(tx, id)
    const columns = columnsOf(ctx, box, site, body)
    const fields = fieldsOf(site, columns)
    if (fields.length === 0) return toSettings(site)
    await checkVersion(tx, site, body.version, fields)
    const { provider_settings, ...rest } = columns
    const stamp = await nextVersion(tx, site, fields)
    const patched = await patchRow(tx.db, id, {
      ...{ ...rest, ...stamp, provider_settings: JSON.stringify(provider_settings) },
    })
    if (fields.includes('health path')) await probeSoon(tx, id)
    await recordAudit(tx, {
      action: 'site.update_settings',
      resource: 'site',
      id,
      before: audited(site),
      after: { ...audited(patched), changed: fields },
    })
    return toSettings(patched)
  })
}
