import { open } from 'node:fs/promises'
import type { S3Config } from '../../config.ts'
import { type ObjectStore, StoreFailure } from './gateway.ts'

/** Each part is held in memory once. The protocol wants 5 MiB at least, and takes 10,000 parts. */
const partBytes = 16 * 1024 * 1024
const requestMs = 120_000
const contentType = 'application/octet-stream'

function failure(what: string, error: unknown): StoreFailure {
  const message = error instanceof Error ? error.message : String(error)
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return new StoreFailure(`The store ${what}: ${`${message}${cause}`.replaceAll(/\s+/g, ' ').slice(0, 200)}`, {
    cause: error,
  })
}

/** The client of the store; its package is loaded with the first one. */
export async function openStore({ endpoint, bucket, ...account }: S3Config): Promise<ObjectStore> {
  const { S3mini } = await import('s3mini')
  const client = new S3mini({ ...account, endpoint: `${endpoint}/${bucket}`, requestAbortTimeout: requestMs })

  async function putParts(key: string, path: string, { signal, onBytes }: Parameters<ObjectStore['put']>[2]) {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const read = async (from: number): Promise<Buffer> => {
        signal.throwIfAborted()
        const length = Math.min(partBytes, size - from)
        const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from)
        if (bytesRead !== length) throw new Error('The file became shorter')
        return buffer
      }
      if (size <= partBytes) {
        const answer = await client.putObject(key, await read(0), contentType)
        if (!answer.ok) throw new Error(`it answered ${answer.status}`)
        return onBytes(size)
      }
      const upload = await client.getMultipartUploadId(key, contentType)
      try {
        const parts = []
        for (let from = 0; from < size; from += partBytes) {
          parts.push(await client.uploadPart(key, upload, await read(from), parts.length + 1))
          onBytes(Math.min(size, from + partBytes))
        }
        await client.completeMultipartUpload(key, upload, parts)
      } catch (error) {
        await client.abortMultipartUpload(key, upload).catch(() => {})
        throw error
      }
    } finally {
      await file.close()
    }
  }

  return {
    name: `${bucket} at ${new URL(endpoint).host}`,
    async put(key, path, options) {
      try {
        await putParts(key, path, options)
      } catch (error) {
        options.signal.throwIfAborted()
        throw failure('did not take the backup', error)
      }
    },
    async *get(key, signal) {
      let body: AsyncIterable<Uint8Array> | null
      try {
        const answer = await client.getObjectRaw(key)
        if (!answer.ok || !answer.body) throw new Error(`it answered ${answer.status}`)
        body = answer.body as unknown as AsyncIterable<Uint8Array>
      } catch (error) {
        throw failure('did not give the backup back', error)
      }
      for await (const piece of body) {
        signal?.throwIfAborted()
        yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      }
    },
    async size(key) {
      try {
        return (await client.objectExists(key)) === true ? await client.getContentLength(key) : null
      } catch (error) {
        throw failure('could not be asked', error)
      }
    },
    async remove(key) {
      try {
        await client.deleteObject(key)
      } catch (error) {
        throw failure('did not delete the backup', error)
      }
    },
  }
}
