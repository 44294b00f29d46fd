import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { freshAddress, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'

let t: TestContext

beforeAll(async () => {
  t = await createTestContext({ now: '2026-03-01T09:00:00Z', env: secretsEnv })
})

afterAll(() => t?.close())

const nul = 'a\u0000b'
const half = 'half a \ud83d pair'

test.each([
  ['POST', '/admin/users', { name: nul, email: 'nul@example.com' }],
  ['POST', '/admin/users', { name: 'x', email: 'nul@example.com', role_id: nul }],
  ['POST', '/admin/users', { name: 'x', email: 'nul@example.com', temporary_password: `violet-harbor-${nul}-58` }],
  ['POST', '/admin/roles', { display_name: nul, permissions: [] }],
  ['POST', '/admin/roles', { display_name: 'x', description: nul, permissions: [] }],
  ['POST', '/admin/users', { name: half, email: 'half@example.com' }],
  ['POST', '/admin/roles', { display_name: half, permissions: [] }],
  ['POST', '/auth/login/email', { email: half, password: 'x' }],
  ['PATCH', '/admin/users/%00', { name: 'x' }],
  ['DELETE', '/admin/users/a%00b', undefined],
  ['GET', '/admin/users/a%00b', undefined],
  ['GET', '/admin/users/a%00b/removal', undefined],
  ['PATCH', '/admin/roles/%00', { permissions: [] }],
  ['DELETE', '/admin/roles/%00', undefined],
  ['GET', '/admin/users?search=%00', undefined],
  ['GET', '/admin/users?role=%00', undefined],
  ['GET', '/admin/users?starting_after=%00', undefined],
  ['GET', '/admin/users-activity?user=%00', undefined],
  ['POST', '/auth/login/email', { email: nul, password: 'x' }],
  ['POST', '/auth/login/email', { email: 'x@example.com', password: nul }],
  ['POST', '/auth/login', { key: nul }],
  ['POST', '/auth/links/accept', { token: `${nul}${'x'.repeat(40)}`, password: 'violet-harbor-58' }],
] as const)('%s %s with characters that are no text is no failure of the console: %j', async (method, path, body) => {
  const response = await request(t.ctx)
    .as('super_admin')
    .inject({
      method,
      url: `/api${path}`,
      remoteAddress: freshAddress(),
      ...(body && { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }),
    })
  expect(`${response.statusCode} ${response.body}`).not.toMatch(/^5/)
})

test('text of every language, and signs that take two halves, come back as they were', async () => {
  const name = 'Zoë 田中 \u{1f600} <script>alert(1)</script> \\u0000'
  const response = await request(t.ctx).as('super_admin').post('/admin/users', { name, email: 'zoe@example.com' })
  expect(response.json().user.name).toBe(name)
})

test('a body that is nested without end is refused, not a failure', async () => {
  const depth = 200_000
  const response = await request(t.ctx)
    .as('super_admin')
    .inject({
      method: 'POST',
      url: '/api/admin/users',
      headers: { 'content-type': 'application/json' },
      payload: `${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`,
    })
  expect(response.statusCode).toBe(400)
})
