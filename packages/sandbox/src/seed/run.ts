import { type DemoSite, demoSites } from '../cloudflare/demo-sites.ts'
import { insertEntries, type Store, writeDues } from '../store/store.ts'
import type { Kind } from '../stripe/types.ts'
import { day, startOfDay } from '../world/periods.ts'
import { randomFrom } from '../world/random.ts'
import { type Backing, type DueChange, type Entry, World } from '../world/world.ts'
import { refundLast } from './acts.ts'
import { cast } from './cast.ts'
import { type Catalogue, makeCatalogue } from './catalogue.ts'
import { addCustomer } from './customer.ts'
import type { Member } from './member.ts'
import { anyone } from './names.ts'
import { month, type Plot, play, type Scene } from './plot.ts'
import { anyOrder, type OrderEnd, online, placeOrder } from './purchases.ts'
import { type StoryName, stories } from './stories.ts'

export type SeedOptions = { seed: string; customers: number; now: number }

const eventDays = 30
const batchEntries = 4000
const pause = () => new Promise<void>((resolve) => setImmediate(resolve))

function memory(catalogue: Catalogue): Backing {
  const known = new Map(catalogue.entries.map((entry) => [`${entry.kind} ${entry.id}`, entry]))
  return {
    load: (kind: Kind, id: string) => Promise.resolve(known.get(`${kind} ${id}`)),
    search: () => Promise.resolve([]),
  }
}

/** Writes one customer's life into a world of its own. */
async function live(
  world: World,
  member: Member,
  sites: readonly DemoSite[],
  catalogue: Catalogue,
  end: number,
): Promise<void> {
  const { random } = world
  const start = end - Math.round(member.months * month) - random.int(0, 9 * 3600)
  world.now = start
  const scene: Scene = { world, catalogue, subscriptions: [], ...addCustomer(world, member, random) }
  const plot: Plot = { start, end, random, currency: member.currency ?? 'usd', steps: [] }
  const story: (plot: Plot) => void = stories[member.story]
  story(plot)
  addOrders(plot, member, sites)
  addRefunds(plot, member)
  if (member.deleted) {
    const gone = end - 20 * day
    plot.steps.push({ at: gone, act: (now) => now.world.remove('customer', now.customerId, 'customer.deleted') })
  }
  await play(scene, plot)
}

const withoutOrders: ReadonlySet<StoryName> = new Set([
  'quiet',
  'incomplete',
  'incompleteExpired',
  'pastDue',
  'unpaid',
  'neverSolved',
])

/** Of the orders of this time one waits: an agency that leaves them all lying would not be one. */
const lately = 40 * day
const waiting = 'Mount Desert Mapping'

/** Some customers began with an order in the shop, some came back for another site. What was paid last is online. */
function addOrders(plot: Plot, member: Member, sites: readonly DemoSite[]): void {
  const { random } = plot
  if (withoutOrders.has(member.story) || member.deleted) return
  const paid: number[] = []
  const order = (at: number, end: OrderEnd) => {
    if (end === 'paid') paid.push(at)
    plot.steps.push({
      at,
      act: async ({ world, catalogue, customerId, methodId }) => {
        const customer = await world.need('customer', customerId)
        const method = await world.need('payment_method', methodId)
        const built = sites[paid.toSorted((a, b) => b - a).indexOf(at)]
        const wanted = anyOrder(world.random, catalogue, customer, built)
        const isMade = built === undefined && at > plot.end - lately && member.name !== waiting
        await placeOrder(world, isMade ? online(wanted) : wanted, method, end)
      },
    })
  }
  if (random.chance(0.35)) order(plot.start + 1800, 'paid')
  if (random.chance(0.25)) order(plot.start + Math.round((plot.end - plot.start) * (0.2 + 0.7 * random.next())), 'paid')
  if (random.chance(0.12)) order(plot.end - random.int(3 * day, 40 * day), 'expired')
  if (random.chance(0.08)) order(plot.end - random.int(3600, 9 * 3600), 'open')
  for (const { label } of sites) {
    const days = orderedLately.get(label)
    if (days) order(plot.end - Math.round(days * day), 'paid')
  }
}

/** Days ago: also the latest purchases show where their site is online. */
const orderedLately: ReadonlyMap<string, number> = new Map([
  ['mueller-luedenscheidt', 0.6],
  ['lobsterandco', 1.7],
  ['blueberrybarrens', 2.4],
  ['katahdinclimbing', 4.2],
])

/** Now and then the agency gives something back. */
function addRefunds(plot: Plot, member: Member): void {
  const { random, start, end } = plot
  if (member.deleted || random.chance(0.86)) return
  const at = start + Math.round((end - start) * (0.3 + 0.65 * random.next()))
  refundLast(plot, at, random.chance(0.4) ? {} : { share: random.pick([0.1, 0.2, 0.25, 0.5]) })
}

/**
 * Writes the history, once, up to the start of today, so that one seed and one day make one world; what happened since
 * midnight follows by the clock. Streams in batches: memory does not grow with the number of customers.
 */
export async function seedWorld(store: Store, options: SeedOptions): Promise<void> {
  const end = startOfDay(Math.floor(options.now / 1000))
  const random = randomFrom(`${options.seed} cast`)
  const catalogue = makeCatalogue(randomFrom(`${options.seed} catalogue`), end)
  const backing = memory(catalogue)
  const client = await store.pool.connect()
  let ord = catalogue.entries.length + 1
  let waiting: Entry[] = []
  let waitingDues: DueChange[] = []
  const write = async () => {
    await insertEntries(client, store.schema, [...new Set(waiting)])
    await writeDues(client, store.schema, waitingDues)
    waiting = []
    waitingDues = []
  }
  try {
    await client.query('begin')
    await store.lock(client)
    const seeded = await client.query(`select 1 from ${store.schema}.state where seeded_at is not null`)
    if (seeded.rowCount) return void (await client.query('rollback'))
    await insertEntries(client, store.schema, catalogue.entries)
    for (let index = 0; index < options.customers; index++) {
      const member = cast[index] ?? anyone(index, random)
      const world = new World({
        backing,
        now: end,
        ord,
        random: randomFrom(`${options.seed} life ${index}`),
        ids: randomFrom(`${options.seed} ids ${index}`),
      })
      world.eventsFrom = end - eventDays * day
      const sites = demoSites.filter((site) => site.member === index)
      await live(world, member, sites, catalogue, end)
      const { entries, dues } = world.takeChanges()
      waiting.push(...entries)
      waitingDues.push(...dues.filter(({ due }) => due !== null))
      ord = world.ord
      if (waiting.length >= batchEntries) await write()
      if (index % 8 === 7) await pause()
    }
    await write()
    await client.query(`update ${store.schema}.state set next_ord = $1, seeded_at = $2`, [ord, end])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}
