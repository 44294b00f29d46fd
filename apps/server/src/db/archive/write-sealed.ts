import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { makeHead, sealing } from './sealed-file.ts'

export type SealedOrder = {
  path: string
  key: Buffer
  id: string
  console: string
  now: Date
  signal: AbortSignal
}

const pieceBytes = 256 * 1024
// Faster than the database gives out rows, and a fifth smaller than what gzip makes of them.
const level = 3

/** Compresses, seals and writes frames into a new file, which is whole and on the disk when this answers. */
export async function writeSealed(
  { path, key, id, console, now, signal }: SealedOrder,
  frames: AsyncIterable<Buffer>,
): Promise<{ bytes: number; sha256: string }> {
  const file = await open(path, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let bytes = 0
    const toFile = new Writable({
      write(piece: Buffer, _encoding, done) {
        hash.update(piece)
        bytes += piece.length
        file.writeFile(piece).then(() => done(), done)
      },
    })
    await pipeline(
      Readable.from(frames, { objectMode: false, highWaterMark: pieceBytes }),
      createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } }),
      sealing(makeHead({ id, createdAt: now.toISOString(), console }, key), key),
      toFile,
      { signal },
    )
    await file.sync()
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}
