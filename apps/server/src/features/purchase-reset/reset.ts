import type { PurchaseReset } from '@agency/contract/types'
import type { ResetRecord } from './queries/resets.ts'
import { undoableUntil, undoRefusalOf } from './reset-rules.ts'

export function toReset(record: ResetRecord, nowMs: number): PurchaseReset {
  return {
    id: record.id,
    kind: record.kind,
    resetId: record.reset_id,
    purchaseId: record.purchase_id,
    timestamp: record.at,
    siteId: record.site_id,
    siteName: record.site_name,
    adminInfo: { type: record.actor_type, id: record.actor_id, name: record.actor_name },
    resetReason: record.reason,
    originalPurchaseData: record.original,
    isUndone: record.undone_by !== null,
    undoableUntil: record.kind === 'reset' ? undoableUntil(record.at) : null,
    undoRefusal: undoRefusalOf(record, nowMs),
  }
}
