import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FaultEffect } from '../../faults.ts'
import type { CloudflareError } from './errors.ts'
import type { Standing } from './request-limit.ts'
import type { Answer } from './route.ts'

export type Sent = { status: number; body: Record<string, unknown>; headers: Record<string, string> }

export function successOf(answer: Answer): Sent {
  if ('whole' in answer) return { status: 200, body: answer.whole, headers: {} }
  const { result, info } = answer
  const envelope = { result, success: true, errors: [], messages: [], ...(info ? { result_info: info } : {}) }
  return { status: 200, body: envelope, headers: {} }
}

export const failureOf = ({ status, code, message, headers, chain }: CloudflareError): Sent => ({
  status,
  body: {
    success: false,
    errors: [{ code, message, ...(chain.length > 0 && { error_chain: chain }) }],
    messages: [],
    result: null,
  },
  headers,
})

const outage = '<!DOCTYPE html><html><head><title>Cloudflare</title></head><body><h1>Error 1101</h1></body></html>'
const manyPages = 1_000_000

type Body = Record<string, unknown>

const withoutPlan = (result: unknown): unknown => {
  if (Array.isArray(result)) return result.map(withoutPlan)
  if (typeof result !== 'object' || result === null) return result
  const { plan: _plan, ...rest } = result as { plan?: unknown }
  return rest
}

function changed(body: Body, how: FaultEffect['malformed']): Body {
  if (how === 'unsuccessful') {
    const errors = [{ code: 10000, message: 'The sandbox was told to be unsuccessful' }]
    return { ...body, success: false, errors, result: null }
  }
  if (how === 'null_result' || how === 'null_data') return { ...body, result: null }
  if (how === 'no_plan') return { ...body, result: withoutPlan(body['result']) }
  const info = body['result_info']
  if (how === 'endless_pages' && info) {
    return { ...body, result_info: { ...info, total_count: manyPages, total_pages: manyPages } }
  }
  return body
}

function render({ status, body }: Sent, effect: FaultEffect): { status: number; text: string; type: string } {
  const type = 'application/json'
  if (effect.malformed === 'html') return { status: 200, text: outage, type: 'text/html' }
  const text = JSON.stringify(changed(body, effect.malformed))
  return { status, text: effect.malformed === 'json' ? text.slice(0, -12) : text, type }
}

/** The answer leaves as the fault wants it. Returns the status that was seen, or null when none was. */
export function leave(response: ServerResponse, sent: Sent, standing: Standing, effect: FaultEffect): number | null {
  if (effect.connection === 'lost' || effect.connection === 'destroy' || response.destroyed) {
    response.socket?.destroy()
    return null
  }
  const { status, text, type } = render(sent, effect)
  const bytes = Buffer.from(text)
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    'cf-ray': `${randomBytes(8).toString('hex')}-BOS`,
    ratelimit: `"default";r=${standing.remaining};t=${standing.resetSeconds}`,
    'ratelimit-policy': '"default";q=1200;w=300',
    ...sent.headers,
  })
  if (effect.connection === 'cut') {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy())
  } else response.end(bytes)
  return status
}
