import * as dnsRecords from '@agency/contract/descriptors/dns-records'
import * as domainAnalytics from '@agency/contract/descriptors/domain-analytics'
import * as domains from '@agency/contract/descriptors/domains'
import { useDenial } from '../../lib/session.ts'
import type { DomainDenials } from './domain-actions.ts'

export function useDomainDenials(): DomainDenials {
  return {
    write: useDenial(domains.purgeCache),
    records: useDenial(dnsRecords.createRecord),
    analytics: useDenial(domainAnalytics.getZoneAnalytics),
  }
}
