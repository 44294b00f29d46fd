import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const outDir = at('dist')

/** Made of many small modules that are all loaded; each on its own costs memory and time at every start. */
const packagesWithin = ['cloudflare', 'cron-parser', 'kysely', 'luxon', 'pg-boss', 'rrule-temporal', 'stripe', 'zod']

/** Where one file starts another: as the source says it, and where the other one goes. */
const starts: Record<string, [said: string, built: string]> = {
  [at('../../packages/sandbox/src/thread.ts')]: ["new URL('./worker.ts', import.meta.url)", './worker.js'],
  [at('src/features/exports/write-file.ts')]: ["new URL('./writer/main.ts', import.meta.url)", './export-writer.js'],
  [at('src/features/backups/run-writer.ts')]: ["new URL('./writer/main.ts', import.meta.url)", './backup-writer.js'],
}

/** Files beside a source (migrations, the built web app) are found from where the source lies, not from where it went. */
function keepPlaces(): Plugin {
  let builtTo = outDir
  return {
    name: 'keep-places',
    enforce: 'pre',
    configResolved({ build }) {
      builtTo = build.outDir
    },
    transform(code, id) {
      const start = starts[id]
      if (start) {
        const [said, built] = start
        if (!code.includes(said)) throw new Error(`${id} no longer says ${said}`)
        return code.replace(said, `new URL('${built}', import.meta.url)`)
      }
      if (!code.includes('import.meta.url')) return
      return code.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(relative(builtTo, id))}, import.meta.url).href`,
      )
    },
  }
}

/** A single character beyond Latin-1 doubles the memory of a file. The text of a tagged template is never escaped. */
function onlyAscii(): Plugin {
  return {
    name: 'only-ascii',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const found = file.type === 'chunk' && /.{0,60}\P{ASCII}.{0,20}/u.exec(file.code)
        if (found)
          this.error(`${file.fileName} has a character beyond ASCII; write an entity or an escape: ${found[0]}`)
      }
    },
  }
}

/** The console as `npm start` runs it: a few files instead of two thousand. Everything else runs the sources. */
export default defineConfig({
  plugins: [keepPlaces(), onlyAscii()],
  ssr: { noExternal: packagesWithin },
  build: {
    ssr: true,
    target: 'node24',
    outDir,
    emptyOutDir: true,
    // Names and lines stay readable in stack traces.
    minify: false,
    rolldownOptions: {
      input: {
        main: at('src/main.ts'),
        worker: at('../../packages/sandbox/src/worker.ts'),
        'export-writer': at('src/features/exports/writer/main.ts'),
        'backup-writer': at('src/features/backups/writer/main.ts'),
      },
      // All in one folder, because they name each other's place.
      output: { chunkFileNames: '[name]-[hash].js', charset: 'ascii', comments: false },
    },
  },
})
