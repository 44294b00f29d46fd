/** What the figures mean; stands on the page, one click from each of them. */
export const revenueDefinitions = [
  {
    figure: 'total_revenue',
    text: 'Captured payments, minus refunds and lost disputes on their day. Including tax, before Stripe fees.',
  },
  {
    figure: 'active_subscriptions',
    text: 'Active and past due subscriptions at the end of the range, without trials.',
  },
  { figure: 'total_sites', text: 'Sites at the end of the range, in any status except deleted.' },
  {
    figure: 'avg_response_time',
    text: 'Average of all site checks in the range (days in UTC).',
  },
  {
    figure: 'growth',
    text: 'Monthly revenue vs the previous month, in percent. Not shown for partial months.',
  },
  {
    figure: 'mrr',
    text: 'Monthly revenue of active and past due subscriptions. Yearly prices ÷ 12, minus permanent discounts. Without trials, usage and tax.',
  },
  {
    figure: 'movements',
    text: 'Judged per customer and currency. New: first MRR ever. Reactivation: MRR again after none. Expansion and contraction: more or less than before. Churn: none left. Changes within a quarter of an hour are one movement.',
  },
  {
    figure: 'reconstructed',
    text: 'Before the first import from Stripe, MRR is reconstructed from paid invoices; afterwards it is exact.',
  },
  { figure: 'committed', text: 'MRR without subscriptions set to cancel.' },
  { figure: 'past_due', text: 'MRR with an overdue invoice.' },
  {
    figure: 'fees',
    text: 'Fees from Stripe’s balance transactions, in the settlement currency, at each transaction’s exchange rate.',
  },
  {
    figure: 'net',
    text: 'Revenue minus Stripe fees; unknown for converted currencies.',
  },
  {
    figure: 'deferred',
    text: 'Paid in advance: invoice lines for more than a month, spread evenly over their period. Without refunds and ended subscriptions.',
  },
  {
    figure: 'top_sites',
    text: 'Revenue of the owner in the range, minus refunds and lost disputes, split equally over the owner’s sites.',
  },
]

export const customerDefinitions = [
  {
    figure: 'segments',
    text: 'Subscribed customers by their newest plan; trials count as Free Trial. Percentage of revenue in the range.',
  },
  {
    figure: 'cohorts',
    text: 'Customers by the month of their first MRR. Customers: how many still have MRR at the end of each later month. Revenue: their MRR then, of their MRR at the end of the first month.',
  },
  { figure: 'paying', text: 'Customers with MRR at the end of the range, in this currency.' },
  { figure: 'arpa', text: 'MRR at the end of the range ÷ customers with MRR.' },
  {
    figure: 'churn_rate',
    text: 'Customers lost in the range ÷ customers at the start, per 30 days.',
  },
  { figure: 'ltv', text: 'ARPA ÷ monthly churn rate. Unknown without churn.' },
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
