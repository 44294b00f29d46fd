import { makeCustomer } from '../stripe/objects/customer.ts'
import { makePaymentMethod } from '../stripe/objects/payment.ts'
import type { Random } from '../world/random.ts'
import type { World } from '../world/world.ts'
import type { Member } from './member.ts'
import { addressIn } from './names.ts'

export type Newcomer = Pick<Member, 'name' | 'email' | 'country' | 'company' | 'description' | 'metadata' | 'debit'>

const brands = ['visa', 'visa', 'mastercard', 'amex'] as const

/** A customer as they sign up: with an address and a way to pay. */
export function addCustomer(world: World, member: Newcomer, random: Random): { customerId: string; methodId: string } {
  const address = addressIn(member.country, random)
  const customer = makeCustomer({
    id: world.newId('cus'),
    created: world.now,
    name: member.name,
    email: member.email,
    phone: random.chance(0.7) ? `+1207555${random.int(1000, 9999)}` : null,
    description: member.description ?? null,
    address,
    metadata: { ...(member.company ? { company: member.company } : {}), country: member.country, ...member.metadata },
    invoicePrefix: random.text(8, '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'),
    locales: member.country === 'US' ? ['en-US'] : [],
  })
  const method = makePaymentMethod({
    id: world.newId('pm'),
    created: world.now,
    customer: customer.id,
    brand: random.pick(brands),
    last4: String(random.int(1000, 9999)),
    country: member.country,
    expMonth: random.int(1, 12),
    expYear: 2027 + random.int(0, 4),
    fingerprint: random.text(16),
    billing: { name: member.name, email: member.email, phone: customer.phone ?? null, address },
    iban: member.debit ? { country: member.country, bankCode: '37040044', last4: '3000' } : null,
  })
  world.insert('customer', customer, { event: 'customer.created' })
  world.insert('payment_method', method, { event: 'payment_method.attached' })
  customer.invoice_settings.default_payment_method = method.id
  return { customerId: customer.id, methodId: method.id }
}
