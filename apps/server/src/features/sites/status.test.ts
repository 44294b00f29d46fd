import type { SiteDetails } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { type Caller, request } from '../../../test/request.ts'
import { entriesOf, makeSite, siteOf } from '../../../test/sites.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { type DeploymentNote, noteBandwidth, noteDeployment } from './index.ts'

let t: TestContext
let root: Caller

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  root = request(t.ctx).as(['sites.read', 'sites.write'])
})
afterAll(() => t.close())

const minuteMs = 60_000
const in_ = (ms: number): string => new Date(t.clock.now() + ms).toISOString()
const set = (id: string, body: object) => root.post(`/sites/${id}/status`, body)

async function note(id: string, state: DeploymentNote['state'], storageMb: number | null = null): Promise<void> {
  const at = new Date(t.clock.now())
  const told = state === 'succeeded' ? { state, at, url: null, storageMb } : { state, at }
  await inTransaction(asSystem(t.ctx, 'job', 'deployments'), (tx) => noteDeployment(tx, id, told))
  t.ctx.changes.tell('sites')
}

const told = ({ status_changes }: SiteDetails) =>
  status_changes.map(({ from_status, to_status, cause }) => `${from_status} ${to_status} ${cause}`).reverse()

test('deployments drive it: under way, active, and back when one fails', async () => {
  const { id } = await makeSite(root)
  await note(id, 'started')
  expect((await siteOf(root, id)).status).toBe('deploying')
  await note(id, 'ended')
  expect((await siteOf(root, id)).status).toBe('pending')
  await note(id, 'started')
  await note(id, 'succeeded', 12.5)
  const site = await siteOf(root, id)
  expect(site).toMatchObject({
    status: 'active',
    last_deployment: '2026-11-21T12:00:00Z',
    storage_used: 12.5,
    version: 1,
  })
  await note(id, 'started')
  await note(id, 'ended')
  expect(told(await siteOf(root, id))).toEqual([
    ...['null pending created', 'pending deploying deployment', 'deploying pending deployment'],
    ...['pending deploying deployment', 'deploying active deployment'],
    ...['active deploying deployment', 'deploying active deployment'],
  ])
})

test('set by hand for a reason, it stays; for a while, it ends by itself', async () => {
  const { id } = await makeSite(root)
  const answer = await set(id, { status: 'maintenance', reason: 'New menu', until: in_(10 * minuteMs) })
  expect(answer.json().site).toMatchObject({
    ...{ status: 'maintenance', status_reason: 'New menu', status_until: '2026-11-21T12:10:00Z', version: 1 },
  })
  t.clock.advance(9 * minuteMs)
  await runJob(t.ctx, 'sites.sweep')
  expect((await siteOf(root, id)).status).toBe('maintenance')
  t.clock.advance(minuteMs)
  await runJob(t.ctx, 'sites.sweep')
  await runJob(t.ctx, 'sites.sweep')
  t.ctx.changes.tell('sites')
  const site = await siteOf(root, id)
  expect(site).toMatchObject({ status: 'pending', status_until: null })
  expect(told(site)).toEqual(['null pending created', 'pending maintenance by_hand', 'maintenance pending expired'])
  expect((await entriesOf(t, id)).map(({ action, actor_type }) => `${actor_type} ${action}`)).toEqual([
    ...['user site.create', 'user site.set_status', 'job site.expire_status'],
  ])
  await set(id, { status: 'active', reason: 'Moved here by hand' })
  t.clock.advance(400 * 24 * 60 * minuteMs)
  await runJob(t.ctx, 'sites.sweep')
  expect((await siteOf(root, id)).status).toBe('active')
})

test('the history tells of each change what kind of actor brought it', async () => {
  const { id } = await makeSite(root)
  await note(id, 'started')
  const { status_changes } = await siteOf(root, id)
  expect(status_changes.map(({ actor_type, actor_name }) => [actor_type, actor_name])).toEqual([
    ['job', 'deployments'],
    ['user', 'Test custom'],
  ])
})

test('what happens meanwhile is known once the setting by hand ends', async () => {
  const { id } = await makeSite(root)
  await set(id, { status: 'maintenance', reason: 'Moving', until: in_(10 * minuteMs) })
  await note(id, 'started')
  await note(id, 'succeeded')
  expect((await siteOf(root, id)).status).toBe('maintenance')
  t.clock.advance(11 * minuteMs)
  await runJob(t.ctx, 'sites.sweep')
  t.ctx.changes.tell('sites')
  expect((await siteOf(root, id)).status).toBe('active')
})

test('what is set again for a while ends where the first would have ended', async () => {
  const { id } = await makeSite(root)
  await set(id, { status: 'maintenance', reason: 'One', until: in_(10 * minuteMs) })
  await set(id, { status: 'maintenance', reason: 'Longer', until: in_(20 * minuteMs) })
  t.clock.advance(21 * minuteMs)
  await runJob(t.ctx, 'sites.sweep')
  t.ctx.changes.tell('sites')
  expect((await siteOf(root, id)).status).toBe('pending')
})

test.each([
  ['no reason', { status: 'maintenance', reason: ' ' }, 400],
  ['what only happens', { status: 'deploying', reason: 'x' }, 400],
  ['suspended, which has a call of its own', { status: 'suspended', reason: 'x' }, 400],
  ['an end that has passed', { status: 'maintenance', reason: 'x', until: '2020-01-01T00:00:00Z' }, 400],
  ['an end in ten years', { status: 'maintenance', reason: 'x', until: '2040-01-01T00:00:00Z' }, 400],
  ['its own status', { status: 'pending', reason: 'x' }, 409],
])('refuses %s', async (_what, body, status) => {
  const { id } = await makeSite(root)
  expect((await set(id, body)).statusCode).toBe(status)
  expect(await siteOf(root, id)).toMatchObject({ status: 'pending', status_changes: [{ cause: 'created' }] })
  expect(await entriesOf(t, id)).toHaveLength(1)
})

test('needs sites.write', async () => {
  const { id } = await makeSite(root)
  const reader = request(t.ctx).as(['sites.read'])
  expect((await reader.post(`/sites/${id}/status`, { status: 'active', reason: 'x' })).statusCode).toBe(403)
})

test('bandwidth is noted with its time, and is nobody’s change', async () => {
  const { id } = await makeSite(root)
  await noteBandwidth(t.ctx as never, id, { gb: 1.25, at: new Date('2026-11-20T00:00:00Z') })
  t.ctx.changes.tell('sites')
  expect(await siteOf(root, id)).toMatchObject({
    ...{ bandwidth_used: 1.25, bandwidth_used_at: '2026-11-20T00:00:00Z', version: 1 },
  })
})
