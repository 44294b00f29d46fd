import { domainAnalytics, domains } from '@agency/contract/descriptors'
import { useDenial } from '../../lib/session.ts'
import type { DomainDenials } from './domain-actions.ts'

export function useDomainDenials(): DomainDenials {
  return { write: useDenial(domains.purgeCache), analytics: useDenial(domainAnalytics.getZoneAnalytics) }
}
