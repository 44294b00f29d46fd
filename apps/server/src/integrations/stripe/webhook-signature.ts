import type Stripe from 'stripe'
import { UnusableDelivery, type UnusableEvent, WebhookRefused } from './errors.ts'
import { isName } from './event-name.ts'
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
  if (stamp > nowS + maxAheadS) throw new WebhookRefused('The signature is from the future', { isSignature: true })
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
  const message = secrets.length === 0 ? 'No signing secret is known' : 'No secret of ours signed this just now'
  throw new WebhookRefused(message, { isSignature: true })
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

/** Stripe has no event from before it was there, and PostgreSQL no place for the year 29719 BC. */
const [earliest, latest] = [Date.UTC(2010, 0, 1), Date.UTC(2100, 0, 1)]

function createdAt(value: unknown): Date | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const date = new Date(typeof value === 'number' ? value * 1000 : value)
  return date.getTime() >= earliest && date.getTime() < latest ? date : null
}

/** Stripe's own events are a dozen levels deep; PostgreSQL refuses some thousands. */
const maxDepth = 100

function isTooDeep(payload: Record<string, unknown>): boolean {
  let level: unknown[] = [payload]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap((value) =>
      Object.values(value as object).filter((inner) => typeof inner === 'object' && inner !== null),
    )
  }
  return false
}

const isNameOrNothing = (text: string | null): boolean => text === null || isName(text)

/** null: this is no event at all. */
export function toDelivery(payload: Record<string, unknown>): WebhookDelivery | UnusableEvent | null {
  const [id, type] = [textOr(payload['id']), textOr(payload['type'])]
  if (id === null || type === null || payload['created'] === undefined || !isName(id) || !isName(type)) return null
  const unusable = (reason: string): UnusableEvent => ({ id, type, reason, payload })
  if (isTooDeep(payload)) return unusable(`The event is more than ${maxDepth} levels deep`)
  const created = createdAt(payload['created'])
  if (created === null) return unusable('The event says that it was made at a time that cannot be')
  const [apiVersion, objectId] = [textOr(payload['api_version']), objectOf(payload).id]
  if (!isNameOrNothing(apiVersion) || !isNameOrNothing(objectId))
    return unusable('The event names something that cannot be a name')
  return { id, type, createdAt: created, apiVersion, livemode: payload['livemode'] === true, objectId, payload }
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
  if ('reason' in delivery) throw new UnusableDelivery(delivery)
  return delivery
}
