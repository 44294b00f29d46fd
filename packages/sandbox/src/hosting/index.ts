import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { DemoSite } from '../cloudflare/demo-sites.ts'
import { listenAgain } from '../http/listen.ts'
import { keep } from '../store/kept.ts'
import type { HookFault } from './build.ts'
import { createBuilder } from './builder.ts'
import { buildsIn } from './builds-store.ts'
import { createCallbacks } from './callbacks.ts'
import { makeAuthority } from './certificates.ts'
import { createHostingControl } from './control.ts'
import { createFlags } from './flags.ts'
import { createHooks, type Hook } from './hooks.ts'
import { failurePage } from './page.ts'
import { keepPorts, keptPorts } from './ports.ts'
import { createRegistry } from './registry.ts'
import { sendPage } from './reply.ts'
import { createSecureContexts } from './secure-contexts.ts'
import { seedBuilds } from './seed.ts'
import { createSites } from './sites.ts'
import { makeTables } from './tables.ts'
import { type HostingAddress, type HostingOptions, hookHost, localHostOf, rdapHost } from './types.ts'

export type { HookFault } from './build.ts'
export type { HostingAddress } from './types.ts'

export type Hosting = {
  address: HostingAddress
  /** Throws cached copies of these hosts away; of all when none is named. */
  forget(hosts?: readonly string[]): void
  stop(): Promise<void>
}

const usualStepMs = 1200

/** Each site's hook: whoever knows its token may build, whoever knows its secret may sign. */
async function keptHooks({ store, sites }: HostingOptions): Promise<Hook[]> {
  const hooked = sites.filter(({ provider }) => provider === 'hook')
  const made = await Promise.all(
    hooked.map(async (site) => {
      const parts = await keep(store, `hosting.hook ${site.label}`, () => ({
        token: randomBytes(18).toString('base64url'),
        secret: `dhs_${randomBytes(24).toString('base64url')}`,
      }))
      return { site, ...parts }
    }),
  )
  return made
}

function faultList() {
  const planned = new Map<string, { fault: HookFault; left: number }[]>()
  return {
    add: (label: string, fault: HookFault, times: number) =>
      void planned.set(label, [...(planned.get(label) ?? []), { fault, left: times }]),
    take(label: string): HookFault | null {
      const next = planned.get(label)?.find(({ left }) => left > 0)
      if (!next) return null
      next.left -= 1
      return next.fault
    },
  }
}

const hostOf = (request: IncomingMessage) => (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()

/** The web hosts of the demo customers' sites, and the deploy hooks that build some of them. */
export async function startHosting(options: HostingOptions): Promise<Hosting> {
  const { store, wallNow, sites: demoSites, log } = options
  await makeTables(store)
  const authority = await keep(store, 'hosting.rsa_authority', () => makeAuthority(wallNow()))
  const key = await keep(store, 'hosting.key', () => randomBytes(24).toString('base64url'))
  const hooks = await keptHooks(options)
  const builds = buildsIn(store)
  await seedBuilds(options, builds)
  let stepMs = options.stepMs ?? usualStepMs
  const ports = await keptPorts(store)
  const urlOf = (site: DemoSite) => `http://${localHostOf(site)}:${ports.http}`
  const secretOf = (label: string) => hooks.find(({ site }) => site.label === label)?.secret ?? ''
  const siteOf = (label: string) => demoSites.find((site) => site.label === label)
  const callbacks = createCallbacks({ secretOf, wallNow })
  const builder = createBuilder({ builds, callbacks, siteOf, urlOf, wallNow, stepMs: () => stepMs })
  const flags = await createFlags(store)
  const sites = createSites({ ...options, builds, flags })
  const registry = createRegistry({ sites: demoSites, wallNow })
  const faults = faultList()
  const answerHook = createHooks({ hooks, builds, builder, takeFault: faults.take, wallNow, log })
  const control = createHostingControl({
    ...{ key, store, demoSites, sites, hooks, registry, flags, urlOf },
    hookUrlOf: (hook) => `http://${hookHost}:${ports.http}/hooks/${hook.token}`,
    addFault: faults.add,
    setStepMs: (ms) => {
      stepMs = ms
    },
  })

  async function receive(request: IncomingMessage, response: ServerResponse, isTls: boolean): Promise<void> {
    const host = hostOf(request)
    const url = URL.parse(request.url ?? '/', `http://${host || 'nobody'}`)
    if (!url) return sendPage(response, 400, failurePage('Bad request', 'This address cannot be read.'))
    if (url.pathname.startsWith('/_hosting/')) return control(request, response, url.pathname.slice('/_hosting'.length))
    if (host === hookHost) return answerHook(request, response, url.pathname)
    if (host === rdapHost) return registry.respond(response, url.pathname)
    const site = sites.find(host)
    if (site) return sites.visit(site, { request, response, host, url, isTls })
    sendPage(response, 404, failurePage('Nothing here', 'No site is hosted under this name.'))
  }

  const listener = (isTls: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    // What is thrown here had no connection left to be told on.
    receive(request, response, isTls).catch(() => response.destroy())
  }
  const contextOf = createSecureContexts(authority, sites, wallNow)
  const makeSecure = () => {
    const server = createSecureServer(
      {
        SNICallback: (name, done) =>
          void contextOf(name).then(
            (context) => done(null, context),
            (error: Error) => done(error),
          ),
      },
      listener(true),
    )
    // A visitor who dislikes a certificate hangs up; that is no failure of ours.
    return server.on('tlsClientError', () => undefined)
  }
  const plain = await listenAgain(() => createServer(listener(false)), options.host, ports.http)
  const secure = await listenAgain(makeSecure, options.host, ports.https)
  ports.http = plain.port
  ports.https = secure.port
  await keepPorts(store, ports)
  await builder.resume()
  return {
    address: {
      httpPort: ports.http,
      httpsPort: ports.https,
      ca: authority.certificate,
      hosts: [hookHost, rdapHost, ...demoSites.flatMap((site) => [site.domain, localHostOf(site)])],
      rdapUrl: `http://${rdapHost}:${ports.http}`,
      controlUrl: `http://${options.host}:${ports.http}/_hosting`,
      controlKey: key,
    },
    forget: sites.forget,
    async stop() {
      builder.stop()
      callbacks.stop()
      await Promise.all([plain.close(), secure.close()])
    },
  }
}
