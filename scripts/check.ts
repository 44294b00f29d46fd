import { runChecks } from './lib/check-steps.ts'
import { closingLine } from './lib/steps.ts'

const counts = await runChecks()
console.log(closingLine(counts))
process.exitCode = counts.failed > 0 ? 1 : 0
