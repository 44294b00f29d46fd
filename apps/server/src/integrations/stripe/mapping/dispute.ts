import { amount, createdAt, type Fields, fields, idOf, instant, text } from '../fields.ts'

export type DisputeRow = {
  id: string
  payment_id: string | null
  charge_id: string | null
  amount: number
  currency: string
  status: string
  reason: string
  evidence_due_at: string | null
  created_at: string
}

export const toDispute = (object: Fields): DisputeRow => ({
  id: String(object['id']),
  payment_id: idOf(object['payment_intent']) ?? idOf(object['charge']),
  charge_id: idOf(object['charge']),
  amount: amount(object['amount']),
  currency: text(object['currency']) ?? '',
  status: text(object['status']) ?? 'unknown',
  reason: text(object['reason']) ?? 'general',
  evidence_due_at: instant(fields(object['evidence_details'])['due_by']),
  created_at: createdAt(object),
})
