import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../../test/mail-server.ts'
import { SmtpError, sendMail, verifyMailServer } from './client.ts'

const withinMs = 600
const from = 'console@example.com'
let mailServer: MailServer
const ports: Record<string, number> = {}
const closing: (() => void)[] = []

async function listen(name: string, greet: (socket: Socket) => void): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    greet(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  ports[name] = (server.address() as AddressInfo).port
  closing.push(() => server.close())
}

beforeAll(async () => {
  mailServer = await startMailServer({ user: 'console', password: 'right' })
  await listen('silent', () => {})
  await listen('remote shell', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'))
  await listen('file transfer', (socket) => {
    socket.on('data', () => socket.write('500 Unknown command\r\n')).write('220 Welcome\r\n')
  })
  await listen('web', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await listen('hanging up', (socket) => socket.destroy())
  await listen('closed', () => {})
  closing.pop()?.()
})
afterAll(async () => {
  await mailServer.stop()
  for (const close of closing) close()
})

async function failureOf(work: Promise<void>) {
  const started = performance.now()
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return { error: error as SmtpError | null, ms: performance.now() - started }
}

describe.each(['smtp', 'smtps'])('a try of an address inside by %s', (protocol) => {
  test.each(['closed', 'silent', 'remote shell', 'file transfer', 'web', 'hanging up'])(
    'tells nothing of a port that is: %s',
    async (name) => {
      const url = `${protocol}://127.0.0.1:${ports[name]}`
      const { error, ms } = await failureOf(verifyMailServer({ url, from, timeoutMs: withinMs, isAnswerShown: true }))
      expect(error).toBeInstanceOf(SmtpError)
      expect(error?.message).toBe(
        'no mail server answers at this address of your own network; the log of the console has the cause',
      )
      expect(error?.cause).toBeInstanceOf(Error)
      expect(error?.isFinal).toBe(false)
      // Timers end some milliseconds early; a busy machine makes all of them late.
      expect(ms).toBeGreaterThan(withinMs - 20)
    },
  )
})

test('a mail server inside says itself what it refuses', async () => {
  const url = `smtp://console:wrong@127.0.0.1:${mailServer.port}`
  const { error } = await failureOf(verifyMailServer({ url, from, timeoutMs: 10_000, isAnswerShown: true }))
  expect(error?.message).toContain('Wrong password')
})

test('a mail that cannot be sent tells as little of a port inside', async () => {
  const mail = { id: '1', to: { address: 'ada@example.com', name: null }, subject: 'One', text: 'One' }
  const words = async (name: string) =>
    (await failureOf(sendMail({ url: `smtp://127.0.0.1:${ports[name]}`, from, timeoutMs: withinMs }, mail))).error
      ?.message
  expect(new Set(await Promise.all(Object.keys(ports).map(words))).size).toBe(1)
})

test('a name that leads nowhere is said to', async () => {
  const { error } = await failureOf(verifyMailServer({ url: 'smtp://mail.invalid', from, timeoutMs: withinMs }))
  expect(error?.message).toBe('No DNS entry for mail.invalid')
})
