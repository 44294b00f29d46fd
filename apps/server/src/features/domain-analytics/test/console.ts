import type { ZoneAnalytics } from '@agency/contract/types'
import type { Sandbox } from '@agency/sandbox'
import { cloudflareAt } from '../../../../test/cloudflare.ts'
import {
  createTestClock,
  createTestContext,
  runJob,
  type TestClock,
  type TestContext,
} from '../../../../test/context.ts'
import { exportsEnv } from '../../../../test/exports.ts'
import { startTestSandbox } from '../../../../test/fixtures/mirror.ts'
import { type Role, request } from '../../../../test/request.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { hourMs } from '../period.ts'

export type AnalyticsConsole = TestContext & {
  gateway: CloudflareGateway
  sandbox: Sandbox
  /** The id of a domain, by its name. */
  zone(name: string): Promise<string>
  read(zoneId: string, query?: string, who?: Role): Promise<ZoneAnalytics>
  /** How many questions were put to the analytics API since the last time this was asked. */
  questions(): number
  /** Past the lifetime of what was read. */
  later(): void
}

/** A console that knows the sandbox's domains; time stands still at `now`. */
export async function openAnalyticsConsole(
  now: string,
  size: { customers?: number; zones?: number } = { customers: 8 },
): Promise<AnalyticsConsole> {
  const clock: TestClock = createTestClock(now)
  const outside = await startTestSandbox({ now: clock.now, size, cloudflare: { requestLimit: 0 } })
  const { sandbox } = outside
  const gateway = cloudflareAt(sandbox.cloudflare)
  const context = await createTestContext({ clock, cloudflare: gateway, env: await exportsEnv() })
  await runJob(context.ctx, 'domains.refresh')
  let asked = 0
  return {
    ...context,
    sandbox,
    gateway,
    async zone(name) {
      const { rows } = await context.ctx.pool.query('select id from domains where name = $1', [name])
      return rows[0].id
    },
    async read(zoneId, query = '', who = 'super_admin') {
      const response = await request(context.ctx).as(who).get(`/cloudflare/zones/${zoneId}/analytics${query}`)
      if (response.statusCode !== 200) throw new Error(response.body)
      return response.json()
    },
    questions() {
      const all = sandbox.requestLog().filter(({ name }) => name === 'graphql').length
      const since = all - asked
      asked = all
      return since
    },
    later: () => clock.advance(hourMs / 6),
    async close() {
      await context.close()
      await outside.stop()
    },
  }
}
