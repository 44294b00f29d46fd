import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloudflareAt } from '../../../test/cloudflare.ts'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { type Caller, request } from '../../../test/request.ts'
import { entriesOf, makeSite, siteOf } from '../../../test/sites.ts'

const project = 'cascobaycoffee'
const domains = ['cascobaycoffee.example', 'www.cascobaycoffee.example']

let sandbox: Sandbox
let stop: () => Promise<void>
let t: TestContext
let root: Caller

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({
    cloudflare: { requestLimit: 0, stageMs: 30 },
    size: { customers: 3 },
  }))
  t = await createTestContext({ cloudflare: cloudflareAt(sandbox.cloudflare) })
  root = request(t.ctx).as(['sites.read', 'sites.write'])
})
afterAll(async () => {
  await t?.close()
  await stop?.()
})
beforeEach(() => sandbox.faults.clear())

const cloudflare = () => cloudflareAt(sandbox.cloudflare)
const attached = async () => (await cloudflare().listProjectDomains(project)).map(({ name }) => name).sort()
const changesAt = (from: number) =>
  sandbox
    .requestLog()
    .slice(from)
    .flatMap(({ name, path }) =>
      name?.startsWith('pages.projects.domains.') && !name.endsWith('.list') && !name.endsWith('.get')
        ? [`${name} ${path}`]
        : [],
    )

async function linked(): Promise<string> {
  const { id } = await makeSite(root)
  const answer = await root.patch(`/sites/${id}/settings`, { version: 1, provider: 'pages', pages: { project } })
  expect(answer.statusCode).toBe(200)
  return id
}

const work = async (id: string) => {
  await runJob(t.ctx, 'sites.suspension', { subject: id })
  t.ctx.changes.tell('sites')
}
const suspend = (id: string, reason = 'Not paid') => root.post(`/sites/${id}/suspend`, { reason })

test('a Pages site is taken offline at Cloudflare, seen to be so, and brought back', async () => {
  const id = await linked()
  const { preview } = (await root.get(`/sites/${id}/suspend`)).json()
  expect(preview.effects.join(' ')).toContain(domains[0])
  const asked = await suspend(id)
  expect(asked.json().site).toMatchObject({
    ...{ status: 'suspended', status_reason: 'Not paid', at_provider: 'suspending' },
    suspension: { state: 'suspending', reason: 'Not paid' },
  })
  await work(id)
  expect(await attached()).toEqual([])
  const offline = await siteOf(root, id)
  expect(offline).toMatchObject({ status: 'suspended', at_provider: 'offline', suspension: { state: 'suspended' } })
  expect(offline.suspension?.domains.toSorted()).toEqual(domains)
  const back = (await root.get(`/sites/${id}/suspend`)).json().preview
  expect(back.effects.join(' ')).toContain('Attaches these domains at Cloudflare')
  const from = sandbox.requestLog().length
  expect((await suspend(id, 'Again')).json().site.suspension.reason).toBe('Not paid')
  await work(id)
  expect(changesAt(from)).toEqual([])
  expect((await root.post(`/sites/${id}/resume`)).json().site).toMatchObject({ at_provider: 'resuming' })
  await work(id)
  expect(await attached()).toEqual(domains)
  expect(await siteOf(root, id)).toMatchObject({ status: 'pending', at_provider: 'served', suspension: null })
  expect((await root.post(`/sites/${id}/resume`)).statusCode).toBe(409)
  expect(
    (await entriesOf(t, id))
      .slice(2)
      .map(({ action, actor_type, after }) => [actor_type, action, (after as { state: string }).state]),
  ).toEqual([
    ['user', 'site.suspend', 'requested'],
    ['job', 'site.suspend', 'done'],
    ['user', 'site.resume', 'requested'],
    ['job', 'site.resume', 'done'],
  ])
})

