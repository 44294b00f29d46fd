import type { AuditContext, TransactionContext } from '../context.ts'

export type AuditEntry = {
  /** `<entity>.<verb>` */
  action: string
  resource: string
  id: string | null
  before?: unknown
  after?: unknown
  outcome?: 'done' | 'denied' | 'failed'
}

const secretName = /(secret|password|token|(^|_)key$|authorization|client_secret)/i

/** Replaces the values of fields that are named like secrets, at any depth. */
function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secretName.test(name) ? '[masked]' : maskSecrets(inner)]),
  )
}

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(maskSecrets(value)))

/** Writes who did what, inside the transaction of the change: either both are kept or neither. */
export async function recordAudit(tx: AuditContext & Pick<TransactionContext, 'db'>, entry: AuditEntry): Promise<void> {
  await tx.db
    .insertInto('audit_entries')
    .values({
      at: new Date(tx.clock()),
      actor_type: tx.actor.type,
      actor_id: tx.actor.id,
      actor_name: tx.actor.name,
      action: entry.action,
      resource_type: entry.resource,
      resource_id: entry.id,
      outcome: entry.outcome ?? 'done',
      before: asJson(entry.before),
      after: asJson(entry.after),
      address: tx.address,
      user_agent: tx.userAgent,
      request_id: tx.requestId,
    })
    .execute()
}
