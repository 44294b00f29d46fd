import type { TransactionContext } from '../../../context.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import type { Change } from '../queries/changes.ts'

/** A record, a setting or a domain, as Cloudflare told it. */
export type Told = object

/** What is to be done, before it is written down. */
export type Deed = {
  kind: 'create' | 'update' | 'delete' | 'set' | 'add_zone'
  /** What nobody else may change meanwhile. */
  subject: string
  /** How it is called: `the A record www.harbour.example`. */
  what: string
  record_id: string | null
  shown: object | null
  wanted: object | null
}

/** Whether it is as before the change, as the change wants it, or neither; null: it is not there. */
export type Found = { is: 'before' | 'wanted' | 'other'; now: Told | null }

/** What differs between changes of records, of settings and of domains. */
export type Way = {
  /** What is changed, for sentences about it. */
  noun: 'record' | 'setting' | 'domain'
  /** Reads it from Cloudflare anew. */
  look(gateway: CloudflareGateway, change: Change): Promise<Found>
  send(gateway: CloudflareGateway, change: Change): Promise<Told | null>
  /** Both versions: what somebody saw, and what stands there now. */
  conflictOf(change: Change, now: Told | null): { problem: string; parameter: string }
  /** What a token must be allowed. */
  rightOf(change: Change, to: 'Read' | 'Edit'): string
  /** The field that a refusal of Cloudflare is about. */
  fieldOf(code: string): string | undefined
  /** The name of the deed in the audit log, and of its undo. */
  actionOf(change: Change): string
  /** What it is of before and after, as the audit log has it. */
  sidesOf(change: Change): { was: object | undefined; becomes: object | undefined }
  /** What is known of the change once it is done. */
  idsOf?(after: Told): { record_id?: string; zone_id?: string }
  /** What else the console knows by it, in the same transaction. */
  keep?(tx: TransactionContext, change: Change, after: Told): Promise<void>
}
