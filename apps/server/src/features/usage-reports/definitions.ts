import type { ResponseOf } from '@agency/contract/endpoint'
import type { getPerformanceReport, getUsageReport } from '@agency/contract/reports-usage'

export const definitions: {
  usage: ResponseOf<typeof getUsageReport>['definitions']
  performance: ResponseOf<typeof getPerformanceReport>['definitions']
} = {
  usage: [
    {
      figure: 'Margin',
      text: 'Charged − fees − refunds − hosting. Everything but hosting comes from Stripe’s balance transactions of the range, in the currency that Stripe settles in; refunds include lost disputes.',
    },
    {
      figure: 'A site’s share',
      text: 'What its owner’s transactions come to, split equally over the sites that the owner has now; a remainder goes to the first of them. What belongs to no site stands beside the totals.',
    },
    {
      figure: 'Hosting',
      text: 'The rates under System Config: a month of each site, brought to the days of the range, its traffic, its storage now, and its build minutes. A rate that is left empty costs nothing once another is set. Traffic that is not known costs nothing.',
    },
    {
      figure: 'Plan limits',
      text: 'From the metadata of the plan’s product at Stripe: bandwidth_gb (for 30 days, brought to the range) and storage_gb. Without them a plan has no limits.',
    },
    { figure: 'Upsell fit', text: 'A site that uses 80% of its plan’s bandwidth or storage, or more.' },
    { figure: 'Loss maker', text: 'A site whose margin in the range is below zero.' },
    {
      figure: 'Traffic of a site',
      text: 'That of the zone at Cloudflare that the site lives in alone. Of sites that share a zone nobody can tell whose it was.',
    },
  ],
  performance: [
    {
      figure: 'Uptime',
      text: '1 − confirmed-down time / (total − maintenance − unknown), of all sites together, as Site Health counts it. False positives are left out.',
    },
    {
      figure: 'Response time',
      text: 'The mean of the sites’ medians, each counted by its answered checks. Measured by this console’s monitor.',
    },
    { figure: 'Requests', text: 'All requests that Cloudflare saw for the domains, from the days that were kept.' },
    {
      figure: 'Errors',
      text: 'Answers of 500 and above, from Cloudflare’s samples: of days before the samples of the plan nothing is known.',
    },
  ],
}
