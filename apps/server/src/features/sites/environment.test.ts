import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { type Caller, request } from '../../../test/request.ts'
import { entriesOf, makeSite, put } from '../../../test/sites.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { deployTargetOf, environmentFor, environmentNames, rollbackEnvironment } from './index.ts'

let t: TestContext
let root: Caller

beforeAll(async () => {
  t = await createTestContext({
    now: '2026-11-21T12:00:00Z',
    env: { SECRETS_KEY: 'a key that is long enough for tests' },
  })
  root = request(t.ctx).as(['sites.read', 'sites.write'])
})
afterAll(() => t.close())

const path = (id: string) => `/sites/${id}/environment`
const save = (id: string, version: number, set: Record<string, string>, remove: string[] = []) =>
  put(root, path(id), { version, set, remove })
const difference = async (id: string, from: number, to: number) =>
  (await root.get(`${path(id)}/difference?from=${from}&to=${to}`)).json()

const secret = 'whsec_very_secret_value'

/** Everything that the database holds of it, as text. */
async function stored(id: string): Promise<string> {
  const tables = ['sites', 'site_environments', 'site_edits', 'site_status_changes', 'audit_entries']
  const texts = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await t.ctx.pool.query(`select coalesce(string_agg(x::text, ' '), '') as text from ${table} x`)
      return String(rows[0].text)
    }),
  )
  expect(texts.join(' ')).toContain(id)
  return texts.join(' ')
}

test('values go in, are versioned, compared and rolled back, and never come out', async () => {
  const { id } = await makeSite(root)
  expect((await root.get(path(id))).json().environment).toEqual({
    ...{ version: 0, saved_at: null, author: null, variables: [] },
  })
  const first = await save(id, 0, { API_KEY: secret, MODE: 'test' })
  expect(first.json().environment).toMatchObject({ version: 1, variables: [{ name: 'API_KEY' }, { name: 'MODE' }] })
  t.clock.advance(60_000)
  await save(id, 1, { MODE: 'live', NEW: 'x' }, [])
  t.clock.advance(60_000)
  const third = await save(id, 2, {}, ['API_KEY'])
  expect(third.json().environment).toEqual({
    ...{ version: 3, saved_at: '2026-11-21T12:02:00.000Z', author: expect.stringContaining('Test') },
    variables: [
      { name: 'MODE', changed_at: '2026-11-21T12:01:00.000Z' },
      { name: 'NEW', changed_at: '2026-11-21T12:01:00.000Z' },
    ],
  })
  expect(await difference(id, 1, 3)).toEqual({ added: ['NEW'], removed: ['API_KEY'], changed: ['MODE'] })
  expect(await difference(id, 0, 1)).toEqual({ added: ['API_KEY', 'MODE'], removed: [], changed: [] })
  const back = await root.post(`${path(id)}/rollback`, { version: 3, to: 1 })
  expect(back.json().environment).toMatchObject({ version: 4, variables: [{ name: 'API_KEY' }, { name: 'MODE' }] })
  expect(await environmentFor(t.ctx, id)).toEqual({ version: 4, values: { API_KEY: secret, MODE: 'test' } })
  expect(await environmentFor(t.ctx, id, 2)).toEqual({
    ...{ version: 2, values: { API_KEY: secret, MODE: 'live', NEW: 'x' } },
  })
  expect(await environmentNames(t.ctx.db, id, 2)).toEqual(['API_KEY', 'MODE', 'NEW'])
  const { versions, has_more } = (await root.get(`${path(id)}/versions?limit=3`)).json()
  expect(has_more).toBe(true)
  expect(versions).toMatchObject([
    { version: 4, rolled_back_to: 1, added: ['API_KEY'], removed: ['NEW'], changed: ['MODE'] },
    { version: 3, rolled_back_to: null, removed: ['API_KEY'] },
    { version: 2, added: ['NEW'], changed: ['MODE'] },
  ])
  const answers = [first.body, third.body, back.body, JSON.stringify(versions), (await root.get(`/sites/${id}`)).body]
  expect([...answers, await stored(id)].filter((text) => text.includes(secret) || text.includes('"live"'))).toEqual([])
  expect((await entriesOf(t, id)).slice(1)).toMatchObject([
    { action: 'site.update_environment', after: { version: 1, added: ['API_KEY', 'MODE'] } },
    { action: 'site.update_environment', after: { version: 2, changed: ['MODE'] } },
    { action: 'site.update_environment', after: { version: 3, removed: ['API_KEY'] } },
    { action: 'site.roll_back_environment', after: { version: 4, rolled_back_to: 1 } },
  ])
})

test('a save that another save came before is refused; one that changes nothing makes no version', async () => {
  const { id } = await makeSite(root)
  await save(id, 0, { A: '1' })
  const late = await save(id, 0, { A: '2' })
  expect(late.statusCode).toBe(409)
  expect(late.json()).toMatchObject({
    parameter: 'version',
    detail: expect.stringContaining('saved version 1'),
  })
  expect((await save(id, 1, { A: '1' })).json().environment.version).toBe(1)
  expect((await root.post(`${path(id)}/rollback`, { version: 1, to: 1 })).json().environment.version).toBe(1)
  expect(await environmentFor(t.ctx, id)).toEqual({ version: 1, values: { A: '1' } })
})

