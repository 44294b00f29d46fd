import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { createTwoProcesses } from '../../../test/sign-in.ts'
import { inTransaction } from '../../context.ts'
import { createSiteWatch } from '../index.ts'
import { probeSoon } from './index.ts'
import { claimDue } from './queries/states.ts'
import { addSite, type Host, lookAtDue, openHost, resolveWith, siteOf } from './test/world.ts'

const minute = 60_000
let host: Host
let console: TestContext

beforeAll(async () => {
  host = await openHost()
  console = await createTestContext()
  host.openTo(console)
})
beforeEach(async () => {
  await console.ctx.pool.query(`delete from sites; delete from instance_settings where key = 'probes.outage'`)
  console.clock.set('2026-03-01T09:00:00Z')
  host.answer((_, response) => response.end('hello'))
  host.asked.length = 0
})
afterAll(async () => {
  await console?.close()
  host.close()
})

const operator = () => request(console.ctx).as(['sites.read', 'sites.write'])
const probe = (id: string) => operator().post(`/sites/${id}/probe`)
const performanceOf = async (id: string, range = '24h') =>
  (await operator().get(`/sites/${id}/performance?range=${range}`)).json().performance
/** So many minutes, one after the other. */
async function pass(minutes: number): Promise<void> {
  for (let done = 0; done < minutes; done++) {
    await lookAtDue(console)
    console.clock.advance(minute)
  }
}

describe('looking at a site now', () => {
  test('answers what was found and keeps it', async () => {
    const id = await addSite(console, { domain: 'bakery.example' })
    const response = await probe(id)
    expect(response.statusCode).toBe(200)
    const { run, health } = response.json()
    expect(health).toBe('healthy')
    expect(run).toMatchObject({
      outcome: 'ok',
      status_code: 200,
      bytes: 5,
      url: 'http://bakery.example/',
      tls_ms: null,
    })
    expect(run.ttfb_ms).toBeGreaterThan(0)
    const site = await siteOf(console, id)
    expect(site).toMatchObject({ health_status: 'healthy', ssl_status: 'pending', performance_score: null, version: 1 })
    expect(site['health_checked_at']).toEqual(new Date(console.clock.now()))
    expect(site['response_ms']).toBe(Math.round(run.total_ms))
    const { last, series } = await performanceOf(id)
    expect(last).toEqual(run)
    expect(series).toMatchObject([{ probes: 1, failures: 0 }])
  })

  test('needs the permission to change sites', async () => {
    const id = await addSite(console)
    expect((await request(console.ctx).as(['sites.read']).post(`/sites/${id}/probe`)).statusCode).toBe(403)
    expect((await request(console.ctx).as(['analytics.read']).get(`/sites/${id}/performance`)).statusCode).toBe(403)
    expect(host.asked.filter((name) => !name.startsWith('other'))).toEqual([])
  })

  test('refuses a site that is not there, and one that was taken offline', async () => {
    const id = await addSite(console, { status: 'suspended', at_provider: 'offline' })
    expect((await probe('site_gone')).statusCode).toBe(404)
    expect((await operator().get('/sites/site_gone/performance')).statusCode).toBe(404)
    expect((await probe(id)).statusCode).toBe(409)
    await pass(1)
    expect(host.asked).toEqual([])
    expect((await siteOf(console, id))['health_checked_at']).toBeNull()
  })

  test('refuses a range that there is not', async () => {
    const id = await addSite(console)
    expect((await operator().get(`/sites/${id}/performance?range=2y`)).statusCode).toBe(400)
  })

  test('asks no address inside, whatever the site says its domain is', async () => {
    const id = await addSite(console, { domain: '127.0.0.1', deployment_url: null })
    const { run } = (await probe(id)).json()
    expect(run).toMatchObject({ outcome: 'failed', status_code: null, ttfb_ms: null })
    expect(run.detail).toContain('not on the public internet')
  })

  test('follows a health-check path, but not to another host', async () => {
    const paths: string[] = []
    host.answer((incoming, response) => {
      paths.push(`${incoming.headers.host}${incoming.url}`)
      response.end()
    })
    const id = await addSite(console, { domain: 'paths.example' })
    for (const path of ['/health?deep=1', '//evil.example/x', '/\\evil.example/x']) {
      await console.ctx.pool.query('update sites set health_path = $2 where id = $1', [id, path])
      console.clock.advance(minute)
      await probe(id)
    }
    expect(paths).toEqual(['paths.example/health?deep=1', 'paths.example/', 'paths.example/'])
  })
})

