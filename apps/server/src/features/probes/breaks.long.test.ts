import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { type Caller, request } from '../../../test/request.ts'
import type { DemoHosts } from '../../platform/probe/demo-hosts.ts'
import { addSite, lookAtDue, resolveWith, siteOf } from './test/world.ts'

/** Every way in which a site of the sandbox breaks: its state and words, one incident, and how it comes back. */

const label = 'oldportbikes'
const domain = `${label}.example`

let sandbox: Sandbox
let stop: () => Promise<void>
let t: TestContext
let root: Caller
let hosts: DemoHosts
let heartbeat: string | null = null

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 43 } }))
  t = await createTestContext()
  root = request(t.ctx).as('super_admin')
  const { httpPort, httpsPort, ca, hosts: names, rdapUrl } = sandbox.hosting
  const served = new Set(names)
  hosts = { hosts: () => served, address: '127.0.0.1', httpPort, httpsPort, ca, rdapUrl }
  // Names that no host of the sandbox has lead nowhere.
  resolveWith(t, async () => [])
})

afterAll(async () => {
  await t?.close()
  await stop?.()
})

beforeEach(async () => {
  heartbeat = null
  t.ctx.replace({ demoHosts: hosts })
  await behave(null)
  await t.ctx.pool.query('delete from sites; truncate alerts, incidents cascade')
})

async function behave(behaviour: string | null): Promise<void> {
  const { controlUrl, controlKey } = sandbox.hosting
  const response = await fetch(`${controlUrl}/behaviour`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlKey}` },
    body: JSON.stringify({ label, behaviour }),
  })
  expect(response.status).toBe(200)
}

const changeChecks = async (id: string, change: object) => {
  const { version } = (await root.get(`/sites/${id}/checks`)).json().checks
  expect((await root.patch(`/sites/${id}/checks`, { version, ...change })).statusCode).toBe(200)
}

const callHeartbeat = (path: string) => request(t.ctx).anonymous().inject({ method: 'POST', url: path })

/** One interval: the look that is due, the one that confirms it, and the alerts. */
async function interval(): Promise<void> {
  for (const seconds of [54, 6]) {
    t.clock.advance(seconds * 1000)
    if (heartbeat !== null) await callHeartbeat(heartbeat)
    await lookAtDue(t)
  }
  await runJob(t.ctx, 'alerts.evaluate')
}

/** Whether the site is so after two intervals at the most. */
async function within2(id: string, health: string): Promise<Record<string, unknown>> {
  for (let intervals = 0; intervals < 2; intervals++) {
    await interval()
    const site = await siteOf(t, id)
    if (site['health_status'] === health) return site
  }
  return siteOf(t, id)
}

type Way = {
  name: string
  state: 'down' | 'degraded'
  words: RegExp
  break: (id: string) => Promise<void> | void
  repair?: (id: string) => Promise<void> | void
  prepare?: (id: string) => Promise<void>
}

const behaving = (name: string, behaviour: string, state: Way['state'], words: RegExp): Way => ({
  ...{ name, state, words },
  break: () => behave(behaviour),
  repair: () => behave(null),
})

const restore = () => t.ctx.replace({ demoHosts: hosts })
const keyword = (text: string | null) => (id: string) =>
  changeChecks(id, { keyword: text === null ? null : { text, mode: 'contains' } })

const ways: Way[] = [
  {
    ...{
      name: 'refuses connections',
      state: 'down',
      words: /^Could not connect: the connection was refused$/,
      repair: restore,
    },
    break: () => t.ctx.replace({ demoHosts: { ...hosts, httpPort: 1, httpsPort: 1 } }),
  },
  {
    ...{
      name: 'has a name that is gone',
      state: 'down',
      words: /^No DNS entry for oldportbikes.example$/,
      repair: restore,
    },
    break: () => t.ctx.replace({ demoHosts: { ...hosts, hosts: () => new Set<string>() } }),
  },
  behaving('resets connections', 'reset', 'down', /^No answer: /),
  behaving('answers slowly', 'crawling', 'degraded', /^Answered in \d\.\d seconds$/),
  {
    ...behaving('sends an endless body', 'endless_body', 'down', /^The answer did not end within 1 second$/),
    prepare: (id) => changeChecks(id, { timeout_seconds: 1 }),
  },
  behaving('fails', 'failing', 'down', /^Answered with status 500$/),
  behaving('redirects for ever', 'redirect_loop', 'down', /^More than 5 redirects$/),
  {
    ...{ name: 'says the wrong thing', state: 'down', words: /^Expected "Book a table on the moon", not found$/ },
    break: keyword('Book a table on the moon'),
    repair: keyword(null),
  },
  behaving('has an expired certificate', 'expired_certificate', 'degraded', /^The certificate has expired$/),
  behaving('has a certificate for another name', 'wrong_name_certificate', 'degraded', /Issued for another name$/),
  behaving('has a self-signed certificate', 'self_signed_certificate', 'degraded', /Self-signed$/),
  {
    ...{ name: 'sends no heartbeat', state: 'degraded', words: /^No heartbeat for \d min, expected every 1$/ },
    async prepare(id) {
      heartbeat = (await root.post(`/sites/${id}/heartbeat/address`, {})).json().address
      const change = { version: 1, every_minutes: 1, grace_minutes: 0 }
      expect((await root.patch(`/sites/${id}/heartbeat`, change)).statusCode).toBe(200)
    },
    break: () => {
      silenced = heartbeat
      heartbeat = null
    },
    repair: () => {
      heartbeat = silenced
    },
  },
]
let silenced: string | null = null

const incidents = async () => (await root.get('/incidents?status=all')).json().incidents

test.each(ways)('a site that $name is $state within two intervals, one incident, and back within two', async (way) => {
  const id = await addSite(t, { domain, deployment_url: `http://${label}.localhost:${hosts.httpPort}` })
  await way.prepare?.(id)
  expect(await within2(id, 'healthy')).toMatchObject({ health_status: 'healthy' })
  const brokenAt = t.clock.now()
  await way.break(id)
  const broken = await within2(id, way.state)
  expect(broken['health_status']).toBe(way.state)
  expect(broken['health_detail']).toMatch(way.words)
  // An incident waits for others of the same cause.
  await interval()
  expect(await incidents()).toHaveLength(1)
  const repairedAt = t.clock.now()
  await way.repair?.(id)
  expect(await within2(id, 'healthy')).toMatchObject({ health_status: 'healthy' })
  await interval()
  const [incident, ...others] = await incidents()
  expect(others).toEqual([])
  expect(incident).toMatchObject({ status: 'resolved', resolved_by: null, affected_sites: 1 })
  const opened = Date.parse(incident.opened_at)
  expect(opened).toBeGreaterThanOrEqual(brokenAt)
  expect(opened).toBeLessThanOrEqual(repairedAt)
  expect(Date.parse(incident.resolved_at)).toBeGreaterThanOrEqual(repairedAt)
  const details = (await root.get(`/incidents/${incident.id}`)).json().incident
  expect(details.events.map(({ kind }: { kind: string }) => kind)).toEqual(['opened', 'alert_resolved', 'resolved'])
  expect(details.alerts).toHaveLength(1)
  const { uptime } = (await root.get(`/sites/${id}/performance`)).json().performance
  if (way.state === 'degraded') expect(uptime.down_seconds).toBe(0)
  else expect(uptime.down_seconds).toBeGreaterThanOrEqual(50)
})
