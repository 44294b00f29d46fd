import { type AuditContext, inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { beginSealEpoch } from '../audit/index.ts'
import { countConsoles, type SealedPlace, type SealedRow, sealedPlaces } from './queries/sealed.ts'
import { moveFingerprint } from './secrets-key.ts'

export type ResealCount = {
  place: string
  /** Sealed with the old key. */
  old: number
  /** Sealed with the new key already. */
  done: number
  /** Sealed with neither. */
  lost: number
}

export type Boxes = { from: SecretBox; to: SecretBox }
type Db = Pick<RequestContext, 'db'>

const batch = 500

const countAll = (counts: readonly ResealCount[], what: 'old' | 'done' | 'lost'): number =>
  counts.reduce((sum, count) => sum + count[what], 0)

/** What there is to seal anew; changes nothing. */
export async function countSealed(ctx: Db, boxes: Boxes): Promise<ResealCount[]> {
  const counts: ResealCount[] = []
  for (const place of sealedPlaces) counts.push(await walk(ctx, place, boxes, async () => {}))
  return counts
}

/**
 * Seals everything with the new key, in one transaction. What neither key opens stops it, unless it may be left as it is.
 * `tell` hears of each place when it is done.
 */
export async function reseal(
  ctx: AuditContext & Db,
  boxes: Boxes,
  { leavesLost, tell }: { leavesLost: boolean; tell: (count: ResealCount) => void },
): Promise<ResealCount[]> {
  return inTransaction(ctx, async (tx) => {
    if ((await countConsoles(tx.db)) > 0)
      throw new Error('a console or worker is running with the old key: stop all of them first')
    const counts: ResealCount[] = []
    for (const place of sealedPlaces) {
      const count = await walk(tx, place, boxes, (rows) => place.save(tx.db, rows))
      if (count.lost > 0 && !leavesLost)
        throw new Error(`${count.lost} of ${place.name} open with neither key; --leave-unreadable leaves them so`)
      counts.push(count)
      tell(count)
    }
    const now = new Date(tx.clock())
    await beginSealEpoch(tx, boxes.to, now)
    await moveFingerprint(tx, boxes.to, now)
    await audit(tx, counts)
    return counts
  })
}

async function audit(tx: Parameters<typeof recordAudit>[0], counts: readonly ResealCount[]): Promise<void> {
  const after = { resealed: countAll(counts, 'old'), already: countAll(counts, 'done'), left: countAll(counts, 'lost') }
  await recordAudit(tx, { action: 'secrets.rotate', resource: 'secrets', id: null, after })
}

async function walk(
  { db }: Db,
  place: SealedPlace,
  { from, to }: Boxes,
  save: (rows: SealedRow[]) => Promise<void>,
): Promise<ResealCount> {
  const count: ResealCount = { place: place.name, old: 0, done: 0, lost: 0 }
  for (let after = ''; ; ) {
    const rows = await place.find(db, after, batch)
    const fresh: SealedRow[] = []
    for (const { id, sealed } of rows) {
      const text = from.open(sealed)
      if (text !== null) fresh.push({ id, sealed: to.seal(text) })
      else if (to.open(sealed) !== null) count.done++
      else count.lost++
    }
    count.old += fresh.length
    if (fresh.length > 0) await save(fresh)
    const last = rows.at(-1)
    if (!last || rows.length < batch) return count
    after = last.id
  }
}
