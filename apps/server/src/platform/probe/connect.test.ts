import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openSocket } from './connect.ts'
import type { Target } from './target.ts'

const signal = AbortSignal.timeout(20_000)
/** Linux says of it at once that no way leads there, as it does of IPv6 on a machine that has none. */
const unreachable = '255.255.255.255'

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 1) : 1
}

const targetAt = (addresses: string[], port: number): Target => ({
  ...{ url: new URL('http://shop.example/'), isTls: false, addresses, port },
  ...{ isResolved: true, serverName: 'shop.example', ca: undefined },
})

test.runIf(process.platform === 'linux')('no way to any address is this machine’s own trouble', async () => {
  await expect(openSocket(targetAt([unreachable], 80), signal)).rejects.toMatchObject({ reason: 'network' })
})

test.runIf(process.platform === 'linux').each([
  ['before', (port: number) => targetAt(['127.0.0.1', unreachable], port)],
  ['after', (port: number) => targetAt([unreachable, '127.0.0.1'], port)],
])('a host that refuses is told, %s an address without a way', async (_when, targetOf) => {
  await expect(openSocket(targetOf(await closedPort()), signal)).rejects.toMatchObject({
    reason: 'connect',
    message: 'Could not connect: the connection was refused',
  })
})
