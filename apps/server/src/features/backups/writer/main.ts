import { fromFile } from '../../../db/archive/read-archive.ts'
import { writeArchive } from '../../../db/archive/write-archive.ts'
import { asChild, type Parent } from '../../../platform/child/as-child.ts'
import { writeCluster } from './cluster.ts'
import type { News, Order, Proof, RowsOrder, Sealed } from './order.ts'
import { prove } from './prove.ts'

/** Whoever gives it up ends this process. */
const { signal } = new AbortController()
const newsEveryMs = 250
const connectWithinMs = 30_000

const keyOf = ({ key }: Pick<Order, 'key'>): Buffer => Buffer.from(key, 'base64')

/** Rows come faster than anybody looks. */
function newsOf(parent: Parent): (done: number, about: number | null) => void {
  let last = Number.NEGATIVE_INFINITY
  return (done, about) => {
    const now = performance.now()
    if (now - last < newsEveryMs) return
    last = now
    parent.news({ done, about } satisfies News)
  }
}

async function writeRows(order: RowsOrder, onRows: (done: number, about: number) => void): Promise<Sealed> {
  const { path, id, console, connectionString } = order
  const file = { path, key: keyOf(order), id, console, now: new Date(order.now), signal }
  const connection = { connectionString, connectionTimeoutMillis: connectWithinMs }
  const { bytes, sha256, preamble } = await writeArchive({ ...file, connection, onRows })
  return { bytes, sha256, snapshotAt: preamble.snapshotAt }
}

function work(order: Order, tell: ReturnType<typeof newsOf>): Promise<Sealed | Proof> {
  if (order.work === 'rows') return writeRows(order, tell)
  const onBytes = (bytes: number): void => tell(bytes, null)
  if (order.work === 'cluster') return writeCluster(order, { key: keyOf(order), signal, onBytes })
  const { isIncremental } = order
  return prove(fromFile(order.path), keyOf(order), { isIncremental, signal, onBytes })
}

await asChild<Order>((order, parent) => {
  parent.endWith()
  return work(order, newsOf(parent))
})
