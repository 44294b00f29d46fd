import type { RequestContext } from '../../../context.ts'
import { DamagedArchive } from '../../../db/archive/sealed-file.ts'
import { AppError } from '../../../platform/errors.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { filePath, isThere, moveFile, unprovenPath } from '../files.ts'
import { findKey } from '../keys.ts'
import { runWriter } from '../run-writer.ts'
import type { Proof } from '../writer/order.ts'
import type { Written } from './write-file.ts'

export async function keyOf(ctx: RequestContext, { keyId }: Written): Promise<Buffer> {
  const key = await findKey(ctx, await ctx.instance(createSecretBox), keyId)
  if (!key) throw new AppError('conflict', 'SECRETS_KEY no longer opens the key of this backup')
  return key
}

/** Reads the file back, compares it with what was written, and gives it its name. */
export async function readBack(
  ctx: RequestContext,
  id: string,
  written: Written,
  { signal, progress }: Pick<StepWork, 'signal' | 'progress'>,
): Promise<Proof> {
  const [unproven, proven] = [unprovenPath(ctx, id), filePath(ctx, id)]
  // A process that ended here may have given it its name already.
  const path = (await isThere(unproven)) ? unproven : proven
  if (!(await isThere(path))) throw new DamagedArchive('The backup file disappeared while it was verified')
  const key = (await keyOf(ctx, written)).toString('base64')
  const proof = await runWriter(
    { work: 'proof', path, key, isIncremental: written.isIncremental },
    { signal, onNews: ({ done }) => progress(done, written.bytes, 'bytes') },
  )
  if (proof.sha256 !== written.sha256 || proof.bytes !== written.bytes)
    throw new DamagedArchive('The backup file does not match what was written')
  if (path === unproven) await moveFile(ctx, unproven, proven)
  return proof
}
