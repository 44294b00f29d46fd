import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DemoSite, SiteBehaviour } from '../cloudflare/demo-sites.ts'
import { troubleOf } from './behaviour.ts'
import type { Builds } from './builds-store.ts'
import { type SiteFlags, visitorOf } from './flags.ts'
import { failurePage, sitePage } from './page.ts'
import { sendPage } from './reply.ts'
import { type HostingOptions, localHostOf, type Served } from './types.ts'

type Options = Pick<HostingOptions, 'sites' | 'served' | 'wallNow'> & {
  builds: Builds
  flags: SiteFlags
}
type Visit = { request: IncomingMessage; response: ServerResponse; host: string; url: URL; isTls: boolean }

/** `build`: only while that build is served, as the fault of a deployment is; null: whatever is served. */
type Plan = { behaviour: SiteBehaviour; build: string | null }

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const dripEveryMs = 200

/** An answer that begins and never ends, for as long as the visitor stays. */
function dripFor(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.write('<!doctype html>')
  const drip = setInterval(() => response.write(' '), dripEveryMs)
  drip.unref()
  response.once('close', () => clearInterval(drip))
}

export function createSites({ sites, served, wallNow, builds, flags }: Options) {
  const byHost = new Map(sites.flatMap((site) => [[site.domain, site] as const, [localHostOf(site), site] as const]))
  const planned = new Map<string, Plan>()
  const visits = new Map<string, number>()
  /** When a copy of a site's page was put into the cache. */
  const cachedAt = new Map<string, number>()

  function behaviourOf({ label, behaviour }: DemoSite): SiteBehaviour {
    const plan = planned.get(label)
    return plan && plan.build === null ? plan.behaviour : behaviour
  }

  async function servedBy(site: DemoSite): Promise<Served | null> {
    if (site.provider === 'pages') return await served(site.domain)
    const build = await builds.served(site.label)
    return build ? { build: build.build_id, commit: build.commit.hash, message: build.commit.message } : null
  }

  async function behaviourNow(site: DemoSite): Promise<SiteBehaviour> {
    const plan = planned.get(site.label)
    if (!plan || plan.build === null) return behaviourOf(site)
    return (await servedBy(site))?.build === plan.build ? plan.behaviour : site.behaviour
  }

  function cacheHeaders(domain: string): Record<string, string> {
    const since = cachedAt.get(domain)
    if (since === undefined) {
      cachedAt.set(domain, wallNow())
      return { 'cf-cache-status': 'MISS' }
    }
    return { 'cf-cache-status': 'HIT', age: String(Math.max(0, Math.floor((wallNow() - since) / 1000))) }
  }

  async function show(site: DemoSite, { request, response }: Visit): Promise<void> {
    const now = await servedBy(site)
    if (!now) {
      const text = 'This domain is not connected to a site at present.'
      return sendPage(response, 522, failurePage('Not served', text))
    }
    const visitor = visitorOf(request)
    sendPage(response, 200, sitePage(site, now, await flags.on(site, visitor.id)), {
      ...{ 'x-build-id': now.build, ...cacheHeaders(site.domain) },
      ...(visitor.isNew &&
        flags.isAsked() && { 'set-cookie': `visitor=${visitor.id}; Path=/; Max-Age=31536000; SameSite=Lax` }),
    })
  }

  async function visit(site: DemoSite, parts: Visit): Promise<void> {
    const { response, host, url, isTls } = parts
    if (!isTls && host === site.domain) {
      response.writeHead(301, { location: `https://${host}${url.pathname}${url.search}` })
      return void response.end()
    }
    const count = visits.get(site.label) ?? 0
    visits.set(site.label, count + 1)
    const trouble = troubleOf(await behaviourNow(site), count, wallNow(), url)
    if (trouble === 'reset') return void response.destroy()
    if (trouble === 'endless_body') return dripFor(response)
    if (trouble && 'status' in trouble)
      return sendPage(response, trouble.status, failurePage('Something went wrong', 'Please try again later.'))
    if (trouble && 'location' in trouble) {
      response.writeHead(302, { location: trouble.location })
      return void response.end()
    }
    if (trouble) await wait(trouble.delayMs)
    await show(site, parts)
  }

  return {
    find: (host: string) => byHost.get(host),
    visit,
    behaviourOf,
    /** undefined: as it was written. */
    behave(label: string, plan: Plan | undefined): void {
      if (plan === undefined) planned.delete(label)
      else planned.set(label, plan)
    },
    /** Throws cached copies away; of all hosts when none is named. */
    forget(hosts?: readonly string[]): void {
      for (const host of hosts ?? [...cachedAt.keys()]) cachedAt.delete(host)
    },
  }
}

export type Sites = ReturnType<typeof createSites>
