import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { Transform } from 'node:stream'

/** A file of ours that is not whole, was changed, or was sealed with another key. The message is for people. */
export class DamagedArchive extends Error {
  override name = 'DamagedArchive'
}

/** Readable without the key, and sealed with it: a changed header opens nothing. */
export type ArchiveHead = {
  format: 1
  id: string
  /** Which key opens it. */
  key: string
  salt: string
  createdAt: string
  console: string
}

const magic = Buffer.from('AGENCYBK')
const longestHead = 64 * 1024
const chunkBytes = 1024 * 1024
const tagBytes = 16

export const makeArchiveKey = (): Buffer => randomBytes(32)

/** Tells keys apart without saying anything about them. */
export const fingerprintOfKey = (key: Buffer): string =>
  createHmac('sha256', key).update('agency-console backup key').digest('hex').slice(0, 16)

export const makeHead = (head: Pick<ArchiveHead, 'id' | 'createdAt' | 'console'>, key: Buffer): ArchiveHead => ({
  format: 1,
  ...head,
  key: fingerprintOfKey(key),
  salt: randomBytes(32).toString('base64url'),
})

/** A key of the file's own, so that its chunks can be numbered from nought. */
function fileKey(key: Buffer, { salt }: ArchiveHead): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.from(salt, 'base64url'), 'agency-console backup', 32))
}

/** The number of the chunk, and whether it is the last one: a file that was cut has no last chunk. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

const lengthOf = (bytes: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(bytes)
  return buffer
}

/** Seals what passes through with AES-256-GCM, a chunk at a time. */
export function sealing(head: ArchiveHead, key: Buffer): Transform {
  const own = fileKey(key, head)
  const text = Buffer.from(JSON.stringify(head))
  const aad = createHash('sha256').update(text).digest()
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let number = 0

  function seal(plain: Buffer, isLast: boolean): Buffer {
    const cipher = createCipheriv('aes-256-gcm', own, nonceOf(number++, isLast)).setAAD(aad)
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([lengthOf(body.length), body, cipher.getAuthTag()])
  }

  return new Transform({
    construct(done) {
      this.push(Buffer.concat([magic, lengthOf(text.length), text]))
      done()
    },
    transform(piece: Buffer, _encoding, done) {
      waiting.push(piece)
      waitingBytes += piece.length
      if (waitingBytes > chunkBytes) {
        const all = Buffer.concat(waiting)
        let from = 0
        for (; all.length - from > chunkBytes; from += chunkBytes)
          this.push(seal(all.subarray(from, from + chunkBytes), false))
        waiting = [all.subarray(from)]
        waitingBytes = all.length - from
      }
      done()
    },
    flush(done) {
      this.push(seal(Buffer.concat(waiting), true))
      done()
    },
  })
}

/** Takes so many bytes at a time from pieces of any size. */
class Pieces {
  readonly #source: AsyncIterator<Buffer>
  #left: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** null at the end of the source; a part of what was asked for is a cut file. */
  async take(bytes: number): Promise<Buffer | null> {
    const parts = [this.#left]
    let have = this.#left.length
    while (have < bytes) {
      const { value, done } = await this.#source.next()
      if (done) {
        if (have === 0) return null
        throw new DamagedArchive('The file is cut off')
      }
      parts.push(value)
      have += value.length
    }
    const all = parts.length === 1 ? this.#left : Buffer.concat(parts)
    this.#left = all.subarray(bytes)
    return all.subarray(0, bytes)
  }

  async need(bytes: number): Promise<Buffer> {
    const taken = await this.take(bytes)
    if (taken === null) throw new DamagedArchive('The file is cut off')
    return taken
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}

async function readHead(pieces: Pieces): Promise<{ head: ArchiveHead; text: Buffer }> {
  const start = await pieces.take(magic.length)
  if (!start?.equals(magic)) throw new DamagedArchive('This is no backup of an Agency Console')
  const length = (await pieces.need(4)).readUInt32BE()
  if (length > longestHead) throw new DamagedArchive('The head of the file is damaged')
  const text = await pieces.need(length)
  try {
    const head = JSON.parse(text.toString('utf8')) as ArchiveHead
    if (head.format !== 1) throw new DamagedArchive('The backup was made by a newer console: start that one')
    return { head, text }
  } catch (error) {
    if (error instanceof DamagedArchive) throw error
    throw new DamagedArchive('The head of the file is damaged')
  }
}

/** What can be said of a file without its key. */
export async function readArchiveHead(source: AsyncIterable<Buffer>): Promise<ArchiveHead> {
  const pieces = new Pieces(source)
  try {
    return (await readHead(pieces)).head
  } finally {
    await pieces.close()
  }
}

/** Answers what was sealed, and throws at the first byte that was not. */
export async function* unsealed(source: AsyncIterable<Buffer>, key: Buffer): AsyncGenerator<Buffer> {
  const pieces = new Pieces(source)
  const { head, text } = await readHead(pieces)
  if (head.key !== fingerprintOfKey(key)) throw new DamagedArchive('The backup was sealed with another backup key')
  const own = fileKey(key, head)
  const aad = createHash('sha256').update(text).digest()
  for (let number = 0; ; number++) {
    const length = (await pieces.need(4)).readUInt32BE()
    if (length > chunkBytes) throw new DamagedArchive('The file is damaged')
    const body = await pieces.need(length)
    const tag = await pieces.need(tagBytes)
    // All but one are not the last.
    const middle = openChunk(own, aad, nonceOf(number, false), body, tag)
    const plain = middle ?? openChunk(own, aad, nonceOf(number, true), body, tag)
    if (plain === null) throw new DamagedArchive(`The file is damaged in its part ${number + 1}`)
    yield plain
    if (middle !== null) continue
    if ((await pieces.take(1)) !== null) throw new DamagedArchive('Something follows the end of the file')
    return
  }
}

function openChunk(key: Buffer, aad: Buffer, nonce: Buffer, body: Buffer, tag: Buffer): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(aad)
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    return null
  }
}
