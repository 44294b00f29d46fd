import { runStaticChecks, runVitest } from './lib/check-steps.ts'
import { add, closingLine } from './lib/steps.ts'

const counts = add(await runStaticChecks(), await runVitest('quick'))
console.log(closingLine(counts))
process.exitCode = counts.failed > 0 ? 1 : 0
