import type { RequestContext } from '../../../context.ts'
import { DamagedArchive } from '../../../db/archive/sealed-file.ts'
import type { ObjectStore } from '../../../integrations/s3/gateway.ts'
import { AppError } from '../../../platform/errors.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import { filePath } from '../files.ts'
import { keyInStore, storeOf } from '../store.ts'
import type { Proof } from '../writer/order.ts'
import { prove } from '../writer/prove.ts'
import { keyOf } from './read-back.ts'
import type { Written } from './write-file.ts'

async function neededStore(ctx: RequestContext): Promise<ObjectStore> {
  const store = await storeOf(ctx)
  if (!store) throw new AppError('conflict', 'The S3 store is no longer configured')
  return store
}

/** Copies the file, which was read back here already, to the store. */
export async function send(
  ctx: RequestContext,
  id: string,
  bytes: number,
  { signal, progress }: StepWork,
): Promise<void> {
  const store = await neededStore(ctx)
  await store.put(keyInStore(id), filePath(ctx, id), { signal, onBytes: (sent) => progress(sent, bytes, 'bytes') })
}

/** Reads the copy as the store gives it back, from its first byte to its last. */
export async function readStore(
  ctx: RequestContext,
  id: string,
  written: Written,
  { signal, progress }: StepWork,
): Promise<Proof> {
  const store = await neededStore(ctx)
  const proof = await prove(() => store.get(keyInStore(id), signal), await keyOf(ctx, written), {
    ...{ signal, isIncremental: written.isIncremental },
    onBytes: (bytes) => progress(bytes, written.bytes, 'bytes'),
  })
  if (proof.sha256 !== written.sha256)
    throw new DamagedArchive('The S3 store returned different data than was uploaded')
  return proof
}
