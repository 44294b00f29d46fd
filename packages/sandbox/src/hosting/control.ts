import type { IncomingMessage, ServerResponse } from 'node:http'
import { type DemoSite, ownerOf, type SiteBehaviour } from '../cloudflare/demo-sites.ts'
import type { Store } from '../store/store.ts'
import { type HookFault, hookFaults } from './build.ts'
import type { SiteFlags } from './flags.ts'
import type { Hook } from './hooks.ts'
import type { Registry } from './registry.ts'
import { asObject, Refusal, readText, sendJson } from './reply.ts'
import type { Sites } from './sites.ts'

type Options = {
  key: string
  store: Store
  demoSites: readonly DemoSite[]
  sites: Sites
  hooks: readonly Hook[]
  registry: Registry
  flags: SiteFlags
  urlOf: (site: DemoSite) => string
  hookUrlOf: (hook: Hook) => string
  addFault: (label: string, fault: HookFault, times: number) => void
  setStepMs: (ms: number) => void
}

const behaviours: readonly SiteBehaviour[] = [
  'ok',
  'slow',
  'crawling',
  'failing',
  'flapping',
  'redirect_loop',
  'reset',
  'endless_body',
  'expiring_certificate',
  'expired_certificate',
  'wrong_name_certificate',
  'self_signed_certificate',
]

async function customersBy({ pool, schema }: Store, emails: readonly string[]) {
  const { rows } = await pool.query<{ id: string; email: string; name: string | null }>(
    `select distinct on (email) id, email, doc->>'name' as name from ${schema}.objects
     where kind = 'customer' and not deleted and email = any($1::text[]) order by email, created, ord`,
    [emails],
  )
  return new Map(rows.map((row) => [row.email, row]))
}

/** The sites with their owners as the payment provider knows them. */
async function listSites({ store, demoSites, hooks, urlOf, hookUrlOf }: Options) {
  const customers = await customersBy(
    store,
    demoSites.map((site) => ownerOf(site).email),
  )
  return demoSites.map((site) => {
    const customer = customers.get(ownerOf(site).email)
    const hook = hooks.find((each) => each.site.label === site.label)
    return {
      label: site.label,
      name: site.name,
      domain: site.domain,
      customer_id: customer?.id ?? null,
      customer_name: customer?.name ?? null,
      template_type: site.template,
      provider: site.provider,
      project: site.project,
      hook: hook && site.provider === 'hook' ? { url: hookUrlOf(hook), secret: hook.secret } : null,
      deployment_url: urlOf(site),
    }
  })
}

function wordIn<W extends string>(words: readonly W[], value: unknown, name: string): W {
  const word = words.find((each) => each === value)
  if (word === undefined) throw new Refusal(400, `'${name}' must be one of ${words.join(', ')}`)
  return word
}

function numberIn(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw new Refusal(400, `'${name}' must be a number that is not negative`)
}

export function createHostingControl(options: Options) {
  const labelIn = (value: unknown): string => {
    const site = options.demoSites.find(({ label }) => label === value)
    if (!site) throw new Refusal(404, `There is no site '${String(value)}'`)
    return site.label
  }

  async function answer(request: IncomingMessage, path: string): Promise<unknown> {
    if (request.headers.authorization !== `Bearer ${options.key}`) throw new Refusal(401, 'The key is wrong')
    const call = `${request.method} ${path}`
    if (call === 'GET /sites') return { sites: await listSites(options) }
    if (call === 'GET /flags') return { url: options.flags.where() }
    const input = asObject(await readText(request))
    if (call === 'POST /faults') {
      const fault = wordIn(hookFaults, input['fault'], 'fault')
      options.addFault(labelIn(input['label']), fault, numberIn(input['times'] ?? 1, 'times'))
    } else if (call === 'POST /behaviour') {
      const { behaviour, build = null } = input
      if (build !== null && typeof build !== 'string') throw new Refusal(400, "'build' must be the id of a build")
      const plan = behaviour === null ? undefined : { behaviour: wordIn(behaviours, behaviour, 'behaviour'), build }
      options.sites.behave(labelIn(input['label']), plan)
    } else if (call === 'POST /registration') {
      const { days } = input
      const label = labelIn(input['label'])
      const domain = options.demoSites.find((site) => site.label === label)?.domain ?? ''
      options.registry.expire(domain, days === null ? undefined : days === 'none' ? days : numberIn(days, 'days'))
    } else if (call === 'POST /flags') {
      const { url, key } = input
      if (url !== null && (typeof url !== 'string' || typeof key !== 'string'))
        throw new Refusal(400, "'url' and 'key' must be text")
      await options.flags.set(url === null ? null : { url, key: String(key) })
    } else if (call === 'POST /settings') options.setStepMs(numberIn(input['stepMs'], 'stepMs'))
    else throw new Refusal(404, `The hosting has no ${call}`)
    return { ok: true }
  }

  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    try {
      sendJson(response, 200, await answer(request, path))
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500
      sendJson(response, status, { error: error instanceof Error ? error.message : String(error) })
    }
  }
}
