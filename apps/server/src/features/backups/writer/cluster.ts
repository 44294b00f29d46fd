import type { PhysicalHead } from '../../../db/archive/frames.ts'
import { type PhysicalFile, writePhysical } from '../../../db/archive/physical.ts'
import {
  archiveUpToNow,
  asSupervisor,
  baseFiles,
  beginArchiving,
  dropSegments,
  findSegments,
  type Supervisor,
  segmentFile,
} from '../../../db/embedded/base-copy.ts'
import { AppError } from '../../../platform/errors.ts'
import { nextSegment, unbroken } from '../segments.ts'
import type { ClusterOrder, Sealed } from './order.ts'

async function server({ query }: Supervisor): Promise<string> {
  const [row] = await query<{ version: string; mode: string }>(
    `select current_setting('server_version') as version, current_setting('archive_mode') as mode`,
  )
  if (row?.mode !== 'on') throw new AppError('conflict', 'The database does not archive its WAL. Restart the console.')
  return row.version
}

type Plan = { head: () => PhysicalHead; files: AsyncIterable<PhysicalFile> }

/** The journal since the last one of the chain; null: it has a gap, and a new chain has to begin. */
async function journalSince(
  supervisor: Supervisor,
  chain: ClusterOrder['chain'],
  common: Pick<PhysicalHead, 'console' | 'server'>,
): Promise<Plan | null> {
  const [base, previous] = [chain[0], chain.at(-1)]
  if (!base || !previous) return null
  const { last, at } = await archiveUpToNow(supervisor)
  const from = nextSegment(previous.head.to)
  const names = unbroken(await findSegments(supervisor), from, last)
  if (!names) return null
  const head = { ...common, baseId: base.id, previousId: previous.id, from, to: last, endsAt: at }
  return {
    head: () => head,
    files: (async function* () {
      for (const name of names) yield segmentFile(supervisor, name)
    })(),
  }
}

/** A copy of the cluster, and the journal from its beginning until now. */
async function baseCopy(supervisor: Supervisor, common: Pick<PhysicalHead, 'console' | 'server'>): Promise<Plan> {
  const before = await findSegments(supervisor)
  const { last: first } = await archiveUpToNow(supervisor)
  await dropSegments(supervisor, before)
  let head: PhysicalHead | undefined
  async function* files(): AsyncGenerator<PhysicalFile> {
    yield* baseFiles(supervisor)
    const { last, at } = await archiveUpToNow(supervisor)
    const names = unbroken(await findSegments(supervisor), first, last)
    if (!names) throw new AppError('conflict', 'The archived WAL has a gap. Create the backup again.')
    head = { ...common, baseId: null, previousId: null, from: first, to: last, endsAt: at }
    for (const name of names) yield segmentFile(supervisor, name)
  }
  return {
    files: files(),
    head() {
      if (!head) throw new Error('The copy is not made yet')
      return head
    },
  }
}

type Work = { key: Buffer; signal: AbortSignal; onBytes(bytes: number): void }

/** Writes what changed since the last of the chain, or a copy of the cluster for later ones to build on. */
export const writeCluster = (order: ClusterOrder, { key, signal, onBytes }: Work): Promise<Sealed> =>
  asSupervisor(order.dataDir, async (supervisor) => {
    const { path, id, console } = order
    const common = { console, server: await server(supervisor) }
    const chain = (await beginArchiving(supervisor)) ? order.chain : []
    const plan = (await journalSince(supervisor, chain, common)) ?? (await baseCopy(supervisor, common))
    const file = { path, key, id, console, now: new Date(order.now), signal }
    const written = await writePhysical(file, plan.head, plan.files, onBytes)
    return { ...written, snapshotAt: plan.head().endsAt }
  })
