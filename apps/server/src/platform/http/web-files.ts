import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

export type Encoding = 'br' | 'gzip'

export type WebFile = {
  path: string
  size: number
  type: string
  etag: string
  /** Its name holds a hash of its content. */
  isImmutable: boolean
  packed: Partial<Record<Encoding, { path: string; size: number }>>
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}
const endings: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

/** Everything below the folder that may be sent, by its address. Only what is listed here is ever read from the disk. */
export async function listWebFiles(folder: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = new Set(entries.filter(isServed).map((entry) => join(entry.parentPath, entry.name)))
  const files = await Promise.all(
    [...paths].filter((path) => types[extname(path)] !== undefined).map((path) => describeFile(folder, path, paths)),
  )
  return new Map(files)
}

const isServed = (entry: Dirent): boolean =>
  entry.isFile() && !`${entry.parentPath}${sep}${entry.name}`.includes(`${sep}.`)

async function describeFile(folder: string, path: string, all: ReadonlySet<string>): Promise<[string, WebFile]> {
  const { size, mtimeMs } = await stat(path)
  const packed: WebFile['packed'] = {}
  for (const encoding of ['br', 'gzip'] as const) {
    const packedPath = path + endings[encoding]
    if (all.has(packedPath)) packed[encoding] = { path: packedPath, size: (await stat(packedPath)).size }
  }
  const address = `/${relative(folder, path).split(sep).join('/')}`
  const type = types[extname(path)] ?? 'application/octet-stream'
  const etag = `W/"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
  return [address, { path, size, type, etag, isImmutable: address.startsWith('/assets/'), packed }]
}
