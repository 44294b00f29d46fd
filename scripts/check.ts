import { runStaticChecks, vitest } from './lib/check-steps.ts'
import { add, closingLine, runSteps } from './lib/steps.ts'

const counts = add(await runStaticChecks(), await runSteps([vitest('quick')], 1))
console.log(closingLine(counts))
process.exitCode = counts.failed > 0 ? 1 : 0
