import { badValue, noSuch } from '../../http/errors.ts'
import { equals, listPage, within } from '../../http/list.ts'
import {
  created,
  emptyable,
  hash,
  int,
  list,
  mergeMetadata,
  metadata,
  oneOf,
  type Params,
  page,
  str,
  unsupported,
} from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import { shownEntry } from '../../http/show.ts'
import type { World } from '../../world/world.ts'
import { fullAddress, makeCustomer } from '../objects/customer.ts'
import { deleteCustomer } from '../rules/delete-customer.ts'
import { attachMethod } from '../rules/test-cards.ts'
import type { Customer } from '../types.ts'

const part = emptyable(str())
const address = hash({ city: part, country: part, line1: part, line2: part, postal_code: part, state: part })

const settable = {
  address: emptyable(address),
  balance: int(),
  business_name: emptyable(str(150)),
  description: emptyable(str()),
  email: emptyable(str(512)),
  individual_name: emptyable(str(150)),
  invoice_prefix: str(12),
  invoice_settings: hash({
    custom_fields: unsupported(),
    default_payment_method: str(),
    footer: emptyable(str()),
    rendering_options: unsupported(),
  }),
  metadata: metadata(),
  name: emptyable(str(256)),
  next_invoice_sequence: int(1),
  phone: emptyable(str(20)),
  preferred_locales: list(str()),
  tax_exempt: emptyable(oneOf('exempt', 'none', 'reverse')),
  cash_balance: unsupported(),
  shipping: unsupported(),
  source: unsupported(),
  tax: unsupported(),
}
type Settings = Params<typeof settable>
type MethodSettings = Settings & { payment_method?: string | undefined }

function checkEmail(email: string | null | undefined): void {
  if (!email || /^[^\s@]+@[^\s@]+$/.test(email)) return
  throw badValue(`Invalid email address: ${email}`, 'email', 'email_invalid')
}

/** Makes the test cards that were named, and replaces their tokens by what they became. */
async function settleMethods(world: World, customer: Customer, settings: MethodSettings): Promise<void> {
  const attached = settings.payment_method ? await attachMethod(world, customer, settings.payment_method) : null
  const wanted = settings.invoice_settings?.default_payment_method
  if (!wanted) return
  const chosen = wanted === settings.payment_method ? attached : await attachMethod(world, customer, wanted)
  if (!chosen) throw noSuch('payment_method', wanted, 'invoice_settings[default_payment_method]', 400)
  await world.change(
    'customer',
    customer.id,
    (draft) => {
      draft.invoice_settings.default_payment_method = chosen.id
    },
    null,
  )
}

function applySettings(draft: Customer, settings: Settings): void {
  const { address: place, invoice_settings: invoicing } = settings
  if (place !== undefined) draft.address = place ? fullAddress(withoutUndefined(place)) : null
  if (settings.balance !== undefined) draft.balance = settings.balance
  if (settings.description !== undefined) draft.description = settings.description
  if (settings.email !== undefined) draft.email = settings.email
  if (settings.name !== undefined) draft.name = settings.name
  if (settings.phone !== undefined) draft.phone = settings.phone
  if (settings.business_name === null) delete draft.business_name
  else draft.business_name = settings.business_name ?? draft.business_name
  if (settings.individual_name === null) delete draft.individual_name
  else draft.individual_name = settings.individual_name ?? draft.individual_name
  if (settings.invoice_prefix !== undefined) draft.invoice_prefix = settings.invoice_prefix
  if (settings.next_invoice_sequence !== undefined) draft.next_invoice_sequence = settings.next_invoice_sequence
  if (settings.preferred_locales !== undefined) draft.preferred_locales = settings.preferred_locales
  if (settings.tax_exempt !== undefined) draft.tax_exempt = settings.tax_exempt ?? 'none'
  if (invoicing?.footer !== undefined) draft.invoice_settings.footer = invoicing.footer
  draft.metadata = mergeMetadata(draft.metadata, settings.metadata)
}

const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>
  }

const prefixLetters = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

export const customers: Route[] = [
  readRoute(
    {
      name: 'customers.list',
      path: '/v1/customers',
      kind: 'customer',
      list: true,
      shape: { ...page, created: created(), email: str(512), test_clock: unsupported() },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'customer',
        url: '/v1/customers',
        params,
        conditions: [...equals('email', params.email), ...within(params.created)],
      }),
  ),
  readRoute(
    { name: 'customers.retrieve', path: '/v1/customers/:id', kind: 'customer', shape: {} },
    async ({ read, id }) => {
      const entry = await read.one('customer', id)
      if (!entry) throw noSuch('customer', id)
      return { type: 'object', kind: 'customer', body: shownEntry(entry) }
    },
  ),
  writeRoute(
    {
      name: 'customers.create',
      path: '/v1/customers',
      kind: 'customer',
      shape: { ...settable, payment_method: str() },
    },
    async ({ world, params }) => {
      checkEmail(params.email)
      const invoicePrefix = world.ids.text(8, prefixLetters)
      const customer = makeCustomer({ id: world.newId('cus'), created: world.now, invoicePrefix })
      applySettings(customer, params)
      world.insert('customer', customer)
      await settleMethods(world, customer, params)
      const made = await world.need('customer', customer.id)
      world.emit('customer.created', 'customer', made)
      return shown('customer', made)
    },
  ),
  writeRoute(
    {
      name: 'customers.update',
      path: '/v1/customers/:id',
      kind: 'customer',
      shape: { ...settable, default_source: unsupported() },
    },
    async ({ world, id, params }) => {
      if (!(await world.get('customer', id))) throw noSuch('customer', id)
      checkEmail(params.email)
      const customer = await world.change('customer', id, (draft) => applySettings(draft, params), 'customer.updated')
      await settleMethods(world, customer, params)
      return shown('customer', await world.need('customer', id))
    },
  ),
  writeRoute(
    { name: 'customers.del', method: 'DELETE', path: '/v1/customers/:id', kind: 'customer', shape: {} },
    async ({ world, id }) => {
      if (!(await world.get('customer', id))) throw noSuch('customer', id)
      await deleteCustomer(world, id)
      return { type: 'object', kind: 'other', body: { id, object: 'customer', deleted: true } }
    },
  ),
]
