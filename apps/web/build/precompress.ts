import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(js|css|svg|json|txt)$/
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Writes `.br` and `.gz` beside every text asset. index.html is left out: the server fills in its nonce. */
export function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      outDir = join(config.root, config.build.outDir)
    },
    closeBundle: async () => {
      const names = await readdir(outDir, { recursive: true })
      await Promise.all(names.filter((name) => compressible.test(name)).map((name) => compress(join(outDir, name))))
    },
  }
}

async function compress(path: string): Promise<void> {
  const source = await readFile(path)
  const [br, gz] = await Promise.all([
    toBrotli(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    toGzip(source, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
