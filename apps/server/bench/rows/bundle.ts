import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Bench } from '../bench-context.ts'
import type { Row } from '../report.ts'

const script = fileURLToPath(new URL('../../../../scripts/budget.ts', import.meta.url))

/** The same measurement that the check makes. */
export async function bundleRows(_bench: Bench): Promise<Row[]> {
  const output = execFileSync(process.execPath, [script], { encoding: 'utf8' })
  return [...output.matchAll(/^(.+): ([\d.]+) of (\d+) KiB in (\d+) files/gm)].map(
    ([, what = '', size, most, files]) => ({
      what: `JavaScript to the ${what}, gzip`,
      reach: `≤ ${most} KiB`,
      ours: `${size} KiB`,
      reference: `${files} files`,
      isReached: Number(size) <= Number(most),
    }),
  )
}
