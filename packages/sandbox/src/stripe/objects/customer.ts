import type { Address, Customer } from '../types.ts'

export type CustomerInput = {
  id: string
  created: number
  name?: string | null
  email?: string | null
  phone?: string | null
  description?: string | null
  address?: Partial<Address> | null
  metadata?: Record<string, string>
  invoicePrefix: string
  locales?: string[]
}

export const fullAddress = (address: Partial<Address>): Address => ({
  city: address.city ?? null,
  country: address.country ?? null,
  line1: address.line1 ?? null,
  line2: address.line2 ?? null,
  postal_code: address.postal_code ?? null,
  state: address.state ?? null,
})

export function makeCustomer(input: CustomerInput): Customer {
  return {
    id: input.id,
    object: 'customer',
    address: input.address ? fullAddress(input.address) : null,
    balance: 0,
    created: input.created,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: input.description ?? null,
    discount: null,
    email: input.email ?? null,
    invoice_prefix: input.invoicePrefix,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: input.metadata ?? {},
    name: input.name ?? null,
    next_invoice_sequence: 1,
    phone: input.phone ?? null,
    preferred_locales: input.locales ?? [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}
