import type { MoneyDrift } from '@agency/contract/types'

export const aDrift = (part: Partial<MoneyDrift> = {}): MoneyDrift => ({
  id: 'undelivered:site_1',
  class: 'undelivered',
  variant: 'down',
  subject: 'Harbour Bakery',
  domain: 'harbour.example',
  site_id: 'site_1',
  customer: { id: 'cus_1', name: 'Ada Lovelace' },
  subscription_id: 'sub_1',
  since: new Date(Date.now() - 7_500_000).toISOString(),
  money: [{ amount: 4900, currency: 'usd' }],
  evidence: [
    {
      ...{ source: 'check', text: 'harbour.example is down: refused', at: '2026-11-21T10:00:00Z' },
      seen_at: new Date(Date.now() - 120_000).toISOString(),
    },
    {
      ...{ source: 'stripe', text: 'Ada Lovelace pays for Professional Care', at: null },
      seen_at: new Date(Date.now() - 3_600_000).toISOString(),
    },
  ],
  repairs: [
    { kind: 'deploy_site', target: 'site_1' },
    { kind: 'open_subscription', target: 'sub_1' },
  ],
  dismissal: null,
  ...part,
})
