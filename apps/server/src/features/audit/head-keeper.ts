import { randomUUID } from 'node:crypto'
import type { AppContext } from '../../context.ts'
import { keepWritten } from '../../platform/keep-written.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { appendHeads, placeOf, readHeadFile, readPlainHeads } from './head-file.ts'
import { findAnchors, saveAnchor } from './queries/anchors.ts'
import { findHead } from './queries/chain.ts'
import { type HeadAt, openRing, type SealedHead } from './seal.ts'

type Seal = (head: HeadAt) => SealedHead

/** Begins to write, or goes on with the file of before. What was kept there unsealed is sealed as it is, once. */
async function openAnchor(ctx: AppContext): Promise<Seal> {
  const now = new Date(ctx.clock())
  const ring = await openRing(ctx, await ctx.instance(createSecretBox), now)
  const known = (await readHeadFile(ctx.config, ring)).heads.at(-1)?.anchor
  const anchor = known ?? randomUUID()
  const seal: Seal = (head) => {
    if (!ring.seal) throw new Error('no key to seal the head with can be opened')
    return ring.seal(head, anchor)
  }
  const plain = (await findAnchors(ctx)).length === 0 && known === undefined ? await readPlainHeads(ctx.config) : []
  await keepOutside(ctx, plain.map(seal))
  return seal
}

/** First outside, then in the database: what the database knows of has been written. */
async function keepOutside(ctx: AppContext, heads: readonly SealedHead[]): Promise<void> {
  if (heads.length === 0) return
  await appendHeads(ctx.config, heads)
  for (const { anchor, seq, hash, at } of [heads[0], heads.at(-1)].filter((head) => head !== undefined))
    await saveAnchor(ctx, { id: anchor, place: placeOf(ctx.config), seq, hash, at: new Date(at) })
}

/**
 * Writes the newest place of the chain to the log and to a file in the data folder, a second after it changed. A tail
 * that is cut off in the database, or a chain that is made anew there, does not fit what was written outside.
 */
export function createHeadKeeper(ctx: AppContext) {
  let sealing: Promise<Seal> | undefined
  let written: string | undefined

  function openSeal(): Promise<Seal> {
    sealing ??= openAnchor(ctx).catch((error: unknown) => {
      sealing = undefined
      throw error
    })
    return sealing
  }

  async function write(): Promise<void> {
    const { seq, hash } = await findHead(ctx)
    if (seq === 0 || hash === written) return
    const seal = await openSeal()
    const head = seal({ at: new Date(ctx.clock()).toISOString(), seq, hash })
    ctx.log.info({ seq, hash, key: head.key, seal: head.seal }, 'audit head')
    await keepOutside(ctx, [head])
    written = hash
  }

  const heads = keepWritten(ctx, { what: 'the audit head', topics: ['audit'], gatherMs: 1000, write })
  return {
    async start(): Promise<void> {
      heads.start()
      await heads.now()
    },
    async stop(): Promise<void> {
      await heads.stop()
      await heads.now()
    },
  }
}
