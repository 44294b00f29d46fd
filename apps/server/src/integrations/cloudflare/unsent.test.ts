import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { unlimited } from '../../platform/allowance.ts'
import { createCloudflareGateway } from './client.ts'

async function failureAt(apiBase: string): Promise<unknown> {
  const { gateway } = createCloudflareGateway({
    apiToken: 'token',
    accountId: 'account',
    apiBase,
    allowance: unlimited,
  })
  return gateway.purge('zone', { everything: true }).catch((error: unknown) => error)
}

async function listen(onRequest: RequestListener = () => {}) {
  const server = createServer(onRequest)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { base: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(resolve)) }
}

test('a write whose connection was never made was not sent', async () => {
  const { base, close } = await listen()
  await close()
  expect(await failureAt(base)).toMatchObject({ kind: 'unavailable', mayHaveRun: false })
})

test('a write whose connection broke may have been sent', async () => {
  const { base, close } = await listen((request) => request.socket.destroy())
  expect(await failureAt(base)).toMatchObject({ kind: 'unavailable', mayHaveRun: true })
  await close()
})
