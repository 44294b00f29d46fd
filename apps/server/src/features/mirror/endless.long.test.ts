import type { Sandbox } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { gatewayOf, importAll, live, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { request } from '../../../test/request.ts'
import type { ObjectPage, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { applyObject } from './apply.ts'
import { reconcileEvents } from './reconcile.ts'
import { mirrorState } from './service.ts'
import { walk } from './walk.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 4 } }))
})
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})
afterAll(() => stop?.())

type List = StripeGateway['listObjects']

/** Stripe, but for one kind of list. */
function lying(kind: string, list: (...asked: Parameters<List>) => Promise<ObjectPage>): StripeGateway {
  const honest = gatewayOf(sandbox)
  const gateway: StripeGateway = {
    ...honest,
    in: () => gateway,
    listObjects: (...asked) => (asked[0] === kind ? list(...asked) : honest.listObjects(...asked)),
  }
  return gateway
}

let made = 0
const product = () => ({ id: `prod_invented_${++made}`, object: 'product', name: 'Invented', active: true, created: 1 })
const invented = async (): Promise<ObjectPage> => {
  const objects = [product()]
  return { objects, hasMore: true, endId: objects[0]!.id }
}
/** Three pages in a circle. */
async function circle(_kind: unknown, query: Parameters<List>[1] = {}): Promise<ObjectPage> {
  const next = (Number(query.startingAfter?.at(-1) ?? '0') % 3) + 1
  const id = `prod_circle_${next}`
  return { objects: [{ ...product(), id }], hasMore: true, endId: id }
}

async function open(stripe: StripeGateway) {
  const console = await openConsole(sandbox, { stripe })
  opened.push(console)
  return console
}

const productsOf = async ({ ctx }: Awaited<ReturnType<typeof open>>) =>
  (await ctx.db.selectFrom('products').select('id').execute()).map(({ id }) => id)

test.each([
  ['never ends', invented, /^Stripe lists more than 1000 pages of products, which is more than there can be\./],
  ['leads in a circle', circle, /^Stripe lists the same products again and again instead of coming to an end\./],
])('an import of a list that %s ends, says so and shows nothing of it', async (_, list, words) => {
  const console = await open(lying('product', list))
  await importAll(console.system)
  const { first_import, as_of } = await mirrorState(console.ctx)
  expect(first_import).toMatchObject({ state: 'failed', error: expect.stringMatching(words) })
  expect(first_import?.finished_at).not.toBeNull()
  expect(as_of).toBeNull()
  expect(await productsOf(console)).toEqual([])
  const plans = (await request(console.ctx).as('admin').get('/stripe/plans')).json()
  expect(plans).toMatchObject({ plans: [], as_of: null })
  const bell = await console.ctx.db.selectFrom('notifications').select(['type', 'body']).execute()
  expect(bell).toMatchObject([{ type: 'import.failed', body: expect.stringMatching(words) }])
  // Nobody begins it again but a person.
  await reconcileEvents(console.system, live())
  expect((await mirrorState(console.ctx)).first_import).toMatchObject({ state: 'failed' })
})

test('a walk over a list without an end is told as failed, and what it brought is taken back', async () => {
  const console = await open(gatewayOf(sandbox))
  await importAll(console.system)
  const before = await productsOf(console)
  expect(before.length).toBeGreaterThan(0)
  console.ctx.replace({ stripe: lying('product', circle) })
  await walk({ ...console.system, stripe: console.ctx.stripe }, live()).catch(() => {})
  expect(await productsOf(console)).toEqual(before)
  const { reports } = (await request(console.ctx).as('admin').get('/mirror/drift')).json()
  expect(reports[0]).toMatchObject({ kind: 'walk', state: 'failed', error: expect.stringContaining('again and again') })
})

test('an object that Stripe always fails at keeps neither an import nor a walk', async () => {
  const console = await open(gatewayOf(sandbox))
  await importAll(console.system)
  const [customer] = await sandbox.control.dump('customer')
  const id = String(customer?.['id'])
  // No listing brings it, so that it is asked for by itself.
  const honest = console.ctx.stripe!
  const hiding: StripeGateway = {
    ...honest,
    in: () => hiding,
    async listObjects(...asked) {
      const page = await honest.listObjects(...asked)
      return { ...page, objects: page.objects.filter((object) => object.id !== id) }
    },
  }
  const system = { ...console.system, stripe: hiding }
  sandbox.faults.next('stripe', { path: `/v1/customers/${id}` }, { status: 500, kept: false }, null)
  await walk(system, live())
  const admin = request(console.ctx).as('admin')
  const { reports } = (await admin.get('/mirror/drift')).json()
  expect(reports[0]).toMatchObject({ kind: 'walk', state: 'done' })
  expect((await admin.get(`/mirror/drift/${reports[0].id}`)).json().rows).toMatchObject([
    { object_id: id, difference: 'Could not be compared: Stripe has an outage (500)', repaired: false },
  ])
  await importAll(system)
  expect((await mirrorState(console.ctx)).first_import).toMatchObject({ state: 'done' })
  sandbox.faults.clear()
})

test('what belongs to one object is not read without an end', async () => {
  const console = await open(gatewayOf(sandbox))
  await importAll(console.system)
  const payment = async (_kind: unknown, query: Parameters<List>[1] = {}): Promise<ObjectPage> => {
    const id = query.startingAfter === 'inpay_1' ? 'inpay_2' : 'inpay_1'
    return { objects: [{ id, object: 'invoice_payment' }], hasMore: true, endId: id }
  }
  const stripe = lying('invoice_payment', payment)
  const [invoice] = await sandbox.control.dump('invoice')
  const asked = applyObject({ ...console.system, stripe }, { kind: 'invoice', id: String(invoice?.['id']) }, 'webhook')
  await expect(asked).rejects.toThrow('Stripe lists the same payments of one invoice again and again')
})
