import type { AppContext } from '../../context.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { examineAnchor } from './anchor.ts'
import { headFileName } from './head-file.ts'
import { findNewestSent, type SentHead } from './queries/anchors.ts'
import { findHead } from './queries/chain.ts'
import { readRing } from './seal.ts'

export type AnchorState = {
  /** What is wrong with the heads in the data folder, in words; null: nothing is. */
  trouble: string | null
  /** Of the newest head there. */
  newest: { seq: number; at: string } | null
  /** Nothing was written to the log yet, so nothing can stand outside. */
  isNew: boolean
  sent: SentHead[]
}

type Examined = Pick<AppContext, 'db' | 'clock' | 'config'>

/** What stands outside the database now, without walking the chain. */
export async function findAnchorState(ctx: Examined, box: Pick<SecretBox, 'open'>): Promise<AnchorState> {
  const { heads, missing, editedLine } = await examineAnchor(ctx, await readRing(ctx, box))
  const [head, sent] = await Promise.all([findHead(ctx), findNewestSent(ctx)])
  const edited = editedLine === null ? null : `Line ${editedLine} of ${headFileName} does not fit its seal.`
  const newest = heads.at(-1)
  return {
    trouble: head.seq === 0 ? null : (missing ?? edited),
    newest: newest ? { seq: newest.seq, at: newest.at } : null,
    isNew: head.seq === 0,
    sent,
  }
}
