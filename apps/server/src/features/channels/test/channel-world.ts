import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTestContext, runJob, type TestContext } from '../../../../test/context.ts'
import { secretsEnv } from '../../../../test/people.ts'
import { type Caller, request } from '../../../../test/request.ts'
import { makeSite } from '../../../../test/sites.ts'
import { createSecretBox } from '../../../platform/secrets.ts'

export type Received = { url: string; headers: IncomingHttpHeaders; body: string }

/** A receiver of webhooks; by its path it may be told to answer otherwise. */
export async function startReceiver() {
  const received: Received[] = []
  const statuses = new Map<string, number>()
  const server = createServer(async (asked, answer) => {
    const url = asked.url ?? ''
    received.push({ url, headers: asked.headers, body: await text(asked) })
    answer.writeHead(statuses.get(url) ?? 200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...{ received, statuses, port },
    bodiesOf: (url: string) => received.filter((one) => one.url === url).map(({ body }) => JSON.parse(body)),
    reset() {
      received.length = 0
      statuses.clear()
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

export type World = {
  t: TestContext
  root: Caller
  sql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  addHook(name: string, fields?: Record<string, unknown>): Promise<string>
  addMail(name: string, target: string, fields?: Record<string, unknown>): Promise<string>
  sendAll(options?: { isLastAttempt?: boolean }): Promise<string[]>
  evaluate(): Promise<void>
  siteDown(fields?: Record<string, unknown>): Promise<string>
}

/** A console whose channels lead to the receiver. */
export async function openWorld(
  port: number,
  env: Record<string, string> = {},
  now = '2026-11-21T12:00:00Z',
): Promise<World> {
  const t = await createTestContext({ env: { ...secretsEnv, PUBLIC_URL: 'https://console.example.com', ...env }, now })
  const root = request(t.ctx).as('super_admin')
  const hosts = new Set(['hooks.example.com'])
  t.ctx.replace({ demoHosts: { hosts: () => hosts, address: '127.0.0.1', httpPort: port, httpsPort: port, ca: '' } })
  const sql = (text_: string, values: unknown[] = []) => t.ctx.pool.query(text_, values)

  async function add(body: Record<string, unknown>): Promise<string> {
    const answer = await root.post('/channels', body)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json().channel.id
  }
  return {
    ...{ t, root, sql },
    /** The certificate of a stand-in cannot be trusted, so plain http takes the place of https. */
    async addHook(name, fields = {}) {
      const path = `/${name.toLowerCase().replaceAll(' ', '-')}`
      const id = await add({ kind: 'webhook', name, target: `https://hooks.example.com${path}`, ...fields })
      const box = await t.ctx.instance(createSecretBox)
      await sql('update notification_channels set target_sealed = $2 where id = $1', [
        ...[id, box.seal(`http://hooks.example.com${path}`)],
      ])
      return id
    },
    addMail: (name, target, fields = {}) => add({ kind: 'mail', name, target, ...fields }),
    /** Only what is sent: the sites of these tests are not there to be looked at. Answers what failed. */
    async sendAll(options = {}) {
      const waiting = t.enqueued.filter(({ name }) => name === 'channels.deliver')
      t.enqueued.length = 0
      const failures: string[] = []
      for (const { input } of waiting)
        await runJob(t.ctx, 'channels.deliver', input, options).catch((error: Error) => failures.push(error.message))
      return failures
    },
    evaluate: () => runJob(t.ctx, 'alerts.evaluate'),
    async siteDown(fields = {}) {
      const { id } = await makeSite(root, fields)
      await sql(`update sites set health_status = 'down', health_detail = 'Answered with status 500' where id = $1`, [
        id,
      ])
      await runJob(t.ctx, 'alerts.evaluate')
      t.clock.advance(60_000)
      await runJob(t.ctx, 'alerts.evaluate')
      return id
    },
  }
}
