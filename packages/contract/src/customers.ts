import { z } from 'zod'
import { invoice, payment, subscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import {
  count,
  currency,
  idParams,
  instant,
  minorUnits,
  mirroredAsOf,
  money,
  pageQuery,
  searchText,
  sortOf,
} from './primitives.ts'

/** `deleted`: hidden from the lists here, whatever it is at the provider. */
export const customerStatuses = ['active', 'suspended', 'cancelled', 'pending', 'deleted'] as const
export const customerStatus = z.enum(customerStatuses)
export type CustomerStatus = z.output<typeof customerStatus>

export const accountTypes = ['enterprise', 'professional', 'starter', 'free'] as const
export const accountType = z.enum(accountTypes)
export type AccountType = z.output<typeof accountType>

export const customer = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  status: customerStatus,
  created_at: instant,
  site_count: count,
  metadata: z.object({ company: z.string().nullable() }),
  account_type: accountType,
  subscription_id: z.string().nullable(),
  country: z.string().nullable(),
  /** In `currency`, the account's default; `by_currency` lists every currency. */
  total_revenue: minorUnits,
  currency,
  by_currency: z.array(money),
  last_payment_date: instant.nullable(),
  /** What its open invoices ask for, the account's default currency first; empty: nothing. */
  owes: z.array(money),
  /** Deleted at the provider. */
  deleted: z.boolean(),
})
export type Customer = z.output<typeof customer>

export const customerDetails = z.object({
  ...customer.shape,
  metadata: z.record(z.string(), z.string()),
  subscriptions: z.array(subscription),
  payments: z.array(payment),
  invoices: z.array(invoice),
  fetched_at: instant,
})
export type CustomerDetails = z.output<typeof customerDetails>

const filters = {
  /** `all` leaves out the deleted ones. */
  status: z.enum(['all', ...customerStatuses]).optional(),
  search: searchText.optional(),
  sort: sortOf(['created_at', 'name', 'total_revenue', 'last_payment_date', 'owes']).optional(),
  /** Customers with an open invoice. */
  owes: z.enum(['yes']).optional(),
  account_type: accountType.optional(),
  /** A product's id: customers with a live subscription to it. */
  plan: z.string().max(255).optional(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code')
    .optional(),
  revenue_min: z.coerce.number().int().optional(),
  revenue_max: z.coerce.number().int().optional(),
  created_from: z.iso.date().optional(),
  created_to: z.iso.date().optional(),
  last_payment_from: z.iso.date().optional(),
  last_payment_to: z.iso.date().optional(),
}

export const listCustomers = endpoint({
  method: 'GET',
  path: '/stripe/customers',
  permission: 'customers.read',
  summary: 'Customers, newest first',
  query: z.strictObject({ ...pageQuery(100), ...filters }),
  response: z.object({
    customers: z.array(customer),
    has_more: z.boolean(),
    total: count.nullable(),
    as_of: mirroredAsOf,
  }),
  topics: ['customers', 'subscriptions', 'payments', 'invoices'],
})

export const getCustomer = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id',
  permission: 'customers.read',
  summary: 'One customer with subscriptions, newest payments and invoices',
  params: idParams,
  response: z.object({ customer: customerDetails }),
  topics: ['customers', 'subscriptions', 'payments', 'invoices'],
})

export const listCustomerCountries = endpoint({
  method: 'GET',
  path: '/stripe/customers-countries',
  permission: 'customers.read',
  summary: 'Countries that customers have, most frequent first',
  response: z.object({ countries: z.array(z.object({ country: z.string(), customers: count })) }),
  topics: ['customers'],
})

/** What leaves all pages of the list: its filters and its order. */
export const customerFilters = z.strictObject(filters)

/** What the provider takes, in characters. */
const limits = { name: 256, email: 512, phone: 20, key: 40, value: 500, line: 200 }
export const maxMetadataKeys = 50

/** Metadata that has fields of its own, or is written by the console alone. */
export const ownMetadataKeys = ['company', 'account_type', 'action_id'] as const

/** What a database and a provider can hold: no NUL, no half of a character. */
const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** One line of text; empty is none. */
const line = (what: string, maximum: number) =>
  z
    .string()
    .trim()
    .max(maximum, `${what} has ${maximum} characters at most`)
    .refine((text) => isText(text) && !/\p{Cc}/u.test(text), `${what} is one line of text`)
    .transform((text) => (text === '' ? null : text))
    .nullable()

const countryLine = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^([A-Z]{2})?$/, 'A country is its two-letter code, such as US')
  .transform((text) => (text === '' ? null : text))
  .nullable()

const address = z.strictObject({
  line1: line('An address line', limits.line).default(null),
  line2: line('An address line', limits.line).default(null),
  city: line('A city', limits.line).default(null),
  state: line('A state', limits.line).default(null),
  postal_code: line('A postal code', limits.line).default(null),
  country: countryLine.default(null),
})

function keyProblem(key: string): string | undefined {
  if (key === '') return 'A metadata key must not be empty'
  if (key.length > limits.key) return `A metadata key has ${limits.key} characters at most`
  if (!isText(key) || /[[\]\p{Cc}]/u.test(key)) return 'A metadata key is one line without square brackets'
  return (ownMetadataKeys as readonly string[]).includes(key) ? `${key} cannot be set as metadata` : undefined
}

