import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'

let t: TestContext
let status = 200
const asked: string[] = []
const server = createServer((request, answer) => {
  asked.push(`${request.method} ${request.url}`)
  answer.writeHead(status).end()
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t = await createTestContext({ env: { HEARTBEAT_URL: 'http://uptime.example.com/ping/abc' } })
  const { port } = server.address() as AddressInfo
  const hosts = new Set(['uptime.example.com'])
  t.ctx.replace({ demoHosts: { hosts: () => hosts, address: '127.0.0.1', httpPort: port, httpsPort: port, ca: '' } })
})
afterAll(async () => {
  await t.close()
  server.close()
})

test('calls HEARTBEAT_URL, and fails when nobody hears it', async () => {
  await runJob(t.ctx, 'health.heartbeat')
  expect(asked).toEqual(['GET /ping/abc'])
  status = 500
  await expect(runJob(t.ctx, 'health.heartbeat')).rejects.toThrow('HEARTBEAT_URL answered 500')
})

test('calls nobody where none is set', async () => {
  t.ctx.replace({ config: { ...t.ctx.config, heartbeatUrl: undefined } })
  await runJob(t.ctx, 'health.heartbeat')
  expect(asked).toHaveLength(2)
})

test('does not reach what is not public', async () => {
  t.ctx.replace({ demoHosts: null, config: { ...t.ctx.config, heartbeatUrl: 'http://127.0.0.1:80/' } })
  await expect(runJob(t.ctx, 'health.heartbeat')).rejects.toThrow('not on the public internet')
})
