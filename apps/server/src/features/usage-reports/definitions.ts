import type { ResponseOf } from '@agency/contract/endpoint'
import type { getPerformanceReport, getUsageReport } from '@agency/contract/reports-usage'

export const definitions: {
  usage: ResponseOf<typeof getUsageReport>['definitions']
  performance: ResponseOf<typeof getPerformanceReport>['definitions']
} = {
  usage: [
    {
      figure: 'Margin',
      text: 'Charged − fees − refunds − hosting. From Stripe’s balance transactions in the settlement currency; refunds include lost disputes.',
    },
    {
      figure: 'A site’s share',
      text: 'Transactions of the owner, split equally over the owner’s current sites. Amounts without a site are shown with the totals.',
    },
    {
      figure: 'Hosting',
      text: 'Rates from System Config for each site, its traffic, storage and build minutes in the range. Empty rates and unknown traffic count as zero.',
    },
    {
      figure: 'Plan limits',
      text: 'From the metadata of the plan’s product at Stripe: bandwidth_gb (per 30 days) and storage_gb. Without them, no limits.',
    },
    { figure: 'Upsell fit', text: 'Uses at least 80% of the plan’s bandwidth or storage.' },
    { figure: 'Loss maker', text: 'Margin below zero in this range.' },
    {
      figure: 'Traffic of a site',
      text: 'Traffic of the site’s Cloudflare zone. Unknown for sites that share a zone.',
    },
  ],
  performance: [
    {
      figure: 'Uptime',
      text: '1 − confirmed-down time / (total − maintenance − unknown), of all sites together, as in Site Health. Without false positives.',
    },
    {
      figure: 'Response time',
      text: 'Average of the sites’ medians, weighted by checks. Measured by this console.',
    },
    { figure: 'Requests', text: 'All requests to the domains at Cloudflare.' },
    {
      figure: 'Errors',
      text: 'Answers of 500 and above, from Cloudflare’s samples. Unknown for older days.',
    },
  ],
}
