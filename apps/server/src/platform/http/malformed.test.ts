import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { buildApp } from '../../app.ts'
import { commonHeaders } from './security-headers.ts'

let one: TestContext
let app: FastifyInstance
let port: number

beforeAll(async () => {
  one = await createTestContext({ env: { PUBLIC_URL: 'https://console.example.com' } })
  app = buildApp(one.ctx, { arrival: { withinMs: 200, lookEveryMs: 50 } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app.close()
  await one.close()
})

/** All that the server says to these bytes, until it closes the connection. */
async function say(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  return text(socket)
}

const host = 'host: console.example.com\r\n'

test.each([
  ['no request line', 'HELLO\r\n\r\n', 400],
  ['a method that nobody knows', `BREW /api/pots HTTP/1.1\r\n${host}\r\n`, 400],
  ['a version that nobody speaks', `GET / HTTP/9.9\r\n${host}\r\n`, 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['a header without a name', `GET / HTTP/1.1\r\n${host}: value\r\n\r\n`, 400],
  ['a NUL in a header', `GET / HTTP/1.1\r\n${host}x-name: a\0b\r\n\r\n`, 400],
  [
    'two lengths',
    `POST /api/auth/login HTTP/1.1\r\n${host}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
    400,
  ],
  [
    'a chunk without a size',
    `POST /api/auth/login HTTP/1.1\r\n${host}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    400,
  ],
  ['no host', 'GET /api/auth/session HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\n${host}x-long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ['headers that do not end', `GET / HTTP/1.1\r\n${host}x-slow: `, 408],
  [
    'a body that does not end',
    `POST /api/auth/login HTTP/1.1\r\n${host}content-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
    408,
  ],
  ['an expectation', `GET / HTTP/1.1\r\n${host}expect: the-unexpected\r\n\r\n`, 417],
])('%s is refused in order, with the headers of every answer', async (_what, bytes, status) => {
  const answer = await say(bytes)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  const headers = new Headers(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ', 2) as [string, string]),
  )
  for (const [name, value] of Object.entries(commonHeaders(one.ctx.config))) expect(headers.get(name)).toBe(value)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(JSON.parse(body)).toMatchObject({ status, code: 'invalid_request', requestId: headers.get('x-request-id') })
})

test('an answer that has begun is not written into', async () => {
  const answer = await say(`GET /healthz HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`)
  expect(answer.match(/HTTP\/1\.1 \d+/g)?.length).toBeLessThanOrEqual(2)
  expect(answer).toMatch(/^HTTP\/1\.1 (200|400)/)
})
