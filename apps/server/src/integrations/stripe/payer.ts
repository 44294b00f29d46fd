import { type Fields, fields } from './fields.ts'

/** What `payerOf` looks at, to be expanded. */
export const payerExpansions = {
  invoice: [
    'default_payment_method',
    'default_source',
    'parent.subscription_details.subscription.default_payment_method',
    'customer.invoice_settings.default_payment_method',
    'customer.default_source',
  ],
  subscription: [
    'default_payment_method',
    'default_source',
    'customer.invoice_settings.default_payment_method',
    'customer.default_source',
  ],
}

/** Whose default is charged: the invoice's, its subscription's, its customer's. https://docs.stripe.com/api/invoices/pay */
export function payerOf(object: Fields): Fields | null {
  const customer = fields(object['customer'])
  const subscription = fields(fields(fields(object['parent'])['subscription_details'])['subscription'])
  const defaults = [
    object['default_payment_method'],
    object['default_source'],
    subscription['default_payment_method'],
    fields(customer['invoice_settings'])['default_payment_method'],
    customer['default_source'],
  ].map(fields)
  return defaults.find(({ id }) => typeof id === 'string') ?? null
}