describe('every minute', () => {
  test('looks at each site once, and tells a score after three looks', async () => {
    const ids = await Promise.all([addSite(console), addSite(console), addSite(console)])
    await pass(1)
    expect(host.asked).toHaveLength(3)
    expect((await siteOf(console, ids[0]))['performance_score']).toBeNull()
    await pass(2)
    expect(host.asked).toHaveLength(9)
    const site = await siteOf(console, ids[0])
    expect(site['performance_score']).toBeGreaterThan(0)
    expect((await performanceOf(ids[0])).series).toMatchObject([{ probes: 3, score: site['performance_score'] }])
  })

  test('a site that fails once stays as it is, twice in a row it is down, and one answer brings it back', async () => {
    const id = await addSite(console)
    const healthOf = async () => (await siteOf(console, id))['health_status']
    await pass(1)
    expect(await healthOf()).toBe('healthy')
    host.answer((_, response) => response.writeHead(503).end())
    await pass(1)
    expect(await healthOf()).toBe('healthy')
    await pass(1)
    expect(await healthOf()).toBe('down')
    expect(await siteOf(console, id)).toMatchObject({ health_detail: 'Answered with status 503', response_ms: null })
    const states = await console.ctx.pool.query('select since from site_probe_states where site_id = $1', [id])
    expect(states.rows).toEqual([{ since: new Date('2026-03-01T09:01:00Z') }])
    host.answer((_, response) => response.end())
    await pass(1)
    expect(await healthOf()).toBe('healthy')
    const { uptime } = await performanceOf(id)
    // It was down from the first look that failed.
    expect(uptime).toMatchObject({ known_seconds: 240, down_seconds: 120, percent: 50 })
  })

  test('what was not looked at for two intervals is unknown', async () => {
    const id = await addSite(console)
    await pass(1)
    await console.ctx.pool.query(`update sites set at_provider = 'offline' where id = $1`, [id])
    await pass(1)
    expect((await siteOf(console, id))['health_status']).toBe('healthy')
    expect((await performanceOf(id)).is_stale).toBe(false)
    await pass(2)
    const site = await siteOf(console, id)
    expect(site).toMatchObject({ health_status: 'unknown', response_ms: null })
    expect(site['health_checked_at']).toEqual(new Date('2026-03-01T09:00:00Z'))
    const { is_stale, health, uptime } = await performanceOf(id)
    expect(is_stale).toBe(true)
    expect(health.status).toBe('unknown')
    expect(uptime.known_seconds).toBe(150)
  })

  test('a site that is offline is not due, and is as soon as it is back', async () => {
    const id = await addSite(console, { at_provider: 'offline' })
    await pass(1)
    const due = `select next_at from site_probe_states where site_id = $1 and next_at < 'infinity'`
    expect((await console.ctx.pool.query(due, [id])).rowCount).toBe(0)
    await console.ctx.pool.query(`update sites set at_provider = 'resuming' where id = $1`, [id])
    await pass(1)
    expect(host.asked).toHaveLength(1)
  })

  test('two processes share the work and never look at a site twice', async () => {
    const [first, second] = await createTwoProcesses()
    try {
      for (const each of [first, second]) host.openTo(each)
      for (let made = 0; made < 20; made++) await addSite(first)
      await Promise.all([lookAtDue(first), lookAtDue(second)])
      expect(host.asked).toHaveLength(20)
      expect(new Set(host.asked).size).toBe(20)
    } finally {
      await second.close()
      await first.close()
    }
  })

  test('what a process had taken when it died is taken up again within its lease of 20 seconds', async () => {
    await addSite(console)
    console.clock.advance(minute)
    expect(await claimDue(console.ctx, new Date(console.clock.now()), 16)).toHaveLength(1)
    console.clock.advance(18_900)
    await lookAtDue(console)
    expect(host.asked).toEqual([])
    console.clock.advance(100)
    await lookAtDue(console)
    expect(host.asked).toHaveLength(1)
  })
})

describe('looking soon', () => {
  test('happens once the transaction is kept', async () => {
    const id = await addSite(console)
    await pass(1)
    await inTransaction(console.ctx, (tx) => probeSoon(tx, id))
    console.clock.advance(1000)
    await lookAtDue(console)
    expect(host.asked).toHaveLength(2)
  })

  test('a changed address makes a site due at once, a changed name does not', async () => {
    const id = await addSite(console)
    await pass(1)
    console.clock.advance(-minute + 5000)
    await console.ctx.pool.query(`update sites set site_name = 'Other' where id = $1`, [id])
    await lookAtDue(console)
    expect(host.asked).toHaveLength(1)
    await console.ctx.pool.query(
      `update sites set domain = 'moved.example', deployment_url = 'http://moved.example' where id = $1`,
      [id],
    )
    await lookAtDue(console)
    expect(host.asked[1]).toBe('moved.example')
  })
})