test.each([
  ['refuses', { status: 500 }],
  ['answers success false', { malformed: 'unsuccessful' as const }],
  ['limits the calls', { status: 429, retryAfter: 300 }],
  ['loses its answer', { connection: 'lost' as const }],
])('when Cloudflare %s, it is shown as half done, tried again, and ends the same', async (_what, effect) => {
  const id = await linked()
  sandbox.faults.next('cloudflare', 'pages.projects.domains.delete', effect)
  await suspend(id)
  await work(id)
  const half = await siteOf(root, id)
  expect(half).toMatchObject({ status: 'suspended', at_provider: 'suspending', suspension: { tries: 1 } })
  expect(half.suspension?.note).toContain('Retrying automatically')
  expect(half.suspension?.domains.toSorted()).toEqual(domains)
  expect((await root.delete(`/sites/${id}`)).statusCode).toBe(409)
  t.clock.advance(10 * 60_000)
  await runJob(t.ctx, 'runs.sweep')
  t.ctx.changes.tell('sites')
  expect(await siteOf(root, id)).toMatchObject({ at_provider: 'offline', suspension: { state: 'suspended', tries: 0 } })
  await root.post(`/sites/${id}/resume`)
  await work(id)
  expect(await attached()).toEqual(domains)
})

test('who changes their mind while it is under way gets the site back whole', async () => {
  const id = await linked()
  await suspend(id)
  await root.post(`/sites/${id}/resume`)
  await work(id)
  expect(await attached()).toEqual(domains)
  expect(await siteOf(root, id)).toMatchObject({ status: 'pending', at_provider: 'served' })
})

test('a deploy hook cannot take a site offline, and that is said plainly', async () => {
  const { id } = await makeSite(root)
  const hook = { url: 'https://deploy.example.com/hook/x', callback: false }
  await root.patch(`/sites/${id}/settings`, { version: 1, provider: 'hook', hook })
  const { preview } = (await root.get(`/sites/${id}/suspend`)).json()
  expect(preview.warnings[0]).toContain('still live')
  expect((await suspend(id)).json().site).toMatchObject({
    ...{ status: 'suspended', at_provider: 'still_served' },
    suspension: { state: 'suspended', note: expect.stringContaining('Deploy hooks cannot take sites offline') },
  })
  expect((await root.post(`/sites/${id}/resume`)).json().site).toMatchObject({
    status: 'pending',
    at_provider: 'served',
  })
})

test('what another site has is not taken away with it', async () => {
  const id = await linked()
  const other = await makeSite(root, { domain: 'www.cascobaycoffee.example' })
  await suspend(id)
  await work(id)
  expect(await attached()).toEqual(['www.cascobaycoffee.example'])
  await root.post(`/sites/${id}/resume`)
  await work(id)
  expect(await attached()).toEqual(domains)
  await root.delete(`/sites/${other.id}`)
})

test('refuses without a reason, without the permission, and what is not there', async () => {
  const id = await linked()
  expect((await suspend(id, ' ')).statusCode).toBe(400)
  const reader = request(t.ctx).as(['sites.read'])
  expect((await reader.post(`/sites/${id}/suspend`, { reason: 'x' })).statusCode).toBe(403)
  expect((await reader.post(`/sites/${id}/resume`)).statusCode).toBe(403)
  expect((await suspend('site_none')).statusCode).toBe(404)
  expect(await siteOf(root, id)).toMatchObject({ status: 'pending', at_provider: 'served' })
  expect(await attached()).toEqual(domains)
})

test('projects are offered with the site that has them, and one that is not there is refused', async () => {
  await linked()
  const { projects } = (await root.get('/sites/projects')).json()
  expect(projects.find(({ name }: { name: string }) => name === project)).toMatchObject({
    ...{ production_branch: 'main', site: { id: expect.any(String) } },
    domains: expect.arrayContaining(domains),
  })
  const { id } = await makeSite(root)
  const none = { version: 1, provider: 'pages', pages: { project: 'no-such-project' } }
  const answer = await root.patch(`/sites/${id}/settings`, none)
  expect([answer.statusCode, answer.json().parameter]).toEqual([400, 'pages.project'])
})
