import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestContext } from '../../context.ts'
import { dropSegments, endArchiving, findSegments } from '../../db/embedded/base-copy.ts'
import { walFolder } from '../../db/embedded/settings.ts'
import { incrementalBlock } from './incremental-block.ts'
import { findChain } from './queries/chain.ts'

/** 4 GB. */
const mostSegments = 256
const longestMs = 8 * 86_400_000

/**
 * Segments that a backup holds are not needed any more. Where nobody goes on with the chain for long, or the journal grows
 * beyond what a disk has room for, keeping it ends: the next incremental backup begins a new chain.
 */
export async function tidyJournal(ctx: RequestContext): Promise<void> {
  const walArchive = join(ctx.config.dataDir, 'pg', walFolder)
  if (incrementalBlock(ctx) !== null || !existsSync(walArchive)) return
  const last = (await findChain(ctx)).at(-1)?.head
  const segments = await findSegments({ walArchive })
  const isForgotten = last !== undefined && ctx.clock() - Date.parse(last.endsAt) > longestMs
  if (isForgotten || segments.length > mostSegments) {
    ctx.log.warn({ segments: segments.length }, 'the journal is not kept any more: no incremental backup took it')
    return endArchiving(ctx.config.dataDir)
  }
  if (last)
    await dropSegments(
      { walArchive },
      segments.filter((name) => name <= last.to),
    )
}
