import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Request } from './routes.ts'

type Headers = Request['headers']

const lastOf = (header: string | string[] | undefined): string | undefined =>
  String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim()

/** Without a port, and without the brackets of an IPv6 address. */
function plainAddress(text: string | undefined): string | null {
  const plain = /^\[([^\]]+)\]/.exec(text ?? '')?.[1] ?? text?.replace(/^([\d.]+):\d{1,5}$/, '$1') ?? ''
  return plain.length <= 45 && isIP(plain) !== 0 ? plain : null
}

const hasForwarded = (headers: Headers): boolean =>
  headers['x-forwarded-for'] !== undefined || headers['x-real-ip'] !== undefined || headers.forwarded !== undefined

/** Whether headers speak of another client although TRUST_PROXY does not name who sends them. */
function isForwardedUntrusted({ headers, ips }: Pick<Request, 'headers' | 'ips'>): boolean {
  if (!hasForwarded(headers)) return false
  if (ips === undefined) return true
  return headers['x-forwarded-for'] !== undefined && ips.length < 2
}

/** For whom a proxy that is not trusted says that it asks: a claim, good for telling its clients apart and nothing else. */
export function claimedAddressOf(request: Pick<Request, 'headers' | 'ips'>): string | null {
  if (!isForwardedUntrusted(request)) return null
  const { headers } = request
  if (headers['x-forwarded-for'] !== undefined) return plainAddress(lastOf(headers['x-forwarded-for']))
  if (headers['x-real-ip'] !== undefined) return plainAddress(lastOf(headers['x-real-ip']))
  return plainAddress(/(?:^|;)\s*for="?([^";]+)/i.exec(lastOf(headers.forwarded) ?? '')?.[1])
}

const namesAnother = (headers: Headers): boolean =>
  hasForwarded(headers) || headers['x-forwarded-proto'] !== undefined || headers['x-forwarded-host'] !== undefined

/** Who sends forwarded headers although TRUST_PROXY does not name it: most likely a proxy that somebody forgot to set. */
function untrustedPeerOf({ headers, ips, socket }: Request): string | null {
  const isUntrusted = ips === undefined ? namesAnother(headers) : isForwardedUntrusted({ headers, ips })
  return isUntrusted ? (socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null) : null
}

export function watchForwarded(app: FastifyInstance, note: (peer: string) => Promise<void>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const peer = untrustedPeerOf(request)
    if (peer !== null) void note(peer)
    done()
  })
}
