import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import { loadConfig } from '../src/config.ts'
import { createDatabase } from '../src/db/client.ts'
import { openDatabase } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import type { DB } from '../src/db/types.ts'
import { type Fetch, nextFetchSeq, writeObjects } from '../src/features/mirror/index.ts'
import type { ObjectKind, ProviderObject } from '../src/integrations/stripe/gateway.ts'
import { createLogger } from '../src/platform/logger.ts'
import type { Scale } from './bench-context.ts'
import {
  plans,
  scaleCustomer,
  scalePayment,
  scalePrice,
  scaleProduct,
  scaleSubscription,
  withoutJobs,
} from './scale-objects.ts'

const batch = 100
const batchesPerTransaction = 20
const tellEvery = 20_000

type Make = (index: number) => ProviderObject

/** Writes `count` objects through the mirror's own writer, a hundred at a time. */
async function write(db: Kysely<DB>, kind: ObjectKind, count: number, make: Make, tell: (line: string) => void) {
  const start = performance.now()
  const step = batch * batchesPerTransaction
  for (let from = 0; from < count; from += step) {
    const fetch: Fetch = { fetchSeq: await nextFetchSeq(db), fetchedAt: new Date(), source: 'import' }
    await db.transaction().execute(async (tx) => {
      for (let at = from; at < Math.min(from + step, count); at += batch) {
        const objects = Array.from({ length: Math.min(batch, count - at) }, (_, index) => make(at + index))
        await writeObjects({ db: tx, clock: Date.now, jobs: withoutJobs }, kind, objects, fetch)
      }
    })
    const done = Math.min(from + step, count)
    if (done % tellEvery === 0 || done === count) {
      const rate = Math.round(done / ((performance.now() - start) / 1000))
      const left = Math.round((count - done) / Math.max(1, rate))
      tell(
        `${kind}: ${done.toLocaleString('en-US')} of ${count.toLocaleString('en-US')}, ${rate.toLocaleString('en-US')}/s, ${left} s left`,
      )
    }
  }
}

/** Fills a migrated database: customers, three plans, a subscription for every second customer, payments of two years. */
export async function seedScale(connectionString: string, scale: Scale, tell: (line: string) => void): Promise<void> {
  const { kysely: db } = createDatabase(connectionString, { max: 2, applicationName: 'agency-console seed' })
  // Midnight, so that the same day gives the same rows.
  const now = Math.floor(Date.now() / 86_400_000) * 86_400
  const { customers, payments } = scale
  try {
    await write(db, 'product', plans.length, (index) => scaleProduct(index, now), tell)
    await write(db, 'price', plans.length, (index) => scalePrice(index, now), tell)
    await write(db, 'customer', customers, (index) => scaleCustomer(index, now), tell)
    await write(db, 'subscription', Math.ceil(customers / 2), (index) => scaleSubscription(index, customers, now), tell)
    await write(db, 'payment', payments, (index) => scalePayment(index, customers, now), tell)
  } finally {
    await db.destroy()
  }
}

function countOf(text: string | undefined, option: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--${option} must be a whole number from 1`)
  return count
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { customers: { type: 'string', default: '100000' }, payments: { type: 'string', default: '1000000' } },
  })
  const scale = { customers: countOf(values.customers, 'customers'), payments: countOf(values.payments, 'payments') }
  const log = createLogger('warn')
  const { connectionString, stop } = await openDatabase(loadConfig(), log)
  try {
    await migrate(connectionString, { log })
    await seedScale(connectionString, scale, (line) => console.log(line))
  } finally {
    await stop()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
