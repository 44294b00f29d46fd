import type { AppContext } from '../../context.ts'
import { type HeadFile, headFileName, placeOf, readHeadFile } from './head-file.ts'
import { type AnchorRow, deleteAnchors, findAnchors, insertAnchor, isWrittenBefore } from './queries/anchors.ts'
import type { Ring, SealedHead } from './seal.ts'

type Examined = Pick<AppContext, 'db' | 'clock' | 'config'>

export type Anchor = Pick<HeadFile, 'heads' | 'editedLine'> & {
  /** What is missing outside the database, in words; null: nothing is. */
  missing: string | null
  /** Those that are missing. */
  lost: AnchorRow[]
}

/** A head is written a second after the chain has grown. */
const staleMs = 3_600_000

const placeText = (seq: number): string => `place ${seq.toLocaleString('en-US')}`

const holds = (heads: readonly SealedHead[], { id, first_seq, last_seq }: AnchorRow): boolean =>
  [first_seq, last_seq].every((seq) => heads.some((head) => head.anchor === id && head.seq === seq))

/** Whether a file that is somewhere else was still written when the one here began. */
function meets({ last_at, last_seq, last_hash }: AnchorRow, heads: readonly SealedHead[]): boolean {
  return heads.some(
    ({ at, seq, hash }) => Date.parse(at) <= last_at.getTime() || (seq === last_seq && hash === last_hash),
  )
}

const written = (row: AnchorRow): string =>
  `The heads up to ${placeText(row.last_seq)}, last written ${row.last_at.toISOString()} at ${row.place},`

function describe({ isThere, heads }: HeadFile, lost: readonly AnchorRow[]): string | null {
  const newest = lost.at(-1)
  if (newest && heads.length === 0 && !isThere) return `${written(newest)} are gone: ${headFileName} is missing.`
  if (newest) return `${written(newest)} are missing from ${headFileName}.`
  if (heads.length > 0) return null
  return isThere ? `${headFileName} holds no head of this database.` : `There is no ${headFileName} in the data folder.`
}

async function staleness(ctx: Examined, heads: readonly SealedHead[]): Promise<string | null> {
  const newest = heads.at(-1)
  if (!newest || !(await isWrittenBefore(ctx, newest.seq + 1, new Date(ctx.clock() - staleMs)))) return null
  return `No head was written to ${headFileName} since ${newest.at}, although the log has grown.`
}

/** What stands outside the database, compared with what should. */
export async function examineAnchor(ctx: Examined, ring: Ring): Promise<Anchor> {
  // A head is in the file before the database knows of it, so the database is asked first.
  const rows = await findAnchors(ctx)
  const file = await readHeadFile(ctx.config, ring)
  const { heads, editedLine } = file
  const here = placeOf(ctx.config)
  const isHere = ({ id, place }: AnchorRow) => place === here || heads.some(({ anchor }) => anchor === id)
  const lost = rows.filter((row) => (isHere(row) ? !holds(heads, row) : !meets(row, heads)))
  const missing = describe(file, lost) ?? (await staleness(ctx, heads))
  return { heads, editedLine, missing, lost }
}

/** What was told is over: from here on what the file holds now is what it has to hold. */
export async function acceptLoss(ctx: Pick<AppContext, 'db' | 'config'>, { heads, lost }: Anchor): Promise<void> {
  await deleteAnchors(
    ctx,
    lost.map(({ id }) => id),
  )
  for (const { id } of lost) {
    const left = heads.filter(({ anchor }) => anchor === id)
    const [first, last] = [left[0], left.at(-1)]
    if (first && last)
      await insertAnchor(ctx, {
        id,
        place: placeOf(ctx.config),
        ...{ first_seq: first.seq, first_hash: first.hash, first_at: new Date(first.at) },
        ...{ last_seq: last.seq, last_hash: last.hash, last_at: new Date(last.at) },
      })
  }
}