const metadataValue = z
  .string()
  .max(limits.value, `A metadata value has ${limits.value} characters at most`)
  .refine(isText, 'A metadata value is text')

const metadataOf = <T extends z.ZodType>(value: T) =>
  z.record(z.string(), value).superRefine((record, context) => {
    for (const key of Object.keys(record)) {
      const message = keyProblem(key)
      if (message) context.addIssue({ code: 'custom', message })
    }
  })

const writable = {
  name: line('A name', limits.name),
  /** What an address is, the provider decides. */
  email: line('An email', limits.email),
  phone: line('A phone number', limits.phone),
  company: line('A company', limits.value),
  /** null: as the plan says. */
  account_type: accountType.nullable(),
  address: address.nullable(),
}

/** What of a customer may be changed here, as it was when `version` was made of it. */
export const customerForm = z.object({
  id: z.string(),
  version: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  company: z.string().nullable(),
  account_type: accountType.nullable(),
  address: z.object({
    line1: z.string().nullable(),
    line2: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    postal_code: z.string().nullable(),
    country: z.string().nullable(),
  }),
  /** Without what has a field of its own. */
  metadata: z.record(z.string(), z.string()),
})
export type CustomerForm = z.output<typeof customerForm>

export const createCustomer = endpoint({
  method: 'POST',
  path: '/stripe/customers',
  permission: 'customers.write',
  summary: 'Add a customer, at Stripe first',
  body: z
    .strictObject({
      ...z.object(writable).partial().shape,
      metadata: metadataOf(metadataValue).optional(),
    })
    .refine(({ name, email }) => name || email, { path: ['name'], message: 'Enter a name or an email' }),
  response: z.object({ customer: customerDetails }),
  idempotent: true,
})

export const getCustomerForm = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/form',
  permission: 'customers.write',
  summary: 'What of a customer may be changed, with the version that a change is made to',
  params: idParams,
  response: z.object({ form: customerForm }),
  topics: ['customers'],
})

export const updateCustomer = endpoint({
  method: 'PATCH',
  path: '/stripe/customers/:id',
  permission: 'customers.write',
  summary: 'Change a customer, at Stripe first; fields that are left out stay as they are',
  params: idParams,
  body: z.strictObject({
    version: z.string().min(1).max(100),
    ...z.object(writable).partial().shape,
    /** null removes the key; keys that are left out stay. */
    metadata: metadataOf(metadataValue.nullable()).optional(),
  }),
  response: z.object({ customer: customerDetails }),
  idempotent: true,
})

export const listCustomersByEmail = endpoint({
  method: 'GET',
  path: '/stripe/customers-by-email',
  permission: 'customers.read',
  summary: 'Customers that have an email already, without regard to case',
  query: z.strictObject({ email: z.string().trim().min(1).max(limits.email), except: z.string().max(255).optional() }),
  response: z.object({
    customers: z.array(
      z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable(), created_at: instant }),
    ),
    has_more: z.boolean(),
  }),
  topics: ['customers'],
})

export const customerNote = z.object({
  id: z.string(),
  text: z.string(),
  author_name: z.string(),
  created_at: instant,
  edited_at: instant.nullable(),
  /** Who edited it last, where that was not the author. */
  edited_by: z.string().nullable(),
  /** Whether the caller may edit and delete it. */
  can_change: z.boolean(),
})
export type CustomerNote = z.output<typeof customerNote>

const maxNoteLength = 4000
const noteText = z
  .string()
  .trim()
  .min(1, 'Enter a note')
  .max(maxNoteLength, `A note has ${maxNoteLength.toLocaleString('en-US')} characters at most`)
  .refine(isText, 'A note is text')
const noteParams = z.object({ ...idParams.shape, note: z.string().min(1).max(64) })

export const listCustomerNotes = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/notes',
  permission: 'support.read',
  summary: 'Notes about a customer, newest first',
  params: idParams,
  query: z.strictObject({
    limit: pageQuery(25).limit,
    /** The id of the last note of the page before. */
    starting_after: z.string().min(1).max(64).optional(),
  }),
  response: z.object({ notes: z.array(customerNote), has_more: z.boolean() }),
  topics: ['notes'],
  isPersonal: true,
})

export const createCustomerNote = endpoint({
  method: 'POST',
  path: '/stripe/customers/:id/notes',
  permission: 'support.write',
  summary: 'Add a note about a customer',
  params: idParams,
  body: z.strictObject({ text: noteText }),
  response: z.object({ note: customerNote }),
})

export const updateCustomerNote = endpoint({
  method: 'PATCH',
  path: '/stripe/customers/:id/notes/:note',
  permission: 'support.write',
  summary: 'Edit a note of one’s own; a super admin may edit any',
  params: noteParams,
  body: z.strictObject({ text: noteText }),
  response: z.object({ note: customerNote }),
})

export const deleteCustomerNote = endpoint({
  method: 'DELETE',
  path: '/stripe/customers/:id/notes/:note',
  permission: 'support.write',
  summary: 'Delete a note of one’s own; a super admin may delete any',
  params: noteParams,
  response: z.object({ success: z.literal(true) }),
})
