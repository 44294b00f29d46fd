import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem } from '@agency/contract/errors'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

type Headers = Readonly<Record<string, string>>
type ClientError = Error & { code?: string }
type Answer = { status: number; reason: string; detail: string }

const unreadable: Answer = { status: 400, reason: 'Bad Request', detail: 'This is not a request of HTTP' }
const answers: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    detail: 'The headers of the request are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    detail: 'The request did not arrive in time. Send it again.',
  },
}

function problemOf({ status, reason, detail }: Answer, requestId: string): string {
  const problem: Problem = { type: 'about:blank', title: reason, status, detail, code: 'invalid_request', requestId }
  return JSON.stringify(problem)
}

const headersOf = (headers: Headers, requestId: string, body: string): Record<string, string> => ({
  ...headers,
  'x-request-id': requestId,
  'content-type': 'application/problem+json; charset=utf-8',
  'cache-control': 'no-store',
  'content-length': String(Buffer.byteLength(body)),
  connection: 'close',
})

/** An answer has begun on this connection: what is written now would end up in the middle of it. */
const isAnswering = (socket: Socket): boolean =>
  (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true

/** What cannot be read as HTTP is no request, so no hook and no handler ever sees it. */
export function answerClientErrors(headers: Headers) {
  return (error: ClientError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy()
    const answer = answers[error.code ?? ''] ?? unreadable
    const requestId = randomUUID()
    const body = problemOf(answer, requestId)
    const lines = Object.entries(headersOf(headers, requestId, body)).map(([name, value]) => `${name}: ${value}`)
    const head = [`HTTP/1.1 ${answer.status} ${answer.reason}`, `date: ${new Date().toUTCString()}`, ...lines]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  }
}

/** Node answers these by itself, without the headers that every answer carries. */
export function refuseOddRequests(app: FastifyInstance, headers: Headers): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isNameless = request.raw.httpVersion === '1.1' && request.headers.host === undefined
    done(isNameless ? new AppError('invalid_request', 'The request names no host') : undefined)
  })
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const answer = { status: 417, reason: 'Expectation Failed', detail: 'Nothing but 100-continue can be expected' }
    const requestId = randomUUID()
    const body = problemOf(answer, requestId)
    response.writeHead(answer.status, headersOf(headers, requestId, body)).end(body)
  })
}
