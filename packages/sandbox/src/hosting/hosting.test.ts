import { createHmac, X509Certificate } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, request as plainRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../test/postgres.ts'
import { demoSites } from '../cloudflare/demo-sites.ts'
import { createRequestLog } from '../request-log.ts'
import { seedWorld } from '../seed/run.ts'
import { openStore, type Store } from '../store/store.ts'
import { type Hosting, startHosting } from './index.ts'
import type { Served } from './types.ts'

const day = 86_400_000
let postgres: TestPostgres
let store: Store
let hosting: Hosting
const log = createRequestLog()
const pages = new Map<string, Served | null>()

const start = () =>
  startHosting({
    ...{ store, host: '127.0.0.1', sites: demoSites, wallNow: Date.now, log, stepMs: 20 },
    served: async (domain) =>
      pages.has(domain) ? pages.get(domain)! : { build: 'dep-1', commit: null, message: null },
  })

beforeAll(async () => {
  postgres = await startPostgres()
  store = await openStore({ databaseUrl: await postgres.createDatabase(), schema: 'sandbox' })
  await store.init('hosting', 'sk_test_hosting')
  await seedWorld(store, { seed: 'hosting', customers: 12, now: Date.now() })
  hosting = await start()
})

afterAll(async () => {
  await hosting?.stop()
  await store?.close()
  await postgres?.stop()
})

type Answer = { status: number; headers: IncomingHttpHeaders; body: string }

function ask(
  host: string,
  path = '/',
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { method = 'GET', headers = {}, body } = init
  return new Promise<Answer>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: hosting.address.httpPort, path, method, agent: false as const }
    const outgoing = plainRequest({ ...options, headers: { host, ...headers } }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
      const { statusCode = 0, headers: received } = response
      resolve({ status: statusCode, headers: received, body: Buffer.concat(chunks).toString() })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function shake(servername: string) {
  return new Promise<TLSSocket>((resolve, reject) => {
    const { httpsPort: port, ca } = hosting.address
    const socket = connect({ host: '127.0.0.1', port, servername, ca, rejectUnauthorized: false }, () =>
      resolve(socket),
    )
    socket.on('error', reject)
  })
}

async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${hosting.address.controlUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${hosting.address.controlKey}`, connection: 'close' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

type Told = { headers: IncomingHttpHeaders; text: string; event: Record<string, unknown> }

/** Where a hook calls back to; each answer is taken from the list, then 200. */
async function receiver(answers: number[] = []) {
  const told: Told[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    told.push({ headers: request.headers, text, event: JSON.parse(text) as Record<string, unknown> })
    response.writeHead(answers.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return { url, told, close: () => server.close() }
}

const hookSite = demoSites.find(({ provider, member }) => provider === 'hook' && member < 12)!

async function hookOf(label: string) {
  const { sites } = (await control('GET', '/sites')).body as {
    sites: { label: string; hook: { url: string; secret: string } }[]
  }
  const { url, secret } = sites.find((site) => site.label === label)!.hook
  const path = new URL(url).pathname
  const call = (body: unknown, headers: Record<string, string> = {}) =>
    ask('hooks.localhost', path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { path, secret, call, show: (build: string) => ask('hooks.localhost', `${path}/builds/${build}`) }
}

const until = (check: () => boolean | Promise<boolean>) => expect.poll(check, { interval: 10 }).toBe(true)

const buildServed = async () => (await ask(`${hookSite.label}.localhost`)).headers['x-build-id']

test('serves a site under its own name and under localhost, with its build', async () => {
  const site = demoSites.find(({ provider }) => provider === 'pages')!
  const local = await ask(`${site.label}.localhost:1234`)
  expect(local).toMatchObject({ status: 200, headers: { 'x-build-id': 'dep-1' } })
  expect(local.body).toContain(`<h1 dir="auto">${site.name}</h1>`)
  const own = await ask(site.domain, '/x?y=1')
  expect(own).toMatchObject({ status: 301, headers: { location: `https://${site.domain}/x?y=1` } })
  expect((await ask('unknown.example')).status).toBe(404)
})

