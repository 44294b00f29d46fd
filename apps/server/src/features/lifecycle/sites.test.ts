import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloudflareAt } from '../../../test/cloudflare.ts'
import { runJob } from '../../../test/context.ts'
import { makeSite, siteOf } from '../../../test/sites.ts'
import {
  customerOf,
  lifecycleOf,
  makeCustomer,
  noMoney,
  previewOf,
  startWorld,
  statesOf,
  type World,
} from './test/world.ts'

const project = 'cascobaycoffee'

let world: World
beforeAll(async () => {
  world = await startWorld(3)
  world.console.ctx.replace({ cloudflare: cloudflareAt(world.sandbox.cloudflare) })
})
afterAll(() => world?.close())

/** The runs alone; they do not leave the sites' own work to others. */
async function run(): Promise<void> {
  const { ctx, enqueued } = world.console
  for (let next = enqueued.shift(); next; next = enqueued.shift())
    if (next.name === 'lifecycle.run') await runJob(ctx, next.name, next.input)
  ctx.changes.tell('sites')
}

const attached = async ({ cloudflare }: Sandbox) =>
  (await cloudflareAt(cloudflare).listProjectDomains(project)).map(({ name }) => name).sort()

/** One that Pages serves, one that a hook builds, one that was suspended for its own sake. */
async function makeSites(customer: string) {
  const { root } = world
  const make = () => makeSite(root, { customer_id: customer })
  const [pages, hook, own] = [await make(), await make(), await make()]
  await root.patch(`/sites/${pages.id}/settings`, { version: 1, provider: 'pages', pages: { project } })
  const url = 'https://deploy.example.com/hook'
  await root.patch(`/sites/${hook.id}/settings`, { version: 1, provider: 'hook', hook: { url } })
  await root.post(`/sites/${own.id}/suspend`, { reason: 'Abuse' })
  world.console.enqueued.length = 0
  return { pages: pages.id, hook: hook.id, own: own.id }
}

const statesAt = async (sites: { pages: string; hook: string; own: string }) =>
  Promise.all(
    [sites.pages, sites.hook, sites.own].map(async (id) => {
      const { status, at_provider } = await siteOf(world.root, id)
      return `${status} ${at_provider}`
    }),
  )

test('a suspension takes the customer’s sites offline, and lifting it brings back those that it took', async () => {
  const { id } = await makeCustomer(world)
  const sites = await makeSites(id)
  expect(await customerOf(world, id)).toMatchObject({ site_count: 3 })
  const before = await attached(world.sandbox)
  expect((await previewOf(world, id, 'suspend')).sites).toEqual({
    ...{ count: 2, domains: 1 },
    note: '1 site is taken offline at Cloudflare; 1 site is suspended here, but still live: the host cannot take sites offline',
  })
  await world.root.post(`/stripe/customers/${id}/suspend`, { ...noMoney })
  await run()
  const { runs } = await lifecycleOf(world, id)
  expect(statesOf(runs[0])).toEqual(['record done', 'sites done'])
  expect(runs[0]?.steps[1]?.note).toContain('2 sites; 1 still live')
  expect(await statesAt(sites)).toEqual(['suspended offline', 'suspended still_served', 'suspended still_served'])
  expect(await attached(world.sandbox)).toEqual([])
  expect((await siteOf(world.root, sites.pages)).suspension).toMatchObject({ customer_id: id })

  expect((await previewOf(world, id, 'unsuspend')).sites).toEqual({
    ...{ count: 2, domains: 1 },
    note: '2 sites go online, 1 of them at Cloudflare',
  })
  await world.root.post(`/stripe/customers/${id}/unsuspend`, { notice: false })
  await run()
  expect(await statesAt(sites)).toEqual(['pending served', 'pending served', 'suspended still_served'])
  expect(await attached(world.sandbox)).toEqual(before)
})

test('a site that was brought back by hand stays so when the suspension is lifted', async () => {
  const { id } = await makeCustomer(world)
  const sites = await makeSites(id)
  await world.root.post(`/stripe/customers/${id}/suspend`, { ...noMoney })
  await run()
  await world.root.post(`/sites/${sites.hook}/resume`)
  expect((await previewOf(world, id, 'unsuspend')).sites).toEqual({
    ...{ count: 1, domains: 1 },
    note: '1 site goes online at Cloudflare',
  })
  await world.root.post(`/stripe/customers/${id}/unsuspend`, { notice: false })
  await run()
  expect(await statesAt(sites)).toEqual(['pending served', 'pending served', 'suspended still_served'])
})

test('while Cloudflare does not answer the run waits, then leaves the rest to the sites themselves', async () => {
  const { id } = await makeCustomer(world)
  const sites = await makeSites(id)
  const fault = world.sandbox.faults.next('cloudflare', 'pages.projects.domains.delete', 503, null)
  await world.root.post(`/stripe/customers/${id}/suspend`, { ...noMoney })
  await run()
  const { runs } = await lifecycleOf(world, id)
  expect(statesOf(runs[0])).toEqual(['record done', 'sites done'])
  expect(runs[0]?.steps[1]?.note).toContain('1 still in progress at the host')
  expect((await statesAt(sites))[0]).toBe('suspended suspending')
  world.sandbox.faults.clear(fault)
  await world.root.post(`/stripe/customers/${id}/unsuspend`, { notice: false })
  await run()
  expect((await statesAt(sites))[0]).toBe('pending served')
})

test('deleting a customer suspends the sites, restoring brings them back', async () => {
  const { id } = await makeCustomer(world)
  const sites = await makeSites(id)
  expect((await previewOf(world, id, 'delete')).sites).toMatchObject({ count: 2, domains: 1 })
  await world.root.post(`/stripe/customers/${id}/delete`, { at_stripe: false })
  await run()
  expect((await statesAt(sites))[0]).toBe('suspended offline')
  await world.root.post(`/stripe/customers/${id}/restore`)
  await runJob(world.console.ctx, 'sites.suspension', { subject: sites.pages })
  world.console.ctx.changes.tell('sites')
  expect(await statesAt(sites)).toEqual(['pending served', 'pending served', 'suspended still_served'])
})
