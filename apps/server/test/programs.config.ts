import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig } from 'vite'
import console from '../vite.config.ts'
import { entryOf } from './programs.ts'

const server = fileURLToPath(new URL('../', import.meta.url))
const sources = [
  ...['src/main.ts', 'src/worker.ts', 'src/commands/{admin-key,backup,restore}.ts'],
  ...['test/{dying-run,job-console,console-stand-in,fixtures/import-child}.ts', 'src/**/test/dying-console.ts'],
]

/** What tests run as processes of their own, built as the console is. */
export default mergeConfig(
  console,
  defineConfig({
    build: {
      outDir: process.env['TEST_PROGRAMS'] ?? join(server, 'dist'),
      // What lies there is for nobody else, and was just made.
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(
          globSync(sources, { cwd: server }).map((path) => [entryOf(join(server, path)), join(server, path)]),
        ),
      },
    },
  }),
)
