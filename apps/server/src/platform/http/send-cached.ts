import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CachedAnswer, packedForm } from './response-cache.ts'

export const jsonType = 'application/json; charset=utf-8'

export type SendCached = (answer: CachedAnswer, request: FastifyRequest, reply: FastifyReply) => void

/**
 * Writes answers that are bytes already, past the framework: its hooks, serializer and header table cost as much as all
 * the rest of such an answer. The request is logged and measured like any other.
 */
export function createSendCached(common: Readonly<Record<string, string>>, mayStore: boolean): SendCached {
  const shared = { ...common, 'cache-control': mayStore ? 'private, no-cache' : 'no-store', vary: 'accept-encoding' }
  const sharedHead = Object.entries(shared).flat()
  const fullHead = [...sharedHead, 'content-type', jsonType]

  return (answer, { headers, id }, reply) => {
    const { raw } = reply
    reply.hijack()
    if (headers['if-none-match'] === answer.etag) {
      raw.writeHead(304, [...sharedHead, 'etag', answer.etag, 'x-request-id', id]).end()
      return
    }
    const packed = headers['accept-encoding']?.includes('gzip') ? packedForm(answer) : undefined
    const bytes = packed ?? answer.bytes
    const head = [...fullHead, 'etag', answer.etag, 'x-request-id', id, 'content-length', String(bytes.length)]
    if (packed) head.push('content-encoding', 'gzip')
    raw.writeHead(200, head).end(bytes)
  }
}
