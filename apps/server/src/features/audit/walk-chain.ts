import type { AppContext } from '../../context.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { type Anchor, examineAnchor } from './anchor.ts'
import { headFileName } from './head-file.ts'
import { checkLinks, findEnd, findUnchained, findUnlike, type Head, type WrongLink } from './queries/chain.ts'
import { type Finding, saveProgress } from './queries/verifications.ts'
import { readRing } from './seal.ts'

const batchLinks = 10_000

/** `isCancelled`: somebody stopped it meanwhile. */
export type Walked =
  | { isCancelled: true }
  /** `anchor`: what stood outside the database, where that is what was found. */
  | { isCancelled: false; finding: Finding | null; anchor?: Anchor }

const found = (
  kind: Finding['kind'],
  seq: number | null,
  entryId: string | null,
  message: string,
): Extract<Walked, { isCancelled: false }> => ({
  isCancelled: false,
  finding: { kind, seq, entry_id: entryId, message },
})

const placeText = (seq: number): string => `place ${seq.toLocaleString('en-US')}`

async function tellWrong(ctx: AppContext, { seq, expectedSeq, entryId, isEntryThere }: WrongLink): Promise<Walked> {
  if (seq !== expectedSeq) return tellMissingLink(ctx, expectedSeq)
  if (!isEntryThere)
    return found('missing', seq, entryId, `Entry ${entryId} at ${placeText(seq)} of the chain was deleted.`)
  return found(
    'altered',
    seq,
    entryId,
    `Entry ${entryId} at ${placeText(seq)} is not what was sealed there: the entry or its link was altered.`,
  )
}

async function tellMissingLink(ctx: AppContext, seq: number): Promise<Walked> {
  const entryId = await findUnchained(ctx)
  const what = entryId === null ? 'its entry was deleted with it' : `entry ${entryId} lost its place`
  const place = placeText(seq)
  return found('missing', seq, entryId, `P${place.slice(1)} of the chain is missing; ${what}.`)
}

/** Whether the chain ends where its head says. null: it has grown since the last link was checked. */
async function checkEnd(ctx: AppContext, checked: number): Promise<Walked | 'grown' | 'good'> {
  const { last, head } = await findEnd(ctx)
  if (last.seq > checked) return 'grown'
  if (!head) return found('head', last.seq, null, 'The head of the chain was deleted.')
  if (last.seq < head.seq) {
    const missing = (head.seq - last.seq).toLocaleString('en-US')
    const message = `The chain ends at ${placeText(last.seq)}, its head says ${head.seq.toLocaleString('en-US')}: the newest ${missing} were cut off.`
    return found('cut', last.seq + 1, null, message)
  }
  if (last.seq > head.seq || last.hash !== head.hash)
    return found('head', last.seq, null, `The head of the chain does not fit its last link at ${placeText(last.seq)}.`)
  return 'good'
}

const advice = `Keep ${headFileName} as evidence, and compare with the heads that were sent out. A backup that was restored on purpose looks the same.`

/** Compares with what was written outside the database. */
async function compareOutside(ctx: AppContext, last: number, { heads, editedLine }: Anchor): Promise<Walked | null> {
  const seen: Head[] = heads.map(({ seq, hash }) => ({ seq, hash }))
  const unlike = seen.length === 0 ? undefined : await findUnlike(ctx, seen)
  if (!unlike) return editedLine === null ? null : tellEdited(editedLine)
  const { at } = heads.find(({ seq }) => seq === unlike.seq) ?? { at: 'an unknown time' }
  if (unlike.entryId === null) {
    const newest = Math.max(...seen.map(({ seq }) => seq)).toLocaleString('en-US')
    const message = `The chain ends at ${placeText(last)}, but it had come to ${newest} as ${headFileName} tells: its end was cut off. ${advice}`
    return found('cut', last + 1, null, message)
  }
  const good = Math.max(0, ...seen.filter(({ seq }) => seq < unlike.seq).map(({ seq }) => seq))
  const message = `The chain was made anew: ${placeText(unlike.seq)} is not what ${headFileName} saw at ${at}; entries after ${placeText(good)} may be false. ${advice}`
  return found('head', unlike.seq, unlike.entryId, message)
}

const tellEdited = (line: number): Walked =>
  found('anchor', null, null, `Line ${line} of ${headFileName} does not fit its seal: the line was changed. ${advice}`)

/** The entries fit together; that nobody made all of them anew is only proven by what stands outside. */
async function checkOutside(ctx: AppContext, last: number): Promise<Walked> {
  const anchor = await examineAnchor(ctx, await readRing(ctx, await ctx.instance(createSecretBox)))
  const wrong = (await compareOutside(ctx, last, anchor)) ?? (await findAround(ctx))
  if (wrong || anchor.missing === null) return wrong ?? { isCancelled: false, finding: null }
  const rest = 'The entries fit together, but nothing outside the database proves what they were before.'
  const message = `${anchor.missing} ${rest} Compare with the heads that were sent out.`
  return { ...found('no_anchor', null, null, message), anchor }
}

/** Checks the chain from a place on, in batches; what was checked is kept, so that another process can go on. */
export async function walkChain(
  ctx: AppContext,
  verification: { id: string; checked: number },
  signal: AbortSignal,
): Promise<Walked> {
  let checked = verification.checked
  for (;;) {
    signal.throwIfAborted()
    const { last, isStartThere, wrong } = await checkLinks(ctx, checked, batchLinks)
    if (!isStartThere) return tellMissingLink(ctx, checked)
    if (wrong) {
      await saveProgress(ctx, verification.id, Math.max(checked, Math.min(wrong.seq, wrong.expectedSeq) - 1))
      return tellWrong(ctx, wrong)
    }
    checked = last ?? checked
    if (!(await saveProgress(ctx, verification.id, checked))) return { isCancelled: true }
    if (last !== null) continue
    const end = await checkEnd(ctx, checked)
    if (end === 'grown') continue
    if (end !== 'good') return end
    return checkOutside(ctx, checked)
  }
}

async function findAround(ctx: AppContext): Promise<Walked | null> {
  const entryId = await findUnchained(ctx)
  if (entryId === null) return null
  return found('unchained', null, entryId, `Entry ${entryId} has no place in the chain: it was written around it.`)
}
