import { api, expect, sandbox } from './test.ts'

type Failed = { id: string; number: string; payment_id: string; amount_remaining: number; subscription_id: string }
type Debtor = { id: string; name: string; invoice: Failed }

export const money = (amount: number): string => `$${(amount / 100).toFixed(2)}`

/** Somebody whose card was declined for the first payment of a subscription, and whose card works again. */
export async function addDebtor(): Promise<Debtor> {
  const name = `Dunning Guest ${crypto.randomUUID().slice(0, 8)}`
  const named = { name, email: 'guest@example.com' }
  const { customer } = await sandbox.scenario<{ customer: string }>('customer_created', named)
  await sandbox.scenario('set_card', { customer, decline: 'insufficient_funds' })
  await sandbox.scenario('subscription_started', { customer })
  await sandbox.scenario('set_card', { customer })
  const path = `/stripe/dunning?search=${encodeURIComponent(name)}`
  const failed = async () => (await api<{ invoices: Failed[] }>(path)).invoices
  await expect.poll(async () => (await failed())[0]?.payment_id ?? null).not.toBeNull()
  const [invoice] = await failed()
  return { id: customer, name, invoice: invoice as Failed }
}

export const succeededOf = async (customer: string) =>
  (await sandbox.dump<{ customer: string; status: string; amount: number }>('charge')).filter(
    (charge) => charge.customer === customer && charge.status === 'succeeded',
  )
