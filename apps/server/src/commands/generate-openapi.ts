import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../config.ts'
import { describeApi } from '../platform/http/openapi.ts'

// Writes openapi.json from the contract; with --check only says whether it would change.
const target = fileURLToPath(new URL('../../../../openapi.json', import.meta.url))
const text = `${JSON.stringify(describeApi(loadConfig({}).version), null, 2)}\n`

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write('openapi.json is not what the contract says: npm run generate\n')
    process.exitCode = 1
  }
} else {
  writeFileSync(target, text)
}
