import { useDenial } from '../../lib/session.ts'
import type { DomainDenials } from './domain-actions.ts'

export function useDomainDenials(): DomainDenials {
  return { write: useDenial('sites.write'), analytics: useDenial('analytics.read') }
}
