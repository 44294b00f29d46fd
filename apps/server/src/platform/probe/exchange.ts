import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http'
import type { Socket } from 'node:net'
import { wordsOf } from './connect.ts'
import { ProbeError } from './probe-error.ts'

export type Asked = {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Buffer | undefined
  maxBytes: number
  signal: AbortSignal
}

export type Head = { response: IncomingMessage; status: number; headers: IncomingHttpHeaders }

/** Sends a request over a socket that is open already, and waits for the head of its answer. */
export function ask(socket: Socket, { url, method, headers, body, signal }: Asked): Promise<Head> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(new ProbeError('answer', `No answer: ${wordsOf(error)}`, { cause: error }))
    const outgoing = send({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        ...headers,
        connection: 'close',
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      setHost: false,
      signal,
    })
    outgoing.once('error', fail)
    outgoing.once('response', (response) =>
      resolve({ response, status: response.statusCode ?? 0, headers: response.headers }),
    )
    outgoing.end(body)
  })
}

export type Body = {
  body: Buffer
  /** There was more than was read. */
  isCut: boolean
  /** No end was announced, and none came. */
  isEndless: boolean
}

/**
 * The body up to `maxBytes`. A longer one is read on to `endWithinBytes`, keeping nothing of it, unless the host says how
 * long it is: that tells one that is long from one that never ends.
 */
export function readBody(
  response: IncomingMessage,
  { maxBytes, endWithinBytes = maxBytes }: { maxBytes: number; endWithinBytes?: number | undefined },
): Promise<Body> {
  const isAnnounced = response.headers['content-length'] !== undefined
  const most = isAnnounced ? maxBytes : Math.max(maxBytes, endWithinBytes)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const fail = (error: unknown) =>
      reject(new ProbeError('answer', `The answer was cut off: ${wordsOf(error)}`, { cause: error }))
    const finish = (isStopped: boolean) =>
      resolve({
        body: Buffer.concat(chunks).subarray(0, maxBytes),
        isCut: size > maxBytes,
        isEndless: isStopped && !isAnnounced && endWithinBytes > maxBytes,
      })
    response.on('data', (chunk: Buffer) => {
      if (size <= maxBytes) chunks.push(chunk)
      size += chunk.length
      if (size <= most) return
      finish(true)
      response.destroy()
    })
    response.once('end', () => finish(false))
    response.once('error', fail)
    response.once('close', () => fail(new Error('closed')))
  })
}