describe('while the network of the console itself fails', () => {
  const failing = async () => {
    throw Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
  }
  const gone = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  }
  const outage = async () =>
    (await console.ctx.pool.query(`select value from instance_settings where key = 'probes.outage'`)).rows[0]?.value
  const looksOf = async (id: string) =>
    (await console.ctx.pool.query('select from site_probes where site_id = $1', [id])).rowCount
  /** Its name is none of the host's, so it is looked up. */
  const addElsewhere = () => addSite(console, { domain: `${randomUUID()}.test` })
  const knownAs = (id: string, health: string) =>
    console.ctx.pool.query(
      `update sites set health_status = $2, health_checked_at = $3, health_detail = 'known' where id = $1`,
      [id, health, new Date(console.clock.now() - minute)],
    )
  afterEach(() => resolveWith(console, gone))

  test('no site changes, until what is known of it is too old', async () => {
    const ids = [await addElsewhere(), await addElsewhere()] as const
    await knownAs(ids[0], 'healthy')
    await knownAs(ids[1], 'degraded')
    resolveWith(console, failing)
    await pass(2)
    for (const [index, health] of ['healthy', 'degraded'].entries()) {
      const site = await siteOf(console, ids[index]!)
      expect(site).toMatchObject({ health_status: health, health_detail: 'known' })
      expect(site['health_checked_at']).toEqual(new Date('2026-03-01T08:59:00Z'))
      expect(await looksOf(ids[index]!)).toBe(0)
    }
    expect(await outage()).toMatchObject({ detail: expect.stringContaining('the resolver does not answer') })
    await pass(1)
    expect(await siteOf(console, ids[0])).toMatchObject({
      health_status: 'unknown',
      health_detail: expect.stringContaining('No recent check'),
    })
  })

  test('many sites are not all asked in vain', async () => {
    for (let made = 0; made < 40; made++) await addElsewhere()
    let asked = 0
    resolveWith(console, () => {
      asked++
      return failing()
    })
    await pass(1)
    expect(asked).toBeGreaterThanOrEqual(12)
    expect(asked).toBeLessThan(30)
    expect(await outage()).toBeDefined()
  })

  test('it is over with the first look that tells something', async () => {
    const id = await addElsewhere()
    resolveWith(console, failing)
    await pass(1)
    expect(await outage()).toBeDefined()
    resolveWith(console, gone)
    await pass(2)
    expect(await outage()).toBeUndefined()
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'down' })
  })

  test('one site that cannot be looked up among others that answer is judged by itself', async () => {
    const lost = await addElsewhere()
    await addSite(console)
    await addSite(console)
    resolveWith(console, failing)
    await pass(2)
    expect(await siteOf(console, lost)).toMatchObject({ health_status: 'down' })
    expect(await looksOf(lost)).toBe(2)
    expect(await outage()).toBeUndefined()
  })

  test('a look that somebody asks for says so and keeps what was known', async () => {
    const id = await addElsewhere()
    await knownAs(id, 'healthy')
    resolveWith(console, failing)
    const answer = await probe(id)
    expect(answer.statusCode).toBe(503)
    expect(answer.json().detail).toContain('could not be measured')
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'healthy', health_detail: 'known' })
    expect(await looksOf(id)).toBe(0)
  })
})

test('a look that ends after a newer one changes nothing', async () => {
  const id = await addSite(console)
  await probe(id)
  console.clock.advance(-10_000)
  host.answer((_, response) => response.writeHead(500).end())
  await probe(id)
  expect(await siteOf(console, id)).toMatchObject({ health_status: 'healthy' })
})

describe('a site that is looked at', () => {
  test('is looked at by nobody else, until that is over', async () => {
    const id = await addSite(console)
    const answers: (() => void)[] = []
    host.answer((_, response) => void answers.push(() => response.end('hello')))
    const first = lookAtDue(console)
    await expect.poll(() => answers.length).toBe(1)
    // One changed it, another process looked and somebody pressed a button: none of them asks the site meanwhile.
    await inTransaction(console.ctx, (tx) => probeSoon(tx, id))
    await createSiteWatch(console.ctx).pass()
    const pressed = probe(id)
    expect(answers).toHaveLength(1)
    answers[0]?.()
    await first
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.()
    expect((await pressed).statusCode).toBe(200)
  })
})
