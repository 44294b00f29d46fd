import type { ServerResponse } from 'node:http'
import type { FaultEffect } from '../faults.ts'
import { apiVersion } from '../world/world.ts'
import { ApiError, serverError, tooMany, wrongKey } from './errors.ts'
import type { Sent } from './handle.ts'

export function refuseByFault(effect: FaultEffect): ApiError {
  const { status = 500, code, message } = effect
  if (status === 429) return tooMany('global-rate', effect.retryAfter)
  if (status === 401) return wrongKey('sk_test_revoked00000000')
  if (status >= 500) return serverError(status, message)
  const type = status === 402 ? 'card_error' : 'invalid_request_error'
  const text = message ?? `The sandbox was told to answer ${status}.`
  return new ApiError(status, { type, message: text, ...(code ? { code } : {}) })
}

function send(response: ServerResponse, sent: Sent, requestId: string): void {
  if (response.destroyed) return
  response.writeHead(sent.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent.body),
    'request-id': requestId,
    'stripe-version': apiVersion,
    'cache-control': 'no-cache, no-store',
    ...sent.headers,
  })
  response.end(sent.body)
}

const maintenance = '<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Back soon.</body></html>'

function malformed(sent: Sent, how: NonNullable<FaultEffect['malformed']>): Sent {
  if (how === 'html') return { ...sent, status: 200, body: maintenance, headers: { 'content-type': 'text/html' } }
  if (how === 'json') return { ...sent, body: sent.body.slice(0, Math.max(1, sent.body.length - 12)) }
  return { ...sent, body: JSON.stringify({ ...(JSON.parse(sent.body) as object), data: null }) }
}

/** The answer leaves as the fault wants it. Returns the status that was seen, or null when none was. */
export function leave(response: ServerResponse, sent: Sent, requestId: string, effect: FaultEffect): number | null {
  if (effect.connection === 'lost') {
    response.socket?.destroy()
    return null
  }
  if (effect.connection === 'cut') {
    const bytes = Buffer.from(sent.body)
    const headers = { 'content-type': 'application/json', 'content-length': bytes.length, 'request-id': requestId }
    response.writeHead(sent.status, headers)
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy())
    return sent.status
  }
  const shown = effect.malformed ? malformed(sent, effect.malformed) : sent
  send(response, shown, requestId)
  return shown.status
}
