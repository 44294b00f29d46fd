import type Stripe from 'stripe'
import { WebhookRefused } from './errors.ts'
import type { WebhookDelivery } from './gateway.ts'

const toleranceS = 300
const maxAheadS = 60

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOr = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The SDK takes signatures from the future; a clock that is a little ahead is all that may be. */
function checkTime(header: string, nowS: number): void {
  // Two headers arrive joined into one.
  const stamps = [...header.matchAll(/(?:^|,)\s*t=(\d+)/g)].map((match) => Number(match[1]))
  const [stamp] = stamps
  if (stamp === undefined || stamps.length > 1) throw new WebhookRefused('There must be one Stripe-Signature header')
  if (stamp > nowS + maxAheadS) throw new WebhookRefused('The signature is from the future')
}

function checkSignature(
  webhooks: Stripe['webhooks'],
  raw: Buffer,
  header: string,
  secrets: readonly string[],
  now: Date,
): void {
  for (const secret of secrets) {
    try {
      webhooks.signature?.verifyHeader(raw, header, secret, toleranceS, undefined, now.getTime())
      return
    } catch {
      // The other secret may be the one that is being rolled in or out.
    }
  }
  throw new WebhookRefused('No secret of ours signed this just now')
}

function parse(raw: Buffer): Record<string, unknown> {
  try {
    const payload: unknown = JSON.parse(raw.toString('utf8'))
    if (isRecord(payload)) return payload
  } catch {
    // Told below.
  }
  throw new WebhookRefused('The body is not a JSON object')
}

/** A snapshot event carries its object; a thin one only names it. */
function objectOf(payload: Record<string, unknown>): { id: string | null } {
  if (payload['object'] === 'v2.core.event') {
    const related = payload['related_object']
    return { id: isRecord(related) ? textOr(related['id']) : null }
  }
  const data = payload['data']
  const object = isRecord(data) ? data['object'] : undefined
  return { id: isRecord(object) ? textOr(object['id']) : null }
}

function createdAt(value: unknown): Date | null {
  const date = typeof value === 'number' ? new Date(value * 1000) : new Date(String(value))
  return Number.isNaN(date.getTime()) ? null : date
}

export function toDelivery(payload: Record<string, unknown>): WebhookDelivery | null {
  const id = textOr(payload['id'])
  const type = textOr(payload['type'])
  const created = createdAt(payload['created'])
  if (id === null || type === null || created === null) return null
  return {
    id,
    type,
    createdAt: created,
    apiVersion: textOr(payload['api_version']),
    livemode: payload['livemode'] === true,
    objectId: objectOf(payload).id,
    payload,
  }
}

export function verifyDelivery(
  webhooks: Stripe['webhooks'],
  raw: Buffer,
  header: string | string[] | undefined,
  secrets: readonly string[],
  now: Date,
): WebhookDelivery {
  if (typeof header !== 'string' || header === '') throw new WebhookRefused('There must be one Stripe-Signature header')
  checkTime(header, Math.floor(now.getTime() / 1000))
  checkSignature(webhooks, raw, header, secrets, now)
  const delivery = toDelivery(parse(raw))
  if (!delivery) throw new WebhookRefused('The body is not an event')
  return delivery
}