test.each([
  ['a name with a space', { version: 0, set: { 'A B': '1' } }],
  ['a name that begins with a digit', { version: 0, set: { '1A': '1' } }],
  ['a value with a NUL', { version: 0, set: { A: '\u0000' } }],
  ['a value that is too long', { version: 0, set: { A: 'x'.repeat(5001) } }],
  ['101 variables', { version: 0, set: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`A${n}`, ''])) }],
  ['removing what is not there', { version: 0, remove: ['A'] }],
  ['a version that is no number', { version: 'x', set: {} }],
])('refuses %s', async (_what, body) => {
  const { id } = await makeSite(root)
  expect((await put(root, path(id), body)).statusCode).toBe(400)
  expect(await environmentFor(t.ctx, id)).toBeNull()
})

test('names are read with sites.read, nothing is written with it', async () => {
  const { id } = await makeSite(root)
  await save(id, 0, { A: '1' })
  const reader = request(t.ctx).as(['sites.read'])
  expect((await reader.get(path(id))).json().environment.variables).toMatchObject([{ name: 'A' }])
  expect((await put(reader, path(id), { version: 1, set: {} })).statusCode).toBe(403)
  expect((await reader.post(`${path(id)}/rollback`, { version: 1, to: 1 })).statusCode).toBe(403)
  expect((await root.post(`${path(id)}/rollback`, { version: 1, to: 7 })).statusCode).toBe(400)
})

test('values that were sealed with another key are said to be so, and can be replaced', async () => {
  const { id } = await makeSite(root)
  await save(id, 0, { A: '1' })
  await t.ctx.pool.query(`update site_environments set sealed = 'v1.AAAA.BBBB.CCCC' where site_id = $1`, [id])
  await expect(environmentFor(t.ctx, id)).rejects.toThrow('another SECRETS_KEY')
  expect((await save(id, 1, { B: '2' })).statusCode).toBe(409)
  expect((await save(id, 1, { A: '2' })).json().environment.version).toBe(2)
  expect(await environmentFor(t.ctx, id)).toEqual({ version: 2, values: { A: '2' } })
})

test('is rolled back within a deployment’s own transaction', async () => {
  const { id } = await makeSite(root)
  await save(id, 0, { A: '1' })
  await save(id, 1, { A: '2' })
  const job = asSystem(t.ctx, 'job', 'deployments')
  expect(await inTransaction(job, (tx) => rollbackEnvironment(tx, id, 1))).toBe(3)
  expect(await environmentFor(t.ctx, id)).toEqual({ version: 3, values: { A: '1' } })
})

test('a deploy hook’s address and secret go in and never come out', async () => {
  const { id } = await makeSite(root)
  const hook = {
    url: 'https://deploy.example.com/hooks/abc-secret-path',
    secret: 'a-secret-of-some-length',
    callback: true,
  }
  const answer = await root.patch(`/sites/${id}/settings`, { version: 1, provider: 'hook', hook })
  expect(answer.json().settings).toEqual({
    ...{ version: 2, provider: 'hook', pages: null, health_path: '/' },
    hook: { host: 'deploy.example.com', callback: true, has_secret: true },
  })
  expect(await deployTargetOf(t.ctx, id)).toMatchObject({
    provider: { kind: 'hook', url: hook.url, secret: hook.secret, callback: true },
  })
  const seen = [answer.body, (await root.get(`/sites/${id}/settings`)).body, await stored(id)].join(' ')
  expect(seen).not.toContain('abc-secret-path')
  expect(seen).not.toContain('a-secret-of-some-length')
  const kept = await root.patch(`/sites/${id}/settings`, { version: 2, hook: { callback: false } })
  expect(kept.json().settings.hook).toMatchObject({ has_secret: true, callback: false })
  await root.patch(`/sites/${id}/settings`, { version: 3, hook: { secret: null } })
  expect(await deployTargetOf(t.ctx, id)).toMatchObject({ provider: { url: hook.url, secret: null, callback: false } })
  await root.patch(`/sites/${id}/settings`, { version: 4, provider: null, health_path: '/health' })
  expect(await deployTargetOf(t.ctx, id)).toMatchObject({ provider: null })
  expect((await root.get(`/sites/${id}/settings`)).json().settings).toMatchObject({
    hook: null,
    health_path: '/health',
  })
})

test.each([
  ['an address in this network', { provider: 'hook', hook: { url: 'http://127.0.0.1/x' } }],
  ['a port that is not the web’s', { provider: 'hook', hook: { url: 'https://a.example:8443/x' } }],
  ['a script', { provider: 'hook', hook: { url: 'javascript:alert(1)' } }],
  ['a hook without an address', { provider: 'hook' }],
  ['Pages without a project', { provider: 'pages' }],
  ['a project that is none', { provider: 'pages', pages: { project: '../x' } }],
  ['a path that is none', { health_path: 'health' }],
  ['a short secret', { provider: 'hook', hook: { url: 'https://a.example/x', secret: 'short' } }],
])('refuses %s', async (_what, body) => {
  const { id } = await makeSite(root)
  expect((await root.patch(`/sites/${id}/settings`, { version: 1, ...body })).statusCode).toBe(400)
  expect((await root.get(`/sites/${id}/settings`)).json().settings).toMatchObject({ version: 1, provider: null })
  expect(await entriesOf(t, id)).toHaveLength(1)
})
