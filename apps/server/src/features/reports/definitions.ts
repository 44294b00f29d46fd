/** What the figures mean; stands on the page, one click from each of them. */
export const revenueDefinitions = [
  {
    figure: 'total_revenue',
    text: 'Captured payments, less refunds on the day they were made, less lost disputes on the day they were opened. Tax is included, Stripe fees are not taken off.',
  },
  {
    figure: 'active_subscriptions',
    text: 'Subscriptions past their trial and not ended, at the end of the range.',
  },
  { figure: 'total_sites', text: 'Sites that exist at the end of the range, in any status but deleted.' },
  {
    figure: 'avg_response_time',
    text: 'Mean of all answers that the monitor got from sites in the range; its days are UTC.',
  },
  {
    figure: 'growth',
    text: 'Revenue of a month against the month before, in percent. Not shown beside a partial month.',
  },
  {
    figure: 'mrr',
    text: 'What active and past due subscriptions pay a month: yearly prices ÷ 12, minus permanent discounts, without trials, usage and tax.',
  },
  {
    figure: 'movements',
    text: 'Judged per customer and currency. New: first MRR ever. Reactivation: MRR again after none. Expansion and contraction: more or less than before. Churn: none left. Changes within a quarter of an hour are one movement.',
  },
  {
    figure: 'reconstructed',
    text: 'Before the first import from Stripe, MRR is reconstructed from paid invoices; afterwards it is exact.',
  },
  { figure: 'committed', text: 'MRR without subscriptions that are set to be cancelled.' },
  { figure: 'past_due', text: 'The part of MRR whose last invoice is overdue.' },
  {
    figure: 'fees',
    text: 'Stripe’s fees as its balance transactions say, in the currency it settles in, each at its own exchange rate.',
  },
  {
    figure: 'net',
    text: 'Revenue less Stripe fees; only known in a currency that was not converted on the way.',
  },
  {
    figure: 'deferred',
    text: 'Paid ahead and not yet served: invoice lines for more than a month, spread evenly over their period. Refunds and ended subscriptions leave it.',
  },
  {
    figure: 'top_sites',
    text: 'Revenue of a site is what its owner paid in the range, net of refunds and lost disputes, split equally over the owner’s sites.',
  },
]

export const customerDefinitions = [
  {
    figure: 'segments',
    text: 'Customers with a live subscription, by the plan of their newest one; on trial: Free Trial. Percentage is of revenue in the range.',
  },
  {
    figure: 'cohorts',
    text: 'Customers by the month of their first MRR. Customers: how many still have MRR at the end of each later month. Revenue: their MRR then, of their MRR at the end of the first month.',
  },
  { figure: 'paying', text: 'Customers with MRR at the end of the range, in this currency.' },
  { figure: 'arpa', text: 'MRR at the end of the range ÷ customers with MRR.' },
  {
    figure: 'churn_rate',
    text: 'Customers whose MRR ended in the range ÷ customers with MRR at its start, brought to 30 days.',
  },
  { figure: 'ltv', text: 'ARPA ÷ monthly churn rate. Not known while nobody left.' },
  {
    figure: 'causes',
    text: 'Failed card: a payment failed in the 30 days before. Price: the price rose in the 60 days before, or the customer said so. Outage: a site of the customer was down in the 30 days before. Never launched: no site was ever deployed. The first that fits counts.',
  },
]

export const renewalDefinitions = [
  {
    figure: 'mrr_at_risk',
    text: 'MRR times the sum of weights, at most 100 %: cancellation scheduled 100, past due 60, card expires before the renewal 40, domain expires before the renewal 30, uptime below 99.5 % 20, visits down by a third 20.',
  },
]
