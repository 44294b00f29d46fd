import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cloudflareAt } from '../../../test/cloudflare.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { type Caller, request } from '../../../test/request.ts'

let one: TestContext
let root: Caller
beforeAll(async () => {
  // Nobody works on them here, so nobody is asked.
  one = await createTestContext({ cloudflare: cloudflareAt({ baseUrl: 'http://127.0.0.1:9' }) })
  root = request(one.ctx).as(['sites.read', 'sites.deploy'])
})
afterAll(() => one?.close())
beforeEach(async () => {
  await one.ctx.pool.query('truncate deployments, deployment_counts, deployment_totals, sites cascade')
})

type Row = Record<string, unknown>
let made = 0

async function addSite(row: Row = {}): Promise<string> {
  made += 1
  const id = `site_${String(made).padStart(16, '0')}`
  const site = {
    ...{ id, site_name: `Shop ${made}`, domain: `shop-${made}.example`, status: 'active', provider: 'pages' },
    ...{
      provider_settings: JSON.stringify({ project: `shop-${made}` }),
      created_at: new Date(),
      updated_at: new Date(),
    },
    ...row,
  }
  const names = Object.keys(site)
  await one.ctx.pool.query(
    `insert into sites (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(site),
  )
  return id
}

async function addDeployment(site: string, row: Row = {}): Promise<string> {
  made += 1
  const id = `dep_${String(made).padStart(16, '0')}`
  const at = new Date(Date.now() - 60_000 + made)
  const deployment: Row = {
    ...{ id, site_id: site, kind: 'deploy', origin: 'console', status: 'success', provider: 'pages', same_as: id },
    ...{ lane: `pages:${site.replace(/^site_0+/, 'shop-')}`, queued_at: at, started_at: at, completed_at: at },
    ...{ duration: 4, build_id: `build-${made}`, provider_deployment_id: `build-${made}`, version: 'abc1234' },
    ...row,
  }
  const names = Object.keys(deployment)
  await one.ctx.pool.query(
    `insert into deployments (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(deployment),
  )
  return id
}

const open = { status: 'building', completed_at: null, duration: null }

async function addLog(id: string, lines: readonly string[]): Promise<void> {
  await one.ctx.pool.query(
    `insert into deployment_log_lines (deployment_id, number, at, text)
     select $1, number, now(), text from unnest($2::text[]) with ordinality as l (text, number)`,
    [id, lines],
  )
}

const audited = async (): Promise<number> =>
  (await one.ctx.pool.query("select 1 from audit_entries where action like 'deployment.%'")).rows.length
const counted = async (): Promise<number> => (await one.ctx.pool.query('select 1 from deployments')).rows.length

describe('asking for a deployment', () => {
  test('a second press is the same wish, whatever its key', async () => {
    const site = await addSite()
    const first = await root.post(`/sites/${site}/deployments`, {}, { 'idempotency-key': 'one' })
    const second = await root.post(`/sites/${site}/deployments`, {}, { 'idempotency-key': 'two' })
    expect(first.json()).toMatchObject({ is_repeat: false, deployment: { status: 'queued', position: 1 } })
    expect(second.json()).toMatchObject({ is_repeat: true, deployment: { id: first.json().deployment.id } })
    expect(await counted()).toBe(1)
  })

  test('of many at once one is made', async () => {
    const site = await addSite()
    const answers = await Promise.all(Array.from({ length: 8 }, () => root.post(`/sites/${site}/deployments`, {})))
    expect(new Set(answers.map((answer) => answer.json().deployment.id)).size).toBe(1)
    expect(answers.filter((answer) => !answer.json().is_repeat)).toHaveLength(1)
  })

  test('a key answers what it was answered, and refuses another wish', async () => {
    const [site, other] = [await addSite(), await addSite()]
    const key = { 'idempotency-key': 'kept' }
    const first = await root.post(`/sites/${site}/deployments`, { reason: 'News' }, key)
    await one.ctx.pool.query("update deployments set status = 'success', completed_at = now()")
    const again = await root.post(`/sites/${site}/deployments`, { reason: 'News' }, key)
    expect(again.json()).toMatchObject({ is_repeat: true, deployment: { id: first.json().deployment.id } })
    const wrong = await root.post(`/sites/${other}/deployments`, { reason: 'News' }, key)
    expect([wrong.statusCode, wrong.json().code]).toEqual([409, 'idempotency_conflict'])
    expect(await counted()).toBe(1)
  })

  test.each([
    ['is suspended', { status: 'suspended' }],
    ['Choose a host under Configuration', { provider: null, provider_settings: '{}' }],
  ])('is refused when the site %s', async (words, row) => {
    const site = await addSite(row)
    const before = await audited()
    const answer = await root.post(`/sites/${site}/deployments`, {})
    expect(answer.statusCode).toBe(409)
    expect(answer.json().detail).toContain(words)
    expect([await counted(), await audited()]).toEqual([0, before])
  })

  test('is refused without the permission, for a site that does not exist, and with bad input', async () => {
    const site = await addSite()
    const reader = request(one.ctx).as(['sites.read', 'sites.write'])
    expect((await reader.post(`/sites/${site}/deployments`, {})).statusCode).toBe(403)
    expect((await root.post('/sites/site_none/deployments', {})).statusCode).toBe(404)
    expect((await root.post(`/sites/${site}/deployments`, { reason: 'x'.repeat(501) })).statusCode).toBe(400)
    expect((await root.post(`/sites/${site}/deployments`, { branch: 'main' })).statusCode).toBe(400)
    expect(await counted()).toBe(0)
  })

  test('waits behind what runs, and says so', async () => {
    const site = await addSite({ site_name: 'The <b>shop</b>' })
    await addDeployment(site, open)
    const { deployment } = (await root.post(`/sites/${site}/deployments`, {})).json()
    expect(deployment).toMatchObject({
      position: 1,
      waiting_for: 'Waiting for another deployment of this project: The <b>shop</b>, abc1234',
    })
  })
})

describe('cancelling', () => {
  test('takes it out of the queue, once', async () => {
    const site = await addSite()
    const { id } = (await root.post(`/sites/${site}/deployments`, {})).json().deployment
    const first = await root.post(`/deployments/${id}/cancel`)
    expect(first.json().deployment).toMatchObject({ status: 'cancelled', failure: 'Cancelled before the start' })
    const before = await audited()
    expect((await root.post(`/deployments/${id}/cancel`)).json().deployment).toMatchObject({ status: 'cancelled' })
    expect(await audited()).toBe(before)
  })

  test('is refused for what others started, for what is built, and without the permission', async () => {
    const site = await addSite()
    const theirs = await addDeployment(site, { ...open, origin: 'provider' })
    const built = await addDeployment(site, { ...open, built_at: new Date() })
    for (const id of [theirs, built]) expect((await root.post(`/deployments/${id}/cancel`)).statusCode).toBe(409)
    const reader = request(one.ctx).as(['sites.read'])
    expect((await reader.post(`/deployments/${built}/cancel`)).statusCode).toBe(403)
    expect((await root.post('/deployments/dep_none/cancel')).statusCode).toBe(404)
  })
})

describe('trying again', () => {
  test('queues what failed once more', async () => {
    const site = await addSite()
    const failed = await addDeployment(site, { status: 'failed', failure: 'The stage build failed' })
    const answer = await root.post(`/deployments/${failed}/retry`, { reason: 'The registry is back' })
    expect(answer.json().deployment).toMatchObject({ kind: 'retry', retry_of: failed, status: 'queued' })
  })

  test('is refused for what succeeded or runs, and without the permission', async () => {
    const site = await addSite()
    const [good, running] = [await addDeployment(site), await addDeployment(site, open)]
    for (const id of [good, running]) expect((await root.post(`/deployments/${id}/retry`, {})).statusCode).toBe(409)
    expect((await request(one.ctx).as(['sites.read']).post(`/deployments/${good}/retry`, {})).statusCode).toBe(403)
    expect(await counted()).toBe(2)
  })
})

const liveOf = async (site: string): Promise<string[]> => {
  one.ctx.changes.tell('deployments')
  const { deployments } = (await root.get(`/deployments?site=${site}`)).json()
  return deployments.filter((row: Row) => row['is_live']).map((row: Row) => row['id'])
}

describe('what is live', () => {
  const failed = { status: 'failed', sent_at: new Date(), accepted_at: new Date() }

  test('is the newest success, whatever failed or waits after it, and its details say so', async () => {
    const site = await addSite()
    const [older, newer] = [await addDeployment(site), await addDeployment(site)]
    expect(await liveOf(site)).toEqual([newer])
    await addDeployment(site, failed)
    await addDeployment(site, open)
    expect(await liveOf(site)).toEqual([newer])
    const detailsOf = async (id: string) => (await root.get(`/deployments/${id}`)).json().deployment
    expect([await detailsOf(older), await detailsOf(newer)]).toMatchObject([{ is_live: false }, { is_live: true }])
  })

  test('is after a rollback the build that came back; the rollback names it', async () => {
    const site = await addSite()
    const header = { version: '3f2a91c', commit_message: 'Fix header' }
    const [older, newer] = [await addDeployment(site, header), await addDeployment(site)]
    const back = await addDeployment(site, { kind: 'rollback', rolled_back_to: older, version: null, ...open })
    expect(await liveOf(site)).toEqual([newer])
    await one.ctx.pool.query("update deployments set status = 'success', completed_at = now() where id = $1", [back])
    expect(await liveOf(site)).toEqual([older])
    const { deployments } = (await root.get(`/deployments?site=${site}`)).json()
    expect(deployments[0]).toMatchObject({ id: back, restored: header, is_live: false })
    expect(deployments[1]).toMatchObject({ restored: null })
    const newest = await addDeployment(site)
    expect(await liveOf(site)).toEqual([newest])
  })

  test.each([
    ['the build of one after it may have got through', {}, { ...failed, accepted_at: null }],
    ['another build was seen', {}, { served: JSON.stringify({ matches: false, build_id: 'other' }) }],
    ['the site is offline', { status: 'suspended', at_provider: 'offline' }, {}],
    ['the site has another project by now', { provider_settings: JSON.stringify({ project: 'moved' }) }, {}],
  ])('is not known when %s', async (_words, ofSite, ofNewest) => {
    const site = await addSite(ofSite)
    await addDeployment(site)
    await addDeployment(site, ofNewest)
    expect(await liveOf(site)).toEqual([])
  })
})

describe('rolling back', () => {
  test('is queued for an earlier build, and refused for the one that is served', async () => {
    const site = await addSite()
    const [older, newer] = [await addDeployment(site), await addDeployment(site)]
    expect((await root.post(`/sites/${site}/rollback`, { to: newer })).json().detail).toContain('Already live')
    const answer = await root.post(`/sites/${site}/rollback`, { to: older, restore_environment: true })
    expect(answer.json().deployment).toMatchObject({ kind: 'rollback', rolled_back_to: older, status: 'queued' })
  })

  test.each([
    ['was lost on its way to the provider', { accepted_at: null }, true],
    ['was cancelled and goes on at its hook', { status: 'cancelled', provider: 'hook' }, true],
    ['was said to have failed', {}, false],
    ['was never sent', { sent_at: null, accepted_at: null }, false],
  ])('is free to the newest success when one after it %s', async (_words, row, isFree) => {
    const site = await addSite()
    const good = await addDeployment(site)
    await addDeployment(site, { status: 'failed', sent_at: new Date(), accepted_at: new Date(), ...row })
    const { preview } = (await root.get(`/sites/${site}/rollback/preview?to=${good}`)).json()
    expect(preview.blocked).toBe(isFree ? null : 'Already live')
    expect(preview.from?.id).toBe(isFree ? undefined : good)
  })

  test('is refused to another site’s, a failed and an unknown build, and without the permission', async () => {
    const [site, other] = [await addSite(), await addSite()]
    const theirs = await addDeployment(other)
    const failed = await addDeployment(site, { status: 'failed' })
    expect((await root.post(`/sites/${site}/rollback`, { to: theirs })).statusCode).toBe(404)
    expect((await root.post(`/sites/${site}/rollback`, { to: 'dep_none' })).statusCode).toBe(404)
    expect((await root.post(`/sites/${site}/rollback`, { to: failed })).statusCode).toBe(409)
    expect((await root.post(`/sites/${site}/rollback`, {})).statusCode).toBe(400)
    expect((await root.get(`/sites/${site}/rollback/preview?to=${theirs}`)).statusCode).toBe(404)
    const reader = request(one.ctx).as(['sites.read'])
    expect((await reader.post(`/sites/${site}/rollback`, { to: failed })).statusCode).toBe(403)
    expect((await reader.get(`/sites/${site}/rollback/preview?to=${failed}`)).statusCode).toBe(403)
    expect(await counted()).toBe(2)
  })
})

describe('the list', () => {
  test('is filtered by status, site and search, and counts from its counters', async () => {
    const [shop, cafe] = [await addSite({ site_name: 'Shop of Ада' }), await addSite({ site_name: 'Café' })]
    const failed = await addDeployment(shop, { status: 'failed' })
    const good = await addDeployment(cafe, { commit_message: 'Fix 100% of it', commit_hash: 'feedbee1234' })
    await addDeployment(cafe, open)
    const ids = async (query: string): Promise<string[]> =>
      (await root.get(`/deployments?${query}`)).json().deployments.map(({ id }: { id: string }) => id)
    const all = (await root.get('/deployments?limit=2')).json()
    expect(all).toMatchObject({ has_more: true, total: 3, counts: { all: 3, success: 1, failed: 1, building: 1 } })
    expect(await ids('status=failed')).toEqual([failed])
    expect(await ids('status=failed,success')).toHaveLength(2)
    expect(await ids(`site=${cafe}&status=success`)).toEqual([good])
    for (const search of ['CAF%C3%89', 'feedbee', '100%25 of'])
      expect(await ids(`search=${search}&status=success`)).toEqual([good])
    expect(await ids('search=%D0%B0%D0%B4%D0%B0')).toEqual([failed])
    expect(await ids('search=nothing-like-it')).toEqual([])
    expect((await root.get(`/deployments?site=${cafe}`)).json().counts).toMatchObject({ all: 2, failed: 0 })
  })

  test('pages through all of them', async () => {
    const site = await addSite()
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.unshift(await addDeployment(site))
    const first = (await root.get('/deployments?limit=2')).json()
    const second = (await root.get(`/deployments?limit=2&starting_after=${first.deployments[1].id}`)).json()
    expect([...first.deployments, ...second.deployments].map(({ id }) => id)).toEqual(ids.slice(0, 4))
  })

  test('refuses bad parameters and whoever may not read sites', async () => {
    for (const query of ['limit=0', 'limit=101', 'status=done', 'starting_after=dep_none', 'sort=id'])
      expect((await root.get(`/deployments?${query}`)).statusCode).toBe(400)
    expect((await request(one.ctx).as(['billing.read']).get('/deployments')).statusCode).toBe(403)
  })
})

describe('the log', () => {
  const hostile = ['plain', '\u001b[31mred\u001b[0m', '<script>alert(1)</script>', 'a 100% b', 'last RED']

  test('is read from any line, searched, and taken as a file', async () => {
    const id = await addDeployment(await addSite(), { is_log_complete: true })
    await addLog(id, hostile)
    const whole = (await root.get(`/deployments/${id}/log`)).json()
    expect(whole).toMatchObject({ total: 5, complete: true, has_more: false })
    expect(whole.lines.map(({ text }: { text: string }) => text)).toEqual(hostile)
    const some = (await root.get(`/deployments/${id}/log?after=2&limit=2`)).json()
    expect(some.lines.map(({ number }: { number: number }) => number)).toEqual([3, 4])
    expect(some.has_more).toBe(true)
    expect((await root.get(`/deployments/${id}/log/matches?search=red`)).json()).toEqual({ numbers: [2, 5], total: 2 })
    expect((await root.get(`/deployments/${id}/log/matches?search=0%25`)).json()).toEqual({ numbers: [4], total: 1 })
    const file = await root.get(`/deployments/${id}/log.txt`)
    expect(file.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(file.body).toBe(`${hostile.join('\n')}\n`)
    expect((await root.get(`/deployments/${id}`)).json().deployment).toMatchObject({ log_lines: 5, logs: hostile })
  })

  test('is refused with bad input, without the permission and for what does not exist', async () => {
    const id = await addDeployment(await addSite())
    for (const query of ['after=-1', 'after=x', 'limit=0', 'limit=2001'])
      expect((await root.get(`/deployments/${id}/log?${query}`)).statusCode).toBe(400)
    expect((await root.get(`/deployments/${id}/log/matches`)).statusCode).toBe(400)
    const stranger = request(one.ctx).as(['billing.read'])
    for (const path of ['log', 'log/matches?search=a', 'log.txt', 'log/stream']) {
      expect((await root.get(`/deployments/dep_none/${path}`)).statusCode).toBe(404)
      expect((await stranger.get(`/deployments/${id}/${path}`)).statusCode).toBe(403)
    }
  })
})
