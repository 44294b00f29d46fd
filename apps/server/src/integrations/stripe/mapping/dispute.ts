import { createdAt, currencyOf, type Fields, fields, idOf, instant, neededAmount, text } from '../fields.ts'

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
  amount: neededAmount(object),
  currency: currencyOf(object),
  status: text(object['status']) ?? 'unknown',
  reason: text(object['reason']) ?? 'unknown',
  evidence_due_at: instant(fields(object['evidence_details'])['due_by']),
  created_at: createdAt(object),
})
