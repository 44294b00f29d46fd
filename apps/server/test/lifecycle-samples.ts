import type { Sandbox } from '@agency/sandbox'
import { applyObject } from '../src/features/mirror/index.ts'
import { runJob } from './context.ts'
import type { Console } from './fixtures/mirror.ts'
import type { Caller } from './request.ts'

type Parts = { console: Console; sandbox: Sandbox; root: Caller }
type Sample = () => Promise<{ caller: Caller; path: string; body?: unknown }>

const suspension = { reason: 'abuse', billing: 'keep', notice: false }

/** Somebody nobody else acts on. */
export async function newCustomer({ console: { system }, sandbox }: Omit<Parts, 'root'>): Promise<string> {
  const { customer } = await sandbox.control.scenario('customer_created', {})
  await applyObject(system, { kind: 'customer', id: String(customer) }, 'webhook')
  return String(customer)
}

async function suspended(parts: Parts): Promise<{ customer: string; run: string }> {
  const customer = await newCustomer(parts)
  const answer = await parts.root.post(`/stripe/customers/${customer}/suspend`, suspension)
  return { customer, run: answer.json().run.id }
}

async function deleted(parts: Parts): Promise<string> {
  const customer = await newCustomer(parts)
  await parts.root.post(`/stripe/customers/${customer}/delete`, { at_stripe: false })
  await runJob(parts.console.ctx, 'lifecycle.run', { subject: customer })
  return `/stripe/customers/${customer}`
}

/** One call of everything that is done to an account, ready to succeed. */
export function lifecycleSamples(parts: () => Parts): Record<string, Sample> {
  const sample =
    (prepare: (given: Parts) => Promise<{ path: string; body?: unknown }>): Sample =>
    async () => ({ caller: parts().root, ...(await prepare(parts())) })
  const onRun = (act: string, state: string): Sample =>
    sample(async (given) => {
      const { customer, run } = await suspended(given)
      await given.console.ctx.db.updateTable('runs').set({ state }).where('id', '=', run).execute()
      return { path: `/stripe/customers/${customer}/lifecycle/${run}/${act}`, body: {} }
    })
  return {
    suspendCustomer: sample(async (given) => ({
      path: `/stripe/customers/${await newCustomer(given)}/suspend`,
      body: suspension,
    })),
    unsuspendCustomer: sample(async (given) => {
      const { customer } = await suspended(given)
      await runJob(given.console.ctx, 'lifecycle.run', { subject: customer })
      return { path: `/stripe/customers/${customer}/unsuspend`, body: { notice: false } }
    }),
    deleteCustomer: sample(async (given) => ({
      path: `/stripe/customers/${await newCustomer(given)}/delete`,
      body: { at_stripe: false },
    })),
    restoreCustomer: sample(async (given) => ({ path: `${await deleted(given)}/restore` })),
    eraseCustomer: sample(async (given) => {
      const path = `${await deleted(given)}/erase`
      const { preview } = (await given.root.get(path)).json()
      return { path, body: { typed_name: preview.typed_name } }
    }),
    retryLifecycleRun: onRun('retry', 'failed'),
    cancelLifecycleRun: onRun('cancel', 'waiting'),
  }
}
