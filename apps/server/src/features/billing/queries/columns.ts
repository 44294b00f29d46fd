// Aliases: p payments, s subscriptions, i invoices, c customers, r refunds, d disputes, a money_actions.

/** Revenue of the payment that no refund, not even one under way, has taken; null when Stripe did not say what was taken. */
const refundable = `case when p.status <> 'unknown' then greatest(p.net_amount - coalesce(claims.amount, 0), 0) end`

/** A plan is called like its product; the price's nickname stands in while the product is not known. */
export const planName = `coalesce(nullif(product.name, ''), s.plan_nickname, s.price_id, 'Unknown plan')`

/** What a subscription's payment was for: of these, Stripe's description names neither plan nor period. */
export const paymentPurpose = `case when p.description in ('Subscription creation', 'Subscription update') then (
    select ${planName} || case i.raw ->> 'billing_reason' when 'subscription_create' then ', first payment'
      when 'subscription_update' then ', plan change' else ', renewal' end
    from invoice_payments link join invoices i on i.id = link.invoice_id join subscriptions s on s.id = i.subscription_id
      left join products product on product.id = s.product_id
    where link.payment_id = p.id and link.deleted_at is null order by link.created_at desc limit 1
  ) end`

/** What a payment `p` says of itself. */
export const paymentFacts = `p.id, p.customer_id, c.name as customer_name, c.email as customer_email, p.amount, p.currency, p.status,
  p.stripe_status, p.payment_method_type, p.description, ${paymentPurpose} as purpose, iso_utc(p.created_at) as created_at,
  p.amount_refunded as refunded_amount, ${refundable} as refundable_amount,
  p.disputed, p.dispute_status, p.failure_code, p.failure_message`

/** The card that was charged, or the one that was refused before there was a charge. */
export const paymentCard = (payment: string): string => `coalesce(
    card_facts((
      select charged.raw #> '{payment_method_details,card}' from charges charged
      where charged.id = ${payment}.latest_charge_id and charged.deleted_at is null
    )),
    card_facts(${payment}.raw #> '{last_payment_error,payment_method,card}')
  )`

export const paymentColumns = `${paymentFacts}, ${paymentCard('p')} as card`

export const paymentJoins = `left join customers c on c.id = p.customer_id
  left join refund_claims claims on claims.payment_id = p.id`

export const subscriptionColumns = `s.id, s.id as stripe_subscription_id, s.customer_id, c.name as customer_name,
  c.email as customer_email, s.price_id as plan_id, ${planName} as plan_name, s.product_id, s.more_items, s.status, s.stripe_status,
  s.amount, s.currency, s.billing_period, s.interval, s.interval_count,
  case when not s.mrr_known then null when s.mrr = trunc(s.mrr) then s.mrr::bigint else round_half_even(s.mrr) end as mrr,
  iso_utc(s.current_period_start) as current_period_start, iso_utc(s.current_period_end) as current_period_end, s.periods_differ,
  iso_utc(s.created_at) as created_at, iso_utc(s.trial_end) as trial_end, iso_utc(s.cancel_at) as cancel_at,
  s.cancel_at_period_end, iso_utc(s.cancelled_at) as cancelled_at, iso_utc(s.ended_at) as ended_at, s.pause_collection,
  case when s.pause_collection is not null then
    case when jsonb_typeof(s.raw #> '{pause_collection,resumes_at}') = 'number'
      then iso_utc(to_timestamp((s.raw #>> '{pause_collection,resumes_at}')::bigint)) end
  end as pause_resumes_at,
  s.total_revenue, s.failed_payments,
  json_build_object('company', coalesce(s.metadata ->> 'company', c.company)) as metadata`

export const subscriptionJoins = `left join customers c on c.id = s.customer_id
  left join products product on product.id = s.product_id`

const httpsOnly = (column: string): string => `case when ${column} like 'https://%' then ${column} end`

export const invoiceColumns = `i.id, i.number, i.customer_id, i.subscription_id, i.status, i.amount_due, i.amount_paid,
  i.amount_remaining, i.currency, i.attempt_count, iso_utc(i.created_at) as created_at, iso_utc(i.due_at) as due_date,
  ${httpsOnly('i.hosted_invoice_url')} as hosted_invoice_url, ${httpsOnly('i.invoice_pdf')} as invoice_pdf`

export const refundColumns = `r.id, r.payment_id, r.amount, r.currency, r.status, r.reason, r.failure_reason,
  iso_utc(r.created_at) as created_at`

export const disputeColumns = `d.id, d.payment_id, d.amount, d.currency, d.status, d.reason,
  iso_utc(d.evidence_due_at) as evidence_due_by, iso_utc(d.created_at) as created_at`

export const moneyActionColumns = `a.id, a.kind, a.target_id, a.state, a.amount, a.currency, a.actor_name,
  iso_utc(a.created_at) as created_at, a.error ->> 'message' as error`

/** A JSON array of what a query answers. */
export const jsonList = (columns: string, from: string): string =>
  `(select coalesce(json_agg(x), '[]') from (select ${columns} from ${from}) x)`
