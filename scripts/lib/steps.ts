import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export interface Step {
  name: string
  command: [string, ...string[]]
  env?: Record<string, string>
  /** A step of many tests says how many; any other step counts as one. */
  count?: () => Counts
}

const none: Counts = { passed: 0, failed: 0, skipped: 0 }

export const project = fileURLToPath(new URL('../../', import.meta.url))

/** Runs the steps, so many at a time, and prints one line for each and all that a failed one said. */
export async function runSteps(steps: Step[], atOnce: number): Promise<Counts> {
  let total = none
  const waiting = [...steps]
  async function work(): Promise<void> {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const counts = await runStep(step)
      total = add(total, counts)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return total
}

export function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** Runs the named parts one after the other, each with its closing line, and closes several with the sum of them. */
export async function runParts(
  names: string[],
  parts: Record<string, () => Promise<Counts>>,
  print: (line: string) => void,
): Promise<Counts> {
  const unknown = names.find((name) => !parts[name])
  if (names.length === 0 || unknown !== undefined)
    throw new Error(`Parts of the tests are: ${Object.keys(parts).join(', ')}`)
  let total = none
  for (const name of names) {
    const counts = await parts[name]!()
    print(closingLine(counts))
    total = add(total, counts)
  }
  if (names.length > 1) print(closingLine(total))
  return total
}

/** The line that says whether all is well, in a form that programs read too. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

async function runStep(step: Step): Promise<Counts> {
  const started = performance.now()
  const { succeeded, output } = await run(step)
  const counts = countOf(step, succeeded)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const tests = step.count ? ` (${closingLine(counts)})` : ''
  process.stdout.write(`${counts.failed === 0 ? '✓' : '✗'} ${step.name}${tests} ${seconds} s\n`)
  if (counts.failed > 0) process.stdout.write(`${output.trimEnd()}\n`)
  return counts
}

function countOf(step: Step, succeeded: boolean): Counts {
  const alone = { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 }
  if (!step.count) return alone
  try {
    const counts = step.count()
    // Something outside of a test broke, or nothing was tested at all.
    return (succeeded || counts.failed > 0) && counts.passed + counts.failed > 0
      ? counts
      : { ...counts, failed: counts.failed + 1 }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

function run({ command: [program, ...args], env }: Step): Promise<{ succeeded: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: project,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.once('error', (error) => resolve({ succeeded: false, output: error.message }))
    child.once('close', (status) => resolve({ succeeded: status === 0, output }))
  })
}
