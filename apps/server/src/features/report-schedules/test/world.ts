import { randomUUID } from 'node:crypto'
import type { ReportDelivery, ReportSchedule } from '@agency/contract/report-schedules'
import type { TestContext } from '../../../../test/context.ts'
import { createTestContext, runJob } from '../../../../test/context.ts'
import { exportsEnv } from '../../../../test/exports.ts'
import { bodyOf } from '../../../../test/mail-parts.ts'
import { type MailServer, startMailServer } from '../../../../test/mail-server.ts'
import { createPerson, createRole } from '../../../../test/people.ts'
import { type Caller, request } from '../../../../test/request.ts'
import { insertRows } from '../../../../test/rows.ts'
import { testAdminKey } from '../../../../test/sign-in.ts'
import { asSystem } from '../../../context.ts'
import { ensureAdminKey } from '../../auth/index.ts'

/** A Wednesday. */
export const now = '2026-11-25T12:00:00Z'

export type World = { t: TestContext; server: MailServer; root: Caller; close(): Promise<void> }

/** A console with a mail server that keeps what it gets. */
export async function startWorld(env: Record<string, string> = {}): Promise<World> {
  const server = await startMailServer({ refused: ['refused@example.com'] })
  const own = await exportsEnv()
  const mail = { SMTP_URL: server.url, MAIL_FROM: 'Agency <console@example.com>' }
  const t = await createTestContext({ now, env: { ...own, ...mail, ADMIN_KEY: testAdminKey, ...env } })
  await ensureAdminKey(asSystem(t.ctx, 'job', 'start'))
  return {
    ...{ t, server, root: request(t.ctx).withKey(testAdminKey) },
    async close() {
      await t.close()
      await server.stop()
    },
  }
}

export type Somebody = { id: string; name: string; email: string; caller: Caller }

/** Somebody with an account who may do this. */
export async function somebody(t: TestContext, permissions: string[]): Promise<Somebody> {
  const role = await createRole(t, permissions)
  const { id, name, email, key, sessionId } = await createPerson(t, { role })
  // The clock goes on by weeks.
  await t.ctx.pool.query(
    `update sessions set idle_expires_at = '2030-01-01', expires_at = '2030-01-01' where id = $1`,
    [sessionId],
  )
  return { id, name, email, caller: request(t.ctx).withKey(key) }
}

export async function makeCustomer(t: TestContext, fields: Record<string, unknown> = {}): Promise<string> {
  const id = `cus_${randomUUID()}`
  await insertRows(t.ctx.pool, 'customers', [
    { id, name: 'Castine Chandlery', email: `${id.slice(4, 12)}@example.com`, ...fields },
  ])
  return id
}

export const weekly = { cadence: 'weekly', weekday: 1, hour: 8, time_zone: 'UTC' } as const
export const monthly = { cadence: 'monthly', month_day: 1, hour: 8, time_zone: 'UTC' } as const

export async function create(caller: Caller, terms: object): Promise<ReportSchedule> {
  const answer = await caller.post('/report-schedules', { ...weekly, ...terms })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().schedule
}

export const shown = async (caller: Caller, id: string): Promise<ReportSchedule | undefined> =>
  (await caller.get('/report-schedules')).json().schedules.find((one: ReportSchedule) => one.id === id)

export const history = async (caller: Caller, id: string): Promise<ReportDelivery[]> =>
  (await caller.get(`/report-schedules/${id}/deliveries`)).json().deliveries

/** What is due at that moment is begun, and sent. */
export async function passTo({ t }: World, moment: string): Promise<void> {
  t.clock.set(moment)
  await runJob(t.ctx, 'report-schedules.due')
  await t.runJobs()
}

export async function sendNow({ t }: World, caller: Caller, id: string): Promise<ReportDelivery | undefined> {
  const answer = await caller.post(`/report-schedules/${id}/send`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  await t.runJobs()
  return (await history(caller, id))[0]
}

export const textOf = ({ received }: MailServer, place = -1): string =>
  bodyOf(received.at(place)?.raw ?? '', 'text/plain')
export const pageOf = ({ received }: MailServer, place = -1): string =>
  bodyOf(received.at(place)?.raw ?? '', 'text/html')
