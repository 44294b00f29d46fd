import type { Kind } from './rows.ts'

/** Of which kind the object with such an id is, or with one that begins so. */
export function kindOfId(term: string): Kind | undefined {
  if (term.startsWith('cus_')) return 'customer'
  if (term.startsWith('site_')) return 'site'
  if (term.startsWith('dep_')) return 'deployment'
  if (term.startsWith('sub_')) return 'subscription'
  if (term.startsWith('in_')) return 'invoice'
  if (term.startsWith('cs_')) return 'purchase'
  return /^(pi|py)_/.test(term) ? 'payment' : undefined
}
