import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { asSystem } from '../../context.ts'
import { notify } from '../notifications/index.ts'

let one: TestContext

beforeAll(async () => {
  one = await createTestContext({ env: { ...secretsEnv, PUBLIC_URL: 'https://console.example.com' } })
})
afterAll(() => one?.close())

const tell = (title: string, severity: 'error' | 'warning') =>
  notify(asSystem(one.ctx, 'job', 'test') as unknown as Parameters<typeof notify>[0], {
    dedupeKey: randomUUID(),
    type: 'test.happened',
    severity,
    permission: 'billing.read',
    title,
    body: 'It broke.',
    link: '/admin/health',
  })

const setRecipients = (recipients: string[]) =>
  request(one.ctx)
    .as(['admin.system'])
    .patch('/admin/settings', { changes: { 'alerts.recipients': recipients } })

async function mails(): Promise<string[]> {
  await runJob(one.ctx, 'mail.alerts')
  const rows = await one.ctx.db.selectFrom('mails').select(['to_address', 'subject']).orderBy('to_address').execute()
  return rows.map((row) => `${row.to_address}: ${row.subject}`)
}

test('serious notifications are written to the recipients, each once, from when there are any', async () => {
  await tell('Before anybody was to be told', 'error')
  expect(await mails()).toEqual([])
  await setRecipients(['ada@example.com', 'bob@example.com'])
  expect(await mails()).toEqual([])
  await tell('The import failed', 'error')
  await tell('A payment failed', 'warning')
  const told = ['ada@example.com: The import failed', 'bob@example.com: The import failed']
  expect(await mails()).toEqual(told)
  expect(await mails()).toEqual(told)
  const { mails: listed } = (await request(one.ctx).as(['admin.system']).get('/admin/mails')).json()
  const { text } = (await request(one.ctx).as(['admin.system']).get(`/admin/mails/${listed[0].id}`)).json()
  expect(text).toContain('It broke.')
  expect(text).toContain('https://console.example.com/admin/health')
})

test('nobody is written to while there are no recipients', async () => {
  await setRecipients([])
  const before = await mails()
  await tell('Something else failed', 'error')
  expect(await mails()).toEqual(before)
})
