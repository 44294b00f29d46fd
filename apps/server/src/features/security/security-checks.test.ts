import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { SecurityFinding } from '@agency/contract/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { addPerson, secretsEnv } from '../../../test/people.ts'
import { createTestApp, request } from '../../../test/request.ts'
import { testAdminKey } from '../../../test/sign-in.ts'
import { asSystem } from '../../context.ts'
import { ensureAdminKey } from '../auth/index.ts'
import { createOwnAddress } from './index.ts'

let one: TestContext
beforeAll(async () => {
  one = await createTestContext({ env: { ...secretsEnv, ADMIN_KEY: testAdminKey } })
  await ensureAdminKey(asSystem(one.ctx, 'job', 'start'))
})
afterAll(() => one?.close())

const withKey = (key: string) => request(one.ctx).withKey(key)

describe('the checks', () => {
  const run = async () => (await withKey(testAdminKey).post('/admin/security/checks')).json().run
  const stateOf = (findings: SecurityFinding[], id: string) => findings.find((finding) => finding.id === id)?.state

  test('tell what they saw, are kept, and have a score with a history', async () => {
    const key = testAdminKey
    const first = await run()
    expect(first.findings.length).toBeGreaterThan(15)
    expect(new Set(first.findings.map(({ id }: SecurityFinding) => id)).size).toBe(first.findings.length)
    for (const { finding, state, advice } of first.findings as SecurityFinding[]) {
      expect(finding).not.toBe('')
      expect(advice === null).toBe(state === 'ok' || state === 'unknown')
    }
    one.clock.advance(1000)
    await runJob(one.ctx, 'security.check')
    const { run: newest, history } = (await withKey(key).get('/admin/security/checks')).json()
    expect(newest.actor_name).toBe('security.check')
    expect(history).toHaveLength(2)
    expect(history[0].score).toBe(first.score)
  })

  test('look at the headers as they are served', async () => {
    const address = one.ctx.instance(createOwnAddress)
    expect(stateOf((await run()).findings, 'headers')).toBe('unknown')
    const app = one.ctx.instance(createTestApp)
    await app.listen({ port: 0, host: '127.0.0.1' })
    address.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    expect((await run()).findings.find(({ id }: SecurityFinding) => id === 'headers')).toMatchObject({ state: 'ok' })
    address.url = null
  })

  test('find keys that nobody uses, that end soon and that never end', async () => {
    const admin = withKey(testAdminKey)
    const states = async () => {
      const { findings } = await run()
      return ['api_keys_unused', 'api_keys_ending', 'api_keys_endless'].map((id) => stateOf(findings, id))
    }
    expect(await states()).toEqual(['ok', 'ok', 'ok'])
    const key = { name: 'Reports', permissions: ['customers.read'] }
    const soon = new Date(one.clock.now() + 86_400_000).toISOString()
    const made = [
      (await admin.post('/admin/api-keys', key)).json().api_key.id,
      (await admin.post('/admin/api-keys', { ...key, expires_at: soon })).json().api_key.id,
    ]
    await one.ctx.pool.query(`update api_keys set created_at = created_at - interval '91 days'`)
    expect(await states()).toEqual(['warning', 'advice', 'advice'])
    for (const id of made) await admin.post(`/admin/api-keys/${id}/revoke`)
    expect(await states()).toEqual(['ok', 'ok', 'ok'])
  })

  test('find an audit log that was not verified, is fine, or is broken', async () => {
    const state = async () => stateOf((await run()).findings, 'audit')
    expect(await state()).toBe('advice')
    const verified = (result: string, at: number) =>
      one.ctx.pool.query(
        `insert into audit_verifications (id, state, started_at, finished_at, started_by, total) values ($1, $2, $3, $3, 't', 0)`,
        [randomUUID(), result, new Date(at)],
      )
    await verified('intact', one.clock.now() - 9 * 86_400_000)
    expect(await state()).toBe('warning')
    await verified('intact', one.clock.now() - 1000)
    expect(await state()).toBe('ok')
    await verified('broken', one.clock.now())
    expect(await state()).toBe('error')
    await verified('intact', one.clock.now() + 1)
    expect(await state()).toBe('ok')
    await verified('no_anchor', one.clock.now() + 2)
    expect(await state()).toBe('error')
  })

  test('find people who have not come for long, wait for an invitation, or lack a second factor', async () => {
    const person = await addPerson(one, { role: 'admin', name: 'Stale' })
    await one.ctx.pool.query(`update users set last_login_at = $2 where id = $1`, [
      person.id,
      new Date(one.clock.now() - 91 * 86_400_000),
    ])
    await request(one.ctx).as('super_admin').post('/admin/users', {
      name: 'Invited',
      email: 'invited@example.com',
      role_id: 'support',
      send_welcome_email: false,
    })
    const { findings } = await run()
    const seen = (id: string) => findings.find((finding: SecurityFinding) => finding.id === id)?.finding
    expect(seen('stale_people')).toBe('No sign-in for 90 days: Stale')
    expect(seen('invitations')).toBe('Pending invitations: Invited')
    expect(seen('second_factor')).toContain('Admin 0 of 1')
  })
})