test('shows hostile names as text', async () => {
  const { body } = await ask('bobbytables.localhost')
  expect(body).not.toContain('<img')
  expect(body).toContain('<h1 dir="auto">&lt;img src=x onerror=alert(1)&gt;</h1>')
})

test('serves nothing under a domain that was detached from its project', async () => {
  const site = demoSites.find(({ provider }) => provider === 'pages')!
  pages.set(site.domain, null)
  const answer = await ask(`${site.label}.localhost`)
  pages.delete(site.domain)
  expect(answer.status).toBe(522)
  expect(answer.headers['x-build-id']).toBeUndefined()
})

test('shows certificates that its own authority signed, in each of the conditions that sites are in', async () => {
  const shown = async (behaviour: string) => {
    const site = demoSites.find((each) => each.behaviour === behaviour)!
    const socket = await shake(site.domain)
    const certificate = socket.getPeerX509Certificate()!
    const { authorized, authorizationError } = socket
    socket.destroy()
    const error = (authorizationError as NodeJS.ErrnoException | undefined)?.code ?? authorizationError
    return { authorized, error, certificate, daysLeft: (Date.parse(certificate.validTo) - Date.now()) / day }
  }
  const good = await shown('ok')
  expect(good.authorized).toBe(true)
  expect(good.certificate.issuer).toContain('O=Sandbox Trust Services')
  expect(good.certificate.ca).toBe(false)
  expect(new X509Certificate(hosting.address.ca)).toMatchObject({ ca: true })
  const ending = await shown('expiring_certificate')
  expect(ending.authorized).toBe(true)
  expect(ending.daysLeft).toBeGreaterThan(9)
  expect(ending.daysLeft).toBeLessThan(11)
  expect(await shown('expired_certificate')).toMatchObject({ authorized: false, error: 'CERT_HAS_EXPIRED' })
  expect(await shown('wrong_name_certificate')).toMatchObject({
    authorized: false,
    error: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
})

test('misbehaves as told', async () => {
  await control('POST', '/behaviour', { label: hookSite.label, behaviour: 'failing' })
  expect((await ask(`${hookSite.label}.localhost`)).status).toBe(500)
  await control('POST', '/behaviour', { label: hookSite.label, behaviour: 'redirect_loop' })
  const loop = await ask(`${hookSite.label}.localhost`, '/?round=7')
  expect(loop).toMatchObject({ status: 302, headers: { location: '/?round=8' } })
  await control('POST', '/behaviour', { label: hookSite.label, behaviour: 'reset' })
  await expect(ask(`${hookSite.label}.localhost`)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await control('POST', '/behaviour', { label: hookSite.label, behaviour: 'self_signed_certificate' })
  const socket = await shake(hookSite.domain)
  expect(socket).toMatchObject({ authorizationError: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  socket.destroy()
  await control('POST', '/behaviour', { label: hookSite.label, behaviour: null })
  expect((await ask(`${hookSite.label}.localhost`)).status).toBe(200)
  expect((await control('POST', '/behaviour', { label: 'nobody', behaviour: 'slow' })).status).toBe(404)
  expect((await control('POST', '/behaviour', { label: hookSite.label, behaviour: 'odd' })).status).toBe(400)
})

test('begins an answer that never ends when told to', async () => {
  await control('POST', '/behaviour', { label: hookSite.label, behaviour: 'endless_body' })
  const parts = await new Promise<number>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: hosting.address.httpPort, agent: false as const }
    const outgoing = plainRequest({ ...options, headers: { host: `${hookSite.label}.localhost` } }, (response) => {
      let received = 0
      response.on('end', () => reject(new Error('It ended')))
      response.on('data', () => {
        received += 1
        if (received < 3) return
        resolve(received)
        outgoing.destroy()
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
  expect(parts).toBe(3)
  await control('POST', '/behaviour', { label: hookSite.label, behaviour: null })
})

test('tells the sites with their owners to whoever holds the key', async () => {
  const { sites } = (await control('GET', '/sites')).body as { sites: Record<string, unknown>[] }
  expect(sites).toHaveLength(demoSites.length)
  expect(sites[0]).toMatchObject({ label: 'cascobaycoffee', project: 'cascobaycoffee', hook: null })
  expect(sites[0]!['customer_id']).toMatch(/^cus_/)
  expect((await fetch(`${hosting.address.controlUrl}/sites`)).status).toBe(401)
})

test('builds what a hook is asked for, tells how it goes, and serves it', async () => {
  const hook = await hookOf(hookSite.label)
  const { url, told, close } = await receiver([503])
  const before = await buildServed()
  const answer = await hook.call({ kind: 'deploy', deployment_id: 'dep_1', callback_url: url, branch: 'main' })
  expect(answer.status).toBe(202)
  const { build_id } = JSON.parse(answer.body) as { build_id: string }
  await until(() => told.at(-1)?.event['status'] === 'success')
  close()
  expect(told.slice(1).map(({ event }) => event['status'])).toEqual([
    'queued',
    'building',
    'building',
    'deploying',
    'success',
  ])
  expect(told[0]!.event['event_id']).toBe(told[1]!.event['event_id'])
  for (const { headers, text } of told) {
    const timestamp = String(headers['x-deploy-timestamp'])
    const expected = createHmac('sha256', hook.secret).update(`${timestamp}.${text}`).digest('hex')
    expect(headers['x-deploy-signature']).toBe(`v1=${expected}`)
  }
  const logs = told.slice(1).map(({ event }) => event['log'] as { from: number; lines: unknown[] })
  logs.reduce((count, { from, lines }) => {
    expect(from).toBe(count)
    return count + lines.length
  }, 0)
  expect(await buildServed()).toBe(build_id)
  expect(before).not.toBe(build_id)
  expect(JSON.parse((await hook.show(build_id)).body)).toMatchObject({ build_id, status: 'success' })

  const back = await hook.call({ kind: 'rollback', deployment_id: 'dep_2', build_id: before })
  expect(back.status).toBe(202)
  await until(async () => (await buildServed()) === before)
  expect((await hook.call({ kind: 'rollback', build_id: 'bld_unknown' })).status).toBe(404)
  const paths = log.entries().map(({ path }) => path)
  expect(paths).toContain(`/hooks/${hookSite.label}`)
  expect(paths.join()).not.toContain(hook.path)
})

test('one deployment is one build, and a wrong signature builds nothing', async () => {
  const hook = await hookOf(hookSite.label)
  const [first, second] = await Promise.all([
    hook.call({ kind: 'deploy', deployment_id: 'dep_same' }),
    new Promise((resolve) => setTimeout(resolve, 100)).then(() =>
      hook.call({ kind: 'deploy', deployment_id: 'dep_same' }),
    ),
  ])
  expect(JSON.parse(second.body).build_id).toBe(JSON.parse(first.body).build_id)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = { 'x-deploy-timestamp': timestamp, 'x-deploy-signature': 'v1=00' }
  expect((await hook.call({ kind: 'deploy' }, headers)).status).toBe(401)
  expect((await ask('hooks.localhost', '/hooks/unknown', { method: 'POST' })).status).toBe(404)
})

test('an address or a body that cannot be read is refused, and is no failure of the builder', async () => {
  const hook = await hookOf(hookSite.label)
  const { build_id } = JSON.parse((await hook.call({ kind: 'deploy' })).body) as { build_id: string }
  expect((await hook.show(build_id)).status).toBe(200)
  for (const id of ['%', '%zz', '%00', '%c0%af', `${build_id}%`, 'bld_unknown', '%2e%2e', ''])
    expect([id, (await hook.show(id)).status]).toEqual([id, 404])
  for (const path of ['/hooks/%', '/hooks/%00', '/hooks/', '/hooks'])
    expect([path, (await ask('hooks.localhost', path, { method: 'POST' })).status]).toEqual([path, 404])
  expect((await hook.call({ kind: 'deploy', deployment_id: 'dep_\0' })).status).toBe(400)
  expect((await hook.call({ kind: 'rollback', build_id: 'bld_\0' })).status).toBe(400)
})

test('answers with 503 when told to: with nothing built, or with a build after all', async () => {
  const hook = await hookOf(hookSite.label)
  const builds = async () =>
    Number((await store.pool.query(`select count(*) from ${store.schema}.hosting_builds`)).rows[0].count)
  const before = await builds()
  await control('POST', '/faults', { label: hookSite.label, fault: 'down', times: 1 })
  await control('POST', '/faults', { label: hookSite.label, fault: 'answer_503', times: 1 })
  expect((await hook.call({ kind: 'deploy', deployment_id: 'dep_down' })).status).toBe(503)
  expect(await builds()).toBe(before)
  expect((await hook.call({ kind: 'deploy', deployment_id: 'dep_unanswered' })).status).toBe(503)
  expect(await builds()).toBe(before + 1)
  const { build_id } = JSON.parse((await hook.call({ kind: 'deploy', deployment_id: 'dep_unanswered' })).body)
  await until(async () => (await buildServed()) === build_id)
})

test('fails, stays silent, repeats itself, gets the order wrong or signs wrongly when told to', async () => {
  const hook = await hookOf(hookSite.label)
  const run = async (fault: string, enough: (told: Told[]) => boolean) => {
    await control('POST', '/faults', { label: hookSite.label, fault, times: 1 })
    const { url, told, close } = await receiver()
    const { build_id } = JSON.parse((await hook.call({ kind: 'deploy', callback_url: url })).body) as {
      build_id: string
    }
    await until(async () => /success|failed/.test(JSON.parse((await hook.show(build_id)).body).status))
    await until(() => enough(told))
    close()
    return told
  }
  const failed = await run('fail', (told) => told.at(-1)?.event['status'] === 'failed')
  expect(failed.at(-1)!.event['reason']).toBeTruthy()
  expect(await run('no_callback', () => true)).toHaveLength(0)
  const twice = await run('twice', (told) => told.length === 10)
  expect(new Set(twice.map(({ event }) => event['event_id'])).size).toBe(5)
  const mixed = await run('out_of_order', (told) => told.length === 5)
  expect(mixed.map(({ event }) => event['sequence'])).toEqual([1, 3, 2, 5, 4])
  const forged = await run('wrong_signature', (told) => told.length === 5)
  const { headers, text } = forged[0]!
  const right = createHmac('sha256', hook.secret).update(`${headers['x-deploy-timestamp']}.${text}`).digest('hex')
  expect(headers['x-deploy-signature']).not.toBe(`v1=${right}`)
})

test('keeps its address, its key and its certificates over a restart, and ends what it was building', async () => {
  const before = hosting.address
  await control('POST', '/settings', { stepMs: 60_000 })
  const hook = await hookOf(hookSite.label)
  const { build_id } = JSON.parse((await hook.call({ kind: 'deploy' })).body) as { build_id: string }
  await hosting.stop()
  hosting = await start()
  expect(hosting.address).toEqual(before)
  await until(async () => (await buildServed()) === build_id)
})

test('the registries tell when a domain expires, and can be told otherwise', async () => {
  const [site] = demoSites
  const { domain, label } = site!
  const expiryOf = async () => {
    const answer = await ask('rdap.localhost', `/domain/${domain}`)
    if (answer.status !== 200) return answer.status
    const { events } = JSON.parse(answer.body) as { events: { eventAction: string; eventDate: string }[] }
    return Date.parse(events.find(({ eventAction }) => eventAction === 'expiration')!.eventDate)
  }
  const steer = (days: number | 'none' | null) =>
    ask('nobody', '/_hosting/registration', {
      ...{ method: 'POST', headers: { authorization: `Bearer ${hosting.address.controlKey}` } },
      body: JSON.stringify({ label, days }),
    })
  const usual = Number(await expiryOf())
  expect(usual - Date.now()).toBeGreaterThan(44 * day)
  expect(usual - Date.now()).toBeLessThan(411 * day)
  expect((await steer(5)).status).toBe(200)
  expect(Math.round((Number(await expiryOf()) - Date.now()) / day)).toBe(5)
  await steer('none')
  expect(await expiryOf()).toBe(404)
  await steer(null)
  expect(await expiryOf()).toBe(usual)
  expect((await ask('rdap.localhost', '/domain/nobodys.example')).status).toBe(404)
})
